package bank

import (
	"slices"
	"strings"

	"github.com/vienkart/vienkart/internal/bank/pain"
)

// shortestNumber is how long a document number must be to be looked for inside a text: shorter ones are in every date.
const shortestNumber = 3

// namesNumber tells whether a text has a document number, as a word of its own: SF1 is not in SF17. Blanks, dots and dashes
// that people write into a long number do not matter.
func namesNumber(text, number string) bool {
	text, number = strings.ToUpper(pain.Latin(text)), strings.ToUpper(pain.Latin(number))
	if len(number) < shortestNumber {
		return false
	}
	if hasWord(text, number, isLetterOrDigit[byte]) {
		return true
	}
	const longNumber = 6
	packed := squeeze(number)
	return len(packed) >= longNumber && hasWord(squeeze(text), packed, isDigit[byte])
}

// hasWord looks for a word that no character of its own kind precedes or follows.
func hasWord(text, word string, sameKind func(byte) bool) bool {
	for from := 0; ; {
		at := strings.Index(text[from:], word)
		if at < 0 {
			return false
		}
		at += from
		end := at + len(word)
		if (at == 0 || !sameKind(text[at-1]) || !sameKind(word[0])) && (end == len(text) || !sameKind(text[end])) {
			return true
		}
		from = at + 1
	}
}

func isLetterOrDigit[T byte | rune](c T) bool { return isDigit(c) || c >= 'A' && c <= 'Z' }

func isDigit[T byte | rune](c T) bool { return c >= '0' && c <= '9' }

func squeeze(s string) string {
	return strings.Map(func(r rune) rune {
		if isLetterOrDigit(r) {
			return r
		}
		return -1
	}, s)
}

// legalForms stand before or behind the names of companies and say nothing about which company it is.
var legalForms = []string{
	"UAB", "AB", "MB", "II", "IN", "VSI", "TUB", "KUB", "ZUB", "SIA", "AS", "OU", "OY", "OYJ", "GMBH", "KG", "AG", "LTD", "LLC", "INC",
	"SP", "Z", "O", "SA", "BV", "NV", "SRL", "APS", "A/S",
}

// likeness is the share of the words of a partner's name that another name has, as points of a maximum; less than half is
// nothing. Letters with and without marks are the same, since banks drop the marks.
func likeness(name, partner string, points int) int {
	have, want := nameWords(name), nameWords(partner)
	if len(want) == 0 {
		return 0
	}
	common := 0
	for _, w := range want {
		if slices.Contains(have, w) {
			common++
		}
	}
	if 2*common < len(want) {
		return 0
	}
	return points * common / len(want)
}

func nameWords(s string) []string {
	words := strings.FieldsFunc(strings.ToUpper(pain.Latin(s)), func(r rune) bool { return !isLetterOrDigit(r) })
	return slices.DeleteFunc(words, func(w string) bool { return slices.Contains(legalForms, w) })
}
