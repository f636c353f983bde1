package purchase

import (
	"strings"
	"testing"
	"unicode"
	"unicode/utf8"

	"github.com/stretchr/testify/require"
)

// FuzzNumber: the form by which duplicates are found does not change again, and no case, blank or invisible mark hides a duplicate.
func FuzzNumber(f *testing.F) {
	for _, seed := range []string{"SF 3411", " sf\u00a03411\t", "KD-08736", "İ1", "ẞ9", "\u212a1", "\u200b3411", "000", "ND", "ſf1", "\xff1", ""} {
		f.Add(seed)
	}
	f.Fuzz(func(t *testing.T, s string) {
		if !utf8.ValidString(s) {
			return // no JSON text is such
		}
		n := normalized(s)
		require.Equal(t, n, normalized(n), "normal form of the normal form")
		require.Equal(t, printed(s), printed(printed(s)))
		require.Equal(t, n, normalized("\u200b "+s+"\u00a0"))
		require.Equal(t, n, normalized(strings.Map(unicode.SimpleFold, s)), "letter case counts")
		require.Equal(t, similarKey(n), similarKey(similarKey(n)))
		if err := checkNumber(s); err != nil {
			require.ErrorIs(t, err, ErrNumber)
			return
		}
		require.LessOrEqual(t, utf8.RuneCountInString(printed(s)), maxNumber)
		require.NotEmpty(t, similarKey(n))
	})
}
