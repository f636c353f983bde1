package webui

import (
	"strconv"
	"strings"
)

// Limits of lists.
const (
	maxPage  = 200 // the API's largest page
	pageRows = 50
	// maxDownload is how many rows a CSV file has at most; whoever needs more exports a report.
	maxDownload = 10_000
)

// filter is a condition of the API's lists.
type filter struct {
	Field string `json:"field"`
	Op    string `json:"op"`
	Value any    `json:"value"`
}

type order struct {
	Field string `json:"field"`
	Dir   string `json:"dir"`
}

// criterion is a filter that a person sets.
type criterion struct {
	Name  string // parameter of the address
	Label string // message id
	Kind  string
	Field string // member of the rows; Name when empty
	Op    string
	// Words are the message ids of the values of a choice.
	Words  string
	Values []string
}

// filterBar is the form above a list.
type filterBar struct {
	Action string
	Fields []field
	Hidden []field
	Lists  []dataList
	Submit string // what the button says, unless it filters
	Reset  string
}

// listing describes a list of the API as a page.
type listing struct {
	operation string
	file      string
	columns   []column
	criteria  []criterion
	fixed     []filter
	sort      string // default, such as -issueDate
	none      *empty
	// actions puts a button to each row.
	actions func(v *visit, r record) *action
	// prepare completes rows with what the list lacks, such as names of partners.
	prepare func(v *visit, rows []record) error
}

func (l listing) value(v *visit, c criterion) string { return strings.TrimSpace(v.param(c.Name)) }

func (l listing) filters(v *visit) []filter {
	out := append([]filter{}, l.fixed...)
	for _, c := range l.criteria {
		value := l.value(v, c)
		if value == "" {
			continue
		}
		f := filter{Field: c.Field, Op: c.Op, Value: value}
		if f.Field == "" {
			f.Field = c.Name
		}
		if f.Op == "" {
			f.Op = "eq"
		}
		if value == "true" || value == "false" {
			f.Value = value == "true"
		}
		out = append(out, f)
	}
	return out
}

func (l listing) order(v *visit) (string, []order) {
	current := ""
	if v.param(paramTable) == "" {
		current = v.param(paramSort)
	}
	known := false
	for _, c := range l.columns {
		known = known || c.Sort != "" && c.Sort == strings.TrimPrefix(current, "-")
	}
	if !known {
		current = l.sort
	}
	if current == "" {
		return "", nil
	}
	name, descending := strings.CutPrefix(current, "-")
	if descending {
		return current, []order{{name, "desc"}}
	}
	return current, []order{{name, "asc"}}
}

func (l listing) request(v *visit, page, size int) map[string]any {
	in := map[string]any{"page": page, "pageSize": size}
	if f := l.filters(v); len(f) > 0 {
		in["filter"] = f
	}
	if _, sort := l.order(v); sort != nil {
		in["sort"] = sort
	}
	return in
}

// everything reads all rows up to a limit.
func (v *visit) everything(operation string, in map[string]any, most int) ([]record, error) {
	var rows []record
	for page := 1; len(rows) < most; page++ {
		in["page"], in["pageSize"] = page, maxPage
		out, err := v.query(operation, in)
		if err != nil {
			return nil, err
		}
		rows = append(rows, out.list("rows")...)
		if page*maxPage >= out.whole("total") {
			break
		}
	}
	return rows, nil
}

// show puts the list on a page, or gives it as a file.
func (l listing) show(v *visit, p *page) (answer, error) {
	if !v.ui.serves(l.operation) {
		p.add(block{Empty: &empty{Text: v.t("error.notServedText")}})
		return p, nil
	}
	if v.wantsFile("") {
		rows, err := v.everything(l.operation, l.request(v, 1, maxPage), maxDownload)
		if err == nil && l.prepare != nil {
			err = l.prepare(v, rows)
		}
		if err != nil {
			return nil, err
		}
		return v.csv(l.file, l.columns, rows), nil
	}
	number, _ := strconv.Atoi(v.param("page"))
	number = max(number, 1)
	out, err := v.query(l.operation, l.request(v, number, pageRows))
	if err != nil {
		return nil, err
	}
	rows, total := out.list("rows"), out.whole("total")
	if l.prepare != nil {
		if err := l.prepare(v, rows); err != nil {
			return nil, err
		}
	}
	if len(l.criteria) > 0 && (total > 0 || len(l.filters(v)) > len(l.fixed)) {
		p.add(block{Filters: l.bar(v)})
	}
	p.add(block{Table: l.table(v, p, rows, number, total)})
	return p, nil
}

func (l listing) table(v *visit, p *page, rows []record, number, total int) *table {
	t := v.newTable(p.Title, l.columns, rows)
	current, _ := l.order(v)
	for i, c := range visible(l.columns) {
		if c.Sort != "" && len(rows) > 0 {
			v.sortLink(&t.Columns[i], "", c.Sort, current)
		}
	}
	label := v.t("table.total")
	if total > pageRows {
		label = v.t("table.pageTotal")
	}
	t.Totals = v.totals(l.columns, rows, label)
	t.Empty = l.none
	if len(l.filters(v)) > len(l.fixed) {
		t.Empty = &empty{Text: v.t("table.noMatch"), Links: []link{{Text: v.t("table.resetFilter"), URL: v.at.Path}}}
	}
	if l.actions != nil && len(rows) > 0 {
		t.Columns = append(t.Columns, heading{Text: v.t("field.action"), Kind: cellAction})
		for i, r := range rows {
			t.Rows[i].Cells = append(t.Rows[i].Cells, cell{Action: l.actions(v, r), Kind: cellAction})
		}
	}
	if len(rows) > 0 {
		t.CSV = v.with(paramFormat, formatCSV, paramTable, "", "page", "", "outcome", "")
		t.Pages = v.pager("table.rows", number, total)
	}
	return t
}

// pager counts what there is, by a message id, and leads to the pages around this one.
func (v *visit) pager(words string, number, total int) *pager {
	p := &pager{Text: v.lang.count(words, total)}
	if total <= pageRows {
		return p
	}
	last := (total + pageRows - 1) / pageRows
	p.Text = v.t("table.page", "Page", number, "Pages", last) + " · " + p.Text
	if number > 1 {
		p.Previous = v.with("page", strconv.Itoa(number-1), "outcome", "")
	}
	if number < last {
		p.Next = v.with("page", strconv.Itoa(number+1), "outcome", "")
	}
	return p
}

func (l listing) bar(v *visit) *filterBar {
	bar := &filterBar{Action: v.at.Path}
	for _, c := range l.criteria {
		if c.Kind == kindHidden {
			if value := l.value(v, c); value != "" {
				bar.Hidden = append(bar.Hidden, field{Name: c.Name, Value: value})
			}
			continue
		}
		f := field{Name: c.Name, ID: "q-" + c.Name, Label: v.t(c.Label), Kind: c.Kind, Value: l.value(v, c)}
		if c.Kind == kindSelect {
			f.Options = append(f.Options, option{Text: v.t("filter.all")})
			for _, value := range c.Values {
				f.Options = append(f.Options, option{Value: value, Text: v.lang.known(c.Words, value), Selected: value == f.Value})
			}
		}
		bar.Fields = append(bar.Fields, f)
	}
	if sort := v.param(paramSort); sort != "" && v.param(paramTable) == "" {
		bar.Hidden = append(bar.Hidden, field{Name: paramSort, Value: sort})
	}
	if len(l.filters(v)) > len(l.fixed) {
		bar.Reset = v.at.Path
	}
	return bar
}
