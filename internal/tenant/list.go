package tenant

import (
	"context"

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

// ListRows reads one page: first the keys of its rows, which an index that the order follows gives without a row being touched, so that
// those before the page cost little; then these rows alone. It takes a snapshot because it reads more than once.
// Errors: validation for an unknown member, operator or value.
func ListRows[T any](ctx context.Context, r ReadTx, q ListQuery, l Listing) (Page[T], error) {
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
	s, err := newSelection(r.handle(), q, l)
	if err != nil {
		return page, err
	}
	var counts []int
	if offset > 0 && len(s.parts) > 1 {
		if counts, err = s.counts(ctx); err != nil {
			return page, err
		}
	}
	keys, err := s.keys(ctx, page.PageSize, offset, counts)
	if err != nil {
		return page, err
	}
	if page.Rows, err = rowsOf[T](ctx, s, keys); err != nil {
		return page, err
	}
	if n := len(keys); n < page.PageSize && (n > 0 || offset == 0) {
		page.Total = offset + n // nothing is left to count
		return page, nil
	}
	if counts == nil {
		counts, err = s.counts(ctx)
	}
	for _, n := range counts {
		page.Total += n
	}
	return page, err
}
