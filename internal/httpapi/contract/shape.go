package contract

import (
	"fmt"
	"slices"
	"strings"
)

const (
	typeObject  = "object"
	typeArray   = "array"
	typeInteger = "integer"
	typeNumber  = "number"
	typeString  = "string"
	typeBoolean = "boolean"
	typeNull    = "null"
)

// shape is what a schema says, with references and alternatives resolved one level deep.
type shape struct {
	types      []string // without null; none means any type
	nullable   bool
	enum       []string // sorted; nil when the values are not listed
	properties map[string]any
	required   []string
	items      any
	// entries is the schema of the values of a map; isMap tells a map of anything from no map.
	entries any
	isMap   bool
}

func (s shape) any() bool { return len(s.types) == 0 && s.enum == nil && s.properties == nil }

func (s shape) has(t string) bool { return slices.Contains(s.types, t) }

func (s shape) requires(name string) bool { return slices.Contains(s.required, name) }

// allows reports whether values of a type are among those of the shape.
func (s shape) allows(t string) bool {
	return s.any() || s.has(t) || (t == typeInteger && s.has(typeNumber))
}

func (s shape) String() string {
	if s.any() {
		return "anything"
	}
	return strings.Join(s.types, " or ")
}

func (d *Document) shape(value any) shape {
	schema := d.resolve(value)
	var s shape
	switch t := schema["type"].(type) {
	case string:
		s.types = []string{t}
	case []any:
		s.types = texts(t)
	}
	if enum, ok := schema["enum"].([]any); ok {
		s.enum = texts(enum)
		slices.Sort(s.enum)
	}
	s.properties, _ = schema["properties"].(map[string]any)
	if required, ok := schema["required"].([]any); ok {
		s.required = texts(required)
	}
	s.items = schema["items"]
	switch entries := schema["additionalProperties"].(type) {
	case map[string]any:
		s.entries, s.isMap = entries, true
	case bool:
		s.isMap = entries
	}
	for _, keyword := range []string{"anyOf", "oneOf"} {
		if branches, ok := schema[keyword].([]any); ok {
			s = d.join(s, branches)
		}
	}
	if at := slices.Index(s.types, typeNull); at >= 0 {
		s.types, s.nullable = slices.Delete(s.types, at, at+1), true
	}
	return s
}

// join takes alternatives together: their types add up, and of the rest the first that has something to say counts.
func (d *Document) join(s shape, branches []any) shape {
	for _, branch := range branches {
		b := d.shape(branch)
		for _, t := range b.types {
			if !s.has(t) {
				s.types = append(s.types, t)
			}
		}
		s.nullable = s.nullable || b.nullable
		if s.enum == nil {
			s.enum = b.enum
		}
		if s.properties == nil {
			s.properties, s.required = b.properties, b.required
		}
		if s.items == nil {
			s.items = b.items
		}
		if !s.isMap {
			s.entries, s.isMap = b.entries, b.isMap
		}
	}
	return s
}

func texts(values []any) []string {
	out := make([]string, len(values))
	for i, v := range values {
		out[i] = fmt.Sprint(v)
	}
	return out
}
