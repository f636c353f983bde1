package fr0600

import (
	"cmp"
	"context"
	"slices"

	"github.com/vienkart/vienkart/internal/money"
	"github.com/vienkart/vienkart/internal/tenant"
	"github.com/vienkart/vienkart/internal/vat/cash"
	"github.com/vienkart/vienkart/internal/vat/register"
)

// byPayment puts sales under cash accounting into the period in which they are paid: their register rows are taken off, the
// payments of the period are added. VAT on them is due when the buyer pays, of a payment in parts with each part (Art 14(9) of the
// VAT law as VMI's answer KD-4018 explains it). Purchases stay where they are registered: when the buyer may deduct could not be
// confirmed, so what was paid is only told.
func (ret *Return) byPayment(ctx context.Context, r tenant.ReadTx, totals []register.Total) ([]register.Total, error) {
	ret.paidVAT = map[register.Direction]money.Amount{}
	issued, err := register.CashSales(ctx, r, ret.Period.From, ret.Period.To)
	if err != nil {
		return nil, err //nolint:wrapcheck // says what was read
	}
	var moved []register.Total
	for _, t := range issued {
		moved = append(moved, register.Total{Direction: t.Direction, VATCode: t.VATCode, BaseNetMinor: -t.BaseNetMinor, BaseVATMinor: -t.BaseVATMinor})
	}
	for _, side := range []register.Direction{register.Sales, register.Purchases} {
		paid := money.Zero(money.EUR)
		for payment, err := range cash.Payments(ctx, r, side, ret.Period.From, ret.Period.To) {
			if err != nil {
				return nil, err //nolint:wrapcheck // says what was read
			}
			for _, part := range payment.Parts {
				paid = paid.Add(part.VAT)
				if side == register.Sales {
					moved = append(moved, register.Total{
						Direction: side, VATCode: part.Code, BaseNetMinor: part.Net.Minor(), BaseVATMinor: part.VAT.Minor(),
					})
				}
			}
		}
		ret.paidVAT[side] = paid
	}
	if len(moved) == 0 {
		return totals, nil
	}
	return addUp(append(totals, moved...)), nil
}

// addUp adds totals of one side and code, in the order of the register. What comes to nothing stays, for documents are behind it.
func addUp(totals []register.Total) []register.Total {
	order := func(a, b register.Total) int {
		return cmp.Or(-cmp.Compare(a.Direction, b.Direction), cmp.Compare(codeOf(a.VATCode), codeOf(b.VATCode)))
	}
	slices.SortStableFunc(totals, order)
	var sums []register.Total
	for _, t := range totals {
		if last := len(sums) - 1; last >= 0 && order(sums[last], t) == 0 {
			sums[last].BaseNetMinor += t.BaseNetMinor
			sums[last].BaseVATMinor += t.BaseVATMinor
			continue
		}
		sums = append(sums, t)
	}
	return sums
}

func codeOf(code *string) string {
	if code == nil {
		return ""
	}
	return *code
}

// paidRows are the rows of sales as they enter the return: in place of those under cash accounting stand payments, dated by their
// day, in the order of register date, number and id.
func (ret *Return) paidRows(ctx context.Context, r tenant.ReadTx, rows []register.Row) ([]register.Row, error) {
	rows = slices.DeleteFunc(rows, func(row register.Row) bool { return row.SpecialTaxation })
	for payment, err := range cash.Payments(ctx, r, register.Sales, ret.Period.From, ret.Period.To) {
		if err != nil {
			return nil, err //nolint:wrapcheck // says what was read
		}
		rows = append(rows, payment.Rows()...)
	}
	slices.SortStableFunc(rows, func(a, b register.Row) int {
		return cmp.Or(a.RegisterDate.Compare(b.RegisterDate), cmp.Compare(a.DocumentNumber, b.DocumentNumber))
	})
	return rows, nil
}

// warnOfCash tells what cash accounting did, and what it does not do.
func (ret *Return) warnOfCash() {
	for _, side := range []register.Direction{register.Sales, register.Purchases} {
		documents, recorded := 0, money.Zero(money.EUR)
		for _, c := range ret.cash {
			if c.Direction == side {
				documents, recorded = c.CashDocuments, money.New(c.CashVATMinor, money.EUR)
			}
		}
		paid := ret.paidVAT[side]
		switch {
		case documents == 0 && paid.IsZero():
		case side == register.Sales:
			ret.add(LevelWarning, nil, "Sales under cash accounting enter when they are paid: %d documents with %s of VAT were issued in the "+
				"period, and %s of VAT was paid in it, which is in this return.", documents, recorded, paid)
		default:
			ret.add(LevelWarning, nil, "Under cash accounting of the supplier VAT may be deducted when the document is paid, which is not "+
				"confirmed: %d documents with %s of VAT are in this return; %s of VAT was paid in the period. Check box 35.", documents, recorded, paid)
		}
	}
}
