package payout_test

import (
	"context"
	"errors"
	"fmt"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/vienkart/vienkart/internal/apperr"
	"github.com/vienkart/vienkart/internal/database"
	"github.com/vienkart/vienkart/internal/date"
	"github.com/vienkart/vienkart/internal/fx"
	"github.com/vienkart/vienkart/internal/ledger"
	"github.com/vienkart/vienkart/internal/money"
	"github.com/vienkart/vienkart/internal/payout"
	"github.com/vienkart/vienkart/internal/tenant"
	"github.com/vienkart/vienkart/internal/testkit"
)

// books is a company with the accounts of the template, a customer and a bank account on 2710.
type books struct {
	*testkit.Company
	customer, bank tenant.ID
}

func newBooks(t testing.TB, e *testkit.Engine, change ...func(*tenant.Company)) books {
	t.Helper()
	b := books{Company: e.Company(t, change...), customer: tenant.NewID(), bank: tenant.NewID()}
	b.Mutate(t, func(ctx context.Context, tx tenant.Tx) error {
		_, err := ledger.ApplyTemplate(ctx, tx)
		require.NoError(t, err)
		_, err = tenant.Exec(ctx, tx, `INSERT INTO partners (company_id, id, type, name, is_customer, is_supplier, created_at, updated_at)
			VALUES (@company, ?, 'company', 'UAB Pirkėjas', 1, 0, ?, ?)`, b.customer, tx.Now(), tx.Now())
		require.NoError(t, err)
		_, err = tenant.Exec(ctx, tx, `INSERT INTO bank_accounts (company_id, id, name, currency, account_code, is_active, created_at)
			VALUES (@company, ?, 'Main', 'EUR', '2710', 1, ?)`, b.bank, tx.Now())
		return err
	})
	return b
}

func bankAccount(context.Context, tenant.Reader, tenant.ID) (payout.BankAccount, error) {
	return payout.BankAccount{Name: "Main", AccountCode: "2710", Currency: money.EUR}, nil
}

func parse(s, currency string) money.Amount {
	a, err := money.Parse(s, money.MustCurrency(currency))
	if err != nil {
		panic(err)
	}
	return a
}

// invoice is an issued sales invoice, as its open item shows it.
func (b books) invoice(t testing.TB, number, amount string) tenant.ID {
	t.Helper()
	return b.foreignInvoice(t, number, parse(amount, "EUR"), parse(amount, "EUR"))
}

func (b books) foreignInvoice(t testing.TB, number string, amount, base money.Amount) tenant.ID {
	t.Helper()
	document := tenant.NewID()
	b.Mutate(t, func(ctx context.Context, tx tenant.Tx) error {
		_, err := ledger.OpenDocument(ctx, tx, ledger.OpenItemInput{
			Kind: ledger.ItemReceivable, DocumentType: "sale_invoice", DocumentID: document, DocumentNumber: number,
			PartnerID: b.customer, AccountCode: "2410", DocumentDate: date.MustParse("2026-03-01"), DueDate: date.MustParse("2026-03-15"),
			Amount: amount, BaseAmount: base,
		})
		require.NoError(t, err)
		_, err = ledger.Post(ctx, tx, ledger.Posting{
			Date: date.MustParse("2026-03-01"), Description: number, DocumentType: "sale_invoice", DocumentID: document,
			Lines: []ledger.Line{
				{AccountCode: "2410", Debit: amount, BaseDebit: base}, {AccountCode: "5000", Credit: amount, BaseCredit: base},
			},
		})
		return err
	})
	return document
}

func (b books) rate(t testing.TB, currency, day, rate string) {
	t.Helper()
	b.Mutate(t, func(ctx context.Context, tx tenant.Tx) error {
		_, _, err := fx.Set(ctx, tx, money.MustCurrency(currency), date.MustParse(day), money.MustDecimal(rate))
		return err
	})
}

const columns = "automatic_payout_id,automatic_payout_effective_at,balance_transaction_id,created,currency,gross,fee,net,reporting_category,charge_id,description\n"

// row is a line of a reconciliation: amounts in minor units of a currency with two decimals.
func row(payoutID, id, category string, gross, fee int64, charge, description string) string {
	return rowIn("EUR", payoutID, id, category, gross, fee, charge, description)
}

func rowIn(currency, payoutID, id, category string, gross, fee int64, charge, description string) string {
	c := money.MustCurrency(currency)
	return fmt.Sprintf("%s,2026-03-05,%s,2026-03-02,%s,%s,%s,%s,%s,%s,%s\n", payoutID, id, currency,
		money.New(gross, c), money.New(fee, c), money.New(gross-fee, c), category, charge, description)
}

// result runs a mutation that gives something, as the pipeline does: again after a conflict of locks, and with the answer of the
// winner after a lost race.
func result[T any](t testing.TB, c *testkit.Company, fn func(context.Context, tenant.Tx) (T, error)) (out T, err error) {
	t.Helper()
	for range 50 {
		err = c.TryMutate(t.Context(), func(ctx context.Context, tx tenant.Tx) (err error) {
			out, err = fn(ctx, tx)
			return err
		})
		if duplicate, ok := errors.AsType[*tenant.DuplicateError](err); ok {
			if err = c.Engine.Store.Snapshot(t.Context(), c.Scope, duplicate.Resolve); err == nil {
				continue
			}
		}
		if err == nil || !database.IsTransient(err) {
			return out, err
		}
	}
	return out, err
}

func (b books) tryImport(t testing.TB, content string) (*payout.ImportResult, error) {
	t.Helper()
	return result(t, b.Company, func(ctx context.Context, tx tenant.Tx) (*payout.ImportResult, error) {
		return payout.Import(ctx, tx, payout.ImportInput{BankAccountID: b.bank, Provider: payout.Stripe, Content: content})
	})
}

