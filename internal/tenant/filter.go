package tenant

import (
	"fmt"
	"maps"
	"slices"
	"strconv"
	"strings"

	"github.com/go-json-experiment/json"
	"github.com/go-json-experiment/json/jsontext"

	"github.com/vienkart/vienkart/internal/apperr"
	"github.com/vienkart/vienkart/internal/clock"
	"github.com/vienkart/vienkart/internal/database"
	"github.com/vienkart/vienkart/internal/date"
	"github.com/vienkart/vienkart/internal/money"
)

// Field is a column that a list may be filtered and sorted by, with the type of its values.
type Field struct {
	column string
	// sorted is what the list is sorted by, the column when empty.
	sorted string
	// constant is the value of a member that all rows of a source share.
	constant *string
	parse    func(h *handle, s string) (any, error)
	isText   bool
}

// TextField holds text; it alone knows contains.
func TextField(column text) Field {
	return Field{column: string(column), parse: func(_ *handle, s string) (any, error) { return s, nil }, isText: true}
}

// IDField holds an id.
func IDField(column text) Field {
	return Field{column: string(column), parse: func(_ *handle, s string) (any, error) { return ParseID(s) }}
}

// IntField holds a whole number.
func IntField(column text) Field {
	return Field{column: string(column), parse: func(_ *handle, s string) (any, error) {
		n, err := strconv.ParseInt(s, 10, 64)
		if err != nil {
			return nil, fmt.Errorf("%q is not a whole number", shorten(s))
		}
		return n, nil
	}}
}

// BoolField holds true or false.
func BoolField(column text) Field {
	return Field{column: string(column), parse: func(_ *handle, s string) (any, error) {
		if s != "true" && s != "false" {
			return nil, fmt.Errorf("%q is neither true nor false", shorten(s))
		}
		return s == "true", nil
	}}
}

// DateField holds a civil date.
func DateField(column text) Field {
	return Field{column: string(column), parse: func(_ *handle, s string) (any, error) { return date.Parse(s) }}
}

// TimeField holds an instant; a bare date means its first moment in the company's time zone.
func TimeField(column text) Field {
	return Field{column: string(column), parse: func(h *handle, s string) (any, error) {
		if d, err := date.Parse(s); err == nil {
			return h.scope.s.company.midnight(d), nil
		}
		var t clock.Time
		err := t.UnmarshalText([]byte(s))
		return t, err
	}}
}

// MoneyField holds minor units; the value is a decimal amount in the company's base currency.
func MoneyField(column text) Field {
	return Field{column: string(column), parse: func(h *handle, s string) (any, error) {
		a, err := money.Parse(s, h.scope.s.company.BaseCurrency)
		return a.Minor(), err //nolint:wrapcheck // becomes the message of a field
	}}
}

// ConstantField is text that all rows of a source share; one whose text does not suit a request is not looked at.
func ConstantField(value string) Field {
	f := TextField("")
	f.column, f.constant = "'"+strings.ReplaceAll(value, "'", "''")+"'", &value
	return f
}

// SortedBy gives a field whose rows are sorted by something else than what they are filtered by.
func (f Field) SortedBy(expression text) Field {
	f.sorted = string(expression)
	return f
}

// order is the expression that rows are sorted by.
func (f Field) order() string {
	if f.sorted != "" {
		return f.sorted
	}
	return f.column
}

// Among reports whether a condition wants one of some values and no other.
func (f Filter) Among(allowed ...string) bool {
	if f.Op != "eq" && f.Op != "in" {
		return false
	}
	wanted, err := f.values()
	return err == nil && len(wanted) > 0 && !slices.ContainsFunc(wanted, func(v string) bool { return !slices.Contains(allowed, v) })
}

// excludes reports whether no row of the source can meet the conditions, for what all its rows share.
func (s Source) excludes(filters []Filter) bool {
	return slices.ContainsFunc(filters, func(f Filter) bool {
		shared := s.Fields[f.Field].constant
		if shared == nil || f.Op != "eq" && f.Op != "in" {
			return false
		}
		wanted, err := f.values()
		return err == nil && !slices.Contains(wanted, *shared)
	})
}

