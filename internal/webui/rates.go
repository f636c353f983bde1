package webui

import (
	"net/http"

	"github.com/vienkart/vienkart/internal/tenant"
)

// Operations of exchange rates.
const (
	opRateList   = "/v1/reference/exchange-rates/list"
	opRateSet    = "/v1/reference/exchange-rates/set"
	opRateDelete = "/v1/reference/exchange-rates/overrides/delete"
)

func ratesPage(record) string { return "/ui/settings/rates" }

// showRates lists exchange rates and sets one; a rate that stands for the day already is replaced.
func showRates(v *visit) (answer, error) {
	f := &form{
		Title: v.t("rates.set"), Action: "/ui/settings/rates", Submit: v.t("action.save"), Lead: v.t("rates.lead", "Currency", v.base()),
		Fields: []field{
			{Name: "currency", Label: v.t("field.currency"), Kind: kindText, Required: true, Max: 3, List: "currencies"},
			{Name: "date", Label: v.t("rates.date"), Kind: kindDate, Required: true, Value: v.today().String(), Help: v.t("rates.dateHelp")},
			{Name: "rate", Label: v.t("rates.rate"), Kind: kindMoney, Required: true, Max: 30, Help: v.t("rates.rateHelp", "Currency", v.base())},
		},
	}
	currencies, err := v.currencies()
	if err != nil {
		return nil, err
	}
	f.Lists = []dataList{currencies}
	l := listing{
		operation: opRateList, file: "exchange-rates", sort: "-date",
		columns: []column{
			{Title: "field.currency", Field: "currencyCode", Sort: "currencyCode"},
			{Title: "rates.date", Field: "date", Kind: cellDate, Sort: "date"},
			{Title: "rates.rate", Field: "rate", Kind: cellNumber},
		},
		criteria: []criterion{
			{Name: "currency", Label: "field.currency", Kind: kindText, Field: "currencyCode"},
			{Name: "from", Label: "filter.from", Kind: kindDate, Field: "date", Op: "gte"},
			{Name: "to", Label: "filter.to", Kind: kindDate, Field: "date", Op: "lte"},
		},
		none: &empty{Text: v.t("rates.none", "Currency", v.base())},
	}
	if v.can(tenant.WriteLedger) {
		l.actions = func(v *visit, r record) *action {
			return &action{Label: v.t("action.delete"), Form: v.keyed(v.deleteRateForm(r.text("currencyCode"), r.text("date")))}
		}
	}
	return v.listWithForm("settings.rates", l, f, tenant.WriteLedger, once(opRateSet, f, nil, ratesPage))
}

const opCurrencies = "/v1/reference/currencies/list"

// currencies offers codes of currencies; any other may be typed.
func (v *visit) currencies() (dataList, error) {
	l := dataList{ID: "currencies"}
	if !v.ui.serves(opCurrencies) {
		return l, nil
	}
	rows, err := v.everything(opCurrencies, map[string]any{}, maxDownload)
	for _, r := range rows {
		l.Options = append(l.Options, option{Value: r.text("code"), Text: r.text("code") + " " + r.text("name")})
	}
	return l, err
}

func (v *visit) deleteRateForm(currency, day string) *form {
	return &form{
		Action: "/ui/settings/rates/delete", Submit: v.t("action.delete"), Danger: true, Lead: v.t("rates.deleteLead"),
		Fields: []field{{Name: "currency", Kind: kindHidden, Value: currency}, {Name: "date", Kind: kindHidden, Value: day}},
	}
}

func deleteRate(v *visit) (answer, error) {
	f := v.deleteRateForm("", "")
	show := func(v *visit) (answer, error) { v.r.Method = http.MethodGet; return showRates(v) }
	return v.runAction(f, once(opRateDelete, f, nil, ratesPage), show)
}
