package statement

import (
	"errors"
	"fmt"
	"strings"
	"time"

	"github.com/vienkart/vienkart/internal/date"
	"github.com/vienkart/vienkart/internal/money"
)

// decimalComma reads an amount in SWIFT's form: digits, one comma, up to the decimals of the currency.
func decimalComma(s string, c money.Currency) (money.Amount, error) {
	whole, fraction, found := strings.Cut(s, ",")
	if !found || strings.Contains(s, ".") {
		return money.Amount{}, fmt.Errorf("the amount %q has no decimal comma", shorten(s))
	}
	if fraction == "" {
		return money.Parse(whole, c) //nolint:wrapcheck // says what is wrong
	}
	return parseAmount(whole+"."+fraction, c)
}

// parseAmount reads a plain decimal. Zeros beyond the decimals of the currency are let pass: banks write JPY 100.00.
func parseAmount(s string, c money.Currency) (money.Amount, error) {
	if whole, fraction, found := strings.Cut(s, "."); found && len(fraction) > c.MinorUnits() {
		kept := fraction[:c.MinorUnits()]
		if strings.Trim(fraction[c.MinorUnits():], "0") == "" {
			s = whole
			if kept != "" {
				s += "." + kept
			}
		}
	}
	return money.Parse(s, c) //nolint:wrapcheck // says what is wrong
}

var errGrouping = errors.New("the thousands are not grouped by three digits")

// looseAmount reads an amount as a spreadsheet shows it: with thousands separators, a decimal comma or point, and a minus
// before or behind, or parentheses instead. commaIsDecimal settles what a lone separator before three digits means.
func looseAmount(s string, c money.Currency, commaIsDecimal bool) (money.Amount, error) {
	digits, negative := unsigned(s)
	point, comma := strings.Count(digits, "."), strings.Count(digits, ",")
	decimalMark, thousands := ".", ","
	switch {
	case point > 0 && comma > 0:
		if strings.LastIndex(digits, ",") > strings.LastIndex(digits, ".") {
			decimalMark, thousands = ",", "."
		}
	case comma == 1 && (commaIsDecimal || !isGroup(digits, ",", c)):
		decimalMark, thousands = ",", "."
	case point > 1, point == 1 && commaIsDecimal && isGroup(digits, ".", c):
		decimalMark, thousands = ",", "."
	}
	whole, fraction, hasFraction := strings.Cut(digits, decimalMark)
	groups := strings.Split(whole, thousands)
	for i, g := range groups {
		if i > 0 && len(g) != 3 || i == 0 && len(groups) > 1 && (len(g) == 0 || len(g) > 3) {
			return money.Amount{}, fmt.Errorf("%q is no amount: %w", shorten(s), errGrouping)
		}
	}
	plainForm := strings.Join(groups, "")
	if hasFraction {
		plainForm += "." + fraction
	}
	amount, err := parseAmount(plainForm, c)
	if err == nil && negative {
		amount = amount.Neg()
	}
	return amount, err
}

// isGroup tells a thousands separator: three digits follow, and the currency has not three decimals.
func isGroup(digits, mark string, c money.Currency) bool {
	_, after, _ := strings.Cut(digits, mark)
	return len(after) == 3 && c.MinorUnits() != 3
}

// unsigned takes sign and blanks off; blanks, apostrophes and their kin separate thousands too.
func unsigned(s string) (digits string, negative bool) {
	s = strings.Map(func(r rune) rune {
		switch r {
		case ' ', '\t', '\u00A0', '\u202F', '\u2009', '\'', '\u2019':
			return -1
		case '\u2212', '\u2013':
			return '-'
		}
		return r
	}, s)
	if inner, found := strings.CutPrefix(s, "("); found {
		if inner, found = strings.CutSuffix(inner, ")"); found {
			return inner, true
		}
	}
	if rest, found := strings.CutPrefix(s, "-"); found {
		return rest, true
	}
	if rest, found := strings.CutSuffix(s, "-"); found {
		return rest, true
	}
	return strings.TrimPrefix(s, "+"), false
}

// day reads the date of an ISO date or date with time, as it is written: the day in the zone of the file.
func day(s string) (date.Date, error) {
	s = strings.TrimSpace(s)
	if len(s) > len(date.Layout) && (s[len(date.Layout)] == 'T' || s[len(date.Layout)] == ' ' || s[len(date.Layout)] == 'Z' || s[len(date.Layout)] == '+') {
		s = s[:len(date.Layout)]
	}
	return date.Parse(s) //nolint:wrapcheck // says what is wrong
}

// sixDigits reads YYMMDD. Years from 80 on are of the last century, as in SWIFT's standard.
func sixDigits(s string) (date.Date, error) {
	if len(s) != 6 || strings.Trim(s, "0123456789") != "" {
		return date.Date{}, fmt.Errorf("%q is no date written YYMMDD", shorten(s))
	}
	century := "20"
	if s[:2] >= "80" {
		century = "19"
	}
	return date.Parse(century + s[:2] + "-" + s[2:4] + "-" + s[4:]) //nolint:wrapcheck // says what is wrong
}

// entryDay reads the MMDD of a booking beside its value date, which has the year: the nearest such day.
func entryDay(s string, value date.Date) (date.Date, error) {
	var nearest date.Date
	for year := value.Year() - 1; year <= value.Year()+1; year++ {
		d, err := date.Parse(fmt.Sprintf("%04d-%s-%s", year, s[:2], s[2:]))
		if err != nil {
			continue // 29 February of another year
		}
		if nearest.IsZero() || distance(d, value) < distance(nearest, value) {
			nearest = d
		}
	}
	if nearest.IsZero() {
		return nearest, fmt.Errorf("%q is no day written MMDD", shorten(s))
	}
	return nearest, nil
}

// distance is the number of days between two dates of neighbouring years.
func distance(a, b date.Date) int {
	n := ordinal(a) - ordinal(b)
	return max(n, -n)
}

func ordinal(d date.Date) int {
	return int(time.Date(d.Year(), d.Month(), d.Day(), 0, 0, 0, 0, time.UTC).Unix() / (24 * 60 * 60))
}
