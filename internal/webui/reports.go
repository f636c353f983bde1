package webui

import (
	"errors"
	"net/url"
	"slices"
	"strconv"

	"github.com/vienkart/vienkart/internal/date"
	"github.com/vienkart/vienkart/internal/tenant"
)

// reportPrefix is where reports are, in the API and in the pages.
const (
	opReports    = "/v1/reports/"
	reportPrefix = "/ui/reports/"
)

// report is a page of a report: what it is asked for, what it says, and files of it.
type report struct {
	Name   string // of the operation, and of the job that makes files of it
	At     string // address, where it is not below reportPrefix
	Params []parameter
	// Show makes the blocks of the answer.
	Show func(v *visit, out record) []block
	// Ask reads the answer, where one request is not enough.
	Ask func(v *visit, in map[string]any) (record, error)
}

// parameter is something that a report is asked for.
type parameter struct {
	Name   string // in the address
	Member string // of the request
	Label  string // message id
	Kind   string
	Words  string
	Values []string // of a choice; the first one unless chosen
	// Start is the value unless given.
	Start func(v *visit) string
}

// Parameters that several reports share.
var (
	days = []parameter{
		{Name: "from", Member: "fromDate", Label: "filter.from", Kind: kindDate, Start: func(v *visit) string {
			return date.New(v.today().Year(), 1, 1).String()
		}},
		{Name: "to", Member: "toDate", Label: "filter.to", Kind: kindDate, Start: func(v *visit) string { return v.today().LastOfMonth().String() }},
	}
	atEndOf  = parameter{Name: "asOf", Member: "asOf", Label: "field.asOf", Kind: kindDate, Start: func(v *visit) string { return v.today().String() }}
	vatSide  = parameter{Name: "side", Member: "side", Label: "field.side", Kind: kindSelect, Words: "direction.", Values: []string{"sales", "purchases"}}
	debtSide = parameter{Name: "side", Member: "side", Label: "field.side", Kind: kindSelect, Words: "debts.", Values: []string{"receivables", "payables"}}
	lastOf   = parameter{Name: "months", Member: "months", Label: "field.months", Kind: kindWhole, Start: func(*visit) string { return "12" }}
	ofSize   = parameter{
		Name: "category", Member: "category", Label: "field.category", Kind: kindSelect, Words: "companySize.",
		Values: []string{"small", "micro", "medium", "large"},
	}
	ofAccount = parameter{Name: "accountCode", Member: "accountCode", Label: "field.account", Kind: kindText}
)

// reports are all there are, in the order that an accountant looks for them.
func reports() []report {
	with := func(more ...parameter) []parameter { return append(slices.Clone(days), more...) }
	return []report{
		{Name: "trial-balance", At: "/ui/trial-balance", Params: days, Show: showTrialBalance},
		{Name: "general-journal", Params: days, Show: showGeneralJournal, Ask: askGeneralJournal},
		{Name: "gl-detail", Params: append([]parameter{ofAccount}, days...), Show: showAccountEntries},
		{Name: "financial-statements", Params: with(ofSize), Show: showStatements},
		{Name: "cash-flow", Params: days, Show: showCashFlow},
		{Name: "monthly-summary", Params: []parameter{atEndOf, lastOf}, Show: showMonths},
		{Name: "partner-balances", Params: []parameter{atEndOf}, Show: showPartnerBalances},
		{Name: "debt-aging", Params: []parameter{atEndOf, debtSide}, Show: showDebtAging},
		{Name: "vat-summary", Params: with(vatSide), Show: showVATSummary},
		{Name: "vat-detail", Params: with(vatSide), Show: showVATDetail},
		{Name: "eu-purchases", Params: days, Show: showEUPurchases},
	}
}

func (r report) address() string {
	if r.At != "" {
		return r.At
	}
	return reportPrefix + r.Name
}

func (r report) lead(v *visit) string { return v.t("reportLead."+r.Name, "Currency", v.base()) }

// value is what the address says, or the usual.
func (x parameter) value(v *visit) string {
	value := v.param(x.Name)
	switch x.Kind {
	case kindDate:
		if _, err := date.Parse(value); err != nil {
			value = ""
		}
	case kindSelect:
		if !slices.Contains(x.Values, value) {
			value = x.Values[0]
		}
	}
	if value == "" && x.Start != nil {
		value = x.Start(v)
	}
	return value
}

