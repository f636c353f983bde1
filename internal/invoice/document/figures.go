package document

import (
	"strings"

	"github.com/vienkart/vienkart/internal/money"
)

// figure writes a number as its readers do: 1 234,50, and in English 1,234.50.
func figure(number string, l Language) string {
	separator, point := " ", ","
	if l == English {
		separator, point = ",", "."
	}
	sign := ""
	if rest, negative := strings.CutPrefix(number, "-"); negative {
		sign, number = "-", rest
	}
	whole, fraction, hasFraction := strings.Cut(number, ".")
	var grouped strings.Builder
	for i, digit := range whole {
		if i > 0 && (len(whole)-i)%3 == 0 {
			grouped.WriteString(separator)
		}
		grouped.WriteRune(digit)
	}
	out := sign + grouped.String()
	if hasFraction {
		out += point + fraction
	}
	return out
}

func amount(a money.Amount, l Language) string { return figure(a.String(), l) }

// priced writes an amount with its currency.
func priced(a money.Amount, l Language) string { return amount(a, l) + " " + a.Currency().Code() }

func percent(rate money.Decimal, l Language) string { return figure(rate.String(), l) + " %" }
