package ledger_test

import (
	"context"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/vienkart/vienkart/internal/apperr"
	"github.com/vienkart/vienkart/internal/date"
	"github.com/vienkart/vienkart/internal/ledger"
	"github.com/vienkart/vienkart/internal/tenant"
	"github.com/vienkart/vienkart/internal/testkit"
)

func TestTrialBalance(t *testing.T) {
	t.Parallel()
	testkit.EachEngine(t, func(t *testing.T, e *testkit.Engine) {
		c, other := books(t, e), books(t, e)
		post(t, c, "2025-12-31", "Dr 2710 500.00 / Cr 3011 500.00")
		post(t, c, "2026-01-01", "Dr 2410 121.00 / Cr 5000 100.00 / Cr 4492 21.00")
		post(t, c, "2026-01-31", "Dr 2710 USD 130.00 = 121.00 / Cr 2410 USD 130.00 = 121.00")
		post(t, c, "2026-02-01", "Dr 6300 7.00 / Cr 2710 7.00")
		post(t, other, "2026-01-15", "Dr 2710 9.00 / Cr 3011 9.00")
		c.Read(t, func(ctx context.Context, r tenant.ReadTx) error {
			rows, err := ledger.TrialBalance(ctx, r, january.First(), january.Last())
			require.NoError(t, err)
			var got [][]string
			for _, row := range rows {
				got = append(got, []string{row.Code, row.Opening.String(), row.Debit.String(), row.Credit.String(), row.Closing.String()})
			}
			require.Equal(t, [][]string{
				{"2410", "0.00", "121.00", "121.00", "0.00"},
				{"2710", "500.00", "121.00", "0.00", "621.00"},
				{"3011", "-500.00", "0.00", "0.00", "-500.00"},
				{"4492", "0.00", "0.00", "21.00", "-21.00"},
				{"5000", "0.00", "0.00", "100.00", "-100.00"},
			}, got)
			_, err = ledger.TrialBalance(ctx, r, january.Last(), january.First())
			require.ErrorIs(t, err, apperr.ErrValidation)
			return nil
		})
	})
}

func TestBalance(t *testing.T) {
	t.Parallel()
	testkit.EachEngine(t, func(t *testing.T, e *testkit.Engine) {
		c := books(t, e)
		post(t, c, "2026-01-31", "Dr 2710 500.00 / Cr 3011 500.00")
		post(t, c, "2026-02-01", "Dr 6300 7.00 / Cr 2710 7.00")
		c.Read(t, func(ctx context.Context, r tenant.ReadTx) error {
			for day, want := range map[string]string{"2026-01-30": "0.00", "2026-01-31": "500.00", "2026-02-01": "493.00"} {
				balance, err := ledger.Balance(ctx, r, "2710", date.MustParse(day))
				require.NoError(t, err)
				require.Equal(t, want, balance.String(), day)
				require.Equal(t, "EUR", balance.Currency().Code())
			}
			_, err := ledger.Balance(ctx, r, "9999", january.First())
			require.ErrorIs(t, err, ledger.ErrUnknownAccount)
			return nil
		})
	})
}
