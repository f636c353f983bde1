package tenant

import (
	"context"
	"errors"
	"fmt"
	"slices"
	"strings"
)

// selection is a list as one caller asked for it.
type selection struct {
	h       *handle
	parts   []part
	filters []Filter
}

// part is what a selection takes from one source.
type part struct {
	Source
	condition string
	args      []any
	terms     []term
}

// rowKey finds a row again: a part of the selection, and the key of one of its rows.
type rowKey struct {
	part int
	key  any
}

func newSelection(h *handle, q ListQuery, l Listing) (*selection, error) {
	sort := q.Sort
	if len(sort) == 0 {
		sort = l.Order
	}
	s := &selection{h: h, filters: q.Filter}
	for i, source := range l.Sources {
		condition, args, err := h.conditions(q.Filter, source.Fields)
		if err != nil {
			return nil, err
		}
		terms, err := source.terms(sort)
		if err != nil {
			return nil, err
		}
		// One is left in any case: the question has an answer, though an empty one.
		if last := i == len(l.Sources)-1; !source.excludes(q.Filter) || last && len(s.parts) == 0 {
			s.parts = append(s.parts, part{source, condition, args, terms})
		}
	}
	return s, nil
}

// order is the order of a part's rows.
func (p part) order() string {
	list := make([]string, len(p.terms))
	for i, t := range p.terms {
		list[i] = t.String()
	}
	return strings.Join(list, ", ")
}

// selected is the rest of a query that selects something of the rows of a part, with its arguments.
func (p part) selected(h *handle, what ...string) (string, []any) {
	from, args := p.from(h, append(what, p.condition, string(p.Where))...)
	return " FROM " + from + " WHERE " + p.where() + p.condition, append(append(args, h.scope.s.company.ID), p.args...)
}

// keys are those of the rows of a page, in order.
func (s *selection) keys(ctx context.Context, size, offset int, counts []int) ([]rowKey, error) {
	query, args := s.keysOf(0, size, offset)
	if len(s.parts) > 1 {
		query, args = s.merged(size, offset, counts)
	}
	rows, err := s.h.sql.QueryContext(ctx, query, args...)
	if err != nil {
		return nil, fmt.Errorf("finding the rows of a page: %w", err)
	}
	defer func() { _ = rows.Close() }()
	var found []rowKey
	for rows.Next() {
		var k rowKey
		if err := rows.Scan(&k.part, &k.key); err != nil {
			return nil, fmt.Errorf("finding the rows of a page: %w", err)
		}
		found = append(found, k)
	}
	if err := rows.Err(); err != nil {
		return nil, fmt.Errorf("finding the rows of a page: %w", err)
	}
	return found, nil
}

// keysOf reads keys of one part.
func (s *selection) keysOf(i, size, offset int) (string, []any) {
	p := s.parts[i]
	order := p.order()
	rest, args := p.selected(s.h, order)
	query := fmt.Sprintf("SELECT %d AS part, %s AS row_key%s ORDER BY %s LIMIT ? OFFSET ?", i, p.key(), rest, order)
	return query, append(args, size, offset)
}