// typed is the value as the API takes it.
func (x parameter) typed(value string) any {
	if n, err := strconv.Atoi(value); x.Kind == kindWhole && err == nil {
		return n
	}
	return value
}

func (r report) request(v *visit) map[string]any {
	in := map[string]any{}
	for _, x := range r.Params {
		in[x.Member] = x.typed(x.value(v))
	}
	return in
}

func (r report) bar(v *visit) (*filterBar, error) {
	bar := &filterBar{Action: r.address(), Submit: v.t("action.show")}
	for _, x := range r.Params {
		f := field{Name: x.Name, ID: "q-" + x.Name, Label: v.t(x.Label), Kind: x.Kind, Value: x.value(v)}
		for _, value := range x.Values {
			f.Options = append(f.Options, option{Value: value, Text: v.lang.known(x.Words, value), Selected: value == f.Value})
		}
		if x.Member == ofAccount.Member {
			accounts, err := v.accounts()
			if err != nil {
				return nil, err
			}
			f.List, bar.Lists = accounts.ID, []dataList{accounts}
		}
		bar.Fields = append(bar.Fields, f)
	}
	return bar, nil
}

// page shows the report.
func (r report) page(v *visit) (answer, error) {
	p := v.newPage("report." + r.Name)
	p.Lead = r.lead(v)
	p.Crumb = &link{Text: v.t("reports.title"), URL: "/ui/reports"}
	bar, err := r.bar(v)
	if err != nil {
		return nil, err
	}
	p.add(block{Filters: bar})
	in := r.request(v)
	if in[ofAccount.Member] == "" {
		p.add(block{Empty: &empty{Text: v.t("reports.chooseAccount"), Links: []link{{Text: v.t("balance.title"), URL: "/ui/trial-balance"}}}})
		return p, nil
	}
	ask := r.Ask
	if ask == nil {
		ask = func(v *visit, in map[string]any) (record, error) { return v.query(opReports+r.Name, in) }
	}
	out, err := ask(v, in)
	if err != nil {
		refused, ok := errors.AsType[*refusal](err)
		if !ok {
			return nil, err
		}
		blocks, _ := v.refusedBlock("", err)
		p.Status = refused.Status
		p.add(blocks...)
	} else {
		p.add(r.Show(v, out)...)
	}
	if v.offers(opJobCreate, tenant.MakeExports) {
		p.add(block{Form: v.keyed(v.exportForm(r.Name, r.posted(in)))})
	}
	return p, nil
}

// posted are the parameters as hidden fields of the form that makes files.
func (r report) posted(in map[string]any) []field {
	fields := make([]field, len(r.Params))
	for i, x := range r.Params {
		fields[i] = field{Name: "params." + x.Member, Kind: kindHidden, Value: plain(in[x.Member]), Local: true}
	}
	return fields
}

// reportRoutes are the addresses of reports.
func reportRoutes(get func(string, pageFunc)) {
	get("/ui/reports", listReports)
	for _, r := range reports() {
		get(r.address(), r.page)
	}
	get("/ui/accounts/{code}", func(v *visit) (answer, error) {
		q := v.r.URL.Query()
		q.Set(ofAccount.Name, v.r.PathValue("code"))
		return redirect(address(reportPrefix+"gl-detail", q)), nil
	})
}

func listReports(v *visit) (answer, error) {
	p := v.newPage("reports.title")
	p.Links = []link{{Text: v.t("jobs.all"), URL: "/ui/exports"}}
	var all []choice
	for _, r := range reports() {
		all = append(all, choice{Text: v.t("report." + r.Name), Note: r.lead(v), URL: r.address()})
	}
	p.add(block{Choices: all})
	return p, nil
}

// reportOf is the page of the report that a job made files of; empty when the report has no page.
func reportOf(job record) string {
	for _, r := range reports() {
		if r.Name != job.text("reportType") {
			continue
		}
		q := url.Values{}
		for _, x := range r.Params {
			if value := job.text("params." + x.Member); value != "" {
				q.Set(x.Name, value)
			}
		}
		return address(r.address(), q)
	}
	return ""
}

// accountURL is the page of what was posted to an account.
func (v *visit) accountURL(code string) string {
	q := url.Values{ofAccount.Name: {code}}
	for _, x := range days {
		q.Set(x.Name, x.value(v))
	}
	return address(reportPrefix+"gl-detail", q)
}
