package httpapi

import (
	"fmt"
	"reflect"
	"slices"
	"strconv"
	"strings"
	"unicode"
	"unicode/utf8"

	"github.com/vienkart/vienkart/internal/apperr"
	"github.com/vienkart/vienkart/internal/money"
)

// maxFaults bounds the faults named in one answer.
const maxFaults = 50

// validation walks one decoded request and collects its faults.
type validation struct {
	body   []byte
	zeros  map[string]bool
	faults *apperr.Error
	count  int
}

// place is a position in the request; its text is written only when there is a fault to report.
type place struct {
	parent *place
	name   string
}

func (p *place) String() string {
	if p == nil {
		return ""
	}
	if p.parent == nil {
		return p.name
	}
	return p.parent.String() + "." + p.name
}

// validate checks what the types and tags of a decoded request demand; body is what it was decoded from.
func validate(body []byte, request any) error {
	v := &validation{body: body}
	v.object(nil, reflect.ValueOf(request).Elem())
	if v.faults == nil {
		return nil
	}
	return v.faults
}

func (v *validation) fault(at *place, format string, args ...any) {
	if v.count == maxFaults {
		return
	}
	if v.faults == nil {
		v.faults = apperr.ErrValidation.New(someFieldsInvalid)
	}
	v.faults = v.faults.Field(shorten(at.String()), format, args...)
	v.count++
}

func (v *validation) object(at *place, object reflect.Value) {
	members := membersOf(object.Type())
	for i := range members {
		if v.count == maxFaults {
			return
		}
		m := &members[i]
		if m.fault != nil {
			panic(fmt.Sprintf("httpapi: member %s of %s: %s", m.name, object.Type(), m.fault))
		}
		field, err := object.FieldByIndexErr(m.index)
		if err != nil {
			continue // an embedded pointer that is absent: none of its members was sent
		}
		v.member(&place{at, m.name}, field, m)
	}
}

func (v *validation) member(at *place, field reflect.Value, m *member) {
	for field.Kind() == reflect.Pointer && !field.IsNil() {
		field = field.Elem()
	}
	given := m.typ.Kind() == reflect.Pointer && field.Kind() != reflect.Pointer
	switch {
	case field.Kind() == reflect.Bool:
		return // false and absent are the same
	case field.IsZero() && !given:
		if !m.required {
			return // an optional 0 or "" is as good as absent
		}
		if !v.givenAsZero(at, field) {
			v.fault(at, "is required")
			return
		}
	case m.required && isBlank(field):
		v.fault(at, "is required")
		return
	}
	v.limits(at, field, &m.rules)
	v.value(at, field)
}

// givenAsZero tells a required decimal that was sent as 0 from one that is missing.
func (v *validation) givenAsZero(at *place, field reflect.Value) bool {
	if field.Type() != decimalType {
		return false
	}
	if v.zeros == nil {
		v.zeros = zeroNumbers(v.body)
	}
	return v.zeros[at.String()]
}

func isBlank(field reflect.Value) bool {
	return field.Kind() == reflect.String && !isText(field.Type()) && strings.TrimSpace(field.String()) == ""
}

// value checks what the type of a value demands, and what lies inside it.
func (v *validation) value(at *place, value reflect.Value) {
	for value.Kind() == reflect.Pointer {
		if value.IsNil() {
			v.fault(at, "must not be null")
			return
		}
		value = value.Elem()
	}
	t := value.Type()
	if allowed := allowedValues(t); allowed != nil {
		text := written(value.Interface())
		if !slices.ContainsFunc(allowed, func(a any) bool { return written(a) == text }) {
			v.fault(at, "%s", oneOf(allowed))
		}
		return
	}
	if isLeaf(t) {
		return
	}
	switch t.Kind() {
	case reflect.String:
		v.text(at, value.String())
	case reflect.Struct:
		v.object(at, value)
	case reflect.Slice, reflect.Array:
		for i := range value.Len() {
			if v.count == maxFaults {
				return
			}
			v.value(&place{at, strconv.Itoa(i)}, value.Index(i))
		}
	case reflect.Map:
		v.entries(at, value)
	default: // nothing inside
	}
}

func (v *validation) entries(at *place, value reflect.Value) {
	keys := value.MapKeys()
	slices.SortFunc(keys, func(a, b reflect.Value) int { return strings.Compare(a.String(), b.String()) })
	for _, key := range keys {
		entry := &place{at, key.String()}
		v.text(entry, key.String())
		v.value(entry, value.MapIndex(key))
	}
}

// text refuses characters that no document can show; tab and line ends are layout.
func (v *validation) text(at *place, s string) {
	for _, r := range s {
		if unicode.IsControl(r) && r != '\t' && r != '\n' && r != '\r' {
			v.fault(at, "must not contain the control character U+%04X", r)
			return
		}
	}
}

func (v *validation) limits(at *place, value reflect.Value, r *rules) {
	switch {
	case r.minimum != nil || r.maximum != nil:
		number := numberOf(value)
		if r.minimum != nil && number.Cmp(*r.minimum) < 0 {
			v.fault(at, "must be %s or more", r.minimum)
		}
		if r.maximum != nil && number.Cmp(*r.maximum) > 0 {
			v.fault(at, "must be %s or less", r.maximum)
		}
	case r.minItems != nil && value.Len() < *r.minItems:
		v.fault(at, "must have %d items or more, not %d", *r.minItems, value.Len())
	case r.maxItems != nil && value.Len() > *r.maxItems:
		v.fault(at, "must have %d items or less, not %d", *r.maxItems, value.Len())
	}
	if value.Kind() != reflect.String || (r.minLength == nil && r.maxLength == nil && r.pattern == nil) {
		return
	}
	length := utf8.RuneCountInString(value.String())
	switch {
	case r.minLength != nil && length < *r.minLength:
		v.fault(at, "must have %d characters or more, not %d", *r.minLength, length)
	case r.maxLength != nil && length > *r.maxLength:
		v.fault(at, "must have %d characters or less, not %d", *r.maxLength, length)
	case r.pattern != nil && !r.pattern.MatchString(value.String()):
		v.fault(at, "must match %s", r.pattern)
	}
}

func numberOf(value reflect.Value) money.Decimal {
	if d, ok := value.Interface().(money.Decimal); ok {
		return d
	}
	if value.CanUint() {
		return money.DecimalFromInt(int64(value.Uint())) //nolint:gosec // counts and page numbers
	}
	return money.DecimalFromInt(value.Int())
}
