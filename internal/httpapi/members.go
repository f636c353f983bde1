package httpapi

import (
	"encoding"
	"fmt"
	"reflect"
	"slices"
	"strings"
	"sync"

	"github.com/go-json-experiment/json"
	"github.com/go-json-experiment/json/jsontext"

	"github.com/vienkart/vienkart/internal/money"
)

// member is one member of a JSON object, as its Go field declares it. Decoding, validation and the API document read
// the same list, so they cannot disagree.
type member struct {
	name        string
	description string
	index       []int
	typ         reflect.Type
	required    bool
	rules       rules
	// fault says why the tags cannot be kept; a test over the route table looks for it.
	fault error
}

// enumerated is a type with a closed list of values.
type enumerated interface{ Enum() []any }

var (
	decimalType     = reflect.TypeFor[money.Decimal]()
	anyValueType    = reflect.TypeFor[jsontext.Value]()
	bytesType       = reflect.TypeFor[[]byte]()
	textMarshaler   = reflect.TypeFor[encoding.TextMarshaler]()
	textUnmarshaler = reflect.TypeFor[encoding.TextUnmarshaler]()
	jsonMarshaler   = reflect.TypeFor[json.Marshaler]()
	jsonUnmarshaler = reflect.TypeFor[json.Unmarshaler]()
	enumeratedType  = reflect.TypeFor[enumerated]()
)

var memberCache sync.Map // of reflect.Type to []member

// membersOf lists the members of a struct in the order of its fields, embedded structs in place.
func membersOf(t reflect.Type) []member {
	if cached, ok := memberCache.Load(t); ok {
		return cached.([]member) //nolint:errcheck,forcetypeassert // only this function stores
	}
	cached, _ := memberCache.LoadOrStore(t, listMembers(t))
	return cached.([]member) //nolint:errcheck,forcetypeassert // only this function stores
}

func listMembers(t reflect.Type) []member {
	var list []member
	add := func(m member) {
		at := slices.IndexFunc(list, func(other member) bool { return other.name == m.name })
		switch {
		case at < 0:
			list = append(list, m)
		case len(m.index) < len(list[at].index):
			list[at] = m // the field nearer to the surface wins, as in the decoder
		}
	}
	for i := range t.NumField() {
		field := t.Field(i)
		name, options, _ := strings.Cut(field.Tag.Get("json"), ",")
		if name == "-" || (!field.IsExported() && !field.Anonymous) {
			continue
		}
		inner := indirect(field.Type)
		if name == "" && inner.Kind() == reflect.Struct && (field.Anonymous || options == "embed") {
			for _, m := range membersOf(inner) {
				m.index = append([]int{i}, m.index...)
				add(m)
			}
			continue
		}
		m := member{
			name: name, index: []int{i}, typ: field.Type, description: field.Tag.Get("description"),
			required: !strings.Contains(options, "omitzero") && !strings.Contains(options, "omitempty"),
		}
		if name == "" {
			m.name = field.Name
		}
		m.rules, m.fault = readRules(field.Tag, inner)
		add(m)
	}
	return list
}

func indirect(t reflect.Type) reflect.Type {
	for t.Kind() == reflect.Pointer {
		t = t.Elem()
	}
	return t
}

func implements(t, contract reflect.Type) bool {
	return t.Implements(contract) || reflect.PointerTo(t).Implements(contract)
}

// isText reports a type written as JSON text by its own methods: ids, dates, decimals, currencies.
func isText(t reflect.Type) bool {
	return t == decimalType || implements(t, textMarshaler) || implements(t, textUnmarshaler)
}

// isLeaf reports a type whose inside is its own affair.
func isLeaf(t reflect.Type) bool {
	return isText(t) || t == bytesType || isOpaque(t)
}

// isOpaque reports a type that may be any JSON value.
func isOpaque(t reflect.Type) bool {
	return t == anyValueType || t.Kind() == reflect.Interface ||
		(!isText(t) && (implements(t, jsonMarshaler) || implements(t, jsonUnmarshaler)))
}

// isWhole reports an integer.
func isWhole(t reflect.Type) bool { return t.Kind() >= reflect.Int && t.Kind() <= reflect.Uint64 }

// allowedValues is the closed list of a type, or nil.
func allowedValues(t reflect.Type) []any {
	if !t.Implements(enumeratedType) || t.Kind() == reflect.Interface {
		return nil
	}
	return reflect.Zero(t).Interface().(enumerated).Enum() //nolint:errcheck,forcetypeassert // checked above
}

// written is the text of an allowed value on the wire.
func written(value any) string {
	if v := reflect.ValueOf(value); v.Kind() == reflect.String {
		return v.String()
	}
	if m, ok := value.(encoding.TextMarshaler); ok {
		if text, err := m.MarshalText(); err == nil {
			return string(text)
		}
	}
	return fmt.Sprint(value)
}

func oneOf(values []any) string {
	names := make([]string, len(values))
	for i, v := range values {
		names[i] = written(v)
	}
	return "must be one of " + strings.Join(names, ", ")
}