// load imports rows of a reconciliation.
func (b books) load(t testing.TB, rows ...string) *payout.ImportResult {
	t.Helper()
	r, err := b.tryImport(t, columns+strings.Join(rows, ""))
	require.NoError(t, err)
	return r
}

func (b books) tryPost(t testing.TB, in payout.PostInput) (*payout.PostResult, error) {
	t.Helper()
	return result(t, b.Company, func(ctx context.Context, tx tenant.Tx) (*payout.PostResult, error) {
		return payout.Post(ctx, tx, in, bankAccount)
	})
}

func (b books) post(t testing.TB, id tenant.ID) *payout.PostResult {
	t.Helper()
	r, err := b.tryPost(t, payout.PostInput{ID: id})
	require.NoError(t, err)
	return r
}

func (b books) tryMatch(t testing.TB, line, invoice tenant.ID) (*payout.Line, error) {
	t.Helper()
	return result(t, b.Company, func(ctx context.Context, tx tenant.Tx) (*payout.Line, error) {
		l, _, err := payout.Decide(ctx, tx, payout.DecideInput{LineID: line, InvoiceID: invoice})
		return l, err
	})
}

func (b books) get(t testing.TB, id tenant.ID) (state payout.State, lines []payout.Line) {
	t.Helper()
	b.Read(t, func(ctx context.Context, r tenant.ReadTx) error {
		s, found, err := payout.Get(ctx, r, id)
		require.NoError(t, err)
		state, lines = *s, found
		return nil
	})
	return state, lines
}

// matches writes the lines of a settlement with their matches.
func (b books) matches(t testing.TB, id tenant.ID) []string {
	t.Helper()
	s, lines := b.get(t, id)
	var out []string
	for _, l := range lines {
		card := l.Card(s.Currency)
		text := l.ExternalID + " " + string(card.MatchStatus)
		if card.MatchedInvoiceID != nil {
			b.Read(t, func(ctx context.Context, r tenant.ReadTx) error {
				items, err := ledger.ItemsOf(ctx, r, *card.MatchedInvoiceID)
				require.NoError(t, err)
				text += " " + items[*card.MatchedInvoiceID].DocumentNumber
				return nil
			})
		}
		out = append(out, text)
	}
	return out
}

// journal writes a transaction as text, amounts in the base currency.
func (b books) journal(t testing.TB, id *tenant.ID) []string {
	t.Helper()
	require.NotNil(t, id)
	var out []string
	b.Read(t, func(ctx context.Context, r tenant.ReadTx) error {
		p, err := ledger.GetTransaction(ctx, r, *id)
		require.NoError(t, err)
		require.Equal(t, "settlement_batch", *p.DocumentType)
		out = append(out, p.TransactionDate.String())
		for _, e := range p.Entries {
			side, base := "Dr", money.New(e.BaseDebitMinor, money.EUR)
			if e.CreditMinor > 0 {
				side, base = "Cr", money.New(e.BaseCreditMinor, money.EUR)
			}
			text := fmt.Sprintf("%s %s %s", side, e.AccountCode, base)
			if e.Currency != money.EUR {
				text += fmt.Sprintf(" (%s %s)", money.New(e.DebitMinor+e.CreditMinor, e.Currency), e.Currency)
			}
			out = append(out, text)
		}
		return nil
	})
	return out
}

func (b books) open(t testing.TB, document tenant.ID) string {
	t.Helper()
	open := ""
	b.Read(t, func(ctx context.Context, r tenant.ReadTx) error {
		items, err := ledger.ItemsOf(ctx, r, document)
		require.NoError(t, err)
		open = items[document].Open().String()
		return nil
	})
	return open
}

func (b books) balance(t testing.TB, code string) string {
	t.Helper()
	var balance money.Amount
	b.Read(t, func(ctx context.Context, r tenant.ReadTx) (err error) {
		balance, err = ledger.Balance(ctx, r, code, date.MustParse("2199-12-31"))
		return err
	})
	return balance.String()
}

// events counts what went into the outbox, by type.
func (b books) events(t testing.TB) map[string]int {
	t.Helper()
	counts := map[string]int{}
	b.Read(t, func(ctx context.Context, r tenant.ReadTx) error {
		types, err := tenant.Query[string](ctx, r, "SELECT event_type FROM outbox_events WHERE company_id = @company")
		for _, name := range types {
			counts[name]++
		}
		return err
	})
	return counts
}

// sound checks what must hold after every test.
func (b books) sound(t testing.TB) {
	t.Helper()
	b.RequireBalanced(t)
	breaches, err := tenant.Verify(t.Context(), b.Engine.System, append(payout.Invariants, ledger.Invariants...))
	require.NoError(t, err)
	for _, breach := range breaches {
		require.NotEqual(t, b.Scope.Company().ID, breach.CompanyID, "%s: %s", breach.Invariant, breach.Subject)
	}
}

// refused gives the refusal that an error must be.
func refused(t testing.TB, err error, code *apperr.Code) *apperr.Error {
	t.Helper()
	require.ErrorIs(t, err, code)
	refusal, ok := errors.AsType[*apperr.Error](err)
	require.True(t, ok)
	return refusal
}

func (b books) list(t testing.TB) (page tenant.Page[payout.State]) {
	t.Helper()
	b.Read(t, func(ctx context.Context, r tenant.ReadTx) (err error) {
		page, err = payout.List(ctx, r, tenant.ListQuery{PageSize: 200})
		return err
	})
	return page
}
