package pain_test

import (
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/vienkart/vienkart/internal/bank/pain"
)

// FuzzLatin: whatever a partner is called, the file has only what every bank takes, and writing it twice changes nothing.
func FuzzLatin(f *testing.F) {
	for _, seed := range []string{"UAB „Ąžuolas“ & Ko", "Straße 5_6", "日本語", "a\u0301\r\n\tb", "<Ccy>&amp;\x00", "\u202eabc", "", "ﬀ½"} {
		f.Add(seed)
	}
	f.Fuzz(func(t *testing.T, s string) {
		out := pain.Latin(s)
		require.Regexp(t, `^[A-Za-z0-9/\-?:().,'+ ]*$`, out)
		require.NotContains(t, out, "  ")
		require.Equal(t, out, pain.Latin(out))
	})
}
