package ledger_test

import (
	"context"
	"errors"
	"strings"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"github.com/vienkart/vienkart/internal/apperr"
	"github.com/vienkart/vienkart/internal/date"
	"github.com/vienkart/vienkart/internal/ledger"
	"github.com/vienkart/vienkart/internal/money"
	"github.com/vienkart/vienkart/internal/tenant"
	"github.com/vienkart/vienkart/internal/testkit"
)

// now is the moment at which every test happens.
var now = time.Date(2026, time.March, 10, 9, 0, 0, 0, time.UTC)

var (
	january  = date.Month{Year: 2026, Month: time.January}
	february = date.Month{Year: 2026, Month: time.February}
	march    = date.Month{Year: 2026, Month: time.March}
	year     = [2]date.Date{date.MustParse("2026-01-01"), date.MustParse("2026-12-31")}
)

// books opens a company with the chart of accounts of the template.
func books(t *testing.T, e *testkit.Engine) *testkit.Company {
	t.Helper()
	c := e.At(now).Company(t)
	c.Mutate(t, func(ctx context.Context, tx tenant.Tx) error {
		_, err := ledger.ApplyTemplate(ctx, tx)
		return err
	})
	return c
}

// posting reads lines such as "Dr 2410 121.00 / Cr 5000 100.00 / Cr 4492 21.00". An amount of another currency than the euro
// is written with its value in euro: "Dr 2710 USD 100.00 = 92.50".
func posting(t *testing.T, day, table string) ledger.Posting {
	t.Helper()
	p := ledger.Posting{Date: date.MustParse(day), Description: table}
	for text := range strings.SplitSeq(table, "/") {
		text, inEuro, _ := strings.Cut(text, "=")
		words := strings.Fields(text)
		line := ledger.Line{AccountCode: words[1]}
		currency, base := money.EUR, money.Amount{}
		if len(words) == 4 {
			currency = money.MustCurrency(words[2])
			base = amount(t, strings.TrimSpace(inEuro), money.EUR)
		}
		value := amount(t, words[len(words)-1], currency)
		switch words[0] {
		case "Dr":
			line.Debit, line.BaseDebit = value, base
		case "Cr":
			line.Credit, line.BaseCredit = value, base
		default:
			require.Fail(t, "a line begins with Dr or Cr", text)
		}
		p.Lines = append(p.Lines, line)
	}
	return p
}

func amount(t *testing.T, s string, c money.Currency) money.Amount {
	t.Helper()
	a, err := money.Parse(s, c)
	require.NoError(t, err)
	return a
}

// try posts and returns the refusal.
func try(t *testing.T, c *testkit.Company, p ledger.Posting) (*ledger.Transaction, error) {
	t.Helper()
	var posted *ledger.Transaction
	err := c.TryMutate(t.Context(), func(ctx context.Context, tx tenant.Tx) (err error) {
		posted, err = ledger.Post(ctx, tx, p)
		return err
	})
	return posted, err
}

func post(t *testing.T, c *testkit.Company, day, table string) *ledger.Transaction {
	t.Helper()
	posted, err := try(t, c, posting(t, day, table))
	require.NoError(t, err)
	return posted
}

func reverse(t *testing.T, c *testkit.Company, in ledger.Reversal) (*ledger.Transaction, error) {
	t.Helper()
	var mirror *ledger.Transaction
	err := c.TryMutate(t.Context(), func(ctx context.Context, tx tenant.Tx) (err error) {
		mirror, err = ledger.Reverse(ctx, tx, in)
		return err
	})
	return mirror, err
}

func lock(t *testing.T, c *testkit.Company, m date.Month) *ledger.Period {
	t.Helper()
	var locked *ledger.Period
	c.Mutate(t, func(ctx context.Context, tx tenant.Tx) (err error) {
		locked, err = ledger.Lock(ctx, tx, m)
		return err
	})
	return locked
}

// balances are the closing balances of all accounts at the end of the year, those at zero left out.
func balances(t *testing.T, c *testkit.Company) map[string]string {
	t.Helper()
	closing := map[string]string{}
	sum := money.Zero(money.EUR)
	c.Read(t, func(ctx context.Context, r tenant.ReadTx) error {
		rows, err := ledger.TrialBalance(ctx, r, year[0], year[1])
		require.NoError(t, err)
		for _, row := range rows {
			sum = sum.Add(row.Closing)
			if !row.Closing.IsZero() {
				closing[row.Code] = row.Closing.String()
			}
		}
		return nil
	})
	require.True(t, sum.IsZero(), "closing balances sum to zero")
	return closing
}

// entries renders a stored transaction as posting reads it, in the base currency.
func entries(t *testing.T, c *testkit.Company, id tenant.ID) string {
	t.Helper()
	var texts []string
	c.Read(t, func(ctx context.Context, r tenant.ReadTx) error {
		posted, err := ledger.GetTransaction(ctx, r, id)
		require.NoError(t, err)
		for _, e := range posted.Entries {
			side, minor, foreign := "Dr", e.BaseDebitMinor, e.DebitMinor
			if e.CreditMinor > 0 {
				side, minor, foreign = "Cr", e.BaseCreditMinor, e.CreditMinor
			}
			text := side + " " + e.AccountCode + " "
			if e.Currency != money.EUR {
				text += e.Currency.Code() + " " + money.New(foreign, e.Currency).String() + " = "
			}
			texts = append(texts, text+money.New(minor, money.EUR).String())
		}
		return nil
	})
	return strings.Join(texts, " / ")
}

// rows counts the journal of a company.
func rows(t *testing.T, c *testkit.Company) (transactions, lines int64) {
	t.Helper()
	c.Read(t, func(ctx context.Context, r tenant.ReadTx) (err error) {
		if transactions, err = tenant.Count[ledger.Transaction](ctx, r, ""); err != nil {
			return err
		}
		lines, err = tenant.Count[ledger.Entry](ctx, r, "")
		return err
	})
	return transactions, lines
}

func refusalOf(t *testing.T, err error) *apperr.Error {
	t.Helper()
	refusal, ok := errors.AsType[*apperr.Error](err)
	require.True(t, ok, "a refusal, not %v", err)
	return refusal
}
