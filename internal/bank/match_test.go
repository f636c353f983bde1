package bank_test

import (
	"context"
	"sync"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/vienkart/vienkart/internal/apperr"
	"github.com/vienkart/vienkart/internal/bank"
	"github.com/vienkart/vienkart/internal/date"
	"github.com/vienkart/vienkart/internal/ledger"
	"github.com/vienkart/vienkart/internal/money"
	"github.com/vienkart/vienkart/internal/tenant"
	"github.com/vienkart/vienkart/internal/testkit"
)

func TestMatch(t *testing.T) {
	t.Parallel()
	testkit.EachEngine(t, func(t *testing.T, e *testkit.Engine) {
		t.Run("PaymentsOfAnInvoice", func(t *testing.T) {
			t.Parallel()
			d := newDesk(t, e)
			invoice := d.invoice(t, "SF1", "121.00", d.partner(t, "UAB Alfa"))
			m, err := d.match(t, d.paid(t, d.account, line("2026-03-05", "100")), bank.SaleInvoice, invoice)
			require.NoError(t, err)
			require.Equal(t, bank.StatusMatched, m.Status)
			require.Equal(t, "sale_invoice", *m.MatchedDocumentType)
			require.Equal(t, invoice, *m.MatchedDocumentID)
			d.requireJournal(t, *m.JournalTransactionID, "Dr 2710 100.00 / Cr 2410 100.00")
			d.requireOpen(t, invoice, "receivable 21.00")
			require.Empty(t, d.events(t), "a part is not all")

			m, err = d.match(t, d.paid(t, d.account, line("2026-03-06", "30")), bank.SaleInvoice, invoice)
			require.NoError(t, err)
			require.Equal(t, "21.00 and 9.00", m.Settled.String()+" and "+m.Overpaid.String())
			d.requireJournal(t, *m.JournalTransactionID, "Dr 2710 30.00 / Cr 2410 21.00 / Cr 4420 9.00")
			d.requireOpen(t, invoice, "receivable 0.00")
			d.requireOpen(t, m.ID, "payable 9.00")
			require.Equal(t, []string{"sale_invoice.paid"}, d.events(t))

			_, err = d.match(t, d.paid(t, d.account, line("2026-03-06", "0.01")), bank.SaleInvoice, invoice)
			require.ErrorIs(t, err, bank.ErrNothingOpen)
			back, err := d.match(t, d.paid(t, d.account, line("2026-03-07", "-9")), bank.Overpayment, m.ID)
			require.NoError(t, err)
			d.requireJournal(t, *back.JournalTransactionID, "Cr 2710 9.00 / Dr 4420 9.00")
			d.requireOpen(t, m.ID, "payable 0.00")
			require.Len(t, d.events(t), 1)
			d.requireSound(t)
		})
		t.Run("PaymentsOfABill", func(t *testing.T) {
			t.Parallel()
			d := newDesk(t, e)
			bill := d.bill(t, "T-1", "50.00", d.partner(t, "UAB Beta"))
			m, err := d.match(t, d.paid(t, d.account, line("2026-03-05", "-60")), bank.PurchaseInvoice, bill)
			require.NoError(t, err)
			d.requireJournal(t, *m.JournalTransactionID, "Cr 2710 60.00 / Dr 4430 50.00 / Dr 4430 10.00")
			d.requireOpen(t, m.ID, "receivable 10.00")
			require.Equal(t, []string{"purchase_invoice.paid"}, d.events(t))
			back, err := d.match(t, d.paid(t, d.account, line("2026-03-07", "10")), bank.Overpayment, m.ID)
			require.NoError(t, err)
			d.requireJournal(t, *back.JournalTransactionID, "Dr 2710 10.00 / Cr 4430 10.00")
			d.requireSound(t)
		})
		t.Run("Refunds", func(t *testing.T) {
			t.Parallel()
			d := newDesk(t, e)
			alfa := d.partner(t, "UAB Alfa")
			note := d.owe(t, debt{kind: ledger.ItemPayable, document: bank.SaleInvoice, number: "KR1", amount: "12.10", partner: alfa})
			m, err := d.match(t, d.paid(t, d.account, line("2026-03-05", "-12.10")), bank.SaleInvoice, note)
			require.NoError(t, err)
			d.requireJournal(t, *m.JournalTransactionID, "Cr 2710 12.10 / Dr 2410 12.10")
			theirs := d.owe(t, debt{kind: ledger.ItemReceivable, document: bank.PurchaseInvoice, number: "KR-T", amount: "5.00", partner: alfa})
			m, err = d.match(t, d.paid(t, d.account, line("2026-03-05", "6")), bank.PurchaseInvoice, theirs)
			require.NoError(t, err)
			d.requireJournal(t, *m.JournalTransactionID, "Dr 2710 6.00 / Cr 4430 5.00 / Cr 4430 1.00")
			d.requireSound(t)
		})
		t.Run("Refusals", func(t *testing.T) {
			t.Parallel()
			d, other := newDesk(t, e), newDesk(t, e)
			alfa := d.partner(t, "UAB Alfa")
			invoice, bill := d.invoice(t, "SF1", "121.00", alfa), d.bill(t, "T-1", "50.00", alfa)
			dollars := d.invoice(t, "SF2", "USD 100.00 = 92.50", alfa)
			in := d.paid(t, d.account, line("2026-03-05", "121"))
			foreign := other.invoice(t, "SF1", "121.00", other.partner(t, "UAB Alfa"))
			for name, example := range map[string]struct {
				transaction tenant.ID
				document    bank.DocumentType
				id          tenant.ID
				code        *apperr.Code
			}{
				"UnknownTransaction":   {tenant.NewID(), bank.SaleInvoice, invoice, apperr.ErrNotFound},
				"UnknownDocument":      {in, bank.SaleInvoice, tenant.NewID(), bank.ErrUnknownDocument},
				"OtherSort":            {in, bank.PurchaseInvoice, invoice, bank.ErrUnknownDocument},
				"OtherTenantsDocument": {in, bank.SaleInvoice, foreign, bank.ErrUnknownDocument},
				"OtherDirection":       {in, bank.PurchaseInvoice, bill, bank.ErrWrongDirection},
				"OtherCurrency":        {in, bank.SaleInvoice, dollars, bank.ErrCurrency},
			} {
				_, err := d.match(t, example.transaction, example.document, example.id)
				require.ErrorIs(t, err, example.code, name)
			}
			_, err := other.match(t, in, bank.SaleInvoice, foreign)
			require.ErrorIs(t, err, apperr.ErrNotFound)
			d.Mutate(t, func(ctx context.Context, tx tenant.Tx) error {
				_, err := ledger.Lock(ctx, tx, date.MonthOf(date.MustParse("2026-03-05")))
				return err
			})
			_, err = d.match(t, in, bank.SaleInvoice, invoice)
			require.ErrorIs(t, err, ledger.ErrPeriodLocked)
			d.requireOpen(t, invoice, "receivable 121.00")
			d.requireSound(t)
		})
	})
}

