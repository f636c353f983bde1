package export

import (
	"encoding/csv"
	"strings"
	"testing"
	"unicode/utf8"

	"github.com/stretchr/testify/require"

	"github.com/vienkart/vienkart/internal/testkit"
)

// FuzzHarmless: no cell of a CSV file runs, whichever separator the spreadsheet expects, and nothing but apostrophes is added.
func FuzzHarmless(f *testing.F) {
	for _, seed := range []string{
		"=1+1", "a;=1+1", "a\t=1", "a\r\n=1", "＝1", "-5", "-5+cmd|' /C calc'!A0", `";"=1`, `a;""=1`, "\u200b=1", "a;\u00a0=1", "\x00", "", "'=1", "\u2028=1",
	} {
		f.Add(seed)
	}
	f.Fuzz(func(t *testing.T, text string) {
		if !utf8.ValidString(text) {
			return // no text of ours is such
		}
		safe := Harmless(text)
		require.Equal(t, strings.ReplaceAll(text, "'", ""), strings.ReplaceAll(safe, "'", ""))
		require.Equal(t, safe, Harmless(safe))
		var b strings.Builder
		w := csv.NewWriter(&b)
		require.NoError(t, w.Write([]string{"x", safe, "y"}))
		w.Flush()
		require.GreaterOrEqual(t, testkit.RequireNoFormula(t, b.String()), 5)
	})
}
