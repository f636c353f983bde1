package statement_test

import (
	"errors"
	"os"
	"path/filepath"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/vienkart/vienkart/internal/bank/statement"
	"github.com/vienkart/vienkart/internal/money"
)

// fuzz feeds anything to one format: it is read into distinct lines that add up, or refused with a Fault, and reading it
// again gives the same.
func fuzz(f *testing.F, format statement.Format, pattern string) {
	f.Helper()
	paths, err := filepath.Glob("testdata/" + pattern)
	require.NoError(f, err)
	require.NotEmpty(f, paths)
	for _, path := range paths {
		content, err := os.ReadFile(path)
		require.NoError(f, err)
		f.Add(string(content))
	}
	f.Add(mt940("C240131EUR99,00", ":61:240131D1,00NMSCNONREF", ":86:020~00VE02~20A~32B"))
	f.Add(camt(camtEntry("1.00", "EUR", "DBIT", "<RvslInd>true</RvslInd>")))
	f.Add(stripeHead + "txn_1,2024-01-31,eur,\"1,000.00\",(0.10),1000.10\n")
	f.Fuzz(func(t *testing.T, content string) {
		statements, err := statement.Parse(content, format, money.EUR)
		if err != nil {
			var fault *statement.Fault
			if !errors.As(err, &fault) {
				t.Fatalf("%T: %s", err, err)
			}
			return
		}
		requireDistinct(t, statements)
		for _, s := range statements {
			if s.Opening != nil && s.Closing != nil && s.Opening.Currency() == s.Closing.Currency() {
				sum := *s.Opening
				for _, l := range s.Lines {
					sum = sum.Add(l.Amount)
				}
				require.Equal(t, *s.Closing, sum)
			}
		}
		again, err := statement.Parse(content, format, money.EUR)
		require.NoError(t, err)
		require.Equal(t, statements, again)
	})
}

func FuzzCAMT(f *testing.F) { fuzz(f, statement.CAMT053, "camt*.xml") }

func FuzzMT940(f *testing.F) { fuzz(f, statement.MT940, "*.sta") }

func FuzzStripe(f *testing.F) { fuzz(f, statement.StripeCSV, "*.csv") }
