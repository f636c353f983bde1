package bank_test

import (
	"context"
	"errors"
	"fmt"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"github.com/vienkart/vienkart/internal/apperr"
	"github.com/vienkart/vienkart/internal/bank"
	"github.com/vienkart/vienkart/internal/database"
	"github.com/vienkart/vienkart/internal/date"
	"github.com/vienkart/vienkart/internal/fx"
	"github.com/vienkart/vienkart/internal/ledger"
	"github.com/vienkart/vienkart/internal/money"
	"github.com/vienkart/vienkart/internal/partner"
	"github.com/vienkart/vienkart/internal/tenant"
	"github.com/vienkart/vienkart/internal/testkit"
)

const ownIBAN = "LT121000011101001000"

// now is the moment at which every test happens.
var now = time.Date(2026, time.March, 10, 9, 0, 0, 0, time.UTC)

// desk is a company with books and a bank account in euro.
type desk struct {
	*testkit.Company
	account tenant.ID
}

func newDesk(t *testing.T, e *testkit.Engine) *desk {
	t.Helper()
	d := &desk{Company: e.At(now).Company(t)}
	d.Mutate(t, func(ctx context.Context, tx tenant.Tx) error {
		if _, err := ledger.ApplyTemplate(ctx, tx); err != nil {
			return err
		}
		a, err := bank.CreateAccount(ctx, tx, bank.CreateAccountInput{Name: "Main", IBAN: ownIBAN})
		if err == nil {
			d.account = a.ID
		}
		return err
	})
	return d
}

// try runs a transaction as the pipeline of mutations does: again after a conflict of locks, and with the answer of the
// winner after a lost race.
func (d *desk) try(t *testing.T, fn func(context.Context, tenant.Tx) error) error {
	t.Helper()
	var err error
	for range 30 {
		err = d.TryMutate(t.Context(), fn)
		if duplicate, ok := errors.AsType[*tenant.DuplicateError](err); ok {
			if err = d.Engine.Store.Snapshot(t.Context(), d.Scope, duplicate.Resolve); err == nil {
				continue
			}
		}
		if err == nil || !database.IsTransient(err) {
			return err
		}
	}
	return err
}

func (d *desk) partner(t *testing.T, name string) tenant.ID {
	t.Helper()
	p := &partner.Partner{Type: partner.TypeCompany, Name: name, IsCustomer: true, IsSupplier: true}
	d.Mutate(t, func(ctx context.Context, tx tenant.Tx) error {
		p.CreatedAt, p.UpdatedAt = tx.Now(), tx.Now()
		return tenant.Insert(ctx, tx, p)
	})
	return p.ID
}

// debt is a document to be paid.
type debt struct {
	kind     ledger.ItemKind
	document bank.DocumentType
	number   string
	amount   string // "121.00", or "USD 100.00 = 92.50" with its value in euro
	partner  tenant.ID
	due      string
}

func amountOf(t testing.TB, text string) (amount, base money.Amount) {
	t.Helper()
	text, inEuro, foreign := strings.Cut(text, " = ")
	currency := money.EUR
	if foreign {
		code, digits, _ := strings.Cut(text, " ")
		currency, text = money.MustCurrency(code), digits
	} else {
		inEuro = text
	}
	amount, err := money.Parse(text, currency)
	require.NoError(t, err)
	base, err = money.Parse(inEuro, money.EUR)
	require.NoError(t, err)
	return amount, base
}

// owe posts a document and opens its item, and gives its id.
func (d *desk) owe(t *testing.T, in debt) tenant.ID {
	t.Helper()
	amount, base := amountOf(t, in.amount)
	account, other := "2410", "5000"
	if in.document == bank.PurchaseInvoice {
		account, other = "4430", "6300"
	}
	debit, credit := account, other
	if in.kind == ledger.ItemPayable {
		debit, credit = other, account
	}
	if in.due == "" {
		in.due = "2026-03-10"
	}
	id := tenant.NewID()
	d.Mutate(t, func(ctx context.Context, tx tenant.Tx) error {
		_, err := ledger.Post(ctx, tx, ledger.Posting{
			Date: date.MustParse("2026-03-01"), Description: in.number, DocumentType: string(in.document), DocumentID: id,
			Lines: []ledger.Line{
				{AccountCode: debit, Debit: amount, BaseDebit: base}, {AccountCode: credit, Credit: amount, BaseCredit: base},
			},
		})
		if err != nil {
			return err
		}
		_, err = ledger.OpenDocument(ctx, tx, ledger.OpenItemInput{
			Kind: in.kind, DocumentType: string(in.document), DocumentID: id, DocumentNumber: in.number, PartnerID: in.partner,
			AccountCode: account, DocumentDate: date.MustParse("2026-03-01"), DueDate: date.MustParse(in.due), Amount: amount, BaseAmount: base,
		})
		return err
	})
	return id
}

