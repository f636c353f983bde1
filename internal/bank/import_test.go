package bank_test

import (
	"context"
	"fmt"
	"os"
	"strings"
	"sync"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/vienkart/vienkart/internal/apperr"
	"github.com/vienkart/vienkart/internal/bank"
	"github.com/vienkart/vienkart/internal/money"
	"github.com/vienkart/vienkart/internal/tenant"
	"github.com/vienkart/vienkart/internal/testkit"
)

func (d *desk) load(t *testing.T, lines ...bank.ImportLine) (*bank.Imported, error) {
	t.Helper()
	var im *bank.Imported
	err := d.try(t, func(ctx context.Context, tx tenant.Tx) (err error) {
		im, err = bank.Import(ctx, tx, d.account, lines)
		return err
	})
	return im, err
}

func withID(id string) func(*bank.ImportLine) { return func(l *bank.ImportLine) { l.ExternalID = id } }

func TestImport(t *testing.T) {
	t.Parallel()
	testkit.EachEngine(t, func(t *testing.T, e *testkit.Engine) {
		t.Run("EqualLinesWithoutIdentityAreAllKept", func(t *testing.T) {
			t.Parallel()
			d := newDesk(t, e)
			for _, lines := range [][]bank.ImportLine{
				{line("2023-08-30", "-1.50")}, {line("2023-09-01", "-1.50"), line("2023-09-01", "-1.50")},
			} {
				im, err := d.load(t, lines...)
				require.NoError(t, err)
				require.Equal(t, len(lines), im.Imported)
			}
			require.Equal(t, 3, d.count(t))
			d.requireSound(t)
		})
		t.Run("KnownIdentityIsSkippedAndListed", func(t *testing.T) {
			t.Parallel()
			d := newDesk(t, e)
			first, err := d.load(t, line("2026-03-02", "10", withID("A")), line("2026-03-02", "10", withID(" A ")), line("2026-03-02", "5", withID("a")))
			require.NoError(t, err)
			require.Equal(t, 2, first.Imported)
			require.Equal(t, 1, first.Skipped)
			again, err := d.load(t, line("2026-03-09", "11", withID("A")), line("2026-03-02", "7", withID("B")))
			require.NoError(t, err)
			require.Equal(t, 1, again.Imported)
			require.Len(t, again.SkippedTransactions, 1)
			shown := again.SkippedTransactions[0]
			require.Equal(t, "A 2026-03-02 10.00", fmt.Sprintf("%s %s %s", shown.ExternalID, shown.Date, shown.Amount))
			require.Equal(t, first.SkippedTransactions[0].TransactionID, shown.TransactionID)
			d.requireSound(t)
		})
		t.Run("AllOrNothing", func(t *testing.T) {
			t.Parallel()
			d := newDesk(t, e)
			dollars := func(l *bank.ImportLine) { l.Currency = money.MustCurrency("USD") }
			for name, example := range map[string]struct {
				bad   bank.ImportLine
				code  *apperr.Code
				field string
			}{
				"ZeroAmount":     {line("2026-03-02", "0"), apperr.ErrValidation, "transactions.1.amount"},
				"TooPrecise":     {line("2026-03-02", "0.001"), apperr.ErrValidation, "transactions.1.amount"},
				"OtherCurrency":  {line("2026-03-02", "1", dollars), bank.ErrCurrency, "transactions.1.currency"},
				"TooManyToShow":  {line("2026-03-02", "0"), apperr.ErrValidation, "transactions.1.amount"},
				"LargeIsRefused": {line("2026-03-02", "999999999999"), nil, ""},
			} {
				_, err := d.load(t, line("2026-03-02", "1", withID("first")), example.bad)
				if example.code == nil {
					require.NoError(t, err, name)
					continue
				}
				require.ErrorIs(t, err, example.code, name)
				require.ErrorContains(t, err, "Nothing was imported", name)
			}
			require.Equal(t, 2, d.count(t), "only those of the good import")
		})
		t.Run("ThousandsOfLinesAtOnceAndTwice", func(t *testing.T) {
			t.Parallel()
			d := newDesk(t, e)
			lines := make([]bank.ImportLine, 1201)
			for i := range lines {
				lines[i] = line("2026-03-02", "1", withID(strings.Repeat("é", 200)+fmt.Sprint(i)))
			}
			im, err := d.load(t, lines...)
			require.NoError(t, err)
			require.Equal(t, len(lines), im.Imported)
			im, err = d.load(t, lines...)
			require.NoError(t, err)
			require.Equal(t, len(lines), im.Skipped)
			require.Less(t, len(im.SkippedTransactions), 200, "the answer stays small")
			require.NotEmpty(t, im.SkippedTransactions)
			require.Equal(t, len(lines), d.count(t))
		})
		t.Run("TwinsImportOnce", func(t *testing.T) {
			t.Parallel()
			d := newDesk(t, e)
			const twins = 8
			var wait sync.WaitGroup
			results, errs := make([]*bank.Imported, twins), make([]error, twins)
			for i := range twins {
				wait.Go(func() {
					results[i], errs[i] = d.load(t, line("2026-03-02", "1", withID("X")), line("2026-03-02", "2", withID("Y")))
				})
			}
			wait.Wait()
			imported := 0
			for i := range twins {
				require.NoError(t, errs[i])
				imported += results[i].Imported
				require.Equal(t, 2, results[i].Imported+results[i].Skipped)
			}
			require.Equal(t, 2, imported)
			require.Equal(t, 2, d.count(t))
		})
		t.Run("AnotherAccountAndAnotherCompanyAreTheirOwn", func(t *testing.T) {
			t.Parallel()
			d, other := newDesk(t, e), newDesk(t, e)
			_, err := d.load(t, line("2026-03-02", "1", withID("X")))
			require.NoError(t, err)
			im, err := other.load(t, line("2026-03-02", "1", withID("X")))
			require.NoError(t, err)
			require.Equal(t, 1, im.Imported)
			err = other.try(t, func(ctx context.Context, tx tenant.Tx) error {
				_, err := bank.Import(ctx, tx, d.account, []bank.ImportLine{line("2026-03-02", "1")})
				return err
			})
			require.ErrorIs(t, err, bank.ErrUnknownAccount)
		})
	})
}

