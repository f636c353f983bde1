package submission

import (
	"context"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/vienkart/vienkart/internal/date"
	"github.com/vienkart/vienkart/internal/ledger"
	"github.com/vienkart/vienkart/internal/money"
	"github.com/vienkart/vienkart/internal/tenant"
	"github.com/vienkart/vienkart/internal/testkit"
	"github.com/vienkart/vienkart/internal/testkit/vatmonth"
	"github.com/vienkart/vienkart/internal/vat/register"
)

// cashSale records a sale under cash accounting of 12.10 and opens what is owed on it.
func cashSale(t *testing.T, c *testkit.Company) tenant.ID {
	t.Helper()
	id := tenant.NewID()
	c.Mutate(t, func(ctx context.Context, tx tenant.Tx) error {
		_, err := ledger.ApplyTemplate(ctx, tx)
		require.NoError(t, err)
		partner := vatmonth.Partner(ctx, t, tx, "Partner")
		require.NoError(t, register.Record(ctx, tx, register.Document{
			Direction: register.Sales, RegisterDate: first, Type: "test_invoice", ID: id, Number: "C1", Date: first,
			InvoiceType: register.Invoice, Event: register.Recorded, SpecialTaxation: true, Partner: register.Partner{ID: partner, Name: "Partner"},
			Groups: []register.Group{vatmonth.Group(t, "PVM1", "21", "10", "2.10")},
		}))
		gross := money.New(1210, money.EUR)
		_, err = ledger.OpenDocument(ctx, tx, ledger.OpenItemInput{
			Kind: ledger.ItemReceivable, DocumentType: "test_invoice", DocumentID: id, DocumentNumber: "C1", PartnerID: partner, AccountCode: "2410",
			DocumentDate: first, DueDate: first, Amount: gross, BaseAmount: gross,
		})
		return err
	})
	return id
}

// settle pays an amount of cents, or takes it back when it is negative.
func settle(t *testing.T, c *testkit.Company, document, source tenant.ID, minor int64, on date.Date) {
	t.Helper()
	c.Mutate(t, func(ctx context.Context, tx tenant.Tx) error {
		items, err := ledger.LockItems(ctx, tx, document)
		if err != nil {
			return err
		}
		return ledger.SettleAll(ctx, tx, []ledger.Settlement{{
			Item: items[document], Amount: money.New(minor, money.EUR), SourceType: ledger.SourcePayment, SourceID: source, Date: on,
		}})
	})
}

func latePayments(t *testing.T, c *testkit.Company, id tenant.ID) (list []string) {
	t.Helper()
	c.Read(t, func(ctx context.Context, r tenant.ReadTx) error {
		late, err := LateChanges(ctx, r, id)
		if err != nil {
			return err
		}
		require.Len(t, late.Payments, int(late.TotalPayments))
		for _, p := range late.Payments {
			net, tax := p.Sums(money.EUR)
			list = append(list, p.Date.String()+" "+net.String()+" "+tax.String())
		}
		return nil
	})
	return list
}

// TestLatePayments has payments before and after a file, and payments that are taken back.
func TestLatePayments(t *testing.T) {
	t.Parallel()
	testkit.EachEngine(t, func(t *testing.T, e *testkit.Engine) {
		c := e.Company(t)
		document := cashSale(t, c)
		inFile, takenBack, late := tenant.NewID(), tenant.NewID(), tenant.NewID()
		settle(t, c, document, inFile, 605, first)
		settle(t, c, document, takenBack, 121, first)
		settle(t, c, document, takenBack, -121, last)
		var s *Submission
		var rows *Rows
		c.Mutate(t, func(ctx context.Context, tx tenant.Tx) (err error) {
			rows, err = Take(ctx, tx, first, last, []register.Direction{register.Sales})
			require.NoError(t, err)
			s, err = submit(ctx, tx, "<a/>")
			return err
		})
		seen := 0
		for payment, err := range rows.Payments(register.Sales) {
			require.NoError(t, err)
			if !payment.IsZero() {
				seen++
			}
		}
		require.Equal(t, 1, seen, "what was taken back is kept, and is not in the file")
		require.Empty(t, latePayments(t, c, s.ID), "what was taken back before the file is not late")

		settle(t, c, document, late, 242, last)
		settle(t, c, document, tenant.NewID(), 121, last.AddDays(1))
		require.Equal(t, []string{"2026-01-31 2.00 0.42"}, latePayments(t, c, s.ID), "of the period alone")
		settle(t, c, document, inFile, -605, last)
		require.Equal(t, []string{"2026-01-01 0.00 0.00", "2026-01-31 2.00 0.42"}, latePayments(t, c, s.ID), "a payment of the file that is gone is a change")
	})
}
