package idempotency

import (
	"strings"
	"testing"

	"github.com/stretchr/testify/require"
	"pgregory.net/rapid"
)

func TestKey(t *testing.T) {
	t.Parallel()
	accepted := []struct{ name, header, key string }{
		{"R02_OneCharacterIsAccepted", "a", "a"},
		{"R02_255CharactersAreAccepted", strings.Repeat("a", 255), strings.Repeat("a", 255)},
		{"R02_255CharactersOfFourBytesAreAccepted", strings.Repeat("😀", 255), strings.Repeat("😀", 255)},
		{"R02_255CharactersInQuotesAreAccepted", `"` + strings.Repeat("a", 255) + `"`, strings.Repeat("a", 255)},
		{"R02_255EscapedCharactersAreAccepted", `"` + strings.Repeat(`\"`, 255) + `"`, strings.Repeat(`"`, 255)},
		{"R03_QuotesAreNotPartOfTheKey", `"abc"`, "abc"},
		{"R03_EscapesInQuotesAreRead", `"a\"b\\c"`, `a"b\c`},
		{"R03_BackslashOfABareKeyStays", `a\"b\\c`, `a\"b\\c`},
		{"R03_QuoteInsideABareKeyStays", `a"b"`, `a"b"`},
		{"R03_ParameterOfABareKeyStays", `abc;x=1`, `abc;x=1`},
		{"R03_SpaceAroundTheHeaderIsDropped", " \tabc\t ", "abc"},
		{"R03_SpaceAroundTheQuotesIsDropped", " \t\"abc\"\t ", "abc"},
		{"R05_BlanksInQuotesStay", `" abc "`, " abc "},
		{"R05_BlanksInsideABareKeyStay", `a  b`, "a  b"},
		{"R05_CaseStays", "AbC", "AbC"},
		{"R05_NoBreakSpaceIsNotTrimmed", "abc\u00a0", "abc\u00a0"},
		{"R05_ComposedFormStays", "\u017e", "\u017e"},
		{"R05_DecomposedFormStays", "z\u030c", "z\u030c"},
	}
	for _, tt := range accepted {
		t.Run(tt.name, func(t *testing.T) {
			t.Parallel()
			key, present, err := ParseKey([]string{tt.header})
			require.NoError(t, err)
			require.True(t, present)
			require.False(t, key.IsZero())
			require.Equal(t, tt.key, key.String())
			require.Equal(t, []byte(tt.key), key.Bytes())
		})
	}
}

