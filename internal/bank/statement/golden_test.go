package statement_test

import (
	"encoding/base64"
	"flag"
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/vienkart/vienkart/internal/bank/statement"
	"github.com/vienkart/vienkart/internal/money"
)

var update = flag.Bool("update", false, "rewrite the golden files")

// written puts statements into lines of text: what the golden files hold.
func written(statements []statement.Statement) string {
	var out strings.Builder
	balance := func(a *money.Amount) string {
		if a == nil {
			return "-"
		}
		return a.String() + " " + a.Currency().Code()
	}
	for _, s := range statements {
		fmt.Fprintf(&out, "statement %q of %q, %s to %s, %s to %s\n", s.ID, s.IBAN, s.From, s.To, balance(s.Opening), balance(s.Closing))
		for _, l := range s.Lines {
			fmt.Fprintf(&out, "  line %d: %s %s %s\n    from %q %q\n    text %q\n    reference %q, id %q, else %q\n", l.Number, l.Date, l.Amount,
				l.Amount.Currency(), l.CounterpartyName, l.CounterpartyIBAN, l.Description, l.Reference, l.ExternalID, l.AlternateID)
		}
	}
	return out.String()
}

func TestGolden(t *testing.T) {
	t.Parallel()
	inputs, err := filepath.Glob("testdata/*")
	require.NoError(t, err)
	for _, path := range inputs {
		if filepath.Ext(path) == ".golden" || filepath.Base(path) == "fuzz" {
			continue
		}
		t.Run(filepath.Base(path), func(t *testing.T) {
			t.Parallel()
			content, err := os.ReadFile(path)
			require.NoError(t, err)
			statements, err := statement.Parse(string(content), "", money.EUR)
			require.NoError(t, err)
			got := written(statements)
			if *update {
				require.NoError(t, os.WriteFile(path+".golden", []byte(got), 0o600))
			}
			want, err := os.ReadFile(path + ".golden")
			require.NoError(t, err)
			require.Equal(t, string(want), got)
			// The same bytes in base64 are the same file, and reading it again gives the same identities.
			again, err := statement.Parse(base64.StdEncoding.EncodeToString(content), "", money.EUR)
			require.NoError(t, err)
			require.Equal(t, statements, again)
			requireDistinct(t, statements)
		})
	}
}

// requireDistinct checks that no two lines of a file share an identity.
func requireDistinct(t testing.TB, statements []statement.Statement) {
	t.Helper()
	seen := map[string]bool{}
	for _, s := range statements {
		for _, l := range s.Lines {
			require.NotEmpty(t, l.AlternateID)
			require.False(t, l.Amount.IsZero())
			for _, id := range []string{l.AlternateID, l.ExternalID + " as reference"} {
				if id == " as reference" {
					continue
				}
				if strings.HasSuffix(id, " as reference") {
					id += l.Date.String() + l.Amount.String() + l.Amount.Currency().Code()
				}
				require.False(t, seen[id], id)
				seen[id] = true
			}
		}
	}
}
