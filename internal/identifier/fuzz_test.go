package identifier_test

import (
	"math/big"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/vienkart/vienkart/internal/identifier"
)

// FuzzIBAN: what is taken has the remainder of the standard (ISO 13616), and no other digit may stand in any of its places.
func FuzzIBAN(f *testing.F) {
	for _, seed := range []string{
		"LT121000011101001000", "DE89370400440532013000", "NO9386011117947", "gb29 nwbk 6016 1331 9268 19", "BR1800360305000010009795493C1", "LT00", "ŁT121000011101001000", "",
	} {
		f.Add(seed)
	}
	f.Fuzz(func(t *testing.T, s string) {
		iban := identifier.NormalizeIBAN(s)
		require.Equal(t, iban, identifier.NormalizeIBAN(iban), "normal form of the normal form")
		if err := identifier.CheckIBAN(iban); err != nil {
			require.Less(t, len(err.Error()), 300)
			return
		}
		var digits strings.Builder
		for _, c := range iban[4:] + iban[:4] {
			if c >= 'A' {
				digits.WriteString(big.NewInt(int64(c - 'A' + 10)).String())
			} else {
				digits.WriteRune(c)
			}
		}
		number, ok := new(big.Int).SetString(digits.String(), 10)
		require.True(t, ok, iban)
		require.Equal(t, int64(1), new(big.Int).Mod(number, big.NewInt(97)).Int64(), iban)
		for i := 4; i < len(iban); i++ {
			if iban[i] >= '0' && iban[i] <= '9' {
				mistyped := iban[:i] + string('0'+(iban[i]-'0'+1)%10) + iban[i+1:]
				require.Error(t, identifier.CheckIBAN(mistyped), "%s mistyped as %s", iban, mistyped)
			}
		}
	})
}

// FuzzVAT: normal forms do not change again, and a number that a check takes has the form of its law.
func FuzzVAT(f *testing.F) {
	for _, seed := range []string{"LT999000017", " lt 999-000.017", "el–123456789", "LT100000000018", "XI1", "GR123456789", "ſt", "ŉ\u00a0", ""} {
		f.Add(seed)
	}
	f.Fuzz(func(t *testing.T, s string) {
		vat := identifier.NormalizeVAT(s)
		require.Equal(t, vat, identifier.NormalizeVAT(vat), "normal form of the normal form")
		if country, ok := identifier.VATCountry(vat); ok && country != "GB" {
			prefix, known := identifier.VATPrefix(country)
			require.True(t, known)
			require.True(t, strings.HasPrefix(vat, prefix))
		}
		if identifier.CheckLTVAT(vat) == nil {
			require.Regexp(t, `^LT([0-9]{7}1[0-9]|[0-9]{10}1[0-9])$`, vat)
		}
	})
}

// FuzzTaxpayerCode: of the codes of Lithuania each has its length, and a message about any text is short.
func FuzzTaxpayerCode(f *testing.F) {
	for _, seed := range []string{"900000105", "1234567", "9990000015", "39902300000", "59912310002", "9０0000105", "", "0000000000"} {
		f.Add(seed)
	}
	f.Fuzz(func(t *testing.T, s string) {
		for form, check := range map[string]func(string) error{
			`^[0-9]{9}$`: identifier.CheckLTCompanyCode, `^[0-9]{10}$`: identifier.CheckVMICode, `^[1-6][0-9]{10}$`: identifier.CheckPersonalCode,
			`^[0-9]{9,11}$`: identifier.CheckTaxpayerCode,
		} {
			if err := check(s); err != nil {
				require.Less(t, len(err.Error()), 300)
				continue
			}
			require.Regexp(t, form, s)
			require.NoError(t, identifier.CheckTaxpayerCode(s))
		}
	})
}
