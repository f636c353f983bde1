package webui

import (
	"encoding/base64"
	"fmt"

	"github.com/vienkart/vienkart/internal/date"
)

// Operations of files that are made in the background.
const (
	opJobCreate = "/v1/reports/jobs/create"
	opJobGet    = "/v1/reports/jobs/get"
	opFileGet   = "/v1/files/get"
)

// jobRefreshSeconds is how often a page of a running job asks again, without JavaScript.
const jobRefreshSeconds = 2

func jobURL(r record) string { return "/ui/exports/" + r.text("id") }

// exportForm starts an export of a month's VAT.
func (v *visit) exportForm(m date.Month) *form {
	return &form{
		Action: "/ui/exports", Submit: v.t("jobs.start"), Lead: v.t("jobs.lead"), Plain: true,
		Fields: []field{
			{Name: "month", Kind: kindHidden, Value: m.String(), Local: true},
			{Name: "reportType", Label: v.t("field.report"), Kind: kindSelect, Options: v.choices("report.", "vat-detail", "vat-summary", "general-journal", "trial-balance"), Value: "vat-detail"},
			{Name: "format", Label: v.t("field.format"), Kind: kindSelect, Value: "xlsx", Local: true, Options: []option{
				{Value: "xlsx", Text: "Excel"}, {Value: "pdf", Text: "PDF"}, {Value: "json", Text: "JSON"},
			}},
		},
	}
}

func startExport(v *visit) (answer, error) {
	m := v.monthOf(v.r.PostFormValue("month"))
	f := v.exportForm(m)
	extra := map[string]any{
		"params": map[string]any{"fromDate": m.First().String(), "toDate": m.Last().String()}, "formats": []string{v.r.PostFormValue("format")},
	}
	p := v.newPage("jobs.title")
	p.Crumb = &link{Text: v.t("vat.title"), URL: "/ui/vat?month=" + m.String()}
	s := once(opJobCreate, f, extra, jobURL)
	s.quiet = true
	return v.submitted(p, f, s)
}

func showExport(v *visit) (answer, error) {
	job, err := v.query(opJobGet, v.id())
	if err != nil {
		return nil, err
	}
	p := v.newPage("jobs.title")
	p.Crumb = &link{Text: v.t("vat.title"), URL: "/ui/vat"}
	p.Pill = v.state("", job.text("status"))
	facts := []fact{
		{Label: v.t("field.report"), Value: v.lang.known("report.", job.text("reportType"))},
		{Label: v.t("field.createdAt"), Value: v.moment(job.text("createdAt"))},
	}
	switch job.text("status") {
	case "queued", "running":
		p.Refresh = jobRefreshSeconds
		p.add(block{Notice: &notice{Kind: "info", Text: v.t("jobs.running")}})
	case "failed":
		p.add(block{Notice: &notice{Kind: "bad", Title: v.t("jobs.failed"), Text: job.text("error")}})
	}
	for _, output := range job.list("outputs") {
		facts = append(facts, fact{
			Label: v.t("field.file"), Value: fmt.Sprintf("%s (%s B)", output.text("fileName"), output.text("sizeBytes")),
			URL: "/ui/files/" + output.text("fileId"),
		})
	}
	p.add(block{Facts: facts})
	return p, nil
}

func downloadFile(v *visit) (answer, error) {
	out, err := v.query(opFileGet, v.id())
	if err != nil {
		return nil, err
	}
	body, err := base64.StdEncoding.DecodeString(out.text("content"))
	if err != nil {
		return nil, fmt.Errorf("reading a file: %w", err)
	}
	return download{name: out.text("fileName"), contentType: "application/octet-stream", body: body}, nil
}
