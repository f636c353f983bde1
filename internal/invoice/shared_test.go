package invoice_test

import (
	"context"
	"errors"
	"fmt"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"github.com/vienkart/vienkart/internal/database"
	"github.com/vienkart/vienkart/internal/date"
	"github.com/vienkart/vienkart/internal/fx"
	"github.com/vienkart/vienkart/internal/invoice"
	"github.com/vienkart/vienkart/internal/ledger"
	"github.com/vienkart/vienkart/internal/money"
	"github.com/vienkart/vienkart/internal/numbering"
	"github.com/vienkart/vienkart/internal/partner"
	"github.com/vienkart/vienkart/internal/tenant"
	"github.com/vienkart/vienkart/internal/testkit"
	"github.com/vienkart/vienkart/internal/vat/register"
)

// noon is the moment of most tests: the last day of January 2026.
var noon = time.Date(2026, time.January, 31, 10, 0, 0, 0, time.UTC)

// books is a company with a chart of accounts and a customer.
type books struct {
	*testkit.Company
	buyer *partner.Partner
}

func open(t *testing.T, e *testkit.Engine, change ...func(*tenant.Company)) *books {
	t.Helper()
	return openAt(t, e, noon, change...)
}

func openAt(t *testing.T, e *testkit.Engine, now time.Time, change ...func(*tenant.Company)) *books {
	t.Helper()
	b := &books{Company: e.At(now).Company(t, change...)}
	b.Mutate(t, func(ctx context.Context, tx tenant.Tx) error {
		_, err := ledger.ApplyTemplate(ctx, tx)
		return err
	})
	code, vatCode := "900000219", "LT999000010116"
	b.buyer = b.partner(t, partner.Fields{Name: new("UAB Pirmas"), Code: &code, VATCode: &vatCode})
	return b
}

func (b *books) partner(t *testing.T, in partner.Fields) *partner.Partner {
	t.Helper()
	var p *partner.Partner
	b.Mutate(t, func(ctx context.Context, tx tenant.Tx) (err error) {
		p, err = partner.Create(ctx, tx, in)
		return err
	})
	return p
}

func (b *books) rate(t *testing.T, currency, day, rate string) {
	t.Helper()
	b.Mutate(t, func(ctx context.Context, tx tenant.Tx) error {
		_, _, err := fx.Set(ctx, tx, money.MustCurrency(currency), date.MustParse(day), money.MustDecimal(rate))
		return err
	})
}

func (b *books) series(t *testing.T, kind numbering.DocumentType, prefix string) {
	t.Helper()
	b.seriesOf(t, numbering.CreateInput{DocumentType: kind, Prefix: prefix, Year: 2026, StartAt: 1})
}

func (b *books) seriesOf(t *testing.T, in numbering.CreateInput) {
	t.Helper()
	b.Mutate(t, func(ctx context.Context, tx tenant.Tx) error {
		_, err := numbering.Create(ctx, tx, in)
		return err
	})
}

// do runs a use case in a transaction of its own, as the pipeline does: the loser of a race is looked up, or run again.
func (b *books) do(ctx context.Context, use func(context.Context, tenant.Tx) (*invoice.Document, error)) (*invoice.Document, error) {
	var (
		doc *invoice.Document
		err error
	)
	for range 10 {
		err = b.TryMutate(ctx, func(ctx context.Context, tx tenant.Tx) (err error) {
			doc, err = use(ctx, tx)
			return err
		})
		if lost, ok := errors.AsType[*tenant.DuplicateError](err); ok {
			err = b.Engine.Store.Snapshot(ctx, b.Scope, lost.Resolve)
			if err == nil {
				continue
			}
		}
		if _, again := b.Engine.DB.DuplicateIndex(err); err == nil || (!again && !database.IsTransient(err)) {
			break
		}
	}
	if err != nil {
		return nil, err
	}
	return doc, nil
}

func (b *books) tryCreate(ctx context.Context, in invoice.CreateInput) (*invoice.Document, error) {
	if in.PartnerID.IsZero() {
		in.PartnerID = b.buyer.ID
	}
	return b.do(ctx, func(ctx context.Context, tx tenant.Tx) (*invoice.Document, error) { return invoice.Create(ctx, tx, in) })
}

func (b *books) tryIssue(ctx context.Context, in invoice.IssueInput) (*invoice.Document, error) {
	return b.do(ctx, func(ctx context.Context, tx tenant.Tx) (*invoice.Document, error) { return invoice.Issue(ctx, tx, in) })
}

func (b *books) tryCancel(ctx context.Context, id tenant.ID) (*invoice.Document, error) {
	return b.do(ctx, func(ctx context.Context, tx tenant.Tx) (*invoice.Document, error) {
		return invoice.Cancel(ctx, tx, invoice.CancelInput{ID: id, Reason: "wrong customer"})
	})
}

func (b *books) tryApply(ctx context.Context, in invoice.ApplyAdvanceInput) (*invoice.Document, error) {
	return b.do(ctx, func(ctx context.Context, tx tenant.Tx) (*invoice.Document, error) {
		return invoice.ApplyAdvance(ctx, tx, in)
	})
}

func (b *books) create(t *testing.T, in invoice.CreateInput) *invoice.Document {
	t.Helper()
	doc, err := b.tryCreate(t.Context(), in)
	require.NoError(t, err)
	return doc
}

