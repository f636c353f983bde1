package partner_test

import (
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/vienkart/vienkart/internal/identifier"
	"github.com/vienkart/vienkart/internal/partner"
)

// FuzzCheckVAT: a number is valid with a prefix and no reason, or has a reason.
func FuzzCheckVAT(f *testing.F) {
	for _, seed := range []string{"LT999000017", "ATU12345678", "EL123456789", "XIGD123", "FRXX123456789", "NL123456789B01", "IE1+12345A", "US1", "L", ""} {
		f.Add(seed)
	}
	f.Fuzz(func(t *testing.T, s string) {
		vat := identifier.NormalizeVAT(s)
		check := partner.CheckVAT(vat)
		require.Equal(t, vat, check.Prefix+check.Number)
		require.Equal(t, check.Valid, check.Reason == "")
		require.Less(t, len(check.Reason), 300)
		if check.Valid {
			require.Regexp(t, `^[A-Z]{2}[A-Z0-9+*]{2,12}$`, vat)
		}
	})
}