func (d *desk) loadFile(t *testing.T, content string) (*bank.Imported, []bank.ImportedStatement, error) {
	t.Helper()
	var im *bank.Imported
	var statements []bank.ImportedStatement
	err := d.try(t, func(ctx context.Context, tx tenant.Tx) (err error) {
		im, statements, err = bank.ImportStatement(ctx, tx, d.account, "", content)
		return err
	})
	return im, statements, err
}

func TestImportStatement(t *testing.T) {
	t.Parallel()
	files := map[string]int{"swedbank.sta": 5, "camt02.xml": 7, "itemized.csv": 5, "spreadsheet.csv": 5}
	testkit.EachEngine(t, func(t *testing.T, e *testkit.Engine) {
		for name, lines := range files {
			t.Run(name+"IsImportedOnce", func(t *testing.T) {
				t.Parallel()
				d := newDesk(t, e)
				content, err := os.ReadFile("statement/testdata/" + name)
				require.NoError(t, err)
				im, statements, err := d.loadFile(t, string(content))
				require.NoError(t, err)
				require.Equal(t, lines, im.Imported)
				require.NotEmpty(t, statements)
				im, _, err = d.loadFile(t, string(content))
				require.NoError(t, err)
				require.Zero(t, im.Imported)
				require.Equal(t, lines, im.Skipped)
				require.Len(t, im.SkippedTransactions, lines, "every skipped line is shown with the one that holds it")
				for _, s := range im.SkippedTransactions {
					require.False(t, s.TransactionID.IsZero())
				}
				require.Equal(t, lines, d.count(t))
				d.requireSound(t)
			})
		}
		t.Run("OneReferenceOfTwoLinesLosesNone", func(t *testing.T) {
			t.Parallel()
			d := newDesk(t, e)
			const head = "balance_transaction_id,created,currency,gross\n"
			for _, step := range []struct {
				rows              string
				imported, skipped int
			}{
				{"R,2026-03-02,eur,10\n", 1, 0},
				{"R,2026-03-02,eur,10\nR,2026-03-02,eur,-0.40\n", 1, 1},
				{"R,2026-03-02,eur,-0.40\n", 0, 1},
				{"R,2026-03-03,eur,-0.40\nR,2026-03-02,eur,10\nR,2026-03-02,eur,10\n", 2, 1},
				{"R,2026-03-03,eur,-0.40\nR,2026-03-02,eur,10\nR,2026-03-02,eur,10\n", 0, 3},
			} {
				im, _, err := d.loadFile(t, head+step.rows)
				require.NoError(t, err)
				require.Equal(t, []int{step.imported, step.skipped}, []int{im.Imported, im.Skipped}, step.rows)
			}
		})
		t.Run("BadFileImportsNothing", func(t *testing.T) {
			t.Parallel()
			d := newDesk(t, e)
			_, _, err := d.loadFile(t, "balance_transaction_id,created,currency,gross\nA,2026-03-02,eur,10\nB,2026-03-02,eur,ten\n")
			require.ErrorIs(t, err, apperr.ErrValidation)
			require.ErrorContains(t, err, "line 3")
			_, _, err = d.loadFile(t, "balance_transaction_id,created,currency,gross\nA,2026-03-02,eur,10\nB,2026-03-02,usd,10\n")
			require.ErrorIs(t, err, bank.ErrCurrency)
			require.ErrorContains(t, err, "line 3")
			dutch, err := os.ReadFile("statement/testdata/dutch.sta")
			require.NoError(t, err)
			_, _, err = d.loadFile(t, string(dutch))
			require.ErrorIs(t, err, bank.ErrOtherAccount)
			yen, err := os.ReadFile("statement/testdata/camt08.xml")
			require.NoError(t, err)
			_, _, err = d.loadFile(t, string(yen))
			require.ErrorIs(t, err, bank.ErrCurrency)
			require.Zero(t, d.count(t))
		})
	})
}
