package register

import (
	"context"

	"github.com/vienkart/vienkart/internal/date"
	"github.com/vienkart/vienkart/internal/tenant"
)

// inForce is the condition on the rows of a period that leaves out documents which were recorded and cancelled in it. It takes
// the two days of the period three times.
const inForce = `register_date BETWEEN ? AND ? AND document_id NOT IN (
	SELECT c.document_id FROM vat_register c JOIN vat_register o ON o.company_id = c.company_id AND o.document_id = c.document_id
		AND o.event = 'recorded' AND o.register_date BETWEEN ? AND ?
	WHERE c.company_id = @company AND c.event = 'cancelled' AND c.register_date BETWEEN ? AND ?)`

// Total is what the documents of a period come to on one side under one code, in minor units of the base currency. Documents
// that were recorded and cancelled in the period are left out.
type Total struct {
	Direction    Direction
	VATCode      *string
	BaseNetMinor int64
	BaseVATMinor int64
}

// Totals adds up a period, by side and code.
func Totals(ctx context.Context, r tenant.Reader, from, to date.Date) ([]Total, error) {
	totals, err := tenant.Query[Total](ctx, r, `SELECT direction, vat_code, SUM(base_net_minor) AS base_net_minor,
			SUM(base_vat_minor) AS base_vat_minor
		FROM vat_register WHERE company_id = @company AND `+inForce+`
		GROUP BY direction, vat_code ORDER BY direction DESC, vat_code`, from, to, from, to, from, to)
	if err != nil {
		return nil, reading(err)
	}
	return totals, nil
}

// CashSales adds up the part of Totals that is of sales under cash accounting, by code.
func CashSales(ctx context.Context, r tenant.Reader, from, to date.Date) ([]Total, error) {
	totals, err := tenant.Query[Total](ctx, r, `SELECT direction, vat_code, SUM(base_net_minor) AS base_net_minor,
			SUM(base_vat_minor) AS base_vat_minor
		FROM vat_register WHERE company_id = @company AND direction = 'sales' AND special_taxation AND `+inForce+`
		GROUP BY direction, vat_code ORDER BY vat_code`, from, to, from, to, from, to)
	if err != nil {
		return nil, reading(err)
	}
	return totals, nil
}

// Count is how many documents one side of a period has, without those recorded and cancelled in it, and how many of them are
// under cash accounting, with their VAT in minor units of the base currency.
type Count struct {
	Direction     Direction
	Documents     int
	CashDocuments int
	CashVATMinor  int64
}

// Counts counts a period, by side; a side without documents is left out.
func Counts(ctx context.Context, r tenant.Reader, from, to date.Date) ([]Count, error) {
	counts, err := tenant.Query[Count](ctx, r, `SELECT direction, COUNT(DISTINCT document_id) AS documents,
			COUNT(DISTINCT CASE WHEN special_taxation THEN document_id END) AS cash_documents,
			SUM(CASE WHEN special_taxation THEN base_vat_minor ELSE 0 END) AS cash_vat_minor
		FROM vat_register WHERE company_id = @company AND `+inForce+`
		GROUP BY direction ORDER BY direction DESC`, from, to, from, to, from, to)
	if err != nil {
		return nil, reading(err)
	}
	return counts, nil
}

// InForce reads the rows of one side of a period under some codes, in the order of register date, document number and id, without
// documents that were recorded and cancelled in the period. withoutCode adds the rows that have no code.
func InForce(
	ctx context.Context, r tenant.Reader, side Direction, codes []string, withoutCode bool, from, to date.Date,
) ([]Row, error) {
	rows, err := tenant.Query[Row](ctx, r, `SELECT * FROM vat_register
		WHERE company_id = @company AND direction = ? AND (vat_code IN ? OR (vat_code IS NULL AND ?)) AND `+inForce+`
		ORDER BY register_date, document_number, id`, side, codes, withoutCode, from, to, from, to, from, to)
	if err != nil {
		return nil, reading(err)
	}
	return rows, nil
}
