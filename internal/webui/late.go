package webui

import "github.com/vienkart/vienkart/internal/tenant"

// watchedFiles is how many of the latest files that were sent the dashboard compares with the books.
const watchedFiles = 3

// lateTasks are files that were sent and no longer say what the books say.
func (v *visit) lateTasks() ([]task, error) {
	if !v.offers(opLateChanges, tenant.FileReturns) {
		return nil, nil
	}
	sent, err := v.query(opSubmissionList, map[string]any{
		"pageSize": watchedFiles, "sort": []order{{"createdAt", "desc"}}, "filter": []filter{{"status", "in", []string{"submitted", "accepted"}}},
	})
	if err != nil {
		return nil, err
	}
	var out []task
	for _, file := range sent.list("rows") {
		late, err := v.query(opLateChanges, map[string]any{"id": file.text("id")})
		if err != nil {
			return nil, err
		}
		if total := late.whole("total"); total > 0 && !late.has("replacedById") {
			out = append(out, task{
				When: v.t("dashboard.lateWhen"), Kind: "bad", URL: submissionURL(file) + "#late",
				Text: v.lang.count("dashboard.late", total, "Month", submissionMonth(file)),
			})
		}
	}
	return out, nil
}

// showSubmission shows a kept file, what became of it, and what came into its month after it was made.
func showSubmission(v *visit) (answer, error) {
	out, err := v.query(opLateChanges, v.id())
	if err != nil {
		return nil, err
	}
	doc := out.record("submission")
	month := submissionMonth(doc)
	p := v.newPage("submissions.one", "Month", month)
	p.Crumb = &link{Text: v.t("vat.title") + " " + month, URL: "/ui/vat?month=" + month}
	p.Pill = v.state("", doc.text("status"))
	p.add(block{Facts: v.submissionFacts(doc, out.text("replacedById"))})
	if v.can(tenant.FileReturns) {
		p.add(block{Actions: []action{v.act("submissions.mark", v.markForm(doc.text("id")))}})
	}
	rows := out.list("rows")
	p.add(block{Heading: v.t("submissions.late"), Anchor: "late"})
	if len(rows) > 0 && !out.has("replacedById") {
		p.add(block{Notice: &notice{Kind: "warn", Text: v.t("submissions.lateLead")}})
	}
	p.add(block{Table: v.sheet(sheet{
		File: "late-changes-" + month, Caption: v.t("submissions.late"), Columns: lateColumns(), Rows: rows,
		None: &empty{Text: v.t("submissions.noneLate")},
	})})
	if len(rows) > 0 && !out.has("replacedById") && v.can(tenant.FileReturns) {
		f := v.keepForm(month)
		f.Title, f.Lead, f.Submit = v.t("submissions.correct"), v.t("submissions.correctLead"), v.t("submissions.keep")
		f.Fields[1].Kind, f.Fields[1].Value, f.Plain = kindHidden, doc.text("variant"), false
		p.add(block{Form: v.keyed(f)})
	}
	return p, nil
}

func (v *visit) submissionFacts(doc record, replacedBy string) []fact {
	facts := []fact{
		{Label: v.t("field.file"), Value: doc.text("fileName"), URL: "/ui/files/" + doc.text("fileId")},
		{Label: v.t("field.type"), Value: v.lang.known("dataType.", doc.text("variant"))},
		{Label: v.t("submissions.rows"), Value: doc.text("rows")},
		{Label: v.t("submissions.part"), Value: doc.text("partNumber")},
		{Label: v.t("field.createdAt"), Value: v.moment(doc.text("createdAt"))},
	}
	if reference := doc.text("externalRef"); reference != "" {
		facts = append(facts, fact{Label: v.t("field.reference"), Value: reference})
	}
	facts = append(facts, v.plainFacts(doc, "message")...)
	if id := doc.text("correctsId"); id != "" {
		facts = append(facts, fact{Label: v.t("submissions.corrects"), Value: v.t("action.open"), URL: "/ui/vat/submissions/" + id})
	}
	if replacedBy != "" {
		facts = append(facts, fact{Label: v.t("submissions.replacedBy"), Value: v.t("action.open"), URL: "/ui/vat/submissions/" + replacedBy})
	}
	return append(facts, fact{Label: "SHA-256", Value: doc.text("sha256"), Mono: true})
}

func lateColumns() []column {
	return []column{
		{Title: "field.document", Field: "number", Kind: cellMono, Link: documentLink},
		{Title: "field.direction", Field: "direction", Words: "direction."},
		{Title: "field.partner", Field: "partnerName"},
		{Title: "field.registerDate", Field: "registerDate", Kind: cellDate, Minor: true},
		{Title: "field.what", Field: "event", Words: "registerEvent."},
		{Title: "field.vatCode", Field: "taxCode", Minor: true},
		{Title: "submissions.recordedAt", Field: "recordedAt", Kind: cellTime, Minor: true},
		{Title: "field.net", Field: "net", Kind: cellMoney, Total: true},
		{Title: "field.vat", Field: "vat", Kind: cellMoney, Total: true},
	}
}
