package webui

import (
	"fmt"
	"maps"
	"slices"
	"strings"

	"github.com/vienkart/vienkart/internal/date"
	"github.com/vienkart/vienkart/internal/money"
	"github.com/vienkart/vienkart/internal/tenant"
)

// Days of the month after, by which a month is declared: i.SAF and the VAT return (VMI).
const (
	isafDueDay   = 20
	returnDueDay = 25
)

// chartMonths is how many months the VAT chart shows.
const chartMonths = 6

func dashboard(v *visit) (answer, error) {
	p := v.newPage("dashboard.title")
	if !v.can(tenant.ReadBooks) {
		p.add(block{Empty: &empty{Text: v.t("dashboard.noBooks")}})
		return p, nil
	}
	if v.can(tenant.WriteSales) {
		p.Links = append(p.Links, link{Text: v.t("invoices.new"), URL: "/ui/invoices/new", Primary: true})
	}
	if v.can(tenant.WritePurchases) {
		p.Links = append(p.Links, link{Text: v.t("purchases.new"), URL: "/ui/purchases/new"})
	}
	items, err := v.everything(opItems, map[string]any{"filter": []filter{{"settled", "eq", false}}}, maxDownload)
	if err != nil {
		return nil, err
	}
	tiles := []tile{v.owed(items, "receivable"), v.owed(items, "payable")}
	drafts, err := v.countOf(opSalesList, filter{"status", "eq", "draft"})
	if err != nil {
		return nil, err
	}
	tiles = append(tiles, tile{Label: v.t("dashboard.drafts"), Value: fmt.Sprint(drafts), URL: "/ui/invoices?status=draft"})
	if v.offers(opRefusalList, tenant.ReviewRefusals) {
		waiting, err := v.countOf(opRefusalList, filter{"reviewed", "eq", false})
		if err != nil {
			return nil, err
		}
		tiles = append(tiles, tile{
			Label: v.t("dashboard.refusals"), Value: fmt.Sprint(waiting), Note: v.t("dashboard.refusalsNote"),
			URL: "/ui/refusals?reviewed=false", Kind: warnIf(waiting > 0),
		})
	}
	tasks, err := v.tasks(items, drafts)
	if err != nil {
		return nil, err
	}
	chart, err := v.vatChart()
	if err != nil {
		return nil, err
	}
	steps, err := v.firstSteps()
	if err != nil {
		return nil, err
	}
	p.add(steps...)
	p.add(block{Tiles: tiles}, block{Heading: v.t("dashboard.due"), Tasks: tasks}, block{Chart: chart})
	return p, nil
}

func (v *visit) countOf(operation string, filters ...filter) (int, error) {
	out, err := v.query(operation, map[string]any{"pageSize": 1, "filter": filters})
	return out.whole("total"), err
}

// owed adds up what is open, by currency.
func (v *visit) owed(items []record, kind string) tile {
	sums, overdue := map[string]money.Decimal{v.base(): {}}, 0
	for _, r := range items {
		if r.text("kind") != kind {
			continue
		}
		sums[r.text("currency")] = sums[r.text("currency")].Add(r.decimal("open"))
		if itemState(v, r) == "overdue" {
			overdue++
		}
	}
	var parts []string
	for _, currency := range slices.Sorted(maps.Keys(sums)) {
		if !sums[currency].IsZero() || currency == v.base() {
			parts = append(parts, v.lang.amount(twoPlaces(sums[currency].String()))+" "+currency)
		}
	}
	t := tile{Label: v.t("dashboard." + kind), Value: strings.Join(parts, " · "), URL: "/ui/open-items?kind=" + kind}
	t.Note = v.t("dashboard.noneOverdue")
	if overdue > 0 {
		t.Note, t.Kind = v.lang.count("dashboard.overdue", overdue), "bad"
	}
	return t
}

