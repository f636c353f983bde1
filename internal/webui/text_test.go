package webui

import (
	"io/fs"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/vienkart/vienkart/internal/money"
	"github.com/vienkart/vienkart/web"
)

func TestPlainDecimal(t *testing.T) {
	t.Parallel()
	for typed, sent := range map[string]string{
		"1234.56": "1234.56", "1 234,56": "1234.56", "1\u00a0234,56": "1234.56", "1,234.56": "1234.56", "0,5": "0.5", "\u22125": "-5",
		"1,234,567": "1,234,567", "abc": "abc",
	} {
		require.Equal(t, sent, plainDecimal(typed), typed)
	}
}

func TestHarmless(t *testing.T) {
	t.Parallel()
	for text, written := range map[string]string{
		"=1+1": "'=1+1", "+37060000000": "'+37060000000", "-5": "'-5", "@SUM(A1)": "'@SUM(A1)", "\t=1": "'\t'=1", "a;=1": "a;'=1", "\uff1d1": "'\uff1d1",
		"UAB Ąžuolas": "UAB Ąžuolas", "": "",
	} {
		require.Equal(t, written, harmless(text, cellText), text)
	}
	require.Equal(t, "-5.00", harmless("-5.00", cellMoney))
	require.Equal(t, "'-5+cmd|' /C calc'!A0", harmless("-5+cmd|' /C calc'!A0", cellMoney))
}

func TestAmount(t *testing.T) {
	t.Parallel()
	all, err := loadLanguages(web.Files)
	require.NoError(t, err)
	for language, written := range map[string][]string{
		"en": {"0.00", "999.99", "1,234,567.80", "\u22121,000.00", "12"},
		"lt": {"0,00", "999,99", "1\u00a0234\u00a0567,80", "\u22121\u00a0000,00", "12"},
	} {
		for i, amount := range []string{"0.00", "999.99", "1234567.80", "-1000.00", "12"} {
			for _, l := range all {
				if l.Tag == language {
					require.Equal(t, written[i], l.amount(amount))
				}
			}
		}
	}
}

func TestLocalPath(t *testing.T) {
	t.Parallel()
	for given, to := range map[string]string{
		"/ui/invoices?a=b": "/ui/invoices?a=b", "": "/ui/", "https://evil.example": "/ui/", "//evil.example/ui/": "/ui/",
		"/ui/\\evil": "/ui/", "/ui/\r\nX: y": "/ui/", "/v1/": "/ui/", "/ui/../v1/": "/ui/", "/ui/%2e%2e/docs": "/ui/", "/ui/a/../b": "/ui/a/../b", "/ui": "/ui/",
	} {
		require.Equal(t, to, localPath(given), given)
	}
}

func TestHabits(t *testing.T) {
	t.Parallel()
	for name, example := range map[string]struct {
		rows  []record
		found []string
	}{
		"NewKeyPerAttempt": {
			[]record{{"key": "a", "existingId": "1", "reason": "duplicate"}, {"key": "b", "existingId": "1", "reason": "duplicate"}},
			[]string{"hints.newKeyPerAttempt"},
		},
		"OneKeyPerDocumentIsFine": {
			[]record{{"key": "a", "existingId": "1", "reason": "duplicate"}, {"key": "b", "existingId": "2", "reason": "duplicate"}}, nil,
		},
		"UnixTime":      {[]record{{"key": "1767225600"}}, []string{"hints.moment"}},
		"CalendarTime":  {[]record{{"key": "2026-01-05T10:00:00"}}, []string{"hints.moment"}},
		"Digest":        {[]record{{"key": "9f86d081884c7d659a2feaa0c55ad015a3bf4f1b2b0b822cd15d6c15b0f00a08"}}, []string{"hints.digest"}},
		"RandomIsFine":  {[]record{{"key": "0198c0de-1111-7000-8000-000000000000"}}, nil},
		"NoKey":         {[]record{{"existingId": "1"}}, []string{"hints.noKey"}},
		"ReusedOnce":    {[]record{{"key": "a", "reason": "key_reuse"}}, nil},
		"ReusedOften":   {[]record{{"key": "a", "reason": "key_reuse"}, {"key": "b", "reason": "key_reuse"}}, []string{"hints.reuse"}},
		"SentManyTimes": {[]record{{"key": "a", "occurrences": "5"}}, []string{"hints.stubborn"}},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			h := habits{keysOf: map[string]map[string]bool{}}
			for _, r := range example.rows {
				h.note(r)
			}
			require.Equal(t, example.found, h.found())
		})
	}
}

func TestPrintJSON(t *testing.T) {
	t.Parallel()
	body := map[string]any{"b/c": []any{"x", map[string]any{"n": "1"}}, "a": "<i>"}
	var lines []string
	for _, l := range printJSON(body, "", "", 0, false, map[string]bool{"/b~1c/1": true}) {
		mark := "  "
		if l.Marked {
			mark = "! "
		}
		lines = append(lines, mark+l.Text)
	}
	require.Equal(t, []string{
		"  {", `    "a": "<i>"`, `    "b/c": [`, `      "x"`, "!     {", `!       "n": "1"`, "!     }", "    ]", "  }",
	}, lines)
}

func TestBars(t *testing.T) {
	t.Parallel()
	svg := string(bars([]string{"<x>"}, []series{{"VAT", []money.Decimal{money.MustDecimal("-5")}}}, 1))
	require.Contains(t, svg, "&lt;x&gt;")
	require.NotContains(t, svg, "style=")
	require.NotContains(t, svg, `height="-`)
	require.Contains(t, string(bars([]string{"x"}, []series{{"VAT", []money.Decimal{{}}}}, 1)), `y1="162" y2="162"`, "nothing stands on the ground")
}

func TestDocumentURL(t *testing.T) {
	t.Parallel()
	require.Equal(t, "/ui/purchases/7", documentURL(documentOf("/v1/purchases/invoices/create"), "7"))
	require.Equal(t, "/ui/periods", documentURL("ledger_period", "7"))
	require.Empty(t, documentURL("something_else", "7"))
	require.Empty(t, documentURL("sale_invoice", ""))
}

// TestTemplatesAreClosed keeps what only a page could get wrong out of the templates.
func TestTemplatesAreClosed(t *testing.T) {
	t.Parallel()
	names, err := fs.Glob(web.Files, "templates/*.html")
	require.NoError(t, err)
	require.NotEmpty(t, names)
	for _, name := range names {
		b, err := fs.ReadFile(web.Files, name)
		require.NoError(t, err)
		require.NotContains(t, string(b), "http://", name)
		require.NotContains(t, string(b), "https://", name)
	}
}
