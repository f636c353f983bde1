package identifier_test

import (
	"encoding/json"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/vienkart/vienkart/internal/identifier"
)

func TestVectors(t *testing.T) {
	t.Parallel()
	checks := map[string]func(string) error{
		"lt_vat":              identifier.CheckLTVAT,
		"lt_company_code":     identifier.CheckLTCompanyCode,
		"lt_vmi_code_10":      identifier.CheckVMICode,
		"lt_personal_code_11": identifier.CheckPersonalCode,
	}
	var vectors map[string][]struct {
		Value string
		Valid bool
		Why   string
	}
	require.NoError(t, json.Unmarshal(readShared(t, "tax/identifier-vectors.json"), &vectors))
	require.Len(t, vectors, len(checks))
	for kind, list := range vectors {
		require.NotEmpty(t, list, kind)
		for _, v := range list {
			t.Run(kind+"/"+v.Value, func(t *testing.T) {
				t.Parallel()
				err := checks[kind](v.Value)
				require.Equal(t, v.Valid, err == nil, "%s: %v", v.Why, err)
				if v.Valid && kind != "lt_vat" {
					require.NoError(t, identifier.CheckTaxpayerCode(v.Value))
				}
			})
		}
	}
}

func TestChecksSayWhatIsWrong(t *testing.T) {
	t.Parallel()
	tests := map[string]struct {
		err  error
		want string
	}{
		"VATWithoutPrefix":        {identifier.CheckLTVAT("999000017"), "a Lithuanian VAT number must start with LT in upper case"},
		"VATWithLetters":          {identifier.CheckLTVAT("LT99900001A"), "a Lithuanian VAT number is LT followed by digits: it must consist of digits only"},
		"VATOfTenDigits":          {identifier.CheckLTVAT("LT1234567890"), "a Lithuanian VAT number has 9 or 12 digits after LT, not 10"},
		"VATWithoutTheOne":        {identifier.CheckLTVAT("LT123456789"), "the last digit but one of a Lithuanian VAT number is always 1, not 8"},
		"VATMistyped":             {identifier.CheckLTVAT("LT999000018"), "checking a Lithuanian VAT number: the check digit is wrong, so a digit was probably mistyped"},
		"VATEmpty":                {identifier.CheckLTVAT(""), "a Lithuanian VAT number must start with LT in upper case"},
		"OldCompanyCode":          {identifier.CheckLTCompanyCode("1234567"), "7-digit company codes have not been valid since 2011: use the 9-digit code"},
		"CompanyCodeTooShort":     {identifier.CheckLTCompanyCode("12345"), "a company code has 9 digits, not 5"},
		"CompanyCodeWithPrefix":   {identifier.CheckLTCompanyCode("LT9000000"), "checking a company code: it must consist of digits only"},
		"CompanyCodeRemainderTen": {identifier.CheckLTCompanyCode("900000070"), "checking a company code: the check digit is wrong, so a digit was probably mistyped"},
		"VMICodeTooLong":          {identifier.CheckVMICode("99900000111"), "a VMI code has 10 digits, not 11"},
		"VMICodeFromZero":         {identifier.CheckVMICode("0000000000"), "a VMI code does not start with 00"},
		"PersonalCodeOfSeven":     {identifier.CheckPersonalCode("79912310001"), "the first digit of a personal code is 1 to 6"},
		"PersonalCodeBirthDay":    {identifier.CheckPersonalCode("39902300000"), "digits 2 to 7 of a personal code must be a date of birth written YYMMDD"},
		"PersonalCodeCheckDigit":  {identifier.CheckPersonalCode("59912310002"), "checking a personal code: the check digit is wrong, so a digit was probably mistyped"},
		"TaxpayerCodeLength":      {identifier.CheckTaxpayerCode("12345678"), "a taxpayer code has 9 digits (company), 10 digits (given by VMI) or 11 digits (person), without LT"},
		"TaxpayerCodeLetters":     {identifier.CheckTaxpayerCode("LT9000000"), "checking a company code: it must consist of digits only"},
	}
	for name, tt := range tests {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			require.EqualError(t, tt.err, tt.want)
		})
	}
}

func TestPersonalCodeCenturies(t *testing.T) {
	t.Parallel()
	// 29 February existed in 2000 and not in 1900: the first digit decides which year 00 is.
	require.ErrorContains(t, identifier.CheckPersonalCode("30002290000"), "date of birth")
	require.NotContains(t, identifier.CheckPersonalCode("50002290000").Error(), "date of birth")
}

func TestNormalizeVAT(t *testing.T) {
	t.Parallel()
	for given, want := range map[string]string{
		" lt 999 000 017 ":  "LT999000017",
		"LT-999.000.017":    "LT999000017",
		"lt\u00a0999000017": "LT999000017",
		"el–123456789":      "EL123456789",
		"":                  "",
	} {
		require.Equal(t, want, identifier.NormalizeVAT(given), given)
	}
}

func TestCountries(t *testing.T) {
	t.Parallel()

	t.Run("APrefixIsItsCountryButForGreeceAndNorthernIreland", func(t *testing.T) {
		t.Parallel()
		for number, want := range map[string]string{"LT999000017": "LT", "EL123456789": "GR", "XI123456789": "GB", "DE1": "DE"} {
			country, ok := identifier.VATCountry(number)
			require.True(t, ok, number)
			require.Equal(t, want, country)
		}
	})

	t.Run("OtherPrefixesAreOutsideTheEUVATArea", func(t *testing.T) {
		t.Parallel()
		for _, number := range []string{"", "L", "GR123456789", "GB123456789", "NO999", "lt999000017", "ND"} {
			_, ok := identifier.VATCountry(number)
			require.False(t, ok, number)
		}
	})

	t.Run("PrefixAndCountryAreInverse", func(t *testing.T) {
		t.Parallel()
		states := 0
		for a := 'A'; a <= 'Z'; a++ {
			for b := 'A'; b <= 'Z'; b++ {
				country := string(a) + string(b)
				prefix, ok := identifier.VATPrefix(country)
				require.Equal(t, identifier.IsEU(country), ok, country)
				if !ok {
					continue
				}
				states++
				back, known := identifier.VATCountry(prefix + "1")
				require.True(t, known, country)
				require.Equal(t, country, back)
			}
		}
		require.Equal(t, 27, states)
	})
}
