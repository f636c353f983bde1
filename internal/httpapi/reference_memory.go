package httpapi

import (
	"cmp"
	"fmt"
	"maps"
	"slices"
	"strings"

	"github.com/go-json-experiment/json"

	"github.com/vienkart/vienkart/internal/apperr"
	"github.com/vienkart/vienkart/internal/tenant"
)

// listInMemory pages rows that are part of the program, by the texts of the members in fields. Filters know eq, ne,
// contains and in, and contains does not mind the case. Errors: validation.
func listInMemory[T any](rows []T, q tenant.ListQuery, fields map[string]func(T) string) (tenant.Page[T], error) {
	page := tenant.Page[T]{Page: max(q.Page, 1), PageSize: cmp.Or(q.PageSize, tenant.DefaultPageSize), Rows: []T{}}
	allowed := strings.Join(slices.Sorted(maps.Keys(fields)), ", ")
	rows = slices.Clone(rows)
	for i, f := range q.Filter {
		at := fmt.Sprintf("filter.%d", i)
		text, ok := fields[f.Field]
		if !ok {
			return page, apperr.Invalid(at+".field", "cannot be filtered by; use one of %s", allowed)
		}
		meets, err := meets(f)
		if err != nil {
			return page, apperr.Invalid(at, "%s", err.Error())
		}
		rows = slices.DeleteFunc(rows, func(row T) bool { return !meets(text(row)) })
	}
	for i, s := range slices.Backward(q.Sort) {
		text, ok := fields[s.Field]
		if !ok {
			return page, apperr.Invalid(fmt.Sprintf("sort.%d.field", i), "cannot be sorted by; use one of %s", allowed)
		}
		slices.SortStableFunc(rows, func(a, b T) int {
			if s.Dir == "desc" {
				a, b = b, a
			}
			return cmp.Compare(text(a), text(b))
		})
	}
	page.Total = len(rows)
	// Counted in pages first: a page number far beyond the last would overflow when multiplied.
	if pages := (len(rows) + page.PageSize - 1) / page.PageSize; page.Page <= pages {
		from := (page.Page - 1) * page.PageSize
		page.Rows = rows[from:min(from+page.PageSize, len(rows))]
	}
	return page, nil
}

// meets is the condition of a filter on a text.
func meets(f tenant.Filter) (func(string) bool, error) {
	var wanted []string
	if f.Op == "in" {
		if err := json.Unmarshal(f.Value, &wanted); err != nil {
			return nil, fmt.Errorf("in takes a list of texts")
		}
		return func(s string) bool { return slices.Contains(wanted, s) }, nil
	}
	var value string
	if f.Value.Kind() == '0' {
		value = string(f.Value)
	} else if err := json.Unmarshal(f.Value, &value); err != nil {
		return nil, fmt.Errorf("the value must be text")
	}
	switch f.Op {
	case "eq":
		return func(s string) bool { return s == value }, nil
	case "ne":
		return func(s string) bool { return s != value }, nil
	case "contains":
		value = strings.ToLower(value)
		return func(s string) bool { return strings.Contains(strings.ToLower(s), value) }, nil
	}
	return nil, fmt.Errorf("this list knows eq, ne, contains and in")
}
