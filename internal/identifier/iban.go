package identifier

import (
	"errors"
	"fmt"
	"strings"
)

// Bounds of an IBAN, ISO 13616: country, check digits and up to 30 characters; Norway's are the shortest.
const (
	minIBAN = 15
	maxIBAN = 34
)

// ibanLengths are the lengths of IBANs of the single euro payments area and its neighbours, from the SWIFT registry. The
// length tells a number with a digit too many from a good one even where the check digits happen to agree.
var ibanLengths = map[string]int{
	"AD": 24, "AT": 20, "BE": 16, "BG": 22, "CH": 21, "CY": 28, "CZ": 24, "DE": 22, "DK": 18, "EE": 20, "ES": 24, "FI": 18,
	"FR": 27, "GB": 22, "GE": 22, "GI": 23, "GR": 27, "HR": 21, "HU": 28, "IE": 22, "IS": 26, "IT": 27, "LI": 21, "LT": 20,
	"LU": 20, "LV": 21, "MC": 27, "MD": 24, "MT": 31, "NL": 18, "NO": 15, "PL": 28, "PT": 25, "RO": 24, "SE": 24, "SI": 19,
	"SK": 24, "SM": 27, "TR": 26, "UA": 29, "VA": 22,
}

// NormalizeIBAN brings an IBAN to the form the check expects: no blanks, upper case.
func NormalizeIBAN(s string) string { return strings.ToUpper(strings.Join(strings.Fields(s), "")) }

// CheckIBAN checks form, length and check digits of a normalised IBAN: with the first four characters moved to the end and
// letters read as 10 to 35, the number leaves 1 when divided by 97 (ISO 7064).
func CheckIBAN(s string) error {
	if len(s) < minIBAN || len(s) > maxIBAN {
		return fmt.Errorf("an IBAN has %d to %d characters, not %d", minIBAN, maxIBAN, len(s))
	}
	if !isUpper(s[0]) || !isUpper(s[1]) || !isDigit(s[2]) || !isDigit(s[3]) {
		return errors.New("an IBAN begins with a country code and two check digits, such as LT12")
	}
	if want, known := ibanLengths[s[:2]]; known && len(s) != want {
		return fmt.Errorf("an IBAN of %s has %d characters, not %d", s[:2], want, len(s))
	}
	remainder := 0
	for i := range len(s) {
		switch c := s[(i+4)%len(s)]; {
		case isDigit(c):
			remainder = (remainder*10 + int(c-'0')) % 97
		case isUpper(c):
			remainder = (remainder*100 + int(c-'A') + 10) % 97
		default:
			return errors.New("an IBAN has letters and digits only")
		}
	}
	if remainder != 1 {
		return fmt.Errorf("checking an IBAN: %w", errCheckDigit)
	}
	return nil
}

func isUpper(c byte) bool { return c >= 'A' && c <= 'Z' }

func isDigit(c byte) bool { return c >= '0' && c <= '9' }
