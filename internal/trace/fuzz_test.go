package trace_test

import (
	"regexp"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/vienkart/vienkart/internal/trace"
)

// traceparent is the grammar of the standard, https://www.w3.org/TR/trace-context/#traceparent-header, version 00 and those to come.
var traceparent = regexp.MustCompile(`^(?:00-([0-9a-f]{32})-[0-9a-f]{16}-[0-9a-f]{2}|[0-9a-f]{2}-([0-9a-f]{32})-[0-9a-f]{16}-[0-9a-f]{2}(?:-.*)?)$`)

// FuzzParse: what is taken is of the grammar and reaches the log as 32 hexadecimal digits.
func FuzzParse(f *testing.F) {
	for _, seed := range []string{
		"00-" + id + "-00f067aa0ba902b7-01", "00-" + id + "-00f067aa0ba902b7-01-x", "cc-" + id + "-00f067aa0ba902b7-01-what the future brings",
		"ff-" + id + "-00f067aa0ba902b7-01", "00-" + strings.Repeat("0", 32) + "-00f067aa0ba902b7-01", "00-" + id + "-0000000000000000-01",
		"00-" + strings.ToUpper(id) + "-00f067aa0ba902b7-01", "00-" + id + "\n-00f067aa0ba902b7-01", "", "-", "----",
	} {
		f.Add(seed)
	}
	f.Fuzz(func(t *testing.T, header string) {
		found, ok := trace.Parse(header)
		if !ok {
			require.Empty(t, found)
			return
		}
		require.Regexp(t, `^[0-9a-f]{32}$`, found)
		require.NotEqual(t, strings.Repeat("0", 32), found)
		require.True(t, traceparent.MatchString(strings.ReplaceAll(header, "\n", "")), "%q", header)
		require.False(t, strings.HasPrefix(header, "ff"))
		require.Equal(t, found, header[3:35])
		require.Empty(t, trace.ID(trace.With(t.Context(), []string{header, header})), "two headers are as bad as none")
	})
}
