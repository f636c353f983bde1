package webui

import "github.com/vienkart/vienkart/internal/tenant"

// firstSteps are what a company needs before its books begin; they go away with the first entry of the journal.
func (v *visit) firstSteps() ([]block, error) {
	entries, err := v.countOf(opJournalList)
	if err != nil || entries > 0 {
		return nil, err
	}
	partners, err := v.countOf(opPartnerList)
	if err != nil {
		return nil, err
	}
	documents, err := v.countOf(opSalesList)
	if err != nil {
		return nil, err
	}
	var tasks []task
	for _, step := range []struct {
		text, url string
		done      bool
		needs     tenant.Permission
	}{
		{"firstSteps.company", "/ui/settings", v.company.text("code") != "", tenant.ManageCompany},
		{"firstSteps.partner", "/ui/partners/new", partners > 0, tenant.WriteSales},
		{"firstSteps.invoice", "/ui/invoices/new", documents > 0, tenant.WriteSales},
		{"firstSteps.bank", "/ui/bank", false, tenant.WriteBank},
		{"firstSteps.members", "/ui/settings/members", false, tenant.ManageCompany},
		{"firstSteps.keys", "/ui/settings/keys", false, tenant.ManageKeys},
	} {
		if !v.can(step.needs) {
			continue
		}
		t := task{When: v.t("firstSteps.todo"), Text: v.t(step.text), URL: step.url}
		if step.done {
			t.When, t.Kind = v.t("firstSteps.done"), "good"
		}
		tasks = append(tasks, t)
	}
	if len(tasks) == 0 {
		return nil, nil
	}
	return []block{{Heading: v.t("firstSteps.title"), Tasks: tasks}}, nil
}
