package tenant

import (
	"fmt"
	"strings"

	"github.com/vienkart/vienkart/internal/apperr"
)

// keyMember is the member that shows the key of a row, in lists that show it.
const keyMember = "id"

// Listing says what a list shows.
type Listing struct {
	// Sources give the rows, each row once; a page mixes them in one order.
	Sources []Source
	// Order is the order unless the caller gives one. One that an index of the source follows makes a page cost the same however many
	// rows there are. Rows that are equal in it follow by their key, in the direction of its last member.
	Order []Sort
}

// Source is one table that rows of a list come from.
type Source struct {
	// From is the table, or a subquery, or tables that are always joined. It must expose company_id and a key of rows.
	From text
	// As is the alias, given in From, of what has the company and the key; the name of From when empty.
	As text
	// Key makes the order total and finds a row again; the column id of As when empty.
	Key text
	// Where is what makes a row of From one of the list; all are when it is empty.
	Where text
	// Joins are read for what names them. Each finds at most one row of its table, and leaves the rows of From as many as they are.
	Joins []Join
	// Columns are what a row shows; all of As when empty.
	Columns text
	// Fields maps members to expressions by which the list may be filtered and sorted. All sources of a list have the same.
	Fields map[string]Field
	// Tally counts rows without reading them, or nil.
	Tally *Tally
}

// Join is a table beside the one of a source.
type Join struct {
	As text
	On text
}

// Tally is a table that knows how many rows another one has.
type Tally struct {
	From, As text
	// Sum is the expression whose sum is the number of rows.
	Sum text
	// Fields are those members of the source that the tally tells apart; it serves requests that filter by no other.
	Fields map[string]Field
}

func (s Source) as() string {
	if s.As == "" {
		return string(s.From)
	}
	return string(s.As)
}

func (s Source) key() string {
	if s.Key == "" {
		return s.as() + ".id"
	}
	return string(s.Key)
}

func (s Source) columns() string {
	if s.Columns == "" {
		return s.as() + ".*"
	}
	return string(s.Columns)
}

// from is the source with the joins that the expressions name.
func (s Source) from(h *handle, expressions ...string) (string, []any) {
	from, args := string(s.From), []any(nil)
	if strings.Contains(from, "@company") {
		from, args = h.prepare(s.From, nil)
	}
	all := strings.Join(expressions, " ")
	for _, j := range s.Joins {
		if names(all, string(j.As)) {
			from += " " + string(j.On)
		}
	}
	return from, args
}

// names reports whether an expression has a column of an alias.
func names(expression, alias string) bool {
	for rest := expression; ; {
		before, after, found := strings.Cut(rest, alias+".")
		if !found {
			return false
		}
		if before == "" || !strings.ContainsRune(identifierRunes, rune(before[len(before)-1])) {
			return true
		}
		rest = after
	}
}

const identifierRunes = "abcdefghijklmnopqrstuvwxyz_0123456789"

// where is the condition that the source and the company make.
func (s Source) where() string {
	where := s.as() + ".company_id = ?"
	if s.Where != "" {
		where += " AND " + string(s.Where)
	}
	return where
}

// term is an expression that rows are ordered by.
type term struct {
	expression string
	descending bool
}

func (t term) String() string { return t.expression + t.direction() }

func (t term) direction() string {
	if t.descending {
		return " DESC"
	}
	return " ASC"
}

// terms are the order of a source, made total by its key. The key goes the way of the member before it, as an index does.
func (s Source) terms(sort []Sort) ([]term, error) {
	terms := make([]term, 0, len(sort)+1)
	for i, by := range sort {
		field, ok := s.Fields[by.Field]
		if !ok {
			return nil, apperr.Invalid(fmt.Sprintf("sort.%d.field", i), "cannot be sorted by; use one of %s", members(s.Fields))
		}
		if by.Dir != "" && by.Dir != "asc" && by.Dir != "desc" {
			return nil, apperr.Invalid(fmt.Sprintf("sort.%d.dir", i), "must be asc or desc")
		}
		terms = append(terms, term{field.order(), by.Dir == "desc"})
		if by.Field == keyMember {
			return terms, nil
		}
	}
	return append(terms, term{s.key(), len(sort) > 0 && sort[len(sort)-1].Dir == "desc"}), nil
}
