package webhook

import (
	"fmt"
	"reflect"
	"strings"

	"github.com/go-json-experiment/json"
	"github.com/go-json-experiment/json/jsontext"

	"github.com/vienkart/vienkart/internal/clock"
	"github.com/vienkart/vienkart/internal/tenant"
)

// schema is the part of JSON Schema 2020-12 that an event needs.
type schema struct {
	Schema      string         `json:"$schema,omitzero"`
	Title       string         `json:"title,omitzero"`
	Description string         `json:"description,omitzero"`
	Type        string         `json:"type,omitzero"`
	Const       string         `json:"const,omitzero"`
	Format      string         `json:"format,omitzero"`
	Properties  jsontext.Value `json:"properties,omitzero"`
	Required    []string       `json:"required,omitzero"`
}

// Schema is the JSON Schema of an event, made from the Go types that write it. Members may be added to events later, so
// it allows those it does not know.
func (t Type) Schema() ([]byte, error) {
	s, err := t.object(reflect.TypeFor[payload]())
	if err != nil {
		return nil, fmt.Errorf("describing the event %s: %w", t.Name, err)
	}
	s.Schema, s.Title, s.Description = "https://json-schema.org/draft/2020-12/schema", t.Name, t.Meaning
	text, err := json.Marshal(s, jsontext.WithIndent("  "))
	if err != nil {
		return nil, fmt.Errorf("describing the event %s: %w", t.Name, err)
	}
	return append(text, '\n'), nil
}

func (t Type) object(of reflect.Type) (schema, error) {
	var members strings.Builder
	required := make([]string, of.NumField())
	for i := range of.NumField() {
		field := of.Field(i)
		required[i] = field.Tag.Get("json")
		member, err := t.member(of, field)
		if err != nil {
			return schema{}, err
		}
		text, err := json.Marshal(member)
		if err != nil {
			return schema{}, err //nolint:wrapcheck // the caller says what was being described
		}
		_, _ = fmt.Fprintf(&members, ",%q:%s", required[i], text)
	}
	properties := "{" + strings.TrimPrefix(members.String(), ",") + "}"
	return schema{Type: "object", Properties: jsontext.Value(properties), Required: required}, nil
}

func (t Type) member(of reflect.Type, field reflect.StructField) (schema, error) {
	s := schema{Type: "string"}
	switch field.Type {
	case reflect.TypeFor[tenant.ID]():
		s.Format = "uuid"
	case reflect.TypeFor[clock.Time]():
		s.Format = "date-time"
	case reflect.TypeFor[data]():
		var err error
		if s, err = t.object(field.Type); err != nil {
			return schema{}, err
		}
	case reflect.TypeFor[string]():
		s.Const = t.Name
		if of == reflect.TypeFor[data]() {
			s.Const = t.Object
		}
	default:
		return schema{}, fmt.Errorf("the member %s has the type %s, which has no schema", field.Name, field.Type)
	}
	s.Description = field.Tag.Get("description")
	return s, nil
}
