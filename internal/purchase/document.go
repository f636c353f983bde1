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
	totals     vat.Totals
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
	taxed := make([]vat.Line, len(d.lines))
	for n, l := range d.lines {
		t := d.treatments[n]
		taxed[n] = vat.Line{
			Quantity: l.Quantity, UnitPrice: l.UnitPrice, PriceIncludesVAT: l.PriceIncludesVAT, Rate: t.rate, Code: t.code,
			ChargesVAT: !t.buyerComputes,
		}
	}
	var err error
	if d.totals, err = vat.Compute(taxed, d.Currency); err != nil {
		return apperr.Invalid("lines", "%s", err.Error())
	}
	d.NetMinor, d.VATMinor, d.GrossMinor = d.totals.Net.Minor(), d.totals.VAT.Minor(), d.totals.Gross.Minor()
	for n, sums := range d.totals.Lines {
		d.lines[n].NetMinor, d.lines[n].VATMinor, d.lines[n].GrossMinor = sums.Net.Minor(), sums.VAT.Minor(), sums.Gross.Minor()
	}
	return nil
}

func (d *document) gross() money.Amount { return d.totals.Gross }

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
