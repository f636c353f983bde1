package clock_test

import (
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/vienkart/vienkart/internal/clock"
)

// FuzzTime: an instant that is read is written so that it is read again as the same; all else is refused in few words.
func FuzzTime(f *testing.F) {
	for _, seed := range []string{
		"2026-01-31T08:00:00Z", "2026-01-31T10:00:00.123456789+02:00", "2026-02-29T00:00:00Z", "0000-01-01T00:00:00Z", "9999-12-31T23:59:59.999999999-23:59",
		"2026-01-31 08:00:00", "2026-01-31T08:00:60Z", "2026-01-31T08:00:00", "", "null",
	} {
		f.Add(seed)
	}
	f.Fuzz(func(t *testing.T, s string) {
		var at clock.Time
		if err := at.UnmarshalText([]byte(s)); err != nil {
			require.Less(t, len(err.Error()), 400)
			return
		}
		text, err := at.MarshalText()
		require.NoError(t, err)
		var again clock.Time
		require.NoError(t, again.UnmarshalText(text), "%q became %s", s, text)
		require.True(t, at.Equal(again.Time), "%q became %s", s, text)
		stored, err := at.Value()
		require.NoError(t, err)
		if stored != nil {
			require.NoError(t, again.Scan(stored))
			require.True(t, at.Equal(again.Time), "%q was stored as %v", s, stored)
		}
	})
}
