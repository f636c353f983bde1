package delivery_test

import (
	"net/netip"
	"net/url"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/vienkart/vienkart/internal/apperr"
	"github.com/vienkart/vienkart/internal/webhook/delivery"
)

// FuzzURL: an address that is taken speaks https to a host, and when it is written as numbers, to one of the public internet.
func FuzzURL(f *testing.F) {
	for _, seed := range []string{
		"https://example.lt/hook", "https://[::ffff:10.0.0.1]:443/", "https://0x7f.1/", "https://2130706433/", "https://127.0.0.1%2f@example.lt/",
		"https://example.lt\\@127.0.0.1/", "https://user@example.lt", "https://example.lt#a", "HTTPS://LOCALHOST.", "https://[fe80::1%25eth0]/", "//example.lt", "https:/a",
	} {
		f.Add(seed)
	}
	f.Fuzz(func(t *testing.T, text string) {
		if err := (delivery.Policy{}).CheckURL(text); err != nil {
			require.ErrorIs(t, err, apperr.ErrValidation)
			require.Less(t, len(err.Error()), 300)
			return
		}
		u, err := url.Parse(text)
		require.NoError(t, err)
		require.Equal(t, "https", u.Scheme)
		require.Nil(t, u.User)
		require.NotEmpty(t, u.Hostname())
		require.LessOrEqual(t, len(text), 2000)
		if address, err := netip.ParseAddr(u.Hostname()); err == nil {
			require.True(t, delivery.IsPublic(address.String()), text)
		}
		require.False(t, strings.EqualFold(strings.TrimSuffix(u.Hostname(), "."), "localhost"), text)
		require.NoError(t, (delivery.Policy{AllowPrivate: true}).CheckURL(text), "what the public policy takes, the other takes too")
	})
}

// FuzzSecret: a secret that is taken gives a key of the length of the standard.
func FuzzSecret(f *testing.F) {
	for _, seed := range []string{"whsec_" + strings.Repeat("A", 32), strings.Repeat("a", 24), "whsec_", "whsec_====", "", strings.Repeat("ą", 30)} {
		f.Add(seed)
	}
	f.Fuzz(func(t *testing.T, secret string) {
		key, err := delivery.SigningKey(secret)
		if err != nil {
			require.ErrorIs(t, err, apperr.ErrValidation)
			require.NotContains(t, err.Error(), "\""+secret+"\"", "a refusal shows no secret")
			return
		}
		require.GreaterOrEqual(t, len(key), 24)
		require.LessOrEqual(t, len(key), 75)
	})
}
