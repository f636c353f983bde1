package register_test

import (
	"context"
	"fmt"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/vienkart/vienkart/internal/date"
	"github.com/vienkart/vienkart/internal/money"
	"github.com/vienkart/vienkart/internal/partner"
	"github.com/vienkart/vienkart/internal/tenant"
	"github.com/vienkart/vienkart/internal/testkit"
	"github.com/vienkart/vienkart/internal/vat"
	"github.com/vienkart/vienkart/internal/vat/register"
)

func group(code, rate string, net, vatMinor int64) register.Group {
	return register.Group{
		Code: code, Rate: money.MustDecimal(rate), Net: money.New(net, money.EUR), VAT: money.New(vatMinor, money.EUR),
		BaseNet: money.New(net, money.EUR), BaseVAT: money.New(vatMinor, money.EUR),
	}
}

func document(p *partner.Partner, groups ...register.Group) register.Document {
	day := date.MustParse("2026-01-05")
	return register.Document{
		Direction: register.Sales, RegisterDate: day, Type: "sale_invoice", ID: tenant.NewID(), Number: "SF260000001", Date: day,
		InvoiceType: register.Invoice, Event: register.Recorded, Partner: register.Partner{ID: p.ID, Name: p.Name},
		Scheme: vat.SchemeDomestic, Groups: groups,
	}
}

func customer(t *testing.T, c *testkit.Company) *partner.Partner {
	t.Helper()
	var p *partner.Partner
	c.Mutate(t, func(ctx context.Context, tx tenant.Tx) (err error) {
		p, err = partner.Create(ctx, tx, partner.Fields{Name: new("UAB Pirmas")})
		return err
	})
	return p
}

func record(t *testing.T, c *testkit.Company, d register.Document) {
	t.Helper()
	c.Mutate(t, func(ctx context.Context, tx tenant.Tx) error { return register.Record(ctx, tx, d) })
}

// rows writes the rows of a document as "PVM1 21 100.00 21.00".
func rows(t *testing.T, c *testkit.Company, id tenant.ID) []string {
	t.Helper()
	lines := []string{}
	c.Read(t, func(ctx context.Context, r tenant.ReadTx) error {
		found, err := register.OfDocument(ctx, r, id)
		require.NoError(t, err)
		for _, row := range found {
			code := "-"
			if row.VATCode != nil {
				code = *row.VATCode
			}
			lines = append(lines, fmt.Sprintf("%s %s %s %s %s", row.InvoiceType, code, row.Rate,
				money.New(row.NetMinor, row.Currency), money.New(row.VATMinor, row.Currency)))
		}
		return nil
	})
	return lines
}

func TestRecord(t *testing.T) {
	t.Parallel()
	testkit.EachEngine(t, func(t *testing.T, e *testkit.Engine) {
		c := e.Company(t)
		d := document(customer(t, c),
			group("PVM1", "21", 10000, 2100), group("PVM25", "0", 500, 0), group("PVM25", "21", 700, 0), group("PVM3", "5", 0, 0),
			group("PVM15", "19", 1000, 190), group("PVM15", "20", 1000, 200), group("", "21", 1, 0))
		d.SupplyDate = d.Date
		record(t, c, d)
		require.Equal(t, []string{
			"SF PVM1 21 100.00 21.00",
			"SF PVM25 21 12.00 0.00", // the rate is the code's, so both are one row
			"SF PVM15 19 10.00 1.90",
			"SF PVM15 20 10.00 2.00", // the code has no rate, so the rates of other states stay apart
			"SF - 21 0.01 0.00",
		}, rows(t, c, d.ID))
		c.Read(t, func(ctx context.Context, r tenant.ReadTx) error {
			found, err := register.OfDocument(ctx, r, d.ID)
			require.NoError(t, err)
			require.True(t, found[0].SupplyDate.IsZero(), "the date of the document says it already")
			require.Equal(t, d.ID, found[0].SourceID)
			return nil
		})
		require.Error(t, c.TryMutate(t.Context(), func(ctx context.Context, tx tenant.Tx) error { return register.Record(ctx, tx, d) }),
			"a document is recorded once")
	})
}

func TestRevoke(t *testing.T) {
	t.Parallel()
	testkit.EachEngine(t, func(t *testing.T, e *testkit.Engine) {
		c := e.Company(t)
		d := document(customer(t, c), group("PVM1", "21", 10000, 2100))
		record(t, c, d)
		revoke := func(ctx context.Context, tx tenant.Tx) error { return register.Revoke(ctx, tx, d.ID) }
		c.Mutate(t, revoke)
		require.Equal(t, []string{"SF PVM1 21 100.00 21.00", "AN PVM1 21 -100.00 -21.00"}, rows(t, c, d.ID))
		require.Error(t, c.TryMutate(t.Context(), revoke), "a document is revoked once")
	})
}

func TestInPeriod(t *testing.T) {
	t.Parallel()
	testkit.EachEngine(t, func(t *testing.T, e *testkit.Engine) {
		c, other := e.Company(t), e.Company(t)
		buyer := customer(t, c)
		for _, day := range []string{"2025-12-31", "2026-01-31", "2026-01-01", "2026-02-01"} {
			d := document(buyer, group("PVM1", "21", 100, 21))
			d.RegisterDate, d.Number = date.MustParse(day), day
			record(t, c, d)
		}
		bought := document(buyer, group("", "21", 100, 21))
		bought.Direction = register.Purchases
		record(t, c, bought)
		numbers := func(c *testkit.Company) []string {
			found := []string{}
			c.Read(t, func(ctx context.Context, r tenant.ReadTx) error {
				rows, err := register.InPeriod(ctx, r, register.Sales, date.MustParse("2026-01-01"), date.MustParse("2026-01-31"))
				require.NoError(t, err)
				for _, row := range rows {
					found = append(found, row.DocumentNumber)
				}
				return nil
			})
			return found
		}
		require.Equal(t, []string{"2026-01-01", "2026-01-31"}, numbers(c))
		require.Empty(t, numbers(other))
	})
}

func TestRowsAreNeverChanged(t *testing.T) {
	t.Parallel()
	testkit.EachEngine(t, func(t *testing.T, e *testkit.Engine) {
		c := e.Company(t)
		record(t, c, document(customer(t, c), group("PVM1", "21", 100, 21)))
		for _, change := range []func(context.Context, tenant.Tx) error{
			func(ctx context.Context, tx tenant.Tx) error {
				_, err := tenant.Exec(ctx, tx, "UPDATE vat_register SET vat_minor = 0 WHERE company_id = @company")
				return err
			},
			func(ctx context.Context, tx tenant.Tx) error {
				_, err := tenant.Exec(ctx, tx, "DELETE FROM vat_register WHERE company_id = @company")
				return err
			},
		} {
			require.Error(t, c.TryMutate(t.Context(), change))
		}
	})
}