func (d *desk) invoice(t *testing.T, number, amount string, customer tenant.ID) tenant.ID {
	t.Helper()
	return d.owe(t, debt{kind: ledger.ItemReceivable, document: bank.SaleInvoice, number: number, amount: amount, partner: customer})
}

func (d *desk) bill(t *testing.T, number, amount string, supplier tenant.ID) tenant.ID {
	t.Helper()
	return d.owe(t, debt{kind: ledger.ItemPayable, document: bank.PurchaseInvoice, number: number, amount: amount, partner: supplier})
}

func line(day, amount string, change ...func(*bank.ImportLine)) bank.ImportLine {
	l := bank.ImportLine{Date: date.MustParse(day), Amount: money.MustDecimal(amount)}
	for _, f := range change {
		f(&l)
	}
	return l
}

// paid imports one transaction and gives its id.
func (d *desk) paid(t *testing.T, account tenant.ID, l bank.ImportLine) tenant.ID {
	t.Helper()
	l.ExternalID = "test " + tenant.NewID().String()
	var id tenant.ID
	d.Mutate(t, func(ctx context.Context, tx tenant.Tx) error {
		if _, err := bank.Import(ctx, tx, account, []bank.ImportLine{l}); err != nil {
			return err
		}
		row, err := tenant.First[bank.Transaction](ctx, tx, "external_id = ?", l.ExternalID)
		if err == nil {
			id = row.ID
		}
		return err
	})
	return id
}

func (d *desk) match(t *testing.T, transaction tenant.ID, document bank.DocumentType, id tenant.ID) (*bank.Matched, error) {
	t.Helper()
	var m *bank.Matched
	err := d.try(t, func(ctx context.Context, tx tenant.Tx) (err error) {
		m, err = bank.Match(ctx, tx, bank.MatchInput{TransactionID: transaction, DocumentType: document, DocumentID: id})
		return err
	})
	return m, err
}

// requireJournal compares a journal transaction with lines such as "Dr 2710 121.00 / Cr 2410 121.00", in euro.
func (d *desk) requireJournal(t *testing.T, id tenant.ID, want string) {
	t.Helper()
	d.Read(t, func(ctx context.Context, r tenant.ReadTx) error {
		posted, err := ledger.GetTransaction(ctx, r, id)
		require.NoError(t, err)
		var lines []string
		for _, e := range posted.Entries {
			side, minor := "Dr", e.BaseDebitMinor
			if e.CreditMinor > 0 {
				side, minor = "Cr", e.BaseCreditMinor
			}
			lines = append(lines, fmt.Sprintf("%s %s %s", side, e.AccountCode, money.New(minor, money.EUR)))
		}
		require.Equal(t, want, strings.Join(lines, " / "))
		return nil
	})
}

func (d *desk) requireOpen(t *testing.T, document tenant.ID, want string) {
	t.Helper()
	d.Read(t, func(ctx context.Context, r tenant.ReadTx) error {
		items, err := ledger.ItemsOf(ctx, r, document)
		require.NoError(t, err)
		item, ok := items[document]
		require.True(t, ok)
		require.Equal(t, want, fmt.Sprintf("%s %s", item.Kind, item.Open()))
		return nil
	})
}

// events are the types of the company's events.
func (d *desk) events(t *testing.T) []string {
	t.Helper()
	var types []string
	d.Read(t, func(ctx context.Context, r tenant.ReadTx) (err error) {
		types, err = tenant.Query[string](ctx, r, "SELECT event_type FROM outbox_events WHERE company_id = @company ORDER BY id")
		return err
	})
	return types
}

func (d *desk) count(t *testing.T) int {
	t.Helper()
	var n int64
	d.Read(t, func(ctx context.Context, r tenant.ReadTx) (err error) {
		n, err = tenant.Count[bank.Transaction](ctx, r, "")
		return err
	})
	return int(n)
}

// requireSound checks what must hold after every test.
func (d *desk) requireSound(t *testing.T) {
	t.Helper()
	d.RequireBalanced(t)
	breaches, err := tenant.Verify(t.Context(), d.Engine.System, slices.Concat(ledger.Invariants, bank.Invariants))
	require.NoError(t, err)
	for _, b := range breaches {
		require.NotEqual(t, d.Scope.Company().ID, b.CompanyID, "%s: %s", b.Invariant, b.Subject)
	}
}

func (d *desk) rate(t *testing.T, code, day, rate string) {
	t.Helper()
	d.Mutate(t, func(ctx context.Context, tx tenant.Tx) error {
		_, _, err := fx.Set(ctx, tx, money.MustCurrency(code), date.MustParse(day), money.MustDecimal(rate))
		return err
	})
}

// detail is a fact of a refusal.
func detail(t *testing.T, err error, name string) any {
	t.Helper()
	refusal, ok := errors.AsType[*apperr.Error](err)
	require.True(t, ok, "%v", err)
	return refusal.Details()[name]
}
