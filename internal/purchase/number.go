package purchase

import (
	"strings"
	"unicode"
	"unicode/utf8"
)

// maxNumber is what i.SAF takes for an invoice number, in characters.
const maxNumber = 70

// printed is a number as it is kept and shown: without the blanks around it, with single ones inside, and without marks
// that nobody can see, such as a zero-width space pasted from a PDF.
func printed(number string) string {
	visible := strings.Map(func(r rune) rune {
		if unicode.Is(unicode.Cf, r) {
			return -1
		}
		return r
	}, number)
	return strings.Join(strings.Fields(visible), " ")
}

// normalized is what two numbers share that are the same (R50): the printed form with letter case folded.
func normalized(number string) string { return strings.Map(fold, printed(number)) }

// fold maps a letter to the first of those that Unicode simple folding takes for one another: K, k and the Kelvin sign to K.
func fold(r rune) rune {
	first := r
	for next := unicode.SimpleFold(r); next != r; next = unicode.SimpleFold(next) {
		first = min(first, next)
	}
	return first
}

// similarKey is what two numbers share that look alike: letters and digits of the normalised number, without zeros at its
// start and after letters. VMI compares without signs too, but keeps zeros (KD-8736), so these numbers are not the same.
func similarKey(normalized string) string {
	var key strings.Builder
	leading := true
	for _, r := range normalized {
		switch {
		case r == '0' && leading:
		case unicode.IsDigit(r):
			leading = false
			key.WriteRune(r)
		case unicode.IsLetter(r):
			leading = true
			key.WriteRune(r)
		}
	}
	return key.String()
}

// checkNumber refuses what people write when a document has no number. VMI asks for a digit (i.SAF check 14012); a number
// of zeros alone stands for none as well. Error: purchase.number.
func checkNumber(number string) error {
	kept := printed(number)
	fault := ""
	switch {
	case utf8.RuneCountInString(kept) > maxNumber:
		fault = "must have at most 70 characters"
	case !strings.ContainsAny(kept, "0123456789"):
		fault = "must contain at least one digit"
	case similarKey(normalized(kept)) == "":
		fault = "must not consist of zeros"
	default:
		return nil
	}
	return ErrNumber.New("%q is not the number of a document; give the number printed on it, with its series.", kept).
		Field("documentNumber", "%s", fault)
}
