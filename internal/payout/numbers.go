package payout

import (
	"slices"
	"strings"
	"unicode"

	"github.com/vienkart/vienkart/internal/tenant"
)

// Limits of what may be the number of a document.
const (
	minNumber = 3
	maxNumber = 70 // the width of the column
	// maxNumbers bounds the numbers looked up for one text.
	maxNumbers = 30
)

// withoutMarks takes out what people put between the parts of a number.
var withoutMarks = strings.NewReplacer("-", "", "/", "", "_", "", ".", "")

// mentions are the documents that a text may name: by number, or by id.
type mentions struct {
	numbers []string
	ids     []tenant.ID
}

// mentioned finds what may be numbers and ids of documents in texts. A number has a digit; its letters may be in lower case, and blanks or
// punctuation may stand between its series and its digits.
func mentioned(texts ...*string) mentions {
	var m mentions
	for _, text := range texts {
		if text == nil {
			continue
		}
		words := strings.FieldsFunc(*text, func(r rune) bool {
			return !unicode.IsLetter(r) && !unicode.IsDigit(r) && !strings.ContainsRune("-/_.", r)
		})
		for i, word := range words {
			word = strings.Trim(word, "-/_.")
			if id, err := tenant.ParseID(strings.ToLower(word)); err == nil {
				m.ids = append(m.ids, id)
				continue
			}
			m.add(word)
			if i > 0 {
				m.add(words[i-1] + word)
			}
		}
	}
	return m
}

func (m *mentions) add(word string) {
	for _, number := range []string{word, strings.ToUpper(word), strings.ToUpper(withoutMarks.Replace(word))} {
		length := len([]rune(number))
		if length < minNumber || length > maxNumber || len(m.numbers) == maxNumbers || !strings.ContainsFunc(number, unicode.IsDigit) ||
			slices.Contains(m.numbers, number) {
			continue
		}
		m.numbers = append(m.numbers, number)
	}
}
