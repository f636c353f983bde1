package identifier_test

import (
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/vienkart/vienkart/internal/identifier"
)

func TestCheckIBAN(t *testing.T) {
	t.Parallel()
	for name, iban := range map[string]string{
		"Lithuanian":        "LT121000011101001000",
		"German":            "DE89370400440532013000",
		"Norwegian":         "NO9386011117947",
		"LettersInside":     "GB29NWBK60161331926819",
		"BlanksAndLowCase":  " gb29 nwbk 6016 1331 9268 19 ",
		"CountryOfNoLength": "BR1800360305000010009795493C1",
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			require.NoError(t, identifier.CheckIBAN(identifier.NormalizeIBAN(iban)))
		})
	}
	for name, example := range map[string]struct{ iban, fault string }{
		"EmptyIsRefused":           {"", "15 to 34 characters"},
		"ShortIsRefused":           {"LT12100001110100100", "of LT has 20 characters, not 19"},
		"TooLongIsRefused":         {"LT12100001110100100000000000000000000", "15 to 34 characters"},
		"WrongDigitIsRefused":      {"LT121000011101001001", "check"},
		"SwappedDigitsAreRefused":  {"LT121000011101000100", "check"},
		"NoCountryIsRefused":       {"12121000011101001000", "begins with a country code"},
		"PunctuationIsRefused":     {"LT12-1000-0111-01001", "letters and digits"},
		"OtherAlphabetIsRefused":   {"LT1210000111010010ą", "letters and digits"},
		"LowerCaseIsNotNormalised": {"lt121000011101001000", "begins with a country code"},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			require.ErrorContains(t, identifier.CheckIBAN(example.iban), example.fault)
		})
	}
}
