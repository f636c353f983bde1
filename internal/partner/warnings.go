package partner

import (
	"fmt"

	"github.com/vienkart/vienkart/internal/identifier"
)

const lithuania = "LT"

// Warnings say what looks mistyped in the partner's identifiers; home is the country of the company that keeps it, which
// a partner without address and VAT number is taken to share. They never repeat a code, which may be a personal one.
func (p Partner) Warnings(home string) []string {
	warnings := []string{}
	country := home
	if p.VATCode != nil {
		if c, ok := identifier.VATCountry(*p.VATCode); ok {
			country = c
		}
	}
	if p.CountryCode != nil {
		country = *p.CountryCode
	}
	if p.Code != nil && country == lithuania {
		if err := identifier.CheckTaxpayerCode(*p.Code); err != nil {
			warnings = append(warnings, fmt.Sprintf("The code looks mistyped: %v.", err))
		}
	}
	if p.VATCode != nil {
		// A number without the prefix of an EU state is right for a partner elsewhere.
		check := CheckVAT(*p.VATCode)
		if !check.Valid && (check.Prefix != "" || identifier.IsEU(country)) {
			warnings = append(warnings, fmt.Sprintf("The VAT number looks mistyped: %s.", check.Reason))
		}
	}
	return warnings
}
