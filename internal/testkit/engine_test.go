package testkit_test

import (
	"context"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/vienkart/vienkart/internal/audit"
	"github.com/vienkart/vienkart/internal/numbering"
	"github.com/vienkart/vienkart/internal/tenant"
	"github.com/vienkart/vienkart/internal/testkit"
)

func TestEachEngine(t *testing.T) {
	t.Parallel()
	testkit.EachEngine(t, func(t *testing.T, e *testkit.Engine) {
		c, other := e.Company(t), e.Company(t)
		c.Mutate(t, func(ctx context.Context, tx tenant.Tx) error {
			s, err := numbering.Find(ctx, tx, numbering.SaleInvoice, "", 2026)
			require.NoError(t, err)
			for want := int64(1); want <= 3; want++ {
				n, err := numbering.Take(ctx, tx, s)
				require.NoError(t, err)
				require.Equal(t, want, n)
			}
			return audit.Record(ctx, tx, audit.Entry{Action: "test.done", Entity: "test"})
		})
		for company, want := range map[*testkit.Company]int{c: 1, other: 0} {
			company.Read(t, func(ctx context.Context, r tenant.ReadTx) error {
				page, err := numbering.List(ctx, r, tenant.ListQuery{})
				require.NoError(t, err)
				require.Equal(t, want, page.Total)
				require.Len(t, page.Rows, want)
				lines, err := audit.List(ctx, r, tenant.ListQuery{})
				require.NoError(t, err)
				require.Equal(t, want, lines.Total)
				return nil
			})
		}
		c.RequireBalanced(t)
	})
}
