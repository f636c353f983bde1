package purchase

import (
	"context"
	"errors"
	"fmt"

	"github.com/vienkart/vienkart/internal/apperr"
	"github.com/vienkart/vienkart/internal/ledger"
	"github.com/vienkart/vienkart/internal/money"
	"github.com/vienkart/vienkart/internal/partner"
	"github.com/vienkart/vienkart/internal/tenant"
	"github.com/vienkart/vienkart/internal/vat"
)

// document is a draft with everything that decides what it comes to.
type document struct {
	*draftRow
	lines    []draftLine
	supplier *partner.Partner
	// credited is the invoice that a note names, or nil.
	credited   *invoiceRow
	setting    setting
	treatments []treatment // of each line
	// totals are the taxable values and VAT; what is owed leaves the values of an import out.
	totals vat.Totals
	// offset is import VAT that nobody pays: it is owed and deducted in the return.
	offset money.Amount
}

// work reads what a draft refers to, checks it, and computes codes and amounts anew. It changes draft and lines in memory.
// Errors: purchase.unknown_supplier, purchase.credited_invoice, purchase.vat, purchase.account, validation.
func work(ctx context.Context, tx tenant.Tx, draft *draftRow, lines []draftLine) (*document, error) {
	d := &document{draftRow: draft, lines: lines, treatments: make([]treatment, len(lines))}
	if !draft.DueDate.IsZero() && draft.DueDate.Before(draft.DocumentDate) {
		return nil, apperr.Invalid("dueDate", "lies before documentDate")
	}
	var err error
	if d.supplier, err = readSupplier(ctx, tx, draft.PartnerID); err != nil {
		return nil, err
	}
	if d.credited, err = readCredited(ctx, tx, &draft.Header); err != nil {
		return nil, err
	}
	d.setting = newSetting(tx.Company(), d.supplier, &draft.Header, d.credited)
	for n := range lines {
		if d.treatments[n], err = d.setting.treat(&lines[n]); err != nil {
			return nil, err
		}
	}
	if err := d.checkDeclaration(ctx, tx); err != nil {
		return nil, err
	}
	if err := checkAccounts(ctx, tx, lines); err != nil {
		return nil, err
	}
	return d, d.compute()
}

func readSupplier(ctx context.Context, r tenant.Reader, id tenant.ID) (*partner.Partner, error) {
	supplier, err := partner.Get(ctx, r, id)
	if errors.Is(err, apperr.ErrNotFound) {
		return nil, ErrSupplier.New("There is no partner with the id %s; create the supplier first.", id).
			Field("partnerId", "names no partner")
	}
	return supplier, err //nolint:wrapcheck // says what was read
}

// compute adds up the document and writes the sums into draft and lines.
func (d *document) compute() error {
	taxed, stated := make([]vat.Line, len(d.lines)), make([]*money.Decimal, len(d.lines))
	for n, l := range d.lines {
		t := d.treatments[n]
		taxed[n] = vat.Line{
			Quantity: l.Quantity, UnitPrice: l.UnitPrice, PriceIncludesVAT: l.PriceIncludesVAT, Rate: t.rate, Code: t.code,
			ChargesVAT: !t.buyerComputes,
		}
		stated[n] = l.stated
	}
	totals, err := vat.Compute(taxed, d.Currency)
	if err != nil {
		return apperr.Invalid("lines", "%s", err.Error())
	}
	if d.totals, err = vat.Restate(totals, taxed, stated); err != nil {
		return refuseStated(err)
	}
	d.add()
	return nil
}

// add gives lines and draft their sums. The value of an import is no part of them: customs charge its VAT alone.
func (d *document) add() {
	total := vat.Sums{Net: money.Zero(d.Currency), VAT: money.Zero(d.Currency), Gross: money.Zero(d.Currency)}
	d.offset = money.Zero(d.Currency)
	for n, sums := range d.totals.Lines {
		l, t := &d.lines[n], d.treatments[n]
		if t.isImport() {
			sums.Net, sums.Gross = money.Zero(d.Currency), sums.VAT
		}
		if t.offset {
			d.offset = d.offset.Add(sums.VAT)
		}
		l.NetMinor, l.VATMinor, l.GrossMinor, l.VATStated = sums.Net.Minor(), sums.VAT.Minor(), sums.Gross.Minor(), l.stated != nil
		total.Net, total.VAT, total.Gross = total.Net.Add(sums.Net), total.VAT.Add(sums.VAT), total.Gross.Add(sums.Gross)
	}
	d.NetMinor, d.VATMinor, d.GrossMinor = total.Net.Minor(), total.VAT.Minor(), total.Gross.Minor()
}

// refuseStated names the line whose stated VAT is no rounding of its rate.
func refuseStated(err error) error {
	refusal, ok := errors.AsType[*vat.StatedError](err)
	if !ok {
		return err
	}
	return ErrStatedVAT.New("The VAT that the document states for a line cannot be booked: it %s.", refusal.Reason).
		Field(fmt.Sprintf("lines.%d.statedVat", refusal.Line), "%s", refusal.Reason)
}

// gross is the total of the document.
func (d *document) gross() money.Amount { return money.New(d.GrossMinor, d.Currency) }

// owed is what is paid of it: all but import VAT that is offset.
func (d *document) owed() money.Amount { return d.gross().Sub(d.offset) }

// checkAccounts refuses accounts that a purchase cannot be booked to.
func checkAccounts(ctx context.Context, r tenant.Reader, lines []draftLine) error {
	codes := make([]string, 0, len(lines))
	for _, l := range lines {
		if l.AccountCode != nil {
			codes = append(codes, *l.AccountCode)
		}
	}
	if len(codes) == 0 {
		return nil
	}
	rows, err := tenant.Find[ledger.Account](ctx, r, "code IN ?", codes)
	if err != nil {
		return err //nolint:wrapcheck // says what was read
	}
	accounts := make(map[string]ledger.Account, len(rows))
	for _, a := range rows {
		accounts[a.Code] = a
	}
	for n, l := range lines {
		if l.AccountCode == nil {
			continue
		}
		if fault := unfit(accounts, *l.AccountCode); fault != "" {
			return ErrAccount.New("The account %s cannot be debited by a purchase: it %s.", *l.AccountCode, fault).
				Field(fmt.Sprintf("lines.%d.accountCode", n), "%s", fault)
		}
	}
	return nil
}

func unfit(accounts map[string]ledger.Account, code string) string {
	account, known := accounts[code]
	switch {
	case !known:
		return "is not in the chart of accounts"
	case !account.IsPostable:
		return "takes no postings"
	case account.Type != ledger.AccountExpense && account.Type != ledger.AccountAsset:
		return "must be of the type expense or asset"
	}
	return ""
}
