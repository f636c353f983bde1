package account

// Length of an IBAN, ISO 13616: country, check digits and up to 30 characters; Norway's are the shortest.
const (
	minIBAN = 15
	maxIBAN = 34
)

// validIBAN checks the form and the check digits of a normalised IBAN: with the first four characters moved to the end
// and letters read as 10 to 35, the number leaves 1 when divided by 97 (ISO 7064).
func validIBAN(s string) bool {
	if len(s) < minIBAN || len(s) > maxIBAN || !isUpper(s[0]) || !isUpper(s[1]) || !isDigit(s[2]) || !isDigit(s[3]) {
		return false
	}
	remainder := 0
	for i := range len(s) {
		switch c := s[(i+4)%len(s)]; {
		case isDigit(c):
			remainder = (remainder*10 + int(c-'0')) % 97
		case isUpper(c):
			remainder = (remainder*100 + int(c-'A') + 10) % 97
		default:
			return false
		}
	}
	return remainder == 1
}

func isUpper(c byte) bool { return c >= 'A' && c <= 'Z' }

func isDigit(c byte) bool { return c >= '0' && c <= '9' }
