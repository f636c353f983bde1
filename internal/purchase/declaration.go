package purchase

import (
	"context"
	"fmt"

	"github.com/vienkart/vienkart/internal/apperr"
	"github.com/vienkart/vienkart/internal/tenant"
	"github.com/vienkart/vienkart/internal/vat"
	"github.com/vienkart/vienkart/internal/vat/register"
)

// A customs declaration is a document under a code of import VAT: PVM23, paid to customs, or PVM24, offset by VMI and reckoned in
// the return. Its supplier is customs or whoever pays customs for the company. The goods themselves are booked by the invoice of
// the foreign supplier, so the declaration owes its VAT and duties alone.

// treatImport is for a line of import VAT. Errors: purchase.vat, validation.
func (s setting) treatImport(line *draftLine, code vat.Code, at string) (treatment, error) {
	if err := vat.CheckImportCode(code, s.origin, line.VATRate, s.day); err != nil {
		return treatment{}, refused(at+".vatClassifierCode", err.Error())
	}
	if code.IsOffsetByVMI() && !s.payer {
		return treatment{}, refused(at+".vatClassifierCode",
			code.Code+" is offset in the return of a VAT payer, and the company is none: it pays its import VAT to customs, PVM23")
	}
	if line.PriceIncludesVAT {
		return treatment{}, apperr.Invalid(at+".unitPriceInclVat", "is not for import VAT; give the taxable value in unitPriceExclVat")
	}
	if line.UnitPrice.Mul(line.Quantity).Sign() <= 0 {
		return treatment{}, ErrDeclaration.New("The taxable value of an import must be above zero; less import VAT is a credit_note.").
			Field(at+".unitPriceExclVat", "must be above zero")
	}
	return treatment{code: code.Code, rate: line.VATRate, deductible: s.payer, importCode: code.Code, offset: code.IsOffsetByVMI()}, nil
}

// checkDeclaration finds out whether the document is a customs declaration, and refuses one with lines of an invoice, and a note
// of an invoice that is no declaration under the same code. Errors: purchase.declaration, purchase.credited_invoice.
func (d *document) checkDeclaration(ctx context.Context, r tenant.Reader) error {
	code := ""
	for _, t := range d.treatments {
		if t.isImport() {
			code = t.importCode
		}
	}
	if code == "" {
		return nil
	}
	d.setting.declaration = true
	for n, t := range d.treatments {
		isDuty := !t.isImport() && t.code == "" && t.rate.IsZero()
		if t.importCode != code && !isDuty {
			fault := fmt.Sprintf("must be %s too, or 0 %% without a code for a duty; the services of a carrier are an invoice of their own", code)
			return ErrDeclaration.New("A customs declaration under %s has no lines of an invoice.", code).
				Field(fmt.Sprintf("lines.%d.vatClassifierCode", n), "%s", fault)
		}
	}
	return d.checkDeclared(ctx, r, code)
}

// checkDeclared looks for the import VAT that a note corrects. A company that is no VAT payer has no register.
func (d *document) checkDeclared(ctx context.Context, r tenant.Reader, code string) error {
	if d.credited == nil || !d.setting.payer {
		return nil
	}
	rows, err := register.OfDocument(ctx, r, d.credited.ID)
	if err != nil {
		return err //nolint:wrapcheck // says what was read
	}
	for _, row := range rows {
		if row.VATCode != nil && *row.VATCode == code {
			return nil
		}
	}
	return ErrCreditedInvoice.New("The document cannot correct %s: it has no import VAT under %s.", d.credited.DocumentNumber, code).
		Field("creditedInvoiceId", "has no import VAT under %s", code)
}
