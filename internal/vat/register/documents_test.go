package register_test

import (
	"context"
	"fmt"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/vienkart/vienkart/internal/date"
	"github.com/vienkart/vienkart/internal/tenant"
	"github.com/vienkart/vienkart/internal/testkit"
	"github.com/vienkart/vienkart/internal/testkit/vatmonth"
	"github.com/vienkart/vienkart/internal/vat/register"
)

var (
	first = date.MustParse("2026-01-01")
	last  = date.MustParse("2026-01-31")
)

// documentOn is a sale of one row.
func documentOn(t *testing.T, partner tenant.ID, number string, day date.Date) register.Document {
	t.Helper()
	return register.Document{
		Direction: register.Sales, RegisterDate: day, Type: "test_invoice", ID: tenant.NewID(), Number: number, Date: day,
		InvoiceType: register.Invoice, Event: register.Recorded, Partner: register.Partner{ID: partner, Name: "Partner"},
		Groups: []register.Group{vatmonth.Group(t, "PVM1", "21", "10", "2.10")},
	}
}

func numbers(t *testing.T, c *testkit.Company, side register.Direction) (found []string, rows int) {
	t.Helper()
	c.Read(t, func(ctx context.Context, r tenant.ReadTx) error {
		for document, err := range register.Documents(ctx, r, side, first, last) {
			if err != nil {
				return err
			}
			found = append(found, document[0].DocumentNumber)
			rows += len(document)
		}
		return nil
	})
	return found, rows
}

func TestDocuments(t *testing.T) {
	t.Parallel()
	testkit.EachEngine(t, func(t *testing.T, e *testkit.Engine) {
		c, other := e.Company(t), e.Company(t)
		want := []string{}
		record := func(c *testkit.Company, fn func(context.Context, tenant.Tx, tenant.ID) error) {
			c.Mutate(t, func(ctx context.Context, tx tenant.Tx) error {
				return fn(ctx, tx, vatmonth.Partner(ctx, t, tx, "Partner"))
			})
		}
		record(c, func(ctx context.Context, tx tenant.Tx, partner tenant.ID) error {
			// Three pages of one day; two documents share a number at the end of the first page.
			for n := range 1100 {
				number := fmt.Sprintf("B%04d", n-n/500)
				want = append(want, number)
				require.NoError(t, register.Record(ctx, tx, documentOn(t, partner, number, first)))
			}
			// One document with rows on two days comes on the first of them, whole.
			split := documentOn(t, partner, "A1", first.AddDays(1))
			require.NoError(t, register.Record(ctx, tx, split))
			split.RegisterDate, split.Event, split.SourceID = last, register.AdvanceApplied, tenant.NewID()
			require.NoError(t, register.Record(ctx, tx, split))
			// Outside the period, and on the other side.
			require.NoError(t, register.Record(ctx, tx, documentOn(t, partner, "C1", last.AddDays(1))))
			bought := documentOn(t, partner, "P1", first)
			bought.Direction = register.Purchases
			return register.Record(ctx, tx, bought)
		})
		record(other, func(ctx context.Context, tx tenant.Tx, partner tenant.ID) error {
			return register.Record(ctx, tx, documentOn(t, partner, "OTHER1", first))
		})
		found, rows := numbers(t, c, register.Sales)
		require.Equal(t, append(want, "A1"), found)
		require.Equal(t, 1102, rows)
		found, _ = numbers(t, c, register.Purchases)
		require.Equal(t, []string{"P1"}, found)
		found, _ = numbers(t, other, register.Sales)
		require.Equal(t, []string{"OTHER1"}, found)
	})
}

func TestDocumentsMayBeLeftEarly(t *testing.T) {
	t.Parallel()
	c := testkit.SQLite(t).Company(t)
	c.Mutate(t, func(ctx context.Context, tx tenant.Tx) error {
		partner := vatmonth.Partner(ctx, t, tx, "Partner")
		for n := range 3 {
			require.NoError(t, register.Record(ctx, tx, documentOn(t, partner, fmt.Sprintf("A%d", n), first.AddDays(n/2))))
		}
		return nil
	})
	c.Read(t, func(ctx context.Context, r tenant.ReadTx) error {
		seen := 0
		for range register.Documents(ctx, r, register.Sales, first, last) { //nolint:errcheck // the loop ends at once
			seen++
			break
		}
		require.Equal(t, 1, seen)
		return nil
	})
}

func TestTotals(t *testing.T) {
	t.Parallel()
	testkit.EachEngine(t, func(t *testing.T, e *testkit.Engine) {
		c := e.Company(t)
		c.Mutate(t, func(ctx context.Context, tx tenant.Tx) error {
			partner := vatmonth.Partner(ctx, t, tx, "Partner")
			kept, revoked, cash := documentOn(t, partner, "A1", first), documentOn(t, partner, "A2", first), documentOn(t, partner, "A3", last)
			cash.SpecialTaxation = true
			for _, d := range []register.Document{kept, revoked, cash} {
				require.NoError(t, register.Record(ctx, tx, d))
			}
			return register.Revoke(ctx, tx, revoked.ID)
		})
		c.Read(t, func(ctx context.Context, r tenant.ReadTx) error {
			totals, err := register.Totals(ctx, r, first, last)
			require.NoError(t, err)
			code := "PVM1"
			require.Equal(t, []register.Total{{Direction: register.Sales, VATCode: &code, BaseNetMinor: 2000, BaseVATMinor: 420}}, totals)
			counts, err := register.Counts(ctx, r, first, last)
			require.NoError(t, err)
			require.Equal(t, []register.Count{{Direction: register.Sales, Documents: 2, CashDocuments: 1, CashVATMinor: 210}}, counts)
			rows, err := register.InForce(ctx, r, register.Sales, []string{"PVM1"}, false, first, last)
			require.NoError(t, err)
			require.Len(t, rows, 2)
			rows, err = register.InForce(ctx, r, register.Sales, []string{}, true, first, last)
			require.NoError(t, err)
			require.Empty(t, rows)
			return nil
		})
	})
}
