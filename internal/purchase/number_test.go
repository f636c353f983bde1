package purchase

import (
	"strings"
	"testing"

	"github.com/stretchr/testify/require"
	"pgregory.net/rapid"
)

func TestNormalized(t *testing.T) {
	t.Parallel()
	for name, example := range map[string]struct {
		a, b string
		same bool
	}{
		"TrailingBlank":       {"3411", "3411 ", true},
		"LeadingTab":          {"3411", "\t3411", true},
		"InnerBlanksCollapse": {"SF 3411", "SF \u00a0 3411", true},
		"InnerBlankCounts":    {"SF3411", "SF 3411", false},
		"Case":                {"sf-3411a", "SF-3411A", true},
		"LithuanianCase":      {"Žąsis 1", "ŽĄSIS 1", true},
		"KelvinSign":          {"K1", "\u212a1", true},
		"LongS":               {"s1", "\u017f1", true},
		"ZeroWidthSpace":      {"3411", "34\u200b11", true},
		"LeadingZerosCount":   {"3411", "003411", false},
		"SignsCount":          {"SF-3411", "SF/3411", false},
		"SharpSIsNoDoubleS":   {"ß1", "ss1", false},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			require.Equal(t, example.same, normalized(example.a) == normalized(example.b))
		})
	}
}

func TestNormalizedIsStable(t *testing.T) {
	t.Parallel()
	rapid.Check(t, func(t *rapid.T) {
		number := rapid.String().Draw(t, "number")
		once := normalized(number)
		require.Equal(t, once, normalized(once))
		require.Equal(t, once, normalized(printed(number)))
		require.Equal(t, once, normalized(" "+number+"\n"))
	})
}

func TestPrinted(t *testing.T) {
	t.Parallel()
	require.Equal(t, "Sf 3411 b", printed("\u200b Sf  3411\tb "))
}

func TestSimilarKey(t *testing.T) {
	t.Parallel()
	for a, b := range map[string]string{
		"003411": "3411", "SF-00012": "SF12", "A1/002": "a1-002", "2026 0007": "20260007",
	} {
		require.Equal(t, similarKey(normalized(a)), similarKey(normalized(b)), a)
	}
	require.NotEqual(t, similarKey("100"), similarKey("1"), "zeros at the end count")
	require.NotEqual(t, similarKey("A10"), similarKey("A01"))
}

func TestCheckNumber(t *testing.T) {
	t.Parallel()
	for _, placeholder := range []string{"", " ", "-", "NA", "N/A", "ND", "none", "be numerio", "0", "000", "0-0", "SĄSKAITA", strings.Repeat("1", 71)} {
		require.ErrorIs(t, checkNumber(placeholder), ErrNumber, placeholder)
	}
	for _, number := range []string{"1", "3411", "003411", "SF 1", "A0", "10", " 7 ", strings.Repeat("9", 70)} {
		require.NoError(t, checkNumber(number), number)
	}
}
