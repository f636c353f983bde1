package webui

import (
	"errors"
	"net/http"
	"strings"

	"github.com/vienkart/vienkart/internal/date"
	"github.com/vienkart/vienkart/internal/tenant"
)

// Operations of the VAT return, of i.SAF and of their comparison with the ledger.
const (
	opReturn = "/v1/declarations/lt/fr0600/compute"
	opISAF   = "/v1/declarations/lt/isaf/generate"
	opTieOut = "/v1/declarations/vat/tie-out"
)

// vatMonth is the month of the page: last month unless chosen.
func (v *visit) vatMonth() date.Month {
	if posted := v.r.PostFormValue("month"); posted != "" { // a refused form is shown again
		m := v.monthOf(posted)
		v.at.RawQuery = "month=" + m.String()
		return m
	}
	return v.monthOf(v.param("month"))
}

func (v *visit) monthOf(s string) date.Month {
	if d, err := date.Parse(s + "-01"); err == nil {
		return date.MonthOf(d)
	}
	return date.MonthOf(v.today()).Prev()
}

func monthBody(m date.Month) map[string]any {
	return map[string]any{"year": m.Year, "month": int(m.Month)}
}

func (v *visit) monthOptions(chosen date.Month) []option {
	const shown = 24
	var out []option
	month := date.MonthOf(v.today())
	for range shown {
		out = append(out, option{Value: month.String(), Text: month.String(), Selected: month == chosen})
		month = month.Prev()
	}
	return out
}

func (v *visit) monthBar(m date.Month) *filterBar {
	return &filterBar{Action: v.at.Path, Fields: []field{
		{Name: "month", ID: "q-month", Label: v.t("field.month"), Kind: kindSelect, Options: v.monthOptions(m)},
	}}
}

// vatPeriod shows a month from its boxes down to its documents.
func vatPeriod(v *visit) (answer, error) {
	m := v.vatMonth()
	p := v.newPage("vat.title")
	p.Lead = v.t("vat.lead", "Month", m.String())
	p.add(block{Filters: v.monthBar(m)})
	if !v.can(tenant.FileReturns) {
		p.add(block{Empty: &empty{Text: v.t("vat.notAllowed")}})
		return p, nil
	}
	for _, part := range []func(*visit, date.Month) ([]block, error){(*visit).returnBlocks, (*visit).isafBlocks, (*visit).submissionBlocks, (*visit).tieOutBlocks} {
		blocks, err := part(v, m)
		if err != nil {
			return nil, err
		}
		p.add(blocks...)
	}
	if v.ui.serves(opJobCreate) {
		p.add(block{Form: v.keyed(v.monthExportForm(m))})
	}
	return p, nil
}

// refusedBlock shows a refusal in place of a part of a page, so that the other parts stay.
func (v *visit) refusedBlock(heading string, err error) ([]block, error) {
	refused, ok := errors.AsType[*refusal](err)
	if !ok {
		return nil, err
	}
	n := v.refusalNotice(refused)
	for _, texts := range refused.Fields {
		for _, text := range texts {
			n.Items = append(n.Items, link{Text: text})
		}
	}
	return []block{{Heading: heading, Notice: n}}, nil
}

// returnBlocks are the boxes of the return, what they are made of, and the documents of the chosen box.
func (v *visit) returnBlocks(m date.Month) ([]block, error) {
	heading := v.t("vat.return")
	if !v.ui.serves(opReturn) {
		return []block{{Heading: heading, Empty: &empty{Text: v.t("vat.noReturn")}}}, nil
	}
	in := monthBody(m)
	if box := v.param("box"); box != "" {
		in["documentsOf"] = box
	}
	out, err := v.query(opReturn, in)
	if err != nil {
		return v.refusedBlock(heading, err)
	}
	boxes := []column{
		{Title: "field.box", Field: "field", Kind: cellMono, Link: func(r record) string {
			return v.with("box", r.text("field"), paramFormat, "", paramTable, "", paramSort, "", "outcome", "") + "#documents"
		}},
		{Title: "field.name", Field: "label"},
		{Title: "field.exact", Kind: cellMoney, Minor: true, Text: func(_ *visit, r record) string { return twoPlaces(r.text("exact")) }},
		{Title: "field.declared", Field: "value", Kind: cellMoney},
	}
	t := v.sheet(sheet{
		File: "fr0600-" + m.String(), Caption: heading, Columns: boxes, Rows: out.list("fields"), None: &empty{Text: v.t("vat.nothing")},
		Class: func(r record) string {
			if r.decimal("exact").IsZero() {
				return rowFaint
			}
			return ""
		},
	})
	blocks := []block{{Heading: heading}}
	if n := v.findings(out); n != nil {
		blocks = append(blocks, block{Notice: n})
	}
	blocks = append(blocks, block{Table: t})
	if v.param("box") != "" {
		blocks = append(blocks, v.boxDocuments(out))
	}
	if rows := out.list("breakdown"); len(rows) > 0 {
		blocks = append(blocks, block{Heading: v.t("vat.breakdown"), Table: v.sheet(sheet{
			Name: "breakdown", File: "fr0600-breakdown-" + m.String(), Caption: v.t("vat.breakdown"), Columns: breakdownColumns(), Rows: rows,
		})})
	}
	return append(blocks, block{Links: []link{{Text: v.t("vat.ffdata"), URL: "/ui/vat/fr0600.ffdata?month=" + m.String(), Download: true}}}), nil
}

