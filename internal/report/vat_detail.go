package report

import (
	"context"
	"fmt"

	"github.com/vienkart/vienkart/internal/date"
	"github.com/vienkart/vienkart/internal/money"
	"github.com/vienkart/vienkart/internal/tenant"
	"github.com/vienkart/vienkart/internal/vat/register"
)

// VATDetail is the register by document and rate.
type VATDetail struct {
	Side     register.Direction `json:"side" description:"Side of the register."`
	FromDate date.Date          `json:"fromDate" description:"First day."`
	ToDate   date.Date          `json:"toDate" description:"Last day."`
	Rows     []VATDocument      `json:"rows" description:"Documents by date and number."`
	Totals   VATTotals          `json:"totals" description:"Sums of the rows."`
}

// VATDocument is what a document did at a rate.
type VATDocument struct {
	DocumentID     tenant.ID     `json:"documentId" description:"Id of the document."`
	DocumentNumber string        `json:"documentNumber" description:"Number of the document."`
	Date           date.Date     `json:"date" description:"Day that puts it into the register."`
	PartnerName    string        `json:"partnerName" description:"Partner, as named on that day."`
	VATRatePercent money.Decimal `json:"vatRatePercent" description:"Rate in per cent; 0 also stands for exempt."`
	Net            money.Amount  `json:"net" description:"Taxable value."`
	VAT            money.Amount  `json:"vat" description:"VAT."`
	Gross          money.Amount  `json:"gross" description:"Both together."`
}

type documentRow struct {
	DocumentID     tenant.ID
	DocumentNumber string
	RegisterDate   date.Date
	PartnerName    string
	Rate           money.Decimal
	NetMinor       int64
	VATMinor       int64 `gorm:"column:vat_minor"`
}

// VATByDocument lists one side of the register by document. Errors: validation, report.too_large.
func VATByDocument(ctx context.Context, r tenant.ReadTx, in VATInput) (VATDetail, error) {
	d := VATDetail{Rows: []VATDocument{}}
	head, err := EachVATDocument(ctx, r, in, FitsAnswer, func(row VATDocument) error {
		d.Rows = append(d.Rows, row)
		return nil
	})
	if err != nil {
		return VATDetail{}, err
	}
	head.Rows = d.Rows
	return head, nil
}

// EachVATDocument gives every document and rate of one side of the register, and tells beforehand how many there are at most.
// A document that comes to nothing, such as a cancelled one, is left out. The answer has no rows. Errors: validation, and what
// the functions return.
func EachVATDocument(
	ctx context.Context, r tenant.ReadTx, in VATInput, expect func(rows int64) error, each func(VATDocument) error,
) (VATDetail, error) {
	if err := in.check(); err != nil {
		return VATDetail{}, err
	}
	days, err := tenant.Query[dayCount](ctx, r, `SELECT register_date AS day, COUNT(*) AS row_count FROM vat_register
		WHERE company_id = @company AND register_date BETWEEN ? AND ? AND direction = ?
		GROUP BY register_date ORDER BY register_date`, in.FromDate, in.ToDate, in.side())
	if err != nil {
		return VATDetail{}, fmt.Errorf("counting the VAT register: %w", err)
	}
	if err := expect(totalRows(days)); err != nil {
		return VATDetail{}, err
	}
	base := r.Company().BaseCurrency
	d := VATDetail{Side: in.side(), FromDate: in.FromDate, ToDate: in.ToDate, Totals: noVAT(base)}
	for _, part := range batches(days) {
		rows, err := tenant.Query[documentRow](ctx, r, `SELECT document_id, document_number, register_date, partner_name, rate,
			SUM(base_net_minor) AS net_minor, SUM(base_vat_minor) AS vat_minor FROM vat_register
			WHERE company_id = @company AND register_date BETWEEN ? AND ? AND direction = ?
			GROUP BY register_date, document_number, document_id, partner_name, rate
			HAVING SUM(base_net_minor) <> 0 OR SUM(base_vat_minor) <> 0
			ORDER BY register_date, document_number, document_id, rate + 0 DESC`, part.FromDate, part.ToDate, in.side())
		if err != nil {
			return VATDetail{}, fmt.Errorf("reading the VAT register: %w", err)
		}
		for _, row := range rows {
			net, vat := money.New(row.NetMinor, base), money.New(row.VATMinor, base)
			d.Totals.add(net, vat)
			err := each(VATDocument{
				row.DocumentID, row.DocumentNumber, row.RegisterDate, row.PartnerName, row.Rate, net, vat, net.Add(vat),
			})
			if err != nil {
				return VATDetail{}, err
			}
		}
	}
	return d, nil
}
