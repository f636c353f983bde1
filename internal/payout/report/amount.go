package report

import (
	"errors"
	"strings"

	"github.com/vienkart/vienkart/internal/money"
)

var errNotation = errors.New(`is no amount such as 1234.50, 1,234.50 or 1 234,50`)

// marks are the blanks and apostrophes that some countries put between thousands, all turned into one.
var marks = strings.NewReplacer(" ", "'", "\u00a0", "'", "\u202f", "'", "\u2009", "'", "\u2019", "'")

// amount reads a cell in major units of a currency.
func (r row) amount(name string, c money.Currency) (money.Amount, error) {
	a, err := parseAmount(r.get(name), c, r.delimiter)
	if err != nil {
		return money.Amount{}, r.fault(name, "%q %s", shorten(r.get(name)), err)
	}
	return a, nil
}

// amountOrZero is amount for a cell that may be empty.
func (r row) amountOrZero(name string, c money.Currency) (money.Amount, error) {
	if r.get(name) == "" {
		return money.Zero(c), nil
	}
	return r.amount(name, c)
}

// parseAmount reads an amount in the notations of spreadsheet programs. The delimiter of the file tells apart what the digits alone
// cannot: where the semicolon divides fields, the comma is the decimal mark.
func parseAmount(cell string, c money.Currency, delimiter rune) (money.Amount, error) {
	sign := ""
	for _, minus := range []string{"-", "\u2212"} {
		if rest, ok := strings.CutPrefix(cell, minus); ok {
			sign, cell = "-", strings.TrimSpace(rest)
			break
		}
	}
	if sign == "" {
		cell = strings.TrimPrefix(cell, "+")
	}
	cell = marks.Replace(cell)
	whole, fraction := cell, ""
	if at := decimalMark(cell, c.MinorUnits(), delimiter); at >= 0 {
		whole, fraction = cell[:at], cell[at+1:]
		if fraction == "" {
			return money.Amount{}, errNotation
		}
	}
	whole, ok := ungroup(whole)
	if !ok {
		return money.Amount{}, errNotation
	}
	for len(fraction) > c.MinorUnits() && strings.HasSuffix(fraction, "0") {
		fraction = fraction[:len(fraction)-1]
	}
	text := sign + whole
	if fraction != "" {
		text += "." + fraction
	}
	return money.Parse(text, c) //nolint:wrapcheck // becomes the reason of a fault
}

// decimalMark is where the decimal mark stands, or -1. Of two kinds of marks the last is the decimal one. One mark before three
// digits divides thousands when three decimals would be too many for the currency and the mark is the usual one for it.
func decimalMark(s string, minorUnits int, delimiter rune) int {
	comma, point := strings.LastIndexByte(s, ','), strings.LastIndexByte(s, '.')
	at := max(comma, point)
	switch {
	case at < 0 || (comma >= 0 && point >= 0):
		return at
	case strings.Count(s, s[at:at+1]) > 1:
		return -1
	}
	usual := byte(',')
	if delimiter == ';' {
		usual = '.'
	}
	const group = 3
	if len(s)-at-1 == group && minorUnits != group && s[at] == usual && s[0] != '0' {
		return -1
	}
	return at
}

// ungroup takes the marks between thousands out. They must be of one kind and leave three digits each.
func ungroup(s string) (string, bool) {
	at := strings.IndexAny(s, ",.'")
	if at < 0 {
		return s, true
	}
	groups := strings.Split(s, s[at:at+1])
	for i, g := range groups {
		if (i == 0 && (g == "" || len(g) > 3)) || (i > 0 && len(g) != 3) {
			return "", false
		}
	}
	return strings.Join(groups, ""), true
}
