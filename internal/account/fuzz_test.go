package account_test

import (
	"net/mail"
	"strings"
	"testing"
	"unicode"

	"github.com/stretchr/testify/require"

	"github.com/vienkart/vienkart/internal/account"
	"github.com/vienkart/vienkart/internal/apperr"
)

// FuzzEmail: an address has one form, names one mailbox, and brings no line of its own into a letter.
func FuzzEmail(f *testing.F) {
	for _, seed := range []string{
		"Ona@Example.com ", "ona@example.com\r\nBcc: thief@example.com", "Ona <ona@example.com>", "a@b,c@d", `"a b"@example.com`, "ona@[127.0.0.1]",
		"ąžuolas@pavyzdys.lt", "@", "a@b@c", strings.Repeat("a", 250) + "@b.lt", "İ@example.com", "a@b\x00.lt", "",
	} {
		f.Add(seed)
	}
	f.Fuzz(func(t *testing.T, given string) {
		email, err := account.NormalizeEmail(given)
		if err != nil {
			require.ErrorIs(t, err, apperr.ErrValidation)
			require.Less(t, len(err.Error()), 300)
			return
		}
		again, err := account.NormalizeEmail(email)
		require.NoError(t, err)
		require.Equal(t, email, again)
		require.LessOrEqual(t, len(email), 254)
		require.False(t, strings.ContainsFunc(email, unicode.IsControl), "%q", email)
		list, err := mail.ParseAddressList(email)
		require.NoError(t, err)
		require.Len(t, list, 1)
		require.Equal(t, email, list[0].Address)
	})
}
