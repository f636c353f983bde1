package fr0600_test

import (
	"context"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/vienkart/vienkart/internal/date"
	"github.com/vienkart/vienkart/internal/ledger"
	"github.com/vienkart/vienkart/internal/money"
	"github.com/vienkart/vienkart/internal/tenant"
	"github.com/vienkart/vienkart/internal/testkit"
	"github.com/vienkart/vienkart/internal/vat"
	"github.com/vienkart/vienkart/internal/vat/fr0600"
	"github.com/vienkart/vienkart/internal/vat/register"
)

// payCash opens what is owed on the documents of the register and pays a part of each on a day.
func payCash(t *testing.T, c *testkit.Company, payments map[string]int64, on string) {
	t.Helper()
	c.Mutate(t, func(ctx context.Context, tx tenant.Tx) error {
		if _, err := ledger.ApplyTemplate(ctx, tx); err != nil {
			return err
		}
		for number, minor := range payments {
			rows, err := tenant.Find[register.Row](ctx, tx, "document_number = ? AND event = 'recorded'", number)
			require.NoError(t, err)
			whole := money.New(rows[0].BaseNetMinor+rows[0].BaseVATMinor, money.EUR)
			items, err := ledger.LockItems(ctx, tx, rows[0].DocumentID)
			require.NoError(t, err)
			item := items[rows[0].DocumentID]
			if item == nil {
				item, err = ledger.OpenDocument(ctx, tx, ledger.OpenItemInput{
					Kind: ledger.ItemReceivable, DocumentType: "test_invoice", DocumentID: rows[0].DocumentID, DocumentNumber: number,
					PartnerID: rows[0].PartnerID, AccountCode: "2410", DocumentDate: rows[0].DocumentDate, DueDate: rows[0].DocumentDate,
					Amount: whole, BaseAmount: whole,
				})
				require.NoError(t, err)
			}
			err = ledger.Settle(ctx, tx, ledger.Settlement{
				Item: item, Amount: money.New(minor, money.EUR), SourceType: ledger.SourcePayment, SourceID: tenant.NewID(), Date: date.MustParse(on),
			})
			require.NoError(t, err)
		}
		return nil
	})
}

// TestCashAccounting has sales and purchases under cash accounting beside ordinary ones, paid in parts over two months.
func TestCashAccounting(t *testing.T) {
	t.Parallel()
	testkit.EachEngine(t, func(t *testing.T, e *testkit.Engine) {
		c := e.At(later).Company(t, taxpayer)
		cash := func(number string) func(*register.Document) {
			return func(d *register.Document) { d.SpecialTaxation, d.Number = true, number }
		}
		record(t, c,
			fact{sales, "2026-05-10", "PVM1", "21", "1000", "210", nil},
			fact{sales, "2026-05-10", "PVM1", "21", "2000", "420", cash("CASH1")},
			fact{sales, "2026-05-11", "PVM3", "5", "400", "20", cash("CASH2")},
			fact{purchases, "2026-05-12", "", "21", "100", "21", cash("BILL1")},
		)
		may, june := period(t, 2026, 5, 1), period(t, 2026, 6, 1)
		requireBoxes := func(p fr0600.Period, want map[vat.Box]int64) {
			t.Helper()
			ret := compute(t, c, p, fr0600.Full)
			for _, v := range ret.Boxes {
				if v.Box != "28" {
					require.Equal(t, want[v.Box], v.Whole, "box %s", v.Box)
				}
			}
		}
		requireBoxes(may, map[vat.Box]int64{"11": 1000, "25": 21, "29": 210, "35": 21, "36": 189})
		require.True(t, mentions(compute(t, c, may, fr0600.Full), "2 documents with 440.00 of VAT were issued in the period, and 0.00 of VAT was paid in it"))
		require.True(t, mentions(compute(t, c, may, fr0600.Full), "1 documents with 21.00 of VAT are in this return; 0.00 of VAT was paid"))

		payCash(t, c, map[string]int64{"CASH1": 121000, "CASH2": 42000}, "2026-05-20")
		payCash(t, c, map[string]int64{"CASH1": 121000, "BILL1": 12100}, "2026-06-05")
		requireBoxes(may, map[vat.Box]int64{"11": 2400, "25": 21, "29": 420, "31": 20, "35": 21, "36": 419})
		requireBoxes(june, map[vat.Box]int64{"11": 1000, "29": 210, "36": 210})
		require.True(t, mentions(compute(t, c, june, fr0600.Full), "0 documents with 0.00 of VAT are in this return; 21.00 of VAT was paid"))
		both := period(t, 2026, 4, 3)
		requireBoxes(both, map[vat.Box]int64{"11": 3400, "25": 21, "29": 630, "31": 20, "35": 21, "36": 629})
		c.Read(t, func(ctx context.Context, r tenant.ReadTx) error {
			documents, err := fr0600.DocumentsOfBox(ctx, r, june, fr0600.Full, "29")
			require.NoError(t, err)
			require.Len(t, documents, 1)
			require.Equal(t, []string{"CASH1", "2026-06-05", "210"},
				[]string{documents[0].Number, documents[0].RegisterDate.String(), documents[0].Amount.String()})
			return nil
		})
	})
}

// TestCodeThatComesToNothing has an ordinary sale and a refund under cash accounting that cancel out under one code.
func TestCodeThatComesToNothing(t *testing.T) {
	t.Parallel()
	c := testkit.SQLite(t).At(later).Company(t, taxpayer)
	record(t, c,
		fact{sales, "2026-05-10", "PVM1", "21", "100", "21", nil},
		fact{sales, "2026-05-10", "PVM3", "5", "100", "5", nil},
		fact{sales, "2026-04-10", "PVM1", "21", "100", "21", func(d *register.Document) { d.SpecialTaxation, d.Number = true, "CASH1" }},
	)
	payCash(t, c, map[string]int64{"CASH1": 12100}, "2026-04-20")
	c.Mutate(t, func(ctx context.Context, tx tenant.Tx) error {
		row, err := tenant.First[register.Row](ctx, tx, "document_number = ?", "CASH1")
		require.NoError(t, err)
		items, err := ledger.LockItems(ctx, tx, row.DocumentID)
		require.NoError(t, err)
		return ledger.Reopen(ctx, tx, ledger.Settlement{
			Item: items[row.DocumentID], Amount: money.New(12100, money.EUR), SourceType: ledger.SourcePayout, SourceID: tenant.NewID(),
			Date: date.MustParse("2026-05-20"),
		})
	})
	ret := compute(t, c, period(t, 2026, 5, 1), fr0600.Full)
	require.Equal(t, int64(100), ret.Whole("11"))
	require.Equal(t, int64(0), ret.Whole("29"))
	c.Read(t, func(ctx context.Context, r tenant.ReadTx) error {
		documents, err := ret.DocumentsOf(ctx, r, "29")
		require.Len(t, documents, 2, "both are behind the box")
		return err
	})
}
