package purchase_test

import (
	"context"
	"errors"
	"fmt"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"github.com/vienkart/vienkart/internal/date"
	"github.com/vienkart/vienkart/internal/ledger"
	"github.com/vienkart/vienkart/internal/money"
	"github.com/vienkart/vienkart/internal/partner"
	"github.com/vienkart/vienkart/internal/purchase"
	"github.com/vienkart/vienkart/internal/tenant"
	"github.com/vienkart/vienkart/internal/testkit"
	"github.com/vienkart/vienkart/internal/vat/register"
)

// now is the moment at which tests run: 10 February 2026 in Vilnius.
var now = time.Date(2026, time.February, 10, 9, 0, 0, 0, time.UTC)

// books is a company with the chart of accounts and a supplier.
type books struct {
	*testkit.Company
	supplier tenant.ID
}

func open(t *testing.T, e *testkit.Engine, change ...func(*tenant.Company)) *books {
	t.Helper()
	b := &books{Company: e.At(now).Company(t, change...)}
	b.Mutate(t, func(ctx context.Context, tx tenant.Tx) error {
		_, err := ledger.ApplyTemplate(ctx, tx)
		return err
	})
	b.supplier = b.partner(t, partner.Fields{Name: new("AB Tiekėjas"), Code: new("304500121"), VATCode: new("LT999000017")})
	return b
}

func (b *books) partner(t *testing.T, fields partner.Fields) (id tenant.ID) {
	t.Helper()
	b.Mutate(t, func(ctx context.Context, tx tenant.Tx) error {
		p, err := partner.Create(ctx, tx, fields)
		if err == nil {
			id = p.ID
		}
		return err
	})
	return id
}

// line is one piece at a price without VAT.
func line(price, rate string) purchase.LineInput {
	return purchase.LineInput{
		Description: "Prekė", UnitPriceExclVAT: new(money.MustDecimal(price)), VATRatePercent: new(money.MustDecimal(rate)),
	}
}

func under(code string, l purchase.LineInput) purchase.LineInput {
	l.VATClassifierCode = code
	return l
}

// invoice is an invoice of the supplier for 100.00 and 21 % VAT.
func (b *books) invoice(number string, lines ...purchase.LineInput) purchase.CreateInput {
	if len(lines) == 0 {
		lines = []purchase.LineInput{line("100", "21")}
	}
	return purchase.CreateInput{
		PartnerID: b.supplier, DocumentNumber: number, DocumentDate: date.MustParse("2026-01-20"), Lines: lines,
	}
}

func (b *books) credit(number string, credited *purchase.Invoice, lines ...purchase.LineInput) purchase.CreateInput {
	in := b.invoice(number, lines...)
	in.Type = purchase.TypeCreditNote
	if credited != nil {
		in.PartnerID, in.CreditedInvoiceID, in.Currency = credited.PartnerID, &credited.ID, credited.Currency
	}
	return in
}

// settled runs a mutation as the pipeline does: the loser of a race learns who won, or is run again.
func (b *books) settled(ctx context.Context, fn func(context.Context, tenant.Tx) error) error {
	for range 5 {
		err := b.TryMutate(ctx, fn)
		lost, ok := errors.AsType[*tenant.DuplicateError](err)
		if !ok {
			return err
		}
		var answer error
		err = b.Engine.Store.Snapshot(ctx, b.Scope, func(ctx context.Context, r tenant.ReadTx) error {
			answer = lost.Resolve(ctx, r)
			return nil
		})
		if err != nil || answer != nil {
			return errors.Join(err, answer)
		}
	}
	return errors.New("ran five times in vain")
}

func (b *books) tryCreate(t *testing.T, in purchase.CreateInput) (i *purchase.Invoice, err error) {
	t.Helper()
	err = b.settled(t.Context(), func(ctx context.Context, tx tenant.Tx) (err error) {
		i, err = purchase.Create(ctx, tx, in)
		return err
	})
	return i, err
}

func (b *books) create(t *testing.T, in purchase.CreateInput) *purchase.Invoice {
	t.Helper()
	i, err := b.tryCreate(t, in)
	require.NoError(t, err)
	return i
}