func TestKeyIsRefused(t *testing.T) {
	t.Parallel()
	const (
		limit        = "Idempotency-Key must be 1 to 255 characters, got "
		blank        = "Idempotency-Key must be 1 to 255 characters and not only blanks."
		control      = "Idempotency-Key must not contain control characters."
		unterminated = "Idempotency-Key begins with a quote but the closing quote is missing."
		afterQuote   = "Idempotency-Key must end at the closing quote; send one key only."
		parameters   = "Idempotency-Key must not have parameters after the closing quote."
		backslash    = `Idempotency-Key has a backslash before a character other than " or \ inside quotes; write \\ for a backslash.`
	)
	refused := []struct{ name, header, message string }{
		{"R02_Empty", "", limit + "0."},
		{"R02_EmptyQuotes", `""`, limit + "0."},
		{"R02_OnlySpaceAroundNothing", " \t ", limit + "0."},
		{"R02_BlankInQuotes", `"   "`, blank},
		{"R02_NoBreakSpaceAlone", "\u00a0", blank},
		{"R02_256Characters", strings.Repeat("a", 256), limit + "256."},
		{"R02_256CharactersInQuotes", `"` + strings.Repeat("a", 256) + `"`, limit + "256."},
		{"R02_256CharactersOfTwoBytes", strings.Repeat("ž", 256), limit + "256."},
		{"R02_InvalidUTF8", "a\xffb", "Idempotency-Key must be valid UTF-8."},
		{"R02_InvalidUTF8InQuotes", "\"a\xc5\"", "Idempotency-Key must be valid UTF-8."},
		{"R02_TabInside", "a\tb", control},
		{"R02_NUL", "a\x00b", control},
		{"R02_LineFeed", "a\nb", control},
		{"R02_Delete", "a\x7fb", control},
		{"R02_ControlOfTheUpperRange", "a\u0085b", control},
		{"R03_UnterminatedQuote", `"abc`, unterminated},
		{"R03_QuoteAlone", `"`, unterminated},
		{"R03_ClosingQuoteIsEscaped", `"abc\"`, unterminated},
		{"R03_BackslashIsLast", `"abc\`, unterminated},
		{"R03_UnknownEscape", `"a\nb"`, backslash},
		{"R03_Parameters", `"abc";x=1`, parameters},
		{"R03_ParametersAfterSpace", `"abc" ;x`, parameters},
		{"R03_TextAfterTheQuote", `"abc"d`, afterQuote},
		{"R04_ListOfTwo", `"abc", "abc"`, afterQuote},
	}
	for _, tt := range refused {
		t.Run(tt.name, func(t *testing.T) {
			t.Parallel()
			key, present, err := ParseKey([]string{tt.header})
			require.False(t, present)
			require.True(t, key.IsZero())
			var refusal *KeyError
			require.ErrorAs(t, err, &refusal)
			require.Equal(t, tt.message, refusal.Message)
			require.Equal(t, tt.message, err.Error())
		})
	}
}

func TestKeyHeaderLines(t *testing.T) {
	t.Parallel()
	t.Run("R07_NoLineIsNoKey", func(t *testing.T) {
		t.Parallel()
		key, present, err := ParseKey(nil)
		require.NoError(t, err)
		require.False(t, present)
		require.True(t, key.IsZero())
	})
	for name, lines := range map[string][]string{
		"R04_TwoEqualLinesAreRefused":     {"abc", "abc"},
		"R04_TwoDifferentLinesAreRefused": {"abc", "abd"},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			_, present, err := ParseKey(lines)
			require.False(t, present)
			require.EqualError(t, err, "Idempotency-Key must be sent once, got 2 header lines.")
		})
	}
}

func TestKeyComparison(t *testing.T) {
	t.Parallel()
	parse := func(t *testing.T, header string) Key {
		t.Helper()
		key, _, err := ParseKey([]string{header})
		require.NoError(t, err)
		return key
	}
	t.Run("R03_QuotedAndBareAreTheSameKey", func(t *testing.T) {
		t.Parallel()
		require.Equal(t, parse(t, "abc"), parse(t, `"abc"`))
	})
	for name, pair := range map[string][2]string{
		"R05_CaseMatters":          {"abc", "ABC"},
		"R05_TrailingBlankMatters": {"abc", `"abc "`},
		"R05_UnicodeFormMatters":   {"\u017e", "z\u030c"},
		"R05_WidthMatters":         {"A", "\uff21"},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			require.NotEqual(t, parse(t, pair[0]), parse(t, pair[1]))
		})
	}
}

func TestNewKeyTakesQuotesAsText(t *testing.T) {
	t.Parallel()
	key, err := NewKey(`"abc"`)
	require.NoError(t, err)
	require.Equal(t, `"abc"`, key.String())
}

// Whatever a client's key is, writing it in quotes gives the same key back.
func TestKeyQuotingIsReversible(t *testing.T) {
	t.Parallel()
	quote := strings.NewReplacer(`\`, `\\`, `"`, `\"`)
	rapid.Check(t, func(t *rapid.T) {
		text := rapid.StringN(1, MaxKeyLength, -1).Draw(t, "key")
		want, err := NewKey(text)
		got, present, quotedErr := ParseKey([]string{`"` + quote.Replace(text) + `"`})
		require.Equal(t, err, quotedErr)
		require.Equal(t, err == nil, present)
		require.Equal(t, want, got)
	})
}

func FuzzParseKey(f *testing.F) {
	for _, seed := range []string{
		"", "abc", `"abc"`, `"a\"b\\c"`, `"abc";x=1`, `"abc`, `a"b`, "\t abc ", "\xff", "\u0085",
		strings.Repeat("ž", 255), strings.Repeat("ž", 256), "8e03978e-40d5-43e8-bc93-6894a57f9324",
	} {
		f.Add(seed)
	}
	f.Fuzz(func(t *testing.T, header string) {
		key, present, err := ParseKey([]string{header})
		if err != nil {
			var refusal *KeyError
			require.ErrorAs(t, err, &refusal)
			require.False(t, present)
			require.True(t, key.IsZero())
			return
		}
		require.True(t, present)
		again, err := NewKey(key.String())
		require.NoError(t, err)
		require.Equal(t, key, again)
		if trimmed := strings.Trim(header, optionalSpace); trimmed[0] != '"' {
			require.Equal(t, trimmed, key.String())
		}
	})
}
