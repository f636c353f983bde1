package report

import (
	"context"
	"fmt"

	"github.com/vienkart/vienkart/internal/date"
	"github.com/vienkart/vienkart/internal/money"
	"github.com/vienkart/vienkart/internal/tenant"
	"github.com/vienkart/vienkart/internal/vat/register"
)

// VATInput asks for one side of the VAT register.
type VATInput struct {
	Period
	Side register.Direction `json:"side,omitzero" description:"Side of the register; sales unless given."`
}

func (in VATInput) side() register.Direction {
	if in.Side == "" {
		return register.Sales
	}
	return in.Side
}

// VATTotals are sums over rows.
type VATTotals struct {
	Net   money.Amount `json:"net" description:"Taxable value."`
	VAT   money.Amount `json:"vat" description:"VAT."`
	Gross money.Amount `json:"gross" description:"Both together."`
}

func (t *VATTotals) add(net, vat money.Amount) {
	t.Net, t.VAT = t.Net.Add(net), t.VAT.Add(vat)
	t.Gross = t.Net.Add(t.VAT)
}

func noVAT(base money.Currency) VATTotals {
	none := money.Zero(base)
	return VATTotals{none, none, none}
}

// VATSummary is the register by rate.
type VATSummary struct {
	Side     register.Direction `json:"side" description:"Side of the register."`
	FromDate date.Date          `json:"fromDate" description:"First day."`
	ToDate   date.Date          `json:"toDate" description:"Last day."`
	Rows     []VATRate          `json:"rows" description:"Rates, the highest first."`
	Totals   VATTotals          `json:"totals" description:"Sums of the rows."`
}

// VATRate is what was recorded at a rate.
type VATRate struct {
	VATRatePercent money.Decimal `json:"vatRatePercent" description:"Rate in per cent; 0 also stands for exempt."`
	Net            money.Amount  `json:"net" description:"Taxable value."`
	VAT            money.Amount  `json:"vat" description:"VAT."`
	Gross          money.Amount  `json:"gross" description:"Both together."`
	Documents      int           `json:"documents" description:"Documents, cancelled ones not counted."`
}

type rateRow struct {
	Rate      money.Decimal
	NetMinor  int64
	VATMinor  int64 `gorm:"column:vat_minor"`
	Documents int
}

// VATByRate adds up one side of the register by rate. Error: validation.
func VATByRate(ctx context.Context, r tenant.ReadTx, in VATInput) (VATSummary, error) {
	if err := in.check(); err != nil {
		return VATSummary{}, err
	}
	// A cancelled document has the same rows again with the opposite sign, so it is counted once on either side.
	rows, err := tenant.Query[rateRow](ctx, r, `SELECT rate, SUM(base_net_minor) AS net_minor, SUM(base_vat_minor) AS vat_minor,
		COUNT(DISTINCT document_id) - COUNT(DISTINCT CASE WHEN event = 'cancelled' THEN document_id END) AS documents
		FROM vat_register WHERE company_id = @company AND register_date BETWEEN ? AND ? AND direction = ?
		GROUP BY rate ORDER BY rate + 0 DESC`, in.FromDate, in.ToDate, in.side())
	if err != nil {
		return VATSummary{}, fmt.Errorf("adding up the VAT register: %w", err)
	}
	base := r.Company().BaseCurrency
	out := VATSummary{
		Side: in.side(), FromDate: in.FromDate, ToDate: in.ToDate, Rows: []VATRate{}, Totals: noVAT(base),
	}
	for _, row := range rows {
		net, vat := money.New(row.NetMinor, base), money.New(row.VATMinor, base)
		if row.Documents == 0 && net.IsZero() && vat.IsZero() {
			continue
		}
		out.Rows = append(out.Rows, VATRate{row.Rate, net, vat, net.Add(vat), row.Documents})
		out.Totals.add(net, vat)
	}
	return out, nil
}
