package webui

import (
	"slices"
	"strings"

	"github.com/vienkart/vienkart/internal/money"
)

// Kinds of cells.
const (
	cellText   = ""
	cellMoney  = "money"
	cellNumber = "number"
	cellDate   = "date"
	cellTime   = "time"
	cellPill   = "pill"
	cellMono   = "mono"
	cellValue  = "value" // a JSON value, which may be long
	cellAction = "act"   // a form, which paper has no use for
)

// column says what a table shows of a row.
type column struct {
	Title string // message id
	Field string // member of the row
	Kind  string
	// Sort is the member to sort by. In a list that the API sorts, an empty one is not sortable.
	Sort string
	// Words is the prefix of message ids of the member's values.
	Words string
	Total bool
	// Text and Link replace what the member alone cannot say.
	Text func(v *visit, r record) string
	Link func(r record) string
	// Minor columns are left out on narrow screens, Hidden ones everywhere but in the file, Shown ones in the file.
	Minor, Hidden, Shown bool
	// Most is how many letters a page shows of a long text; the file has all.
	Most int
}

// table is rows ready to be shown.
type table struct {
	Caption string
	Columns []heading
	Rows    []tableRow
	Totals  []totalRow
	Empty   *empty
	CSV     string
	Pages   *pager
}

type heading struct {
	Text, Kind, URL, Order string
	Minor                  bool
}

type tableRow struct {
	Cells []cell
	Class string // rowFaint, rowSum or nothing
}

// Looks of rows.
const (
	rowFaint = "faint" // says nothing, such as a box of zero
	rowSum   = "sum"   // adds up other rows
)

type cell struct {
	Text, Kind, URL, Label string
	Pill                   *pill
	Minor                  bool
	Action                 *action
}

type totalRow struct {
	Label string
	Cells []cell
}

type pager struct {
	Text, Previous, Next string
}

func (c column) plain(v *visit, r record) string {
	if c.Text != nil {
		return c.Text(v, r)
	}
	return r.text(c.Field)
}

// words is the value as a file shows it: what a person reads, without separators.
func (c column) words(v *visit, r record) string {
	value := c.plain(v, r)
	switch {
	case c.Words != "":
		return v.lang.known(c.Words, value)
	case c.Kind == cellPill && value != "":
		return v.state("", value).Text
	}
	return value
}

func (c column) cell(v *visit, r record) cell {
	raw := c.plain(v, r)
	out := cell{Text: raw, Kind: c.Kind, Minor: c.Minor, Label: v.t(c.Title)}
	switch {
	case c.Kind == cellMoney:
		out.Text = v.lang.amount(raw)
		if currency := r.text("currency"); currency != "" && currency != v.base() && raw != "" {
			out.Text += "\u00a0" + currency
		}
	case c.Kind == cellTime:
		out.Text = v.moment(raw)
	case c.Kind == cellPill && raw != "":
		out.Pill = v.state(c.Words, raw)
	case c.Words != "":
		out.Text = v.lang.known(c.Words, raw)
	}
	if c.Most > 0 {
		out.Text = shorten(out.Text, c.Most)
	}
	if c.Link != nil {
		out.URL = c.Link(r)
	}
	return out
}

// states are the colours of what a document can be.
var states = map[string]string{
	"draft": "info", "issued": "good", "registered": "good", "cancelled": "bad", "paid": "good", "partial": "warn", "unpaid": "warn",
	"open": "good", "locked": "info", "closed": "info", "posted": "good", "imported": "warn", "matched": "good", "manual": "good",
	"unmatched": "warn", "new": "warn", "active": "good", "off": "info", "paused": "warn", "gone": "bad", "failed": "bad",
	"pending": "warn", "delivered": "good", "done": "good", "running": "warn", "fully_depreciated": "info", "disposed": "info",
	"key_reuse": "bad", "in_progress": "info", "duplicate": "warn", "overdue": "bad", "archived": "info", "settled": "good",
	"generated": "warn", "submitted": "info", "accepted": "good", "rejected": "bad", "completed": "good", "queued": "warn", "sent": "good",
	"changed": "warn", "added": "good", "removed": "bad", "true": "good", "false": "info",
}

func (v *visit) state(words, value string) *pill {
	kind := states[value]
	if kind == "" {
		kind = "info"
	}
	if words == "" {
		words = "state."
	}
	return &pill{Kind: kind, Text: v.lang.known(words, value)}
}

// newTable shows rows by columns.
func (v *visit) newTable(caption string, columns []column, rows []record) *table {
	t := &table{Caption: caption}
	columns = visible(columns)
	for _, c := range columns {
		t.Columns = append(t.Columns, heading{Text: v.t(c.Title), Kind: c.Kind, Minor: c.Minor})
	}
	for _, r := range rows {
		row := tableRow{}
		for _, c := range columns {
			row.Cells = append(row.Cells, c.cell(v, r))
		}
		t.Rows = append(t.Rows, row)
	}
	return t
}

func visible(columns []column) []column {
	return slices.DeleteFunc(slices.Clone(columns), func(c column) bool { return c.Hidden })
}

// totals adds up the columns that can be added, by currency where rows have one.
func (v *visit) totals(columns []column, rows []record, label string) []totalRow {
	columns = visible(columns)
	if len(rows) == 0 || !slices.ContainsFunc(columns, func(c column) bool { return c.Total }) {
		return nil
	}
	sums, currencies := map[string][]money.Decimal{}, []string{}
	for _, r := range rows {
		if r.text("status") == "cancelled" || r.text("type") == "proforma" {
			continue // shown, and owed by nobody
		}
		currency := r.text("currency")
		if sums[currency] == nil {
			sums[currency] = make([]money.Decimal, len(columns))
			currencies = append(currencies, currency)
		}
		for i, c := range columns {
			if c.Total {
				d, _ := money.ParseDecimal(c.plain(v, r))
				sums[currency][i] = sums[currency][i].Add(d)
			}
		}
	}
	var out []totalRow
	for _, currency := range currencies {
		total := totalRow{Label: strings.TrimSpace(label + " " + currency)}
		for i := 1; i < len(columns); i++ {
			c := cell{Kind: columns[i].Kind, Minor: columns[i].Minor}
			if columns[i].Total {
				c.Text = sums[currency][i].String()
				if c.Kind == cellMoney {
					c.Text = v.lang.amount(twoPlaces(c.Text))
				}
			}
			total.Cells = append(total.Cells, c)
		}
		out = append(out, total)
	}
	return out
}

// twoPlaces writes cents that a sum dropped.
func twoPlaces(s string) string {
	whole, fraction, _ := strings.Cut(s, ".")
	for len(fraction) < 2 {
		fraction += "0"
	}
	return whole + "." + fraction
}