// merged reads keys of all parts in one order: of each part no more than the page could need, so that each ends early. Where the parts
// were counted, as they are unless the page is the first, rows of the largest part that lie before the page wherever the rows of the
// others do are skipped inside it.
func (s *selection) merged(size, offset int, counts []int) (string, []any) {
	largest, skipped := 0, 0
	if counts != nil {
		largest = slices.Index(counts, slices.Max(counts))
		skipped = offset
		for i, n := range counts {
			if i != largest {
				skipped = max(skipped-n, 0)
			}
		}
	}
	var query strings.Builder
	var args []any
	query.WriteString("SELECT part, row_key FROM (")
	for i, p := range s.parts {
		columns := []string{fmt.Sprint(i, " AS part"), p.key() + " AS row_key"}
		for n, t := range p.terms {
			columns = append(columns, fmt.Sprintf("%s AS sort_%d", t.expression, n))
		}
		if i > 0 {
			query.WriteString(" UNION ALL ")
		}
		order := p.order()
		rest, own := p.selected(s.h, order)
		fmt.Fprintf(&query, "SELECT * FROM (SELECT %s%s ORDER BY %s LIMIT ? OFFSET ?) part_%d", strings.Join(columns, ", "), rest, order, i)
		args = append(args, own...)
		if i == largest {
			args = append(args, offset+size-skipped, skipped)
		} else {
			args = append(args, offset+size, 0)
		}
	}
	order := make([]string, len(s.parts[0].terms))
	for n, t := range s.parts[0].terms {
		order[n] = fmt.Sprintf("sort_%d%s", n, t.direction())
	}
	fmt.Fprintf(&query, ") merged ORDER BY %s LIMIT ? OFFSET ?", strings.Join(order, ", "))
	return query.String(), append(args, size, offset-skipped)
}

// rowsOf reads the rows of keys, in their order.
func rowsOf[T any](ctx context.Context, s *selection, keys []rowKey) ([]T, error) {
	ofPart := make([][]any, len(s.parts))
	for _, k := range keys {
		ofPart[k.part] = append(ofPart[k.part], k.key)
	}
	rowsOfPart := make([][]T, len(s.parts))
	for i, p := range s.parts {
		if len(ofPart[i]) == 0 {
			continue
		}
		order := p.order()
		from, args := p.from(s.h, p.columns(), order)
		query := "SELECT " + p.columns() + " FROM " + from + " WHERE " + p.as() + ".company_id = ? AND " + p.key() + " IN ? ORDER BY " + order
		args = append(args, s.h.scope.s.company.ID, ofPart[i])
		if err := s.h.orm.WithContext(ctx).Raw(query, args...).Scan(&rowsOfPart[i]).Error; err != nil {
			return nil, fmt.Errorf("reading rows: %w", err)
		}
		if len(rowsOfPart[i]) != len(ofPart[i]) {
			return nil, errors.New("reading rows: a source gave other rows than it had keys")
		}
	}
	rows := make([]T, len(keys))
	for i, k := range keys {
		rows[i] = rowsOfPart[k.part][0]
		rowsOfPart[k.part] = rowsOfPart[k.part][1:]
	}
	return rows, nil
}

// counts are how many rows each part has.
func (s *selection) counts(ctx context.Context) ([]int, error) {
	queries := make([]string, len(s.parts))
	var args []any
	for i, p := range s.parts {
		query, own, err := p.counted(s.h, s.filters)
		if err != nil {
			return nil, err
		}
		queries[i], args = "("+query+")", append(args, own...)
	}
	counts := make([]int, len(s.parts))
	into := make([]any, len(s.parts))
	for i := range counts {
		into[i] = &counts[i]
	}
	if err := s.h.sql.QueryRow(ctx, "SELECT "+strings.Join(queries, ", "), args, into); err != nil {
		return nil, fmt.Errorf("counting rows: %w", err)
	}
	return counts, nil
}

// counted counts the rows of a part, by its tally if that can tell them apart.
func (p part) counted(h *handle, filters []Filter) (string, []any, error) {
	if t := p.Tally; t != nil && t.knows(filters) {
		condition, args, err := h.conditions(filters, t.Fields)
		query := fmt.Sprintf("SELECT COALESCE(SUM(%s), 0) FROM %s WHERE %s.company_id = ?%s", t.Sum, t.From, t.As, condition)
		return query, append([]any{h.scope.s.company.ID}, args...), err
	}
	rest, args := p.selected(h)
	return "SELECT COUNT(*)" + rest, args, nil
}

func (t *Tally) knows(filters []Filter) bool {
	for _, f := range filters {
		if _, known := t.Fields[f.Field]; !known {
			return false
		}
	}
	return true
}
