package isaf

import (
	"strings"
	"unicode"
)

// normalized is a document number as VMI compares it: letters and digits in capitals, without "Nr.", with its leading zeros
// (KD-8736). A number without any letter or digit stays as it is.
func normalized(number string) string {
	number = strings.TrimSpace(number)
	kept := strings.Map(func(r rune) rune {
		if unicode.IsLetter(r) || unicode.IsDigit(r) {
			return unicode.ToUpper(r)
		}
		return -1
	}, withoutLabel(number))
	if kept == "" {
		return number
	}
	return kept
}

// withoutLabel drops the word before a number: "Nr. A1", "nr A1", "Nr:A1". NR1 keeps its letters, for they may be a series.
func withoutLabel(number string) string {
	const label = "nr"
	if len(number) <= len(label) || !strings.EqualFold(number[:len(label)], label) {
		return number
	}
	rest := number[len(label):]
	if strings.HasPrefix(rest, ".") || strings.HasPrefix(rest, ":") || strings.HasPrefix(rest, " ") {
		return rest
	}
	return number
}

// number is a document number as the file has it.
func (o *Options) number(stored string) string {
	if !o.NumbersAsStored {
		stored = normalized(stored)
	}
	if stored = clip(stored, maxNumber); stored == "" {
		return unknown
	}
	return stored
}

func hasDigit(s string) bool { return strings.ContainsAny(s, "0123456789") }
