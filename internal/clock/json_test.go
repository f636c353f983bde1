package clock_test

import (
	stdjson "encoding/json"
	"testing"
	"time"

	"github.com/go-json-experiment/json"
	"github.com/stretchr/testify/require"

	"github.com/vienkart/vienkart/internal/clock"
)

func TestJSON(t *testing.T) {
	t.Parallel()
	const nanoseconds = `"2026-01-31T10:00:00.123456789+02:00"`
	want := clock.At(time.Date(2026, 1, 31, 8, 0, 0, 123_456_000, time.UTC))
	for name, unmarshal := range map[string]func([]byte, any) error{
		"Standard": stdjson.Unmarshal,
		"Ours":     func(b []byte, v any) error { return json.Unmarshal(b, v) },
	} {
		t.Run(name+"ReadsMicrosecondsInUTC", func(t *testing.T) {
			t.Parallel()
			var got clock.Time
			require.NoError(t, unmarshal([]byte(nanoseconds), &got))
			require.Equal(t, want, got)
		})
		t.Run(name+"ReadsNullAsZero", func(t *testing.T) {
			t.Parallel()
			got := want
			require.NoError(t, unmarshal([]byte("null"), &got))
			require.Zero(t, got)
		})
		t.Run(name+"RefusesANumberAndSaysWhatIsExpected", func(t *testing.T) {
			t.Parallel()
			var got clock.Time
			require.ErrorContains(t, unmarshal([]byte("20260131"), &got), "is not an RFC 3339 instant")
		})
	}
	t.Run("IsWrittenInUTC", func(t *testing.T) {
		t.Parallel()
		b, err := json.Marshal(clock.Time{Time: want.In(time.FixedZone("EET", 7200))})
		require.NoError(t, err)
		require.Equal(t, `"2026-01-31T08:00:00.123456Z"`, string(b))
	})
}
