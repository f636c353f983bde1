package payout_test

import (
	"context"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/vienkart/vienkart/internal/date"
	"github.com/vienkart/vienkart/internal/ledger"
	"github.com/vienkart/vienkart/internal/payout"
	"github.com/vienkart/vienkart/internal/tenant"
	"github.com/vienkart/vienkart/internal/testkit"
)

func TestInvariantsFindBreaches(t *testing.T) {
	t.Parallel()
	for name, damage := range map[string]func(context.Context, tenant.Tx, payout.State, payout.Line) error{
		"a settlement comes to the sums of its lines": func(ctx context.Context, tx tenant.Tx, s payout.State, _ payout.Line) error {
			s.GrossMinor, s.FeeMinor = s.GrossMinor+1, s.FeeMinor+1
			return tenant.Update(ctx, tx, &s.Settlement, "gross_minor", "fee_minor")
		},
		"a settlement was posted with the net that it has": func(ctx context.Context, tx tenant.Tx, s payout.State, _ payout.Line) error {
			s.GrossMinor, s.NetMinor = s.GrossMinor+1, s.NetMinor+1
			return tenant.Update(ctx, tx, &s.Settlement, "gross_minor", "net_minor")
		},
		"a settlement applied to invoices what its lines are allocated with": func(ctx context.Context, tx tenant.Tx, _ payout.State, l payout.Line) error {
			items, err := ledger.LockItems(ctx, tx, *l.InvoiceID)
			require.NoError(t, err)
			return ledger.Settle(ctx, tx, ledger.Settlement{
				Item: items[*l.InvoiceID], Amount: parse("1", "EUR"), SourceType: "settlement", SourceID: l.ID, Date: l.LineDate,
			})
		},
		"every journal transaction of a settlement is the one of its posting": func(ctx context.Context, tx tenant.Tx, s payout.State, _ payout.Line) error {
			one := parse("1", "EUR")
			_, err := ledger.Post(ctx, tx, ledger.Posting{
				Date: date.MustParse("2026-03-05"), DocumentType: "settlement_batch", DocumentID: s.ID,
				Lines: []ledger.Line{{AccountCode: "2710", Debit: one}, {AccountCode: "4499", Credit: one}},
			})
			return err
		},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			b := newBooks(t, testkit.SQLite(t))
			b.invoice(t, "SF260000001", "200.00")
			b.post(t, b.load(t, row("po_1", "t1", "charge", 10000, 320, "ch_1", "SF260000001")).Settlements[0].ID)
			b.sound(t)
			s := b.list(t).Rows[0]
			_, lines := b.get(t, s.ID)
			b.Mutate(t, func(ctx context.Context, tx tenant.Tx) error { return damage(ctx, tx, s, lines[0]) })
			breaches, err := tenant.Verify(t.Context(), b.Engine.System, payout.Invariants)
			require.NoError(t, err)
			found := []string{}
			for _, breach := range breaches {
				found = append(found, breach.Invariant)
			}
			require.Contains(t, found, name)
		})
	}
}
