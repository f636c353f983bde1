package report

import (
	"context"
	"fmt"

	"github.com/vienkart/vienkart/internal/date"
	"github.com/vienkart/vienkart/internal/money"
	"github.com/vienkart/vienkart/internal/tenant"
)

// euPurchaseCodes are the classifier codes of what is bought from VAT payers of other member states, by the meanings in VMI's
// classifier (order VA-49, annex 2): goods PVM16 to PVM18, PVM35 and PVM36, triangular trade PVM19, services PVM21, PVM40 to
// PVM42 and PVM57.
var euPurchaseCodes = []string{
	"PVM16", "PVM17", "PVM18", "PVM19", "PVM21", "PVM35", "PVM36", "PVM40", "PVM41", "PVM42", "PVM57",
}

// EUPurchases is what was bought from other member states, by country and rate.
type EUPurchases struct {
	FromDate date.Date       `json:"fromDate" description:"First day."`
	ToDate   date.Date       `json:"toDate" description:"Last day."`
	Rows     []EUPurchase    `json:"rows" description:"Countries, and the rates of each, the highest first."`
	Totals   EUPurchaseTotal `json:"totals" description:"Sums of the rows."`
}

// EUPurchase is what was bought from a country at a rate.
type EUPurchase struct {
	CountryCode    string        `json:"countryCode" description:"Country of the supplier; empty when neither address nor VAT number names one."`
	VATRatePercent money.Decimal `json:"vatRatePercent" description:"Rate in per cent that the buyer computes VAT at."`
	Net            money.Amount  `json:"net" description:"Taxable value."`
	VAT            money.Amount  `json:"vat" description:"VAT computed by the buyer."`
	Documents      int           `json:"documents" description:"Documents, cancelled ones not counted."`
}

// EUPurchaseTotal are the sums.
type EUPurchaseTotal struct {
	Net money.Amount `json:"net" description:"Taxable value."`
	VAT money.Amount `json:"vat" description:"VAT."`
}

type countryRow struct {
	Country   string
	Rate      money.Decimal
	NetMinor  int64
	VATMinor  int64 `gorm:"column:vat_minor"`
	Documents int
}

// PurchasesFromEU adds up what was bought from VAT payers of other member states: goods and services. Error: validation.
func PurchasesFromEU(ctx context.Context, r tenant.ReadTx, p Period) (EUPurchases, error) {
	if err := p.check(); err != nil {
		return EUPurchases{}, err
	}
	rows, err := tenant.Query[countryRow](ctx, r, `SELECT country, rate, SUM(base_net_minor) AS net_minor, SUM(base_vat_minor) AS vat_minor,
		COUNT(DISTINCT document_id) - COUNT(DISTINCT CASE WHEN event = 'cancelled' THEN document_id END) AS documents
		FROM (SELECT v.*, COALESCE(partner_country, SUBSTR(partner_vat_code, 1, 2), '') AS country FROM vat_register v
			WHERE company_id = @company AND register_date BETWEEN ? AND ? AND direction = 'purchases' AND vat_code IN ?) bought
		GROUP BY country, rate ORDER BY country, rate + 0 DESC`, p.FromDate, p.ToDate, euPurchaseCodes)
	if err != nil {
		return EUPurchases{}, fmt.Errorf("adding up purchases from the EU: %w", err)
	}
	base := r.Company().BaseCurrency
	out := EUPurchases{
		FromDate: p.FromDate, ToDate: p.ToDate, Rows: []EUPurchase{}, Totals: EUPurchaseTotal{money.Zero(base), money.Zero(base)},
	}
	for _, row := range rows {
		net, vat := money.New(row.NetMinor, base), money.New(row.VATMinor, base)
		if row.Documents == 0 && net.IsZero() && vat.IsZero() {
			continue
		}
		out.Rows = append(out.Rows, EUPurchase{row.Country, row.Rate, net, vat, row.Documents})
		out.Totals = EUPurchaseTotal{out.Totals.Net.Add(net), out.Totals.VAT.Add(vat)}
	}
	return out, nil
}
