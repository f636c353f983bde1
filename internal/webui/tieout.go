package webui

import (
	"github.com/vienkart/vienkart/internal/date"
)

// tieOutBlocks compare the VAT of a month in all its places.
func (v *visit) tieOutBlocks(m date.Month) ([]block, error) {
	heading := v.t("vat.tieOut")
	if !v.ui.serves(opTieOut) {
		return []block{{Heading: heading, Empty: &empty{Text: v.t("error.notServedText")}}}, nil
	}
	out, err := v.query(opTieOut, monthBody(m))
	if err != nil {
		return v.refusedBlock(heading, err)
	}
	output, input := out.record("totals.outputVat"), out.record("totals.inputVat")
	columns := []column{
		{Title: "field.name", Field: "name"},
		{Title: "vat.return", Field: "fr0600", Kind: cellMoney},
		{Title: "vat.register", Field: "register", Kind: cellMoney},
		{Title: "vat.isaf", Field: "isaf", Kind: cellMoney},
		{Title: "vat.ledger", Field: "ledger", Kind: cellMoney},
	}
	output["name"], input["name"] = v.t("vat.output"), v.t("vat.input")
	blocks := []block{{Heading: heading}}
	if out.isTrue("agrees") {
		blocks = append(blocks, block{Notice: &notice{Kind: "good", Text: v.t("vat.agrees")}})
	} else {
		blocks = append(blocks, block{Notice: &notice{Kind: "warn", Text: v.t("vat.differs")}})
	}
	blocks = append(blocks, block{Table: v.sheet(sheet{
		Name: "tie-out", File: "vat-tie-out-" + m.String(), Caption: heading, Columns: columns, Rows: []record{output, input},
	})})
	var rows []record
	for _, d := range out.list("differences") {
		for _, doc := range d.list("documents") {
			doc["between"] = d.text("first") + " / " + d.text("second")
			doc["subject"] = d.text("subject")
			rows = append(rows, doc)
		}
	}
	if len(rows) == 0 {
		return blocks, nil
	}
	return append(blocks, block{Heading: v.t("vat.differences"), Table: v.sheet(sheet{
		Name: "differences", File: "vat-differences-" + m.String(), Caption: v.t("vat.differences"), Rows: rows, Columns: differenceColumns(),
	})}), nil
}

func differenceColumns() []column {
	return []column{
		{Title: "field.between", Field: "between"},
		{Title: "field.what", Field: "subject", Kind: cellMono},
		{Title: "field.document", Kind: cellMono, Link: documentLink, Text: func(v *visit, r record) string {
			if number := r.text("number"); number != "" {
				return number
			}
			return v.t("action.open")
		}},
		{Title: "field.date", Field: "date", Kind: cellDate, Minor: true},
		{Title: "vat.firstPlace", Field: "first", Kind: cellMoney},
		{Title: "vat.secondPlace", Field: "second", Kind: cellMoney},
	}
}
