package webui

import (
	"fmt"

	"github.com/vienkart/vienkart/internal/date"
)

// Operations of files that were made for the tax authority.
const (
	opSubmissionCreate = "/v1/declarations/submissions/create"
	opSubmissionMark   = "/v1/declarations/submissions/mark"
	opSubmissionList   = "/v1/declarations/submissions/list"
	opLateChanges      = "/v1/declarations/submissions/late-changes"
)

// comparedFiles is how many kept files a page compares with the register as it is now: each comparison reads a month.
const comparedFiles = 6

func submissionURL(r record) string { return "/ui/vat/submissions/" + r.text("id") }

func submissionMonth(r record) string {
	return fmt.Sprintf("%04d-%02d", r.whole("periodYear"), r.whole("periodMonth"))
}

// submissionBlocks list the kept i.SAF files of a month, what came into it later, and keep another one.
func (v *visit) submissionBlocks(m date.Month) ([]block, error) {
	if !v.ui.serves(opSubmissionList) {
		return nil, nil
	}
	title := v.t("submissions.title")
	out, err := v.query(opSubmissionList, map[string]any{"pageSize": maxPage, "filter": []filter{
		{"periodYear", "eq", m.Year}, {"periodMonth", "eq", int(m.Month)},
	}})
	if err != nil {
		return v.refusedBlock(title, err)
	}
	rows := out.list("rows")
	late, err := v.countLate(rows)
	if err != nil {
		return v.refusedBlock(title, err)
	}
	blocks := []block{{Heading: title}}
	if late != nil {
		blocks = append(blocks, block{Notice: late})
	}
	blocks = append(blocks, block{Table: v.sheet(sheet{
		Name: "submissions", File: "submissions-" + m.String(), Caption: title, Rows: rows, None: &empty{Text: v.t("submissions.none")},
		Columns: []column{
			{Title: "field.file", Field: "fileName", Link: submissionURL},
			{Title: "field.type", Field: "variant", Words: "dataType.", Minor: true},
			{Title: "field.status", Field: "status", Kind: cellPill},
			{Title: "submissions.late", Field: "late", Kind: cellNumber, Link: func(r record) string { return submissionURL(r) + "#late" }},
			{Title: "field.reference", Field: "externalRef", Minor: true},
			{Title: "field.message", Field: "message", Minor: true},
			{Title: "field.createdAt", Field: "createdAt", Kind: cellTime, Minor: true},
			{
				Title: "action.download", Shown: true, Minor: true, Text: func(v *visit, _ record) string { return v.t("action.download") },
				Link: func(r record) string { return "/ui/files/" + r.text("fileId") },
			},
		},
		Actions: []rowAction{{"field.action", func(r record) *action {
			return &action{Label: v.t("submissions.mark"), Form: v.keyed(v.markForm(r.text("id")))}
		}}},
	})})
	keep := v.keepForm(m.String())
	if v.shown != nil && v.shown.Action == keep.Action {
		keep = v.shown
	}
	return append(blocks, block{Form: v.keyed(keep)}), nil
}

// countLate puts to each file how many rows of the register it lacks, and warns of those that no later file has made good.
func (v *visit) countLate(files []record) (*notice, error) {
	n := &notice{Kind: "warn", Title: v.t("submissions.lateTitle"), Note: v.t("submissions.lateNote")}
	for i, file := range files {
		if i == comparedFiles || !v.ui.serves(opLateChanges) {
			break
		}
		out, err := v.query(opLateChanges, map[string]any{"id": file.text("id")})
		if err != nil {
			return nil, err
		}
		file["late"] = out["total"]
		if out.whole("total") > 0 && !out.has("replacedById") {
			n.Items = append(n.Items, link{Text: v.lang.count("submissions.lateRows", out.whole("total"), "File", file.text("fileName")), URL: submissionURL(file) + "#late"})
		}
	}
	if len(n.Items) == 0 {
		return nil, nil //nolint:nilnil // nothing to warn of and nothing wrong
	}
	return n, nil
}

func (v *visit) keepForm(month string) *form {
	return &form{
		Action: "/ui/vat/submissions", Submit: v.t("submissions.keep"), Lead: v.t("submissions.keepLead"), Plain: true,
		Fields: []field{
			{Name: "month", Kind: kindHidden, Value: month, Local: true},
			{Name: "dataType", Label: v.t("field.type"), Kind: kindSelect, Options: v.choices("dataType.", "F", "S", "P"), Value: "F"},
		},
	}
}

func keepSubmission(v *visit) (answer, error) {
	month := v.monthOf(v.r.PostFormValue("month")).String()
	f := v.keepForm(month)
	extra := yearMonth(month)
	extra["obligation"] = "lt-isaf"
	return v.runAction(f, once(opSubmissionCreate, f, extra, func(record) string { return "/ui/vat?month=" + month }), vatPeriod)
}

func (v *visit) markForm(id string) *form {
	return &form{
		Action: "/ui/vat/submissions/" + id + "/mark", Submit: v.t("action.save"),
		Fields: []field{
			{
				Name: "status", ID: "status-" + id, Label: v.t("field.status"), Kind: kindSelect,
				Options: v.choices("state.", "submitted", "accepted", "rejected"), Value: "submitted",
			},
			{Name: "externalRef", ID: "ref-" + id, Label: v.t("field.reference"), Kind: kindText, Max: 255},
			{Name: "message", ID: "message-" + id, Label: v.t("field.message"), Kind: kindText, Max: 2000},
		},
	}
}

func markSubmission(v *visit) (answer, error) {
	f := v.markForm(v.r.PathValue("id"))
	return v.runAction(f, once(opSubmissionMark, f, v.id(), submissionURL), showSubmission)
}
