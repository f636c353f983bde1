package httpapi

import (
	"encoding/json"
	"reflect"
	"time"

	"github.com/vienkart/vienkart/internal/clock"
	"github.com/vienkart/vienkart/internal/date"
	"github.com/vienkart/vienkart/internal/money"
	"github.com/vienkart/vienkart/internal/report"
	"github.com/vienkart/vienkart/internal/tenant"
)

// schema is a JSON Schema as the document carries it.
type schema = map[string]any

// direction is the side of the wire: requests are read more liberally than answers are written.
type direction uint8

const (
	asked direction = iota
	answered
)

const (
	decimalPattern  = `^-?[0-9]{1,12}(\.[0-9]{1,10})?$`
	amountPattern   = `^-?[0-9]+(\.[0-9]+)?$`
	currencyPattern = `^[A-Z]{3}$`
	schemaPrefix    = "#/components/schemas/"
)

// schemas turns Go types into JSON Schema. Structs become components, everything else stands where it is used.
type schemas struct {
	names      map[reflect.Type]componentNames
	components map[string]schema
}

// newSchemas names every struct that the operations use.
func newSchemas(operations []Operation) (*schemas, error) {
	names, err := nameComponents(operations)
	if err != nil {
		return nil, err
	}
	return &schemas{names: names, components: map[string]schema{}}, nil
}

func (s *schemas) of(t reflect.Type, d direction) schema {
	t = indirect(t)
	if allowed := allowedValues(t); allowed != nil {
		return enumeration(t, allowed)
	}
	if known := wellKnown(t, d); known != nil {
		return known
	}
	switch t.Kind() {
	case reflect.String:
		return schema{"type": "string"}
	case reflect.Bool:
		return schema{"type": "boolean"}
	case reflect.Struct:
		return s.component(t, d)
	case reflect.Slice, reflect.Array:
		return schema{"type": "array", "items": s.nullable(t.Elem(), d)}
	case reflect.Map:
		return schema{"type": "object", "additionalProperties": s.nullable(t.Elem(), d)}
	case reflect.Int64, reflect.Uint64, reflect.Int, reflect.Uint:
		return schema{"type": "integer", "format": "int64"}
	default:
		return schema{"type": "integer", "format": "int32"}
	}
}

// wellKnown is the schema of a type that writes itself, or nil.
func wellKnown(t reflect.Type, d direction) schema {
	switch {
	case t == reflect.TypeFor[report.Number]():
		return schema{"type": "number"}
	case isOpaque(t):
		return schema{}
	case t == bytesType:
		return schema{"type": "string", "contentEncoding": "base64"}
	case t == decimalType && d == asked:
		return schema{"type": []string{"string", "number"}, "pattern": decimalPattern}
	case !isText(t):
		return nil
	}
	text := schema{"type": "string"}
	switch t {
	case reflect.TypeFor[tenant.ID]():
		text["format"] = "uuid"
	case reflect.TypeFor[date.Date]():
		text["format"] = "date"
	case reflect.TypeFor[clock.Time](), reflect.TypeFor[time.Time]():
		text["format"] = "date-time"
	case decimalType:
		text["pattern"] = decimalPattern
	case reflect.TypeFor[money.Amount]():
		text["pattern"] = amountPattern
	case reflect.TypeFor[money.Currency]():
		text["pattern"] = currencyPattern
	}
	return text
}

func enumeration(t reflect.Type, allowed []any) schema {
	if isWhole(t) && !isText(t) {
		return schema{"type": "integer", "enum": allowed}
	}
	texts := make([]string, len(allowed))
	for i, value := range allowed {
		texts[i] = written(value)
	}
	return schema{"type": "string", "enum": texts}
}

// component writes a struct once and answers with a reference to it.
func (s *schemas) component(t reflect.Type, d direction) schema {
	name := s.names[t].in(d)
	if name == "" { // a struct without a name of its own
		return s.object(t, d)
	}
	if _, done := s.components[name]; !done {
		s.components[name] = nil // a type that holds itself must end here
		s.components[name] = s.object(t, d)
	}
	return schema{"$ref": schemaPrefix + name}
}

func (s *schemas) object(t reflect.Type, d direction) schema {
	properties := map[string]any{}
	var required []string
	for _, m := range membersOf(t) {
		property := s.of(m.typ, d)
		if d == answered && m.required {
			property = s.nullable(m.typ, d)
		}
		limit(property, m.rules)
		if m.description != "" {
			property["description"] = m.description
		}
		properties[m.name] = property
		if m.required {
			required = append(required, m.name)
		}
	}
	object := schema{"type": "object", "properties": properties}
	if len(required) > 0 {
		object["required"] = required
	}
	return object
}

// nullable allows for a pointer that is written as null when it is nil. In a request null means absent everywhere, and
// is not worth a word.
func (s *schemas) nullable(t reflect.Type, d direction) schema {
	inner := s.of(t, d)
	if t.Kind() != reflect.Pointer || d == asked {
		return inner
	}
	if kind, ok := inner["type"].(string); ok && inner["enum"] == nil {
		inner["type"] = []string{kind, "null"}
		return inner
	}
	return schema{"anyOf": []any{inner, schema{"type": "null"}}}
}

// limit writes the limits that the validator keeps.
func limit(property schema, r rules) {
	for name, n := range map[string]*int{
		"minLength": r.minLength, "maxLength": r.maxLength, "minItems": r.minItems, "maxItems": r.maxItems,
	} {
		if n != nil {
			property[name] = *n
		}
	}
	if property["type"] == "object" { // a map counts its members
		rename(property, "minItems", "minProperties")
		rename(property, "maxItems", "maxProperties")
	}
	if r.minimum != nil {
		property["minimum"] = json.Number(r.minimum.String())
	}
	if r.maximum != nil {
		property["maximum"] = json.Number(r.maximum.String())
	}
	if r.pattern != nil {
		property["pattern"] = r.pattern.String()
	}
}

func rename(property schema, from, to string) {
	if value, ok := property[from]; ok {
		property[to] = value
		delete(property, from)
	}
}