// findings are the errors, then the warnings that are not among them.
func (v *visit) findings(out record) *notice {
	var errs, rest []link
	for _, e := range out.list("errors") {
		errs = append(errs, link{Text: e.text("message")})
	}
	for _, text := range out.texts("warnings") {
		if !strings.HasPrefix(text, "Error: ") {
			rest = append(rest, link{Text: text})
		}
	}
	switch {
	case len(errs) > 0:
		return &notice{Kind: "bad", Title: v.t("vat.errors"), Items: append(errs, rest...)}
	case len(rest) > 0:
		return &notice{Kind: "warn", Title: v.t("notice.warnings"), Items: rest}
	}
	return nil
}

func breakdownColumns() []column {
	return []column{
		{Title: "field.direction", Field: "direction", Words: "direction."},
		{Title: "field.vatCode", Field: "taxCode"},
		{Title: "field.net", Field: "net", Kind: cellMoney},
		{Title: "field.vat", Field: "vat", Kind: cellMoney},
		{Title: "field.boxes", Text: func(_ *visit, r record) string {
			return strings.Join(append(r.texts("taxableFields"), r.texts("vatFields")...), ", ")
		}},
	}
}

func (v *visit) boxDocuments(out record) block {
	columns := []column{
		{Title: "field.document", Field: "number", Kind: cellMono, Link: documentLink},
		{Title: "field.partner", Field: "partnerName"},
		{Title: "field.date", Field: "date", Kind: cellDate, Minor: true},
		{Title: "field.registerDate", Field: "registerDate", Kind: cellDate, Minor: true},
		{Title: "field.vatCode", Field: "taxCode", Minor: true},
		{Title: "field.amount", Kind: cellMoney, Total: true, Text: func(_ *visit, r record) string { return twoPlaces(r.text("amount")) }},
	}
	heading := v.t("vat.documents", "Box", v.param("box"))
	return block{Heading: heading, Anchor: "documents", Table: v.sheet(sheet{
		Name: "documents", File: "fr0600-box-" + v.param("box"), Caption: heading, Columns: columns, Rows: out.list("documents"),
		None: &empty{Text: v.t("vat.noDocuments")},
	})}
}

// documentLink leads to a document of either sort.
func documentLink(r record) string {
	if to := documentURL(r.text("documentType"), r.text("documentId")); to != "" {
		return to
	}
	if id := r.text("documentId"); id != "" {
		return "/ui/documents/" + id
	}
	return documentURL("journal_transaction", r.text("transactionId"))
}

// isafBlocks say what is in the file and what VMI would refuse.
func (v *visit) isafBlocks(m date.Month) ([]block, error) {
	heading := v.t("vat.isaf")
	if !v.ui.serves(opISAF) {
		return []block{{Heading: heading, Empty: &empty{Text: v.t("vat.noISAF")}}}, nil
	}
	out, err := v.query(opISAF, monthBody(m))
	if err != nil {
		return v.refusedBlock(heading, err)
	}
	counts := out.record("counts")
	var facts []fact
	for _, member := range []string{"salesInvoices", "purchaseInvoices", "customers", "suppliers"} {
		facts = append(facts, fact{Label: v.t("vat." + member), Value: counts.text(member)})
	}
	if settlements := counts.text("settlements"); settlements != "0" {
		facts = append(facts, fact{Label: v.t("vat.settlements"), Value: settlements})
	}
	if problems := out.list("errors"); len(problems) > 0 {
		n := &notice{Kind: "bad", Title: v.t("vat.problems")}
		for _, problem := range problems {
			text := strings.TrimSpace(problem.text("code") + " " + problem.text("number") + " " + problem.text("message"))
			n.Items = append(n.Items, link{Text: text, URL: documentLink(problem)})
		}
		return []block{{Heading: heading, Notice: n}, {Facts: facts}}, nil
	}
	blocks := []block{{Heading: heading, Facts: append(facts, fact{
		Label: v.t("field.file"), Value: out.text("fileName"), URL: "/ui/vat/isaf.xml?month=" + m.String(),
	})}}
	if n := v.findings(out); n != nil {
		blocks = append(blocks, block{Notice: n})
	}
	return blocks, nil
}

func downloadISAF(v *visit) (answer, error) {
	out, err := v.query(opISAF, monthBody(v.vatMonth()))
	if err != nil {
		return nil, err
	}
	if out.text("xml") == "" {
		return nil, &refusal{Status: http.StatusConflict, Message: v.t("vat.problems")}
	}
	return download{name: out.text("fileName"), contentType: "application/xml; charset=utf-8", body: []byte(out.text("xml"))}, nil
}

func downloadReturn(v *visit) (answer, error) {
	in := monthBody(v.vatMonth())
	in["withFile"] = true
	out, err := v.query(opReturn, in)
	if err != nil {
		return nil, err
	}
	return download{name: out.text("file.fileName"), contentType: "application/xml; charset=utf-8", body: []byte(out.text("file.ffdata"))}, nil
}

// findDocument goes to a sales document or a supplier's, whichever has the id.
func findDocument(v *visit) (answer, error) {
	if _, err := v.query(opSalesGet, v.id()); err == nil {
		return redirect(v.here("/ui/invoices/")), nil
	}
	return redirect(v.here("/ui/purchases/")), nil
}
