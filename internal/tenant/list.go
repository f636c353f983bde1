package tenant

import (
	"context"
	"fmt"
	"slices"
	"strings"

	"github.com/go-json-experiment/json/jsontext"

	"github.com/vienkart/vienkart/internal/apperr"
)

// Limits of a page.
const (
	DefaultPageSize = 50
	MaxPageSize     = 200
	maxFilters      = 20
	maxFilterValues = 200
	// maxOffset bounds how deep a page may lie: past it the database reads and throws away too much.
	maxOffset = 1_000_000
)

// ListQuery is the contract's page, sort and filter.
type ListQuery struct {
	Page     int      `json:"page,omitzero" minimum:"1" description:"Page number, from 1."`
	PageSize int      `json:"pageSize,omitzero" minimum:"1" maximum:"200" description:"Rows on a page; 50 unless given."`
	Sort     []Sort   `json:"sort,omitzero" maxItems:"5" description:"Sort order; the first is the most significant."`
	Filter   []Filter `json:"filter,omitzero" maxItems:"20" description:"Conditions that a row must all meet."`
}

// Sort orders by one member.
type Sort struct {
	Field string  `json:"field"`
	Dir   SortDir `json:"dir,omitzero"`
}

// SortDir is a direction.
type SortDir string

// Enum lists the allowed values.
func (SortDir) Enum() []any { return []any{SortDir("asc"), SortDir("desc")} }

// Filter compares one member.
type Filter struct {
	Field string         `json:"field"`
	Op    FilterOp       `json:"op"`
	Value jsontext.Value `json:"value"`
}

// FilterOp is a comparison.
type FilterOp string

// Enum lists the allowed values.
func (FilterOp) Enum() []any {
	return []any{FilterOp("eq"), FilterOp("ne"), FilterOp("contains"), FilterOp("gte"), FilterOp("lte"), FilterOp("in")}
}

// Page is one page of rows with the number of all rows.
type Page[T any] struct {
	Rows     []T `json:"rows"`
	Page     int `json:"page"`
	PageSize int `json:"pageSize"`
	Total    int `json:"total"`
}

// MapPage translates the rows of a page.
func MapPage[A, B any](p Page[A], f func(A) B) Page[B] {
	rows := make([]B, len(p.Rows))
	for i, r := range p.Rows {
		rows[i] = f(r)
	}
	return Page[B]{Rows: rows, Page: p.Page, PageSize: p.PageSize, Total: p.Total}
}

// Listing says what a list shows and which members may be filtered and sorted.
type Listing struct {
	// From is the source: a table, or a subquery with an alias. It must expose company_id and, unless Key names another
	// column, id.
	From text
	// Args fill the placeholders of From.
	Args []any
	// Fields maps members to columns.
	Fields map[string]Field
	// Order is the order unless the caller gives one, such as "issue_date DESC".
	Order text
	// Key makes the order total; "id" when empty.
	Key text
}

// ListRows reads one page. Errors: validation for an unknown member, operator or value.
func ListRows[T any](ctx context.Context, r Reader, q ListQuery, l Listing) (Page[T], error) {
	h := r.handle()
	page := Page[T]{Page: max(q.Page, 1), PageSize: q.PageSize, Rows: []T{}}
	if page.PageSize == 0 {
		page.PageSize = DefaultPageSize
	}
	if page.PageSize > MaxPageSize || q.PageSize < 0 || q.Page < 0 {
		return page, apperr.Invalid("pageSize", "must be 1 to %d, and page 1 or more", MaxPageSize)
	}
	offset := (page.Page - 1) * page.PageSize
	if page.Page > maxOffset || offset > maxOffset {
		return page, apperr.Invalid("page", "lies past row %d; narrow the filter instead", maxOffset)
	}
	condition, args, err := h.conditions(q.Filter, l.Fields)
	if err != nil {
		return page, err
	}
	order, err := ordering(q.Sort, l)
	if err != nil {
		return page, err
	}
	from, fromArgs := h.from(l)
	args = append(append(fromArgs, h.scope.s.company.ID), args...)
	db := h.orm.WithContext(ctx)
	count := "SELECT COUNT(*) FROM " + from + " WHERE company_id = ?" + condition
	if err := db.Raw(count, args...).Scan(&page.Total).Error; err != nil {
		return page, fmt.Errorf("counting rows: %w", err)
	}
	rows := "SELECT * FROM " + from + " WHERE company_id = ?" + condition + " ORDER BY " + order + " LIMIT ? OFFSET ?"
	if err := db.Raw(rows, append(args, page.PageSize, offset)...).Scan(&page.Rows).Error; err != nil {
		return page, fmt.Errorf("reading rows: %w", err)
	}
	return page, nil
}

func (h *handle) from(l Listing) (string, []any) {
	if !strings.Contains(string(l.From), "@company") {
		return string(l.From), slices.Clone(l.Args)
	}
	return h.prepare(l.From, l.Args)
}

func ordering(sort []Sort, l Listing) (string, error) {
	key := string(l.Key)
	if key == "" {
		key = "id"
	}
	if len(sort) == 0 {
		if l.Order == "" {
			return key, nil
		}
		return string(l.Order) + ", " + key, nil
	}
	parts := make([]string, 0, len(sort)+1)
	for i, s := range sort {
		field, ok := l.Fields[s.Field]
		if !ok {
			return "", apperr.Invalid(fmt.Sprintf("sort.%d.field", i), "cannot be sorted by; use one of %s", names(l.Fields))
		}
		dir := " ASC"
		switch s.Dir {
		case "desc":
			dir = " DESC"
		case "", "asc":
		default:
			return "", apperr.Invalid(fmt.Sprintf("sort.%d.dir", i), "must be asc or desc")
		}
		parts = append(parts, field.column+dir)
	}
	return strings.Join(append(parts, key), ", "), nil
}
