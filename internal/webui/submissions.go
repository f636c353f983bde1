package webui

import (
	"github.com/vienkart/vienkart/internal/date"
)

// Operations of files that were made for the tax authority.
const (
	opSubmissionCreate = "/v1/declarations/submissions/create"
	opSubmissionMark   = "/v1/declarations/submissions/mark"
	opSubmissionList   = "/v1/declarations/submissions/list"
)

// submissionBlocks list the kept i.SAF files of a month, and keep another one.
func (v *visit) submissionBlocks(m date.Month) ([]block, answer, error) {
	if !v.ui.serves(opSubmissionList) {
		return nil, nil, nil
	}
	title := v.t("submissions.title")
	out, err := v.query(opSubmissionList, map[string]any{"pageSize": maxPage, "filter": []filter{
		{"periodYear", "eq", m.Year}, {"periodMonth", "eq", int(m.Month)},
	}})
	if err != nil {
		return v.refusedBlock(title, err)
	}
	rows := out.list("rows")
	t := v.newTable(title, []column{
		{Title: "field.file", Field: "fileName", Link: func(r record) string { return "/ui/files/" + r.text("fileId") }},
		{Title: "field.type", Field: "variant"},
		{Title: "field.status", Field: "status", Kind: cellPill},
		{Title: "field.reference", Field: "externalRef", Minor: true},
		{Title: "field.message", Field: "message", Minor: true},
		{Title: "field.createdAt", Field: "createdAt", Kind: cellTime, Minor: true},
	}, rows)
	t.Empty = &empty{Text: v.t("submissions.none")}
	t.Columns = append(t.Columns, actionHeading(v))
	for i, r := range rows {
		f := v.markForm(m.String(), r.text("id"))
		a := &action{Label: v.t("submissions.mark"), Form: f}
		if v.shown != nil && v.shown.value("id") == r.text("id") {
			a.Form, a.Open, v.placed = v.shown, true, true
		}
		v.keyed(a.Form)
		t.Rows[i].Cells = append(t.Rows[i].Cells, cell{Action: a})
	}
	keep := v.keepForm(m.String())
	if v.shown != nil && v.shown.Action == keep.Action {
		keep = v.shown
	}
	return []block{{Heading: title, Table: t}, {Form: v.keyed(keep)}}, nil, nil
}

func actionHeading(v *visit) heading { return heading{Text: v.t("field.action")} }

func (v *visit) keepForm(month string) *form {
	return &form{
		Action: "/ui/vat/submissions", Submit: v.t("submissions.keep"), Lead: v.t("submissions.keepLead"), Plain: true,
		Fields: []field{
			{Name: "month", Kind: kindHidden, Value: month, Local: true},
			{Name: "dataType", Label: v.t("field.type"), Kind: kindSelect, Options: v.choices("dataType.", "F", "S", "P"), Value: "F"},
		},
	}
}

func (v *visit) markForm(month, id string) *form {
	return &form{
		Action: "/ui/vat/submissions/mark", Submit: v.t("action.save"),
		Fields: []field{
			{Name: "month", Kind: kindHidden, Value: month, Local: true},
			{Name: "id", Kind: kindHidden, Value: id},
			{
				Name: "status", ID: "status-" + id, Label: v.t("field.status"), Kind: kindSelect,
				Options: v.choices("state.", "submitted", "accepted", "rejected"), Value: "submitted",
			},
			{Name: "externalRef", ID: "ref-" + id, Label: v.t("field.reference"), Kind: kindText, Max: 255},
			{Name: "message", ID: "message-" + id, Label: v.t("field.message"), Kind: kindText, Max: 2000},
		},
	}
}

func vatPage(month string) func(record) string {
	return func(record) string { return "/ui/vat?month=" + month }
}

func keepSubmission(v *visit) (answer, error) {
	month := v.monthOf(v.r.PostFormValue("month")).String()
	f := v.keepForm(month)
	extra := yearMonth(month)
	extra["obligation"] = "lt-isaf"
	return v.runAction(f, once(opSubmissionCreate, f, extra, vatPage(month)), vatPeriod)
}

func markSubmission(v *visit) (answer, error) {
	month := v.monthOf(v.r.PostFormValue("month")).String()
	f := v.markForm(month, "")
	return v.runAction(f, once(opSubmissionMark, f, nil, vatPage(month)), vatPeriod)
}
