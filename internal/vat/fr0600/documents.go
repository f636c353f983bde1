package fr0600

import (
	"context"
	"slices"
	"strings"

	"github.com/vienkart/vienkart/internal/apperr"
	"github.com/vienkart/vienkart/internal/date"
	"github.com/vienkart/vienkart/internal/money"
	"github.com/vienkart/vienkart/internal/tenant"
	"github.com/vienkart/vienkart/internal/vat"
	"github.com/vienkart/vienkart/internal/vat/register"
)

// BoxDocument is what one row of the register enters a box with, or one payment of a sale under cash accounting.
type BoxDocument struct {
	Direction    register.Direction
	DocumentType string
	DocumentID   tenant.ID
	Number       string
	Date         date.Date
	// RegisterDate puts it into the period; of a payment it is the day of it.
	RegisterDate date.Date
	InvoiceType  register.InvoiceType
	PartnerName  string
	Code         *string
	// Amount is exact; all of a box add up to its exact value.
	Amount money.Decimal
}

// DocumentsOf lists the documents behind a box of the return, by side, register date and number. Box 28 has none.
// Error: validation for what is no box.
func (ret *Return) DocumentsOf(ctx context.Context, r tenant.ReadTx, box vat.Box) ([]BoxDocument, error) {
	if !slices.ContainsFunc(captions, func(c boxCaption) bool { return c.box == box }) {
		return nil, apperr.Invalid("documentsOf", "must be a box of the form: 11 to 36, or 29A")
	}
	documents := []BoxDocument{}
	for _, side := range []register.Direction{register.Sales, register.Purchases} {
		codes, withoutCode := ret.codesOf(side, box)
		if len(codes) == 0 && !withoutCode {
			continue
		}
		rows, err := register.InForce(ctx, r, side, codes, withoutCode, ret.Period.From, ret.Period.To)
		if err != nil {
			return nil, err //nolint:wrapcheck // says what was read
		}
		if side == register.Sales {
			if rows, err = ret.paidRows(ctx, r, rows); err != nil {
				return nil, err
			}
		}
		for _, row := range rows {
			amount := ret.enters(row, box)
			if amount.IsZero() {
				continue
			}
			documents = append(documents, BoxDocument{
				Direction: side, DocumentType: row.DocumentType, DocumentID: row.DocumentID, Number: row.DocumentNumber,
				Date: row.DocumentDate, RegisterDate: row.RegisterDate, InvoiceType: row.InvoiceType, PartnerName: row.PartnerName,
				Code: row.VATCode, Amount: amount,
			})
		}
	}
	return documents, nil
}

// DocumentsOfBox computes the return of a period and lists the documents behind one of its boxes.
// Errors: those of Compute, validation for what is no box.
func DocumentsOfBox(ctx context.Context, r tenant.ReadTx, period Period, deductionPercent int, box vat.Box) ([]BoxDocument, error) {
	ret, err := Compute(ctx, r, period, deductionPercent)
	if err != nil {
		return nil, err
	}
	return ret.DocumentsOf(ctx, r, box)
}

// codesOf lists the codes of the period that enter a box from one side.
func (ret *Return) codesOf(side register.Direction, box vat.Box) (codes []string, withoutCode bool) {
	codes = []string{}
	for _, f := range ret.Breakdown {
		if f.Direction != side || !f.enters(box) {
			continue
		}
		if f.Code == nil {
			withoutCode = true
			continue
		}
		codes = append(codes, *f.Code)
	}
	return codes, withoutCode
}

func (f Feed) enters(box vat.Box) bool {
	if box == boxResult {
		return slices.ContainsFunc(f.VATBoxes, func(b vat.Box) bool { return b == boxDeductible || isOutput(b) })
	}
	return slices.Contains(f.TaxableBoxes, box) || slices.Contains(f.VATBoxes, box)
}

// enters is the exact amount that a row enters a box with.
func (ret *Return) enters(row register.Row, box vat.Box) money.Decimal {
	boxes, _ := boxesOf(row.Direction == register.Sales, row.VATCode)
	net, tax := money.New(row.BaseNetMinor, money.EUR).Decimal(), money.New(row.BaseVATMinor, money.EUR).Decimal()
	var amount money.Decimal
	for _, b := range boxes.Base {
		if b == box {
			amount = amount.Add(net)
		}
	}
	for _, b := range boxes.VAT {
		switch {
		case b == boxDeductible && box == boxDeductible:
			amount = amount.Add(share(tax, ret.DeductionPercent))
		case b == boxDeductible && box == boxResult:
			amount = amount.Sub(share(tax, ret.DeductionPercent))
		case b == box, box == boxResult && isOutput(b):
			amount = amount.Add(tax)
		}
	}
	return amount
}

// findLateNine looks for invoices at 9 % whose supply lies after the end of the rate. Notes correct earlier supplies.
func (ret *Return) findLateNine(ctx context.Context, r tenant.ReadTx) error {
	codes, _ := ret.codesOf(register.Sales, boxNineVAT)
	rows, err := register.InForce(ctx, r, register.Sales, codes, false, ret.Period.From, ret.Period.To)
	if err != nil {
		return err //nolint:wrapcheck // says what was read
	}
	const named = 20 // enough to look into, short enough to read
	for _, row := range rows {
		code, _ := vat.Lookup(*row.VATCode)
		if row.InvoiceType != register.Invoice || code.ValidOn(row.SupplyDay()) || len(ret.lateNine) == named {
			continue
		}
		if !slices.Contains(ret.lateNine, row.DocumentNumber) {
			ret.lateNine = append(ret.lateNine, row.DocumentNumber)
		}
	}
	slices.SortFunc(ret.lateNine, strings.Compare)
	return nil
}
