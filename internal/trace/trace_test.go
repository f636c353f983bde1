package trace_test

import (
	"bytes"
	"log/slog"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/vienkart/vienkart/internal/trace"
)

const id = "4bf92f3577b34da6a3ce929d0e0e4736"

func TestParse(t *testing.T) {
	t.Parallel()
	for name, example := range map[string]struct {
		header string
		ok     bool
	}{
		"Version00IsRead":                  {"00-" + id + "-00f067aa0ba902b7-01", true},
		"LaterVersionIsRead":               {"01-" + id + "-00f067aa0ba902b7-01", true},
		"LaterVersionMayBeLonger":          {"01-" + id + "-00f067aa0ba902b7-01-what-is-new", true},
		"Version00MayNotBeLonger":          {"00-" + id + "-00f067aa0ba902b7-01-more", false},
		"VersionFFIsRefused":               {"ff-" + id + "-00f067aa0ba902b7-01", false},
		"UpperCaseIsRefused":               {"00-4BF92F3577B34DA6A3CE929D0E0E4736-00f067aa0ba902b7-01", false},
		"TraceOfZerosIsRefused":            {"00-00000000000000000000000000000000-00f067aa0ba902b7-01", false},
		"ParentOfZerosIsRefused":           {"00-" + id + "-0000000000000000-01", false},
		"ShortTraceIsRefused":              {"00-4bf92f35-00f067aa0ba902b7-01", false},
		"MissingFlagsAreRefused":           {"00-" + id + "-00f067aa0ba902b7", false},
		"LineBreakIsRefused":               {"00-4bf92f3577b34da6a3ce929d0e0e473\n-00f067aa0ba902b7-01", false},
		"EmptyIsRefused":                   {"", false},
		"SomethingElseOfSizeIsRefused":     {"00-zzf92f3577b34da6a3ce929d0e0e4736-00f067aa0ba902b7-01", false},
		"DashesAloneAreRefused":            {"---", false},
		"FlagsThatAreNoNumbersAreRefused":  {"00-" + id + "-00f067aa0ba902b7-0x", false},
		"LaterVersionNeedsTheseFourAsWell": {"01-" + id, false},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			got, ok := trace.Parse(example.header)
			require.Equal(t, example.ok, ok)
			if ok {
				require.Equal(t, id, got)
			}
		})
	}
}

func TestHandler(t *testing.T) {
	t.Parallel()
	valid := "00-" + id + "-00f067aa0ba902b7-01"
	for name, example := range map[string]struct {
		headers []string
		want    string
	}{
		"TraceIsLogged":      {[]string{valid}, "level=ERROR msg=m server=a b=c traceId=" + id + "\n"},
		"NoneLogsNothing":    {nil, "level=ERROR msg=m server=a b=c\n"},
		"BadOneLogsNothing":  {[]string{"00-x"}, "level=ERROR msg=m server=a b=c\n"},
		"TwoAreAsBadAsNone":  {[]string{valid, valid}, "level=ERROR msg=m server=a b=c\n"},
		"CallersWordIsNoLog": {[]string{valid + " evil=1"}, "level=ERROR msg=m server=a b=c\n"},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			var b bytes.Buffer
			text := slog.NewTextHandler(&b, &slog.HandlerOptions{ReplaceAttr: func(_ []string, a slog.Attr) slog.Attr {
				if a.Key == slog.TimeKey {
					return slog.Attr{}
				}
				return a
			}})
			slog.New(trace.NewHandler(text)).With("server", "a").ErrorContext(trace.With(t.Context(), example.headers), "m", "b", "c")
			require.Equal(t, example.want, b.String())
		})
	}
}
