package webui

import (
	"encoding/base64"
	"fmt"
	"strings"

	"github.com/vienkart/vienkart/internal/date"
	"github.com/vienkart/vienkart/internal/tenant"
)

// Operations of files that are made in the background.
const (
	opJobCreate = opReports + "jobs/create"
	opJobGet    = opReports + "jobs/get"
	opJobList   = opReports + "jobs/list"
	opJobCancel = opReports + "jobs/cancel"
	opFileGet   = "/v1/files/get"
)

// jobRefreshSeconds is how often a page of a running job asks again, without JavaScript.
const jobRefreshSeconds = 2

func jobURL(r record) string { return "/ui/exports/" + r.text("id") }

// exportForm makes files of a report; the fields are its parameters.
func (v *visit) exportForm(report string, params []field) *form {
	fields := []field{
		{Name: "reportType", Kind: kindHidden, Value: report},
		{Name: "format", Label: v.t("field.format"), Kind: kindSelect, Value: "xlsx", Local: true, Options: []option{
			{Value: "xlsx", Text: "Excel"}, {Value: "pdf", Text: "PDF"}, {Value: "csv", Text: "CSV"}, {Value: "json", Text: "JSON"},
		}},
	}
	return &form{
		Title: v.t("jobs.title"), Action: "/ui/exports", Submit: v.t("jobs.start"), Lead: v.t("jobs.lead"), Plain: true, Fields: append(fields, params...),
	}
}

// monthExportForm makes files of what a month's VAT is made of.
func (v *visit) monthExportForm(m date.Month) *form {
	f := v.exportForm("vat-detail", []field{
		{Name: "params.fromDate", Kind: kindHidden, Value: m.First().String(), Local: true},
		{Name: "params.toDate", Kind: kindHidden, Value: m.Last().String(), Local: true},
	})
	f.Fields[0].Kind, f.Fields[0].Label = kindSelect, v.t("field.report")
	f.Fields[0].Options = v.choices("report.", "vat-detail", "vat-summary", "general-journal", "trial-balance")
	return f
}

// postedParams are the parameters of a report as its page sent them.
func (v *visit) postedParams() ([]field, map[string]any) {
	var fields []field
	params := map[string]any{}
	for _, r := range reports() {
		for _, x := range r.Params {
			name := "params." + x.Member
			if _, known := params[x.Member]; known || !v.r.PostForm.Has(name) {
				continue
			}
			value := strings.TrimSpace(v.r.PostForm.Get(name))
			fields = append(fields, field{Name: name, Kind: kindHidden, Value: value, Local: true})
			params[x.Member] = x.typed(value)
		}
	}
	return fields, params
}

func startExport(v *visit) (answer, error) {
	if err := v.parseForm(); err != nil {
		return nil, err
	}
	fields, params := v.postedParams()
	f := v.exportForm(v.r.PostForm.Get("reportType"), fields)
	p := v.newPage("jobs.one")
	p.Crumb = &link{Text: v.t("reports.title"), URL: "/ui/reports"}
	s := once(opJobCreate, f, map[string]any{"params": params, "formats": []string{v.r.PostForm.Get("format")}}, jobURL)
	s.quiet = true
	return v.submitted(p, f, s)
}

func listExports(v *visit) (answer, error) {
	p := v.newPage("jobs.all")
	p.Crumb = &link{Text: v.t("reports.title"), URL: "/ui/reports"}
	names := make([]string, 0, len(reports()))
	for _, r := range reports() {
		names = append(names, r.Name)
	}
	l := listing{
		operation: opJobList, file: "files", sort: "-id",
		columns: []column{
			{Title: "field.createdAt", Field: "createdAt", Kind: cellTime, Sort: "createdAt", Link: jobURL},
			{Title: "field.report", Field: "reportType", Words: "report.", Sort: "reportType", Link: jobURL},
			{Title: "field.format", Text: func(_ *visit, r record) string { return strings.ToUpper(strings.Join(r.texts("formats"), ", ")) }, Minor: true},
			{Title: "field.status", Field: "status", Kind: cellPill, Sort: "status"},
			{Title: "jobs.progress", Field: "progress", Kind: cellNumber, Sort: "progress", Minor: true},
		},
		criteria: []criterion{
			{Name: "report", Label: "field.report", Kind: kindSelect, Field: "reportType", Words: "report.", Values: names},
			{Name: "status", Label: "field.status", Kind: kindSelect, Words: "state.", Values: []string{"queued", "running", "completed", "failed"}},
		},
		none: &empty{Text: v.t("jobs.none"), Links: []link{{Text: v.t("reports.title"), URL: "/ui/reports"}}},
	}
	return l.show(v, p)
}

func showExport(v *visit) (answer, error) {
	job, err := v.query(opJobGet, v.id())
	if err != nil {
		return nil, err
	}
	p := v.newPage("jobs.one")
	p.Crumb = &link{Text: v.t("jobs.all"), URL: "/ui/exports"}
	p.Pill = v.state("", job.text("status"))
	running := job.text("status") == "queued" || job.text("status") == "running"
	switch {
	case running:
		p.Refresh = jobRefreshSeconds
		p.add(block{Notice: &notice{Kind: "info", Text: v.t("jobs.running")}}, block{Working: &progress{v.t("jobs.progress"), job.whole("progress")}})
	case job.text("status") == "failed":
		p.add(block{Notice: &notice{Kind: "bad", Title: v.t("jobs.failed"), Text: job.text("error")}})
	}
	name := v.lang.known("report.", job.text("reportType"))
	facts := []fact{{Label: v.t("field.report"), Value: name, URL: reportOf(job)}, {Label: v.t("field.createdAt"), Value: v.moment(job.text("createdAt"))}}
	for _, output := range job.list("outputs") {
		facts = append(facts, fact{
			Label: v.t("field.file"), Value: fmt.Sprintf("%s (%s B)", output.text("fileName"), output.text("sizeBytes")),
			URL: "/ui/files/" + output.text("fileId"),
		})
	}
	p.add(block{Facts: facts})
	if running && v.offers(opJobCancel, tenant.MakeExports) {
		p.add(block{Actions: []action{v.act("jobs.cancel", v.cancelJobForm())}})
	}
	return p, nil
}

func (v *visit) cancelJobForm() *form {
	return &form{Action: v.here("/ui/exports/") + "/cancel", Submit: v.t("jobs.cancel"), Lead: v.t("jobs.cancelLead"), Danger: true}
}

func cancelExport(v *visit) (answer, error) {
	f := v.cancelJobForm()
	return v.runAction(f, once(opJobCancel, f, v.id(), jobURL), showExport)
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
