package identifier

import (
	"slices"
	"strings"
	"unicode"
)

// euCountries are the EU states by ISO 3166-1 alpha-2 code, sorted.
var euCountries = []string{
	"AT", "BE", "BG", "CY", "CZ", "DE", "DK", "EE", "ES", "FI", "FR", "GR", "HR", "HU",
	"IE", "IT", "LT", "LU", "LV", "MT", "NL", "PL", "PT", "RO", "SE", "SI", "SK",
}

// The VAT prefixes that differ from the ISO code: Greece, and Northern Ireland, which stays in the EU VAT area for goods
// while its country is the United Kingdom.
const (
	prefixGreece          = "EL"
	prefixNorthernIreland = "XI"
)

// NormalizeVAT brings a VAT number to the form the checks expect: no spaces, dots or dashes, upper case.
func NormalizeVAT(s string) string {
	return strings.ToUpper(strings.Map(func(r rune) rune {
		if unicode.IsSpace(r) || unicode.Is(unicode.Pd, r) || r == '.' {
			return -1
		}
		return r
	}, s))
}

// VATCountry returns the ISO 3166-1 country of an EU VAT number's prefix: GR for EL, GB for XI, otherwise the prefix itself.
// ok is false when the number does not start with a prefix of the EU VAT area. The number must be normalised.
func VATCountry(vat string) (country string, ok bool) {
	if len(vat) < 2 {
		return "", false
	}
	switch prefix := vat[:2]; prefix {
	case prefixGreece:
		return "GR", true
	case prefixNorthernIreland:
		return "GB", true
	case "GR": // an ISO code, never a VAT prefix
		return "", false
	default:
		if !IsEU(prefix) {
			return "", false
		}
		return prefix, true
	}
}

// VATPrefix returns the prefix that VAT numbers of an EU state start with: EL for GR, otherwise the ISO code itself. ok is
// false outside the EU.
func VATPrefix(country string) (prefix string, ok bool) {
	if country == "GR" {
		return prefixGreece, true
	}
	if !IsEU(country) {
		return "", false
	}
	return country, true
}

// IsEU reports whether the ISO 3166-1 alpha-2 code is that of an EU state. Greece is GR here, not EL.
func IsEU(country string) bool {
	_, found := slices.BinarySearch(euCountries, country)
	return found
}