func (b *books) tryRegister(t *testing.T, id tenant.ID, day string) (i *purchase.Invoice, err error) {
	t.Helper()
	in := purchase.RegisterInput{ID: id}
	if day != "" {
		in.RegistrationDate = date.MustParse(day)
	}
	err = b.settled(t.Context(), func(ctx context.Context, tx tenant.Tx) (err error) {
		i, err = purchase.Register(ctx, tx, in)
		return err
	})
	return i, err
}

// book creates and registers a document.
func (b *books) book(t *testing.T, in purchase.CreateInput) *purchase.Invoice {
	t.Helper()
	i, err := b.tryRegister(t, b.create(t, in).ID, "")
	require.NoError(t, err)
	require.Equal(t, i, b.get(t, i.ID), "what registering answers is what is read later")
	return i
}

func (b *books) get(t *testing.T, id tenant.ID) (i *purchase.Invoice) {
	t.Helper()
	b.Read(t, func(ctx context.Context, r tenant.ReadTx) (err error) {
		i, err = purchase.Get(ctx, r, id)
		return err
	})
	return i
}

func (b *books) tryUpdate(t *testing.T, in purchase.UpdateInput) (i *purchase.Invoice, err error) {
	t.Helper()
	err = b.settled(t.Context(), func(ctx context.Context, tx tenant.Tx) (err error) {
		i, err = purchase.Update(ctx, tx, in)
		return err
	})
	return i, err
}

func (b *books) tryDelete(t *testing.T, id tenant.ID) error {
	t.Helper()
	return b.settled(t.Context(), func(ctx context.Context, tx tenant.Tx) error { return purchase.Delete(ctx, tx, id) })
}

// posted writes the posting of a document as text, in the base currency where it differs.
func (b *books) posted(t *testing.T, i *purchase.Invoice) string {
	t.Helper()
	var parts []string
	b.Read(t, func(ctx context.Context, r tenant.ReadTx) error {
		posted, err := ledger.GetTransaction(ctx, r, *i.JournalTransactionID)
		require.NoError(t, err)
		require.Equal(t, i.RegistrationDate, posted.TransactionDate)
		for _, e := range posted.Entries {
			side, minor, base := "Dr", e.DebitMinor, e.BaseDebitMinor
			if e.CreditMinor > 0 {
				side, minor, base = "Cr", e.CreditMinor, e.BaseCreditMinor
			}
			part := fmt.Sprintf("%s %s %s", side, e.AccountCode, money.New(minor, e.Currency))
			if e.Currency != money.EUR {
				part += fmt.Sprintf(" %s = %s", e.Currency, money.New(base, money.EUR))
			}
			parts = append(parts, part)
		}
		return nil
	})
	return strings.Join(parts, " / ")
}

// registered writes the register rows of a document as text.
func (b *books) registered(t *testing.T, id tenant.ID) []string {
	t.Helper()
	lines := []string{}
	b.Read(t, func(ctx context.Context, r tenant.ReadTx) error {
		rows, err := register.OfDocument(ctx, r, id)
		for _, row := range rows {
			code := "nil"
			if row.VATCode != nil {
				code = *row.VATCode
			}
			lines = append(lines, fmt.Sprintf("%s %s %s %s%% %s", row.InvoiceType, code,
				money.New(row.BaseNetMinor, money.EUR), row.Rate, money.New(row.BaseVATMinor, money.EUR)))
		}
		return err
	})
	slices.Sort(lines)
	return lines
}

// owed is the open item of a document, nil when it has none.
func (b *books) owed(t *testing.T, id tenant.ID) (item *ledger.OpenItem) {
	t.Helper()
	b.Read(t, func(ctx context.Context, r tenant.ReadTx) error {
		items, err := ledger.ItemsOf(ctx, r, id)
		if found, ok := items[id]; ok {
			item = &found
		}
		return err
	})
	return item
}

// count counts rows of a table that belong to the company.
func (b *books) count(t *testing.T, e *testkit.Engine, table string) (n int64) {
	t.Helper()
	err := e.DB.Reader().QueryRowContext(t.Context(), "SELECT COUNT(*) FROM "+table+" WHERE company_id = ?", b.Scope.Company().ID).Scan(&n)
	require.NoError(t, err)
	return n
}
