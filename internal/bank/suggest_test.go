package bank_test

import (
	"context"
	"fmt"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/vienkart/vienkart/internal/bank"
	"github.com/vienkart/vienkart/internal/ledger"
	"github.com/vienkart/vienkart/internal/tenant"
	"github.com/vienkart/vienkart/internal/testkit"
)

func (d *desk) suggestions(t *testing.T, transaction tenant.ID, limit int) []string {
	t.Helper()
	list := []string{}
	d.Read(t, func(ctx context.Context, r tenant.ReadTx) error {
		found, err := bank.Suggest(ctx, r, transaction, limit)
		require.NoError(t, err)
		for _, s := range found {
			require.Positive(t, s.Score)
			require.LessOrEqual(t, s.Score, 100)
			require.NotEmpty(t, s.Reasons)
			list = append(list, fmt.Sprintf("%s %d", s.Item.DocumentNumber, s.Score))
		}
		return nil
	})
	return list
}

func TestSuggest(t *testing.T) {
	t.Parallel()
	testkit.EachEngine(t, func(t *testing.T, e *testkit.Engine) {
		d := newDesk(t, e)
		alfa, beta := d.partner(t, "UAB „Ąžuolo Alfa“"), d.partner(t, "UAB Beta")
		owe := func(number, amount, due string, customer tenant.ID) tenant.ID {
			return d.owe(t, debt{kind: ledger.ItemReceivable, document: bank.SaleInvoice, number: number, amount: amount, partner: customer, due: due})
		}
		exact := owe("SF26000017", "121.00", "2026-03-05", alfa)
		owe("SF2600001", "121.00", "2026-06-01", beta)
		owe("SF26000018", "50.00", "2026-03-05", alfa)
		owe("SF26000019", "70.00", "2026-03-05", beta)
		owe("SF26000020", "USD 121.00 = 100.00", "2026-03-05", alfa)
		settled := owe("SF26000021", "121.00", "2026-03-05", alfa)
		d.bill(t, "T-1", "121.00", alfa)
		iban := func(l *bank.ImportLine) { l.CounterpartyIBAN = "LT60 7300 0100 0000 0001" }
		_, err := d.match(t, d.paid(t, d.account, line("2026-03-05", "121", iban)), bank.SaleInvoice, settled)
		require.NoError(t, err)

		transaction := d.paid(t, d.account, line("2026-03-06", "121", func(l *bank.ImportLine) {
			l.CounterpartyName, l.Description = "AZUOLO ALFA, UAB", "Uz SF26000017 pagal sutarti"
		}))
		want := []string{"SF26000017 100", "SF2600001 50", "SF26000018 30"}
		require.Equal(t, want, d.suggestions(t, transaction, 0))
		require.Equal(t, want[:1], d.suggestions(t, transaction, 1))
		known := d.paid(t, d.account, line("2026-03-06", "1", iban))
		require.Equal(t, []string{"SF26000017 40", "SF26000018 40"}, d.suggestions(t, known, 0), "the account is known")
		out := d.paid(t, d.account, line("2026-03-06", "-121"))
		require.Equal(t, []string{"T-1 60"}, d.suggestions(t, out, 0))
		nothing := d.paid(t, d.account, line("2026-03-06", "7"))
		require.Empty(t, d.suggestions(t, nothing, 0), "a near due date alone is no reason")
		_, err = d.match(t, transaction, bank.SaleInvoice, exact)
		require.NoError(t, err)
		require.Empty(t, d.suggestions(t, transaction, 0), "a matched transaction needs none")
		d.requireSound(t)
	})
}
