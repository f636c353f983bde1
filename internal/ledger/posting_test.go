package ledger_test

import (
	"context"
	"fmt"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"
	"pgregory.net/rapid"

	"github.com/vienkart/vienkart/internal/apperr"
	"github.com/vienkart/vienkart/internal/ledger"
	"github.com/vienkart/vienkart/internal/money"
	"github.com/vienkart/vienkart/internal/tenant"
	"github.com/vienkart/vienkart/internal/testkit"
)

func TestPost(t *testing.T) {
	t.Parallel()
	testkit.EachEngine(t, func(t *testing.T, e *testkit.Engine) {
		t.Run("LinesAreStoredAsGiven", func(t *testing.T) {
			t.Parallel()
			c := books(t, e)
			const sale = "Dr 2410 121.00 / Cr 5000 100.00 / Cr 4492 21.00"
			require.Equal(t, sale, entries(t, c, post(t, c, "2026-01-15", sale).ID))
			require.Equal(t, map[string]string{"2410": "121.00", "5000": "-100.00", "4492": "-21.00"}, balances(t, c))
		})
		t.Run("ZeroLinesAreLeftOut", func(t *testing.T) {
			t.Parallel()
			c := books(t, e)
			posted := post(t, c, "2026-01-15", "Dr 2710 5.00 / Cr 4492 0.00 / Cr 2720 5.00")
			require.Equal(t, "Dr 2710 5.00 / Cr 2720 5.00", entries(t, c, posted.ID))
		})
		t.Run("TenthsAddUpExactly", func(t *testing.T) {
			t.Parallel()
			c := books(t, e)
			post(t, c, "2026-01-15", "Dr 6300 0.1 / Dr 6301 0.2 / Cr 2710 0.3")
		})
		t.Run("ExchangeDifferenceIsALineInTheBaseCurrency", func(t *testing.T) {
			t.Parallel()
			c := books(t, e)
			const settled = "Dr 2710 USD 100.00 = 95.00 / Cr 2410 USD 100.00 = 90.00 / Cr 5800 5.00"
			require.Equal(t, settled, entries(t, c, post(t, c, "2026-01-20", settled).ID))
		})
		t.Run("FiveHundredLinesFit", func(t *testing.T) {
			t.Parallel()
			c := books(t, e)
			table := "Cr 2710 4.99" + strings.Repeat(" / Dr 6300 0.01", 499)
			require.Equal(t, table, entries(t, c, post(t, c, "2026-01-21", table).ID))
		})
		t.Run("DescriptionsAreCutToTheColumn", func(t *testing.T) {
			t.Parallel()
			c := books(t, e)
			p := posting(t, "2026-01-15", "Dr 2710 5.00 / Cr 2720 5.00")
			p.Description, p.Lines[0].Description = strings.Repeat("ž", 600), strings.Repeat("š", 1000)
			posted, err := try(t, c, p)
			require.NoError(t, err)
			require.Equal(t, strings.Repeat("ž", 500), *posted.Description)
		})
	})
}

func TestPostRefuses(t *testing.T) {
	t.Parallel()
	testkit.EachEngine(t, func(t *testing.T, e *testkit.Engine) {
		c := books(t, e)
		post(t, c, "2026-01-15", "Dr 2410 121.00 / Cr 5000 100.00 / Cr 4492 21.00")
		before := balances(t, c)
		transactions, lines := rows(t, c)

		for name, test := range map[string]struct {
			table string
			code  *apperr.Code
		}{
			"OneCentOff":            {"Dr 2410 121.00 / Cr 5000 100.00 / Cr 4492 20.99", ledger.ErrUnbalanced},
			"UnbalancedPerCurrency": {"Dr 2710 USD 100.00 = 90.00 / Cr 2410 90.00", ledger.ErrUnbalanced},
			"TwoCurrenciesCrossed":  {"Dr 2710 USD 100.00 = 90.00 / Cr 2410 GBP 80.00 = 90.00", ledger.ErrUnbalanced},
			"UnbalancedInBaseOnly":  {"Dr 2710 USD 100.00 = 90.00 / Cr 2410 USD 100.00 = 89.00", ledger.ErrUnbalanced},
			"OneLine":               {"Dr 2410 1.00", ledger.ErrInvalidPosting},
			"OneLineWithAnAmount":   {"Dr 2410 1.00 / Cr 5000 0.00", ledger.ErrInvalidPosting},
			"NegativeAmounts":       {"Dr 2410 -1.00 / Cr 5000 -1.00", ledger.ErrInvalidPosting},
			"TooManyLines":          {"Cr 2710 5.00" + strings.Repeat(" / Dr 6300 0.01", 500), ledger.ErrInvalidPosting},
			"UnknownAccount":        {"Dr 2410 1.00 / Cr 9999 1.00", ledger.ErrUnknownAccount},
			"Heading":               {"Dr 24 1.00 / Cr 5000 1.00", ledger.ErrNotPostable},
		} {
			_, err := try(t, c, posting(t, "2026-01-15", test.table))
			require.ErrorIs(t, err, test.code, name)
		}

		both := posting(t, "2026-01-15", "Dr 2410 1.00 / Cr 5000 1.00")
		both.Lines[0].Credit = both.Lines[0].Debit
		_, err := try(t, c, both)
		require.ErrorIs(t, err, ledger.ErrInvalidPosting)

		contradicting := posting(t, "2026-01-15", "Dr 2410 1.00 / Cr 5000 1.00")
		contradicting.Lines[0].BaseDebit = amount(t, "2.00", money.EUR)
		_, err = try(t, c, contradicting)
		require.ErrorIs(t, err, ledger.ErrInvalidPosting, "a base amount that contradicts the amount")

		withoutRate := posting(t, "2026-01-15", "Dr 2710 USD 1.00 = 0.90 / Cr 2410 USD 1.00 = 0.90")
		withoutRate.Lines[0].BaseDebit = money.Amount{}
		_, err = try(t, c, withoutRate)
		require.ErrorContains(t, err, "needs its amount in EUR")

		require.Equal(t, before, balances(t, c))
		afterTransactions, afterLines := rows(t, c)
		require.Equal(t, []int64{transactions, lines}, []int64{afterTransactions, afterLines})
	})
}