func TestMatchInForeignCurrency(t *testing.T) {
	t.Parallel()
	testkit.EachEngine(t, func(t *testing.T, e *testkit.Engine) {
		d := newDesk(t, e)
		var account tenant.ID
		d.Mutate(t, func(ctx context.Context, tx tenant.Tx) error {
			a, err := bank.CreateAccount(ctx, tx, bank.CreateAccountInput{Name: "USD", Currency: money.MustCurrency("USD")})
			if err == nil {
				account = a.ID
			}
			return err
		})
		alfa := d.partner(t, "Alfa Inc")
		invoice := d.invoice(t, "SF1", "USD 100.00 = 92.50", alfa)
		_, err := d.match(t, d.paid(t, account, line("2026-03-05", "33.33")), bank.SaleInvoice, invoice)
		require.ErrorContains(t, err, "no exchange rate")
		d.rate(t, "USD", "2026-03-05", "1.05")
		d.rate(t, "USD", "2026-03-06", "1.25")
		for _, step := range []struct{ day, amount, journal string }{
			{"2026-03-05", "33.33", "Dr 2710 31.74 / Cr 2410 30.83 / Cr 5800 0.91"},
			{"2026-03-06", "33.33", "Dr 2710 26.66 / Cr 2410 30.83 / Dr 6800 4.17"},
			// The parts of the document come to its 92.50, and what was paid too much has the rate of the day.
			{"2026-03-06", "40.00", "Dr 2710 32.00 / Cr 2410 30.84 / Cr 4420 5.33 / Dr 6800 4.17"},
		} {
			m, err := d.match(t, d.paid(t, account, line(step.day, step.amount)), bank.SaleInvoice, invoice)
			require.NoError(t, err)
			d.requireJournal(t, *m.JournalTransactionID, step.journal)
		}
		bill := d.bill(t, "T-1", "USD 10.00 = 9.25", alfa)
		m, err := d.match(t, d.paid(t, account, line("2026-03-05", "-10")), bank.PurchaseInvoice, bill)
		require.NoError(t, err)
		d.requireJournal(t, *m.JournalTransactionID, "Cr 2710 9.52 / Dr 4430 9.25 / Dr 6800 0.27")
		d.requireSound(t)
	})
}

