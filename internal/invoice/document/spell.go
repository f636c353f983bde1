package document

import (
	"fmt"
	"strings"

	"github.com/vienkart/vienkart/internal/money"
)

// maxSpelled is the largest whole part that is written in words: above it people read the figures.
const maxSpelled = 999_999_999

// spell writes an amount in words, with the minor units in figures. ok is false in a language without words here, for a currency
// whose minor unit is no hundredth, and above maxSpelled.
func spell(a money.Amount, l Language) (text string, ok bool) {
	const hundred = 100
	whole, rest := a.Minor()/hundred, a.Minor()%hundred
	if a.Currency().MinorUnits() != 2 || a.IsNegative() || whole > maxSpelled {
		return "", false
	}
	currency := a.Currency().Code()
	switch l {
	case Lithuanian:
		if a.Currency() == money.EUR {
			return upperFirst(fmt.Sprintf("%s %s %02d ct", spellLT(whole), pluralLT(whole, "euras", "eurai", "eurų"), rest)), true
		}
		return upperFirst(fmt.Sprintf("%s %s %02d/100", spellLT(whole), currency, rest)), true
	case English:
		if a.Currency() == money.EUR {
			unit := "euros"
			if whole == 1 {
				unit = "euro"
			}
			return upperFirst(fmt.Sprintf("%s %s and %02d cents", spellEN(whole), unit, rest)), true
		}
		return upperFirst(fmt.Sprintf("%s %s and %02d/100", spellEN(whole), currency, rest)), true
	case Russian:
	}
	return "", false
}

func upperFirst(s string) string {
	first := []rune(s)[:1]
	return strings.ToUpper(string(first)) + s[len(string(first)):]
}

// thousands splits a number into its groups of three digits, the millions first.
func thousands(n int64) [3]int64 {
	const thousand = 1000
	return [3]int64{n / (thousand * thousand), n / thousand % thousand, n % thousand}
}

// pluralLT chooses the form of a Lithuanian noun: 1, 21 euras; 2 to 9 eurai; 0, 10 to 20 eurų.
func pluralLT(n int64, one, few, many string) string {
	switch {
	case n%10 == 1 && n%100 != 11:
		return one
	case n%10 == 0 || (n%100 > 10 && n%100 < 20):
		return many
	}
	return few
}

var (
	onesLT = [...]string{
		"", "vienas", "du", "trys", "keturi", "penki", "šeši", "septyni", "aštuoni", "devyni",
		"dešimt", "vienuolika", "dvylika", "trylika", "keturiolika", "penkiolika", "šešiolika", "septyniolika", "aštuoniolika", "devyniolika",
	}
	tensLT = [...]string{"", "", "dvidešimt", "trisdešimt", "keturiasdešimt", "penkiasdešimt", "šešiasdešimt", "septyniasdešimt", "aštuoniasdešimt", "devyniasdešimt"}
)

// spellLT writes a number up to maxSpelled in Lithuanian, in the masculine that all nouns here have.
func spellLT(n int64) string {
	if n == 0 {
		return "nulis"
	}
	g := thousands(n)
	var parts []string
	if g[0] > 0 {
		parts = append(parts, below1000(g[0], onesLT[:], tensLT[:], hundredsLT), pluralLT(g[0], "milijonas", "milijonai", "milijonų"))
	}
	if g[1] > 0 {
		parts = append(parts, below1000(g[1], onesLT[:], tensLT[:], hundredsLT), pluralLT(g[1], "tūkstantis", "tūkstančiai", "tūkstančių"))
	}
	if g[2] > 0 {
		parts = append(parts, below1000(g[2], onesLT[:], tensLT[:], hundredsLT))
	}
	return strings.Join(parts, " ")
}

func hundredsLT(n int64) string {
	if n == 1 {
		return "vienas šimtas"
	}
	return onesLT[n] + " šimtai"
}

var (
	onesEN = [...]string{
		"", "one", "two", "three", "four", "five", "six", "seven", "eight", "nine",
		"ten", "eleven", "twelve", "thirteen", "fourteen", "fifteen", "sixteen", "seventeen", "eighteen", "nineteen",
	}
	tensEN = [...]string{"", "", "twenty", "thirty", "forty", "fifty", "sixty", "seventy", "eighty", "ninety"}
)

// spellEN writes a number up to maxSpelled in English.
func spellEN(n int64) string {
	if n == 0 {
		return "zero"
	}
	g := thousands(n)
	var parts []string
	for i, unit := range []string{" million", " thousand", ""} {
		if g[i] > 0 {
			parts = append(parts, below1000(g[i], onesEN[:], tensEN[:], func(h int64) string { return onesEN[h] + " hundred" })+unit)
		}
	}
	return strings.Join(parts, " ")
}

// below1000 writes 1 to 999.
func below1000(n int64, ones, tens []string, hundreds func(int64) string) string {
	var parts []string
	if n >= 100 {
		parts = append(parts, hundreds(n/100))
	}
	n %= 100
	if n >= 20 {
		parts = append(parts, tens[n/10])
		n %= 10
	}
	if n > 0 {
		parts = append(parts, ones[n])
	}
	return strings.Join(parts, " ")
}
