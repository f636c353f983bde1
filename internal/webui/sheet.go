package webui

import (
	"bytes"
	"cmp"
	"encoding/csv"
	"fmt"
	"slices"
	"strings"

	"github.com/vienkart/vienkart/internal/export"
	"github.com/vienkart/vienkart/internal/money"
)

// Parameters of the address that are about a table.
const (
	paramTable  = "table" // which one of the page; the main one needs none
	paramSort   = "sort"
	paramFormat = "format"
	formatCSV   = "csv"
)

// sheet is a table whose rows are all here. It can be sorted by any column and downloaded, whatever it shows.
type sheet struct {
	Name    string // tells the tables of a page apart; the main one needs none
	File    string // name of the file, without the day
	Caption string
	Columns []column
	Rows    []record
	None    *empty
	// Totals replace the sums of columns, where a document states its own.
	Totals []totalRow
	Class  func(r record) string
	// Actions put a form to each row.
	Actions []rowAction
}

// rowAction is a column of forms; a row may go without.
type rowAction struct {
	Title string // message id
	Do    func(r record) *action
}

// sheet makes the table. When the address asks for it as a file, the file is what the page becomes.
func (v *visit) sheet(s sheet) *table {
	rows, sorted := s.sorted(v)
	if v.wantsFile(s.Name) {
		v.file = v.csv(s.File, s.Columns, rows)
	}
	t := v.newTable(s.Caption, s.Columns, rows)
	t.Totals, t.Empty = s.Totals, s.None
	if t.Totals == nil {
		t.Totals = v.totals(s.Columns, rows, v.t("table.total"))
	}
	if len(rows) == 0 {
		return t
	}
	for i, c := range visible(s.Columns) {
		v.sortLink(&t.Columns[i], s.Name, c.key(), sorted)
	}
	t.CSV = v.with(paramFormat, formatCSV, paramTable, s.Name, paramSort, sorted, "page", "", "outcome", "")
	for i, r := range rows {
		if s.Class != nil {
			t.Rows[i].Class = s.Class(r)
		}
	}
	for _, a := range s.Actions {
		t.Columns = append(t.Columns, heading{Text: v.t(a.Title), Kind: cellAction})
		for i, r := range rows {
			t.Rows[i].Cells = append(t.Rows[i].Cells, cell{Action: a.Do(r), Kind: cellAction})
		}
		for i := range t.Totals {
			t.Totals[i].Cells = append(t.Totals[i].Cells, cell{Kind: cellAction})
		}
	}
	return t
}

// wantsFile reports an address that asks for a table as a file.
func (v *visit) wantsFile(table string) bool {
	return v.param(paramFormat) == formatCSV && v.param(paramTable) == table
}

// sorted orders the rows by what the address says about this table; without, they stay as they came.
func (s sheet) sorted(v *visit) ([]record, string) {
	wanted := v.param(paramSort)
	name, descending := strings.CutPrefix(wanted, "-")
	i := slices.IndexFunc(s.Columns, func(c column) bool { return c.key() == name && !c.Hidden })
	if v.param(paramTable) != s.Name || i < 0 {
		return s.Rows, ""
	}
	c, rows := s.Columns[i], slices.Clone(s.Rows)
	slices.SortStableFunc(rows, func(a, b record) int {
		if descending {
			a, b = b, a
		}
		return c.compare(v, a, b)
	})
	return rows, wanted
}

// key names the column in the address.
func (c column) key() string {
	if name := cmp.Or(c.Sort, c.Field); name != "" {
		return name
	}
	return c.Title[strings.LastIndex(c.Title, ".")+1:]
}

// compare orders two rows by the column: numbers by size, words as they are read. What has no number comes first.
func (c column) compare(v *visit, a, b record) int {
	first, second := c.words(v, a), c.words(v, b)
	if c.Kind == cellMoney || c.Kind == cellNumber {
		m, errM := money.ParseDecimal(first)
		n, errN := money.ParseDecimal(second)
		switch {
		case errM == nil && errN == nil:
			return m.Cmp(n)
		case errM == nil:
			return 1
		case errN == nil:
			return -1
		}
	}
	return strings.Compare(strings.ToLower(first), strings.ToLower(second))
}

// sortLink makes a heading sort by its column, and the other way round at the second click.
func (v *visit) sortLink(h *heading, table, key, current string) {
	next := key
	switch current {
	case key:
		h.Order, next = "ascending", "-"+key
	case "-" + key:
		h.Order = "descending"
	}
	h.URL = v.with(paramSort, next, paramTable, table, "page", "", "outcome", "")
}

// csv is a table as a file that a spreadsheet opens without running anything in it.
func (v *visit) csv(name string, columns []column, rows []record) answer {
	columns = slices.DeleteFunc(slices.Clone(columns), func(c column) bool { return c.Shown })
	var b bytes.Buffer
	b.WriteString("\ufeff") // tells spreadsheets that the text is UTF-8
	w := csv.NewWriter(&b)
	head := make([]string, len(columns))
	for i, c := range columns {
		head[i] = harmless(v.t(c.Title), "")
	}
	_ = w.Write(head) // a buffer takes everything
	for _, r := range rows {
		line := make([]string, len(columns))
		for i, c := range columns {
			line[i] = harmless(c.words(v, r), c.Kind)
		}
		_ = w.Write(line) // a buffer takes everything
	}
	w.Flush()
	return download{name: fmt.Sprintf("%s-%s.csv", strings.ToLower(name), v.today()), contentType: "text/csv; charset=utf-8", body: b.Bytes()}
}

// harmless keeps a spreadsheet from reading a text as a formula. A number may begin with a minus.
func harmless(s, kind string) string {
	if _, err := money.ParseDecimal(s); err == nil && (kind == cellMoney || kind == cellNumber) {
		return s
	}
	return export.Harmless(s)
}