func members(fields map[string]Field) string {
	return strings.Join(slices.Sorted(maps.Keys(fields)), ", ")
}

// conditions turns filters into SQL that follows a WHERE, each with its own AND.
func (h *handle) conditions(filters []Filter, fields map[string]Field) (string, []any, error) {
	if len(filters) > maxFilters {
		return "", nil, apperr.Invalid("filter", "has more than %d conditions", maxFilters)
	}
	var out strings.Builder
	var args []any
	for i, f := range filters {
		at := fmt.Sprintf("filter.%d", i)
		field, ok := fields[f.Field]
		if !ok {
			return "", nil, apperr.Invalid(at+".field", "cannot be filtered by; use one of %s", members(fields))
		}
		values, err := f.values()
		if err != nil {
			return "", nil, apperr.Invalid(at+".value", "%s", err.Error())
		}
		parsed := make([]any, len(values))
		for j, v := range values {
			if parsed[j], err = field.parse(h, v); err != nil {
				return "", nil, apperr.Invalid(at+".value", "%s", err.Error())
			}
		}
		sql, sqlArgs, err := field.compare(h, f.Op, parsed)
		if err != nil {
			return "", nil, apperr.Invalid(at+".op", "%s", err.Error())
		}
		out.WriteString(" AND " + sql)
		args = append(args, sqlArgs...)
	}
	return out.String(), args, nil
}

func (f Field) compare(h *handle, op FilterOp, values []any) (string, []any, error) {
	if op != "in" && len(values) != 1 {
		return "", nil, fmt.Errorf("%s takes one value; use in for a list", shorten(string(op)))
	}
	switch op {
	case "eq":
		return f.column + " = ?", values, nil
	case "ne":
		return "(" + f.column + " <> ? OR " + f.column + " IS NULL)", values, nil
	case "gte":
		return f.column + " >= ?", values, nil
	case "lte":
		return f.column + " <= ?", values, nil
	case "in":
		if len(values) == 0 {
			return "1 = 0", nil, nil
		}
		return f.column + " IN (?" + strings.Repeat(", ?", len(values)-1) + ")", values, nil
	case "contains":
		if !f.isText {
			return "", nil, fmt.Errorf("contains works on text only")
		}
		text, _ := values[0].(string)
		escaped := strings.NewReplacer("!", "!!", "%", "!%", "_", "!_").Replace(text)
		return h.lower(f.column) + " LIKE " + h.lower("?") + " ESCAPE '!'", []any{"%" + escaped + "%"}, nil
	}
	return "", nil, fmt.Errorf("must be eq, ne, contains, gte, lte or in")
}

// lower folds case; SQLite's LIKE does so for ASCII by itself.
func (h *handle) lower(expression string) string {
	if h.db.Dialect() == database.SQLite {
		return expression
	}
	return "LOWER(" + expression + ")"
}

// values reads a string, number, boolean, or a list of them, as text.
func (f Filter) values() ([]string, error) {
	if f.Value.Kind() != '[' {
		v, err := scalar(f.Value)
		return []string{v}, err
	}
	var list []jsontext.Value
	if err := json.Unmarshal(f.Value, &list); err != nil {
		return nil, fmt.Errorf("is not a list")
	}
	if len(list) > maxFilterValues {
		return nil, fmt.Errorf("has more than %d values", maxFilterValues)
	}
	values := make([]string, len(list))
	for i, v := range list {
		s, err := scalar(v)
		if err != nil {
			return nil, err
		}
		values[i] = s
	}
	return values, nil
}

func scalar(v jsontext.Value) (string, error) {
	switch v.Kind() { //nolint:exhaustive // what is left is refused below
	case '"':
		var s string
		if err := json.Unmarshal(v, &s); err != nil {
			return "", fmt.Errorf("is not text")
		}
		return s, nil
	case '0', 't', 'f':
		return string(v), nil
	}
	return "", fmt.Errorf("must be a string, a number, true, false, or a list of them")
}
