package files_test

import (
	"strings"
	"testing"
	"unicode"
	"unicode/utf8"

	"github.com/stretchr/testify/require"

	"github.com/vienkart/vienkart/internal/files"
)

// FuzzCleanName: a name that is kept fits every disk, header and page, and cleaning it again changes nothing.
func FuzzCleanName(f *testing.F) {
	for _, seed := range []string{
		"invoice.pdf", "../../etc/passwd", `C:\a\b.xml`, "a\r\nSet-Cookie: x=y.pdf", `a"; filename="evil.exe`, "\u202efdp.exe", ". . .", "CON", "ž\u0301.csv",
		strings.Repeat("ą", 300) + ".xlsx", "a." + strings.Repeat("b", 300), "\xff\xfe", "",
	} {
		f.Add(seed)
	}
	f.Fuzz(func(t *testing.T, given string) {
		name, err := files.CleanName(given)
		if err != nil {
			require.ErrorIs(t, err, files.ErrName)
			return
		}
		require.True(t, utf8.ValidString(name))
		require.NotEmpty(t, strings.Trim(name, " ."))
		require.LessOrEqual(t, utf8.RuneCountInString(name), 200)
		require.False(t, strings.ContainsFunc(name, func(r rune) bool {
			return unicode.IsControl(r) || unicode.Is(unicode.Cf, r) || strings.ContainsRune(`/\<>:"|?*`, r)
		}), "%q", name)
		again, err := files.CleanName(name)
		require.NoError(t, err, "%q", name)
		require.Equal(t, name, again)
	})
}

// FuzzType: whatever comes is kept as one of the sorts that no browser runs, or refused in few words.
func FuzzType(f *testing.F) {
	for _, seed := range [][2]string{
		{"text/xml", "<?xml version=\"1.0\"?><a/>"},
		{"application/xml", "<!DOCTYPE a [<!ENTITY b \"c\">]><a>&b;</a>"},
		{"application/xml", "<svg onload='x'/>"},
		{"application/xml", "<a xmlns:h='http://www.w3.org/1999/xhtml'><h:script/></a>"},
		{"application/json", `{"a":1}`},
		{"text/csv; charset=x", "a;b"},
		{"application/vnd.openxmlformats-officedocument.spreadsheetml.sheet", "PK\x03\x04"},
		{"image/svg+xml", "<svg/>"},
		{"a/b; c=\xff", ""},
	} {
		f.Add(seed[0], []byte(seed[1]))
	}
	f.Fuzz(func(t *testing.T, said string, content []byte) {
		stored, err := files.CheckType(said, content)
		if err != nil {
			require.ErrorIs(t, err, files.ErrType)
			require.Less(t, len(err.Error()), 1000)
			return
		}
		require.NotContains(t, []string{"text/html", "image/svg+xml", "application/xhtml+xml"}, stored)
		again, err := files.CheckType(stored, content)
		require.NoError(t, err, "the type that is stored is that of the content")
		require.Equal(t, stored, again)
	})
}
