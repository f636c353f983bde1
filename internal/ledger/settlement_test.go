package ledger_test

import (
	"context"
	"sync"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/vienkart/vienkart/internal/date"
	"github.com/vienkart/vienkart/internal/ledger"
	"github.com/vienkart/vienkart/internal/money"
	"github.com/vienkart/vienkart/internal/tenant"
	"github.com/vienkart/vienkart/internal/testkit"
)

// owe opens an item of 121.00 euro for a new customer and returns its document.
func owe(t *testing.T, c *testkit.Company) tenant.ID {
	t.Helper()
	partner, document := tenant.NewID(), tenant.NewID()
	c.Mutate(t, func(ctx context.Context, tx tenant.Tx) error {
		_, err := tenant.Exec(ctx, tx, `INSERT INTO partners (company_id, id, type, name, is_customer, is_supplier, created_at, updated_at)
			VALUES (@company, ?, 'company', 'UAB Pirkėjas', 1, 0, ?, ?)`, partner, tx.Now(), tx.Now())
		require.NoError(t, err)
		item, err := ledger.OpenDocument(ctx, tx, ledger.OpenItemInput{
			Kind: ledger.ItemReceivable, DocumentType: "sale_invoice", DocumentID: document, DocumentNumber: "SF260000001",
			PartnerID: partner, AccountCode: "2410", DocumentDate: date.MustParse("2026-01-15"), DueDate: date.MustParse("2026-02-14"),
			Amount: euro(t, "121.00"), BaseAmount: euro(t, "121.00"),
		})
		require.NoError(t, err)
		require.Equal(t, "2410", item.AccountCode)
		require.False(t, item.Settled())
		return nil
	})
	return document
}

func euro(t *testing.T, s string) money.Amount {
	t.Helper()
	return amount(t, s, money.EUR)
}

// settle runs Settle, or Reopen for a negative amount.
func settle(t *testing.T, c *testkit.Company, document tenant.ID, by string) error {
	t.Helper()
	return persistently(t, c, func(ctx context.Context, tx tenant.Tx) error {
		items, err := ledger.LockItems(ctx, tx, document)
		if err != nil {
			return err
		}
		s := ledger.Settlement{
			Item: items[document], Amount: euro(t, by), SourceType: "payment", SourceID: tenant.NewID(), Date: tx.Today(),
		}
		if s.Amount.IsNegative() {
			s.Amount = s.Amount.Neg()
			return ledger.Reopen(ctx, tx, s)
		}
		return ledger.Settle(ctx, tx, s)
	})
}

// open is what is open on a document; its allocations must agree.
func open(t *testing.T, c *testkit.Company, document tenant.ID) string {
	t.Helper()
	var item ledger.OpenItem
	c.Read(t, func(ctx context.Context, r tenant.ReadTx) error {
		items, err := ledger.ItemsOf(ctx, r, document)
		require.NoError(t, err)
		item = items[document]
		allocated, err := tenant.QueryOne[struct{ Minor int64 }](ctx, r, `SELECT COALESCE(SUM(amount_minor), 0) AS minor
			FROM open_item_allocations WHERE company_id = @company AND open_item_id = ?`, item.ID)
		require.NoError(t, err)
		require.Equal(t, item.AmountMinor-item.OpenMinor, allocated.Minor)
		return nil
	})
	require.Equal(t, item.OpenMinor == 0, item.Settled())
	return item.Open().String()
}

func TestSettle(t *testing.T) {
	t.Parallel()
	testkit.EachEngine(t, func(t *testing.T, e *testkit.Engine) {
		c := books(t, e)
		document := owe(t, c)
		require.NoError(t, settle(t, c, document, "100.00"))
		require.Equal(t, "21.00", open(t, c, document))

		err := settle(t, c, document, "21.01")
		require.ErrorIs(t, err, ledger.ErrOverSettled)
		require.ErrorContains(t, err, "21.00 EUR")
		require.Equal(t, "21.00", open(t, c, document))

		require.NoError(t, settle(t, c, document, "21.00"))
		require.Equal(t, "0.00", open(t, c, document))
		require.ErrorIs(t, settle(t, c, document, "0.01"), ledger.ErrOverSettled)

		require.NoError(t, settle(t, c, document, "-21.00"))
		require.Equal(t, "21.00", open(t, c, document))
		require.ErrorIs(t, settle(t, c, document, "-100.01"), ledger.ErrOverReopened)
		require.NoError(t, settle(t, c, document, "-100.00"))
		require.Equal(t, "121.00", open(t, c, document))
		require.Error(t, settle(t, c, document, "0.00"))
	})
}

// B-100: of many full payments at once, one is taken.
func TestSettleAtOnce(t *testing.T) {
	t.Parallel()
	testkit.EachEngine(t, func(t *testing.T, e *testkit.Engine) {
		c := books(t, e)
		document := owe(t, c)
		const payers = 10
		errs := make([]error, payers)
		var running sync.WaitGroup
		for i := range payers {
			running.Go(func() { errs[i] = settle(t, c, document, "121.00") })
		}
		running.Wait()
		paid := 0
		for _, err := range errs {
			if err == nil {
				paid++
				continue
			}
			require.ErrorIs(t, err, ledger.ErrOverSettled)
		}
		require.Equal(t, 1, paid)
		require.Equal(t, "0.00", open(t, c, document))
	})
}

func TestLockItems(t *testing.T) {
	t.Parallel()
	testkit.EachEngine(t, func(t *testing.T, e *testkit.Engine) {
		c, other := books(t, e), books(t, e)
		first, second, theirs := owe(t, c), owe(t, c), owe(t, other)
		c.Mutate(t, func(ctx context.Context, tx tenant.Tx) error {
			items, err := ledger.LockItems(ctx, tx, second, first, theirs, tenant.NewID())
			require.NoError(t, err)
			require.Len(t, items, 2, "neither another company's nor one that does not exist")
			require.Equal(t, first, items[first].DocumentID)
			require.Equal(t, "2410", items[second].AccountCode)
			none, err := ledger.LockItems(ctx, tx)
			require.Empty(t, none)
			return err
		})
	})
}

func TestListItems(t *testing.T) {
	t.Parallel()
	testkit.EachEngine(t, func(t *testing.T, e *testkit.Engine) {
		c, other := books(t, e), books(t, e)
		paid, unpaid := owe(t, c), owe(t, c)
		owe(t, other)
		require.NoError(t, settle(t, c, paid, "121.00"))
		c.Read(t, func(ctx context.Context, r tenant.ReadTx) error {
			page, err := ledger.ListItems(ctx, r, tenant.ListQuery{})
			require.NoError(t, err)
			require.Equal(t, 2, page.Total)
			page, err = ledger.ListItems(ctx, r, tenant.ListQuery{
				Filter: []tenant.Filter{{Field: "settled", Op: "eq", Value: []byte("false")}},
				Sort:   []tenant.Sort{{Field: "settled"}},
			})
			require.NoError(t, err)
			require.Len(t, page.Rows, 1)
			require.Equal(t, unpaid, page.Rows[0].DocumentID)
			require.Equal(t, "UAB Pirkėjas", page.Rows[0].PartnerName)
			require.Equal(t, "2410", page.Rows[0].AccountCode)
			return nil
		})
	})
}