func TestUnbalancedNamesTheDifference(t *testing.T) {
	t.Parallel()
	c := books(t, testkit.SQLite(t))
	_, err := try(t, c, posting(t, "2026-01-15", "Dr 2710 USD 100.00 = 90.00 / Cr 2410 90.00"))
	refusal := refusalOf(t, err)
	require.Equal(t, map[string]any{"difference": map[string]string{"USD": "100.00"}}, refusal.Details())
	require.Contains(t, refusal.Message(), "100.00 USD")
}

func TestAnotherCompanysAccount(t *testing.T) {
	t.Parallel()
	testkit.EachEngine(t, func(t *testing.T, e *testkit.Engine) {
		mine, theirs := books(t, e), books(t, e)
		var own *ledger.Account
		theirs.Mutate(t, func(ctx context.Context, tx tenant.Tx) (err error) {
			own, err = ledger.CreateAccount(ctx, tx, ledger.CreateAccountInput{Code: "7777", Name: "Theirs", Type: ledger.AccountAsset})
			return err
		})

		_, err := try(t, mine, posting(t, "2026-01-15", "Dr 7777 1.00 / Cr 5000 1.00"))
		require.ErrorIs(t, err, ledger.ErrUnknownAccount)

		posted := post(t, mine, "2026-01-15", "Dr 2410 1.00 / Cr 5000 1.00")
		err = mine.TryMutate(t.Context(), func(ctx context.Context, tx tenant.Tx) error {
			return tenant.Insert(ctx, tx, &ledger.Entry{
				TransactionID: posted.ID, LineNo: 3, TransactionDate: posted.TransactionDate, AccountID: own.ID,
				Currency: money.EUR, DebitMinor: 100, BaseDebitMinor: 100,
			})
		})
		require.Error(t, err, "the database itself refuses a line on another company's account")
		require.Contains(t, strings.ToLower(err.Error()), "foreign key")
		require.Equal(t, map[string]string{"2410": "1.00", "5000": "-1.00"}, balances(t, mine))
		require.Empty(t, balances(t, theirs))
	})
}

func TestJournalIsImmutable(t *testing.T) {
	t.Parallel()
	testkit.EachEngine(t, func(t *testing.T, e *testkit.Engine) {
		c := books(t, e)
		post(t, c, "2026-01-15", "Dr 2410 121.00 / Cr 5000 100.00 / Cr 4492 21.00")
		before := balances(t, c)
		for _, statement := range []string{
			"UPDATE journal_transactions SET transaction_date = '2026-02-01'",
			"UPDATE journal_entries SET base_debit_minor = base_debit_minor + 1",
			"DELETE FROM journal_entries",
			"DELETE FROM journal_transactions",
		} {
			_, err := e.DB.Writer().ExecContext(t.Context(), statement)
			require.ErrorContains(t, err, map[string]string{"SQLite": "append-only", "MySQL": "denied"}[e.Name], statement)
		}
		require.Equal(t, before, balances(t, c))
	})
}

func TestAnyBalancedPostingKeepsTheBooksBalanced(t *testing.T) {
	t.Parallel()
	c := books(t, testkit.SQLite(t))
	codes := []string{"2410", "2710", "5000", "4492", "6300", "4430"}
	rapid.Check(t, func(r *rapid.T) {
		p := ledger.Posting{Date: year[0].AddDays(rapid.IntRange(0, 364).Draw(r, "day"))}
		for i, currency := range rapid.SliceOfN(rapid.SampledFrom([]string{"EUR", "USD", "JPY", "KWD"}), 1, 3).Draw(r, "currencies") {
			p.Lines = append(p.Lines, balancedLines(r, money.MustCurrency(currency), codes, fmt.Sprint(i))...)
		}
		err := c.TryMutate(t.Context(), func(ctx context.Context, tx tenant.Tx) error {
			_, err := ledger.Post(ctx, tx, p)
			return err
		})
		require.NoError(r, err)
		balances(t, c)
	})
}

// balancedLines splits one debit over credits, in minor units of the currency and of the euro alike.
func balancedLines(r *rapid.T, c money.Currency, codes []string, label string) []ledger.Line {
	parts := rapid.SliceOfN(rapid.Int64Range(1, 1_000_000), 1, 4).Draw(r, "parts"+label)
	var total, baseTotal int64
	lines := []ledger.Line{{}}
	for _, part := range parts {
		base := part * 9 / 10
		total, baseTotal = total+part, baseTotal+base
		line := ledger.Line{AccountCode: rapid.SampledFrom(codes).Draw(r, "credit"+label), Credit: money.New(part, c)}
		if c != money.EUR {
			line.BaseCredit = money.New(base, money.EUR)
		}
		lines = append(lines, line)
	}
	lines[0] = ledger.Line{AccountCode: rapid.SampledFrom(codes).Draw(r, "debit"+label), Debit: money.New(total, c)}
	if c != money.EUR {
		lines[0].BaseDebit = money.New(baseTotal, money.EUR)
	}
	return lines
}
