package idempotency

import (
	"net/url"
	"slices"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"
)

// FuzzRequestLine: the one spelling of a query and of a media type does not change again, the order of pairs does not count, and the
// pairs are those that the standard library reads.
func FuzzRequestLine(f *testing.F) {
	for _, seed := range [][2]string{
		{"a=1&b=2&a=0", "application/json"},
		{"%zz&%25zz&a", `Application/JSON; charset="UTF-8"`},
		{"a+b=%20&&=", "application/json; charset=latin1; x=y"},
		{"a;b", "text/ html"},
		{"\xff=%ff", "\x00"},
		{"", ""},
	} {
		f.Add(seed[0], seed[1])
	}
	f.Fuzz(func(t *testing.T, query, media string) {
		once := canonicalQuery(query)
		require.Equal(t, once, canonicalQuery(once), "%q", query)
		parts := strings.Split(query, "&")
		slices.Reverse(parts)
		require.Equal(t, once, canonicalQuery(strings.Join(parts, "&")), "the order of pairs counts")
		if values, err := url.ParseQuery(query); err == nil {
			again, err := url.ParseQuery(once)
			require.NoError(t, err)
			for _, of := range []url.Values{values, again} {
				for name := range of {
					slices.Sort(of[name])
				}
			}
			require.Equal(t, values, again)
		}
		kind := canonicalMediaType(media)
		require.Equal(t, kind, canonicalMediaType(kind), "%q", media)
		require.Equal(t, strings.ToLower(kind), kind)
	})
}

// FuzzPack: what is stored of a body comes back as it was, and bytes that nobody packed are refused or read, never a panic.
func FuzzPack(f *testing.F) {
	for _, seed := range []string{"", "{}", strings.Repeat(`{"a":1}`, 300), "\x01\x1f\x8b\x08\x00", "\x02"} {
		f.Add([]byte(seed))
	}
	f.Fuzz(func(t *testing.T, body []byte) {
		stored := pack(body)
		require.LessOrEqual(t, len(stored), len(body)+1)
		back, err := unpack(stored)
		require.NoError(t, err)
		require.Equal(t, string(body), string(back))
		_, _ = unpack(body)
	})
}