// TestMatchRaces holds that neither a transaction nor a debt is used twice, however many try at once.
func TestMatchRaces(t *testing.T) {
	t.Parallel()
	const n = 10
	testkit.EachEngine(t, func(t *testing.T, e *testkit.Engine) {
		t.Run("TenFullPaymentsOfOneInvoice", func(t *testing.T) {
			t.Parallel()
			d := newDesk(t, e)
			invoice := d.invoice(t, "SF1", "160135.22", d.partner(t, "UAB Alfa"))
			payments := make([]tenant.ID, n)
			for i := range payments {
				payments[i] = d.paid(t, d.account, line("2026-03-05", "160135.22"))
			}
			errs := together(n, func(i int) error {
				_, err := d.match(t, payments[i], bank.SaleInvoice, invoice)
				return err
			})
			requireOneWinner(t, errs, bank.ErrNothingOpen)
			d.requireOpen(t, invoice, "receivable 0.00")
			require.Equal(t, []string{"sale_invoice.paid"}, d.events(t))
			d.requireSound(t)
		})
		t.Run("OnePaymentMatchedTenTimes", func(t *testing.T) {
			t.Parallel()
			d := newDesk(t, e)
			alfa := d.partner(t, "UAB Alfa")
			transaction := d.paid(t, d.account, line("2026-03-05", "10"))
			invoices := make([]tenant.ID, n)
			for i := range invoices {
				// Twins of one invoice, and different invoices.
				if i%2 == 0 && i > 0 {
					invoices[i] = invoices[0]
					continue
				}
				invoices[i] = d.invoice(t, "SF"+string(rune('A'+i)), "10.00", alfa)
			}
			errs := together(n, func(i int) error {
				_, err := d.match(t, transaction, bank.SaleInvoice, invoices[i])
				return err
			})
			requireOneWinner(t, errs, bank.ErrAlreadyMatched)
			d.Read(t, func(ctx context.Context, r tenant.ReadTx) error {
				state, err := bank.Get(ctx, r, transaction)
				require.NoError(t, err)
				for _, err := range errs {
					if err != nil {
						require.Equal(t, *state.JournalTransactionID, detail(t, err, "existingId"))
					}
				}
				return nil
			})
			require.Equal(t, []string{"sale_invoice.paid"}, d.events(t))
			d.requireSound(t)
		})
	})
}

func together(n int, fn func(int) error) []error {
	errs := make([]error, n)
	var wait sync.WaitGroup
	for i := range n {
		wait.Go(func() { errs[i] = fn(i) })
	}
	wait.Wait()
	return errs
}

func requireOneWinner(t *testing.T, errs []error, loser *apperr.Code) {
	t.Helper()
	won := 0
	for _, err := range errs {
		if err == nil {
			won++
			continue
		}
		require.ErrorIs(t, err, loser)
	}
	require.Equal(t, 1, won)
}