// tasks are what is due: declarations of last month, open months, overdue documents, drafts.
func (v *visit) tasks(items []record, drafts int) ([]task, error) {
	today := v.today()
	month := date.MonthOf(today).Prev()
	var out []task
	if v.company.isTrue("isVatPayer") {
		for _, d := range []struct {
			id  string
			day int
		}{{"dashboard.isaf", isafDueDay}, {"dashboard.return", returnDueDay}} {
			due := date.New(today.Year(), today.Month(), d.day)
			t := task{When: due.String(), Text: v.t(d.id, "Month", month.String()), URL: "/ui/vat?month=" + month.String()}
			if due.Before(today) {
				t.Kind = "warn"
			}
			out = append(out, t)
		}
	}
	late, err := v.lateTasks()
	if err != nil {
		return nil, err
	}
	out = append(out, late...)
	open, err := v.openMonths(month)
	if err != nil {
		return nil, err
	}
	if open > 0 {
		out = append(out, task{When: v.t("dashboard.monthEnd"), Text: v.lang.count("dashboard.openMonths", open), URL: "/ui/periods"})
	}
	for _, kind := range []string{"receivable", "payable"} {
		overdue, soon := 0, 0
		for _, r := range items {
			switch {
			case r.text("kind") != kind:
			case itemState(v, r) == "overdue":
				overdue++
			case r.text("dueDate") <= today.AddDays(7).String():
				soon++
			}
		}
		if overdue > 0 {
			out = append(out, task{
				When: v.t("state.overdue"), Kind: "bad", Text: v.lang.count("dashboard.overdue."+kind, overdue),
				URL: "/ui/open-items?kind=" + kind + "&due=" + today.AddDays(-1).String(),
			})
		}
		if soon > 0 {
			out = append(out, task{
				When: v.t("dashboard.week"), Text: v.lang.count("dashboard.soon."+kind, soon),
				URL: "/ui/open-items?kind=" + kind + "&due=" + today.AddDays(7).String(),
			})
		}
	}
	if drafts > 0 {
		out = append(out, task{When: v.t("dashboard.drafts"), Text: v.lang.count("dashboard.draftsWait", drafts), URL: "/ui/invoices?status=draft"})
	}
	return out, nil
}

// openMonths counts the months up to one that were posted into and are not locked.
func (v *visit) openMonths(last date.Month) (int, error) {
	rows, err := v.everything(opPeriodList, map[string]any{"filter": []filter{{"status", "eq", "open"}}}, maxDownload)
	open := 0
	for _, r := range rows {
		if year, month := r.whole("year"), r.whole("month"); year < last.Year || year == last.Year && month <= int(last.Month) {
			open++
		}
	}
	return open, err
}

// vatChart draws what the VAT accounts took in each month.
func (v *visit) vatChart() (*chart, error) {
	payable, receivable, err := v.vatAccounts()
	if err != nil {
		return nil, err
	}
	month := date.MonthOf(v.today())
	for range chartMonths - 1 {
		month = month.Prev()
	}
	var labels []string
	output, input := series{Name: "vat.output"}, series{Name: "vat.input"}
	for range chartMonths {
		turnover, err := v.turnover(month.First(), month.Last())
		if err != nil {
			return nil, err
		}
		labels = append(labels, month.String())
		output.Values = append(output.Values, turnover[payable].Neg())
		input.Values = append(input.Values, turnover[receivable])
		month = month.Next()
	}
	return v.newChart(v.t("dashboard.vatByMonth", "Currency", v.base()), "vat-by-month", "field.month", labels, cellMoney, 1, output, input), nil
}

// vatAccounts are the accounts of VAT on sales and on purchases by the posting rules.
func (v *visit) vatAccounts() (payable, receivable string, err error) {
	out, err := v.query("/v1/ledger/posting-rules/list", nil)
	for _, r := range out.list("rows") {
		switch r.text("key") {
		case "sales.vatPayable":
			payable = r.text("accountCode")
		case "purchases.vatReceivable":
			receivable = r.text("accountCode")
		}
	}
	return payable, receivable, err
}

// turnover is debit less credit of each account in a time.
func (v *visit) turnover(from, to date.Date) (map[string]money.Decimal, error) {
	out, err := v.query(opTrialBalance, map[string]any{"fromDate": from.String(), "toDate": to.String()})
	sums := map[string]money.Decimal{}
	for _, r := range out.list("rows") {
		sums[r.text("code")] = r.decimal("debit").Sub(r.decimal("credit"))
	}
	return sums, err
}