// issue creates and issues a document.
func (b *books) issue(t *testing.T, in invoice.CreateInput) *invoice.Document {
	t.Helper()
	doc, err := b.tryIssue(t.Context(), invoice.IssueInput{ID: b.create(t, in).ID})
	require.NoError(t, err)
	return doc
}

// credit creates and issues a credit note.
func (b *books) credit(ctx context.Context, of tenant.ID, lines ...invoice.LineInput) (*invoice.Document, error) {
	draft, err := b.tryCreate(ctx, invoice.CreateInput{Type: invoice.TypeCreditNote, CreditedInvoiceID: of, Lines: lines})
	if err != nil {
		return nil, err
	}
	return b.tryIssue(ctx, invoice.IssueInput{ID: draft.ID})
}

func (b *books) get(t *testing.T, id tenant.ID) *invoice.Document {
	t.Helper()
	var doc *invoice.Document
	b.Read(t, func(ctx context.Context, r tenant.ReadTx) (err error) {
		doc, err = invoice.Get(ctx, r, id)
		return err
	})
	return doc
}

func (b *books) item(t *testing.T, id tenant.ID) (ledger.OpenItem, bool) {
	t.Helper()
	var items map[tenant.ID]ledger.OpenItem
	b.Read(t, func(ctx context.Context, r tenant.ReadTx) (err error) {
		items, err = ledger.ItemsOf(ctx, r, id)
		return err
	})
	item, ok := items[id]
	return item, ok
}

// owed is what is open on a document.
func (b *books) owed(t *testing.T, id tenant.ID) string {
	t.Helper()
	item, ok := b.item(t, id)
	require.True(t, ok, "the document has no open item")
	return item.Open().String()
}

// pay settles an amount of a document, as a bank statement would.
func (b *books) pay(t *testing.T, id tenant.ID, amount string) {
	t.Helper()
	b.Mutate(t, func(ctx context.Context, tx tenant.Tx) error {
		items, err := ledger.LockItems(ctx, tx, id)
		require.NoError(t, err)
		paid, err := money.Parse(amount, items[id].Currency)
		require.NoError(t, err)
		return ledger.Settle(ctx, tx, ledger.Settlement{Item: items[id], Amount: paid, SourceType: "payment", SourceID: tenant.NewID(), Date: tx.Today()})
	})
}

// journal reads a transaction as lines of "Dr 2410 121.00", with the base amount behind a foreign one.
func (b *books) journal(t *testing.T, id *tenant.ID) []string {
	t.Helper()
	require.NotNil(t, id)
	var lines []string
	b.Read(t, func(ctx context.Context, r tenant.ReadTx) error {
		posted, err := ledger.GetTransaction(ctx, r, *id)
		require.NoError(t, err)
		base := r.Company().BaseCurrency
		for _, e := range posted.Entries {
			side, minor, baseMinor := "Dr", e.DebitMinor, e.BaseDebitMinor
			if e.CreditMinor > 0 {
				side, minor, baseMinor = "Cr", e.CreditMinor, e.BaseCreditMinor
			}
			line := fmt.Sprintf("%s %s %s", side, e.AccountCode, money.New(minor, e.Currency))
			if e.Currency != base {
				line += fmt.Sprintf(" %s = %s", e.Currency, money.New(baseMinor, base))
			}
			lines = append(lines, line)
		}
		return nil
	})
	return lines
}

// register reads the rows of a document as "SF PVM1 21 100.00 21.00".
func (b *books) register(t *testing.T, id tenant.ID) []string {
	t.Helper()
	lines := []string{}
	b.Read(t, func(ctx context.Context, r tenant.ReadTx) error {
		rows, err := register.OfDocument(ctx, r, id)
		require.NoError(t, err)
		base := r.Company().BaseCurrency
		for _, row := range rows {
			lines = append(lines, fmt.Sprintf("%s %s %s %s %s", row.InvoiceType, *row.VATCode, row.Rate,
				money.New(row.BaseNetMinor, base), money.New(row.BaseVATMinor, base)))
		}
		return nil
	})
	return lines
}

func (b *books) balance(t *testing.T, account string) string {
	t.Helper()
	var balance money.Amount
	b.Read(t, func(ctx context.Context, r tenant.ReadTx) (err error) {
		balance, err = ledger.Balance(ctx, r, account, date.MustParse("2030-12-31"))
		return err
	})
	return balance.String()
}

// net is a line with a price without VAT.
func net(price string) invoice.LineInput {
	d := money.MustDecimal(price)
	return invoice.LineInput{Description: "Paslauga", UnitPriceExclVAT: &d}
}

// gross is a line with a price that includes VAT.
func gross(price string) invoice.LineInput {
	d := money.MustDecimal(price)
	return invoice.LineInput{Description: "Prekė", UnitPriceInclVAT: &d}
}

func times(quantity string, l invoice.LineInput) invoice.LineInput {
	d := money.MustDecimal(quantity)
	l.Quantity = &d
	return l
}

func at(rate string, l invoice.LineInput) invoice.LineInput {
	d := money.MustDecimal(rate)
	l.VATRatePercent = &d
	return l
}

func coded(code string, l invoice.LineInput) invoice.LineInput {
	l.VATClassifierCode = code
	return l
}

func sale(lines ...invoice.LineInput) invoice.CreateInput { return invoice.CreateInput{Lines: lines} }

func sums(d *invoice.Document) []string {
	s := d.Summary()
	return []string{s.NetTotal.String(), s.VATTotal.String(), s.GrossTotal.String()}
}
