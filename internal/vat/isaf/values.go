package isaf

import (
	"fmt"
	"regexp"
	"slices"
	"strconv"
	"strings"
	"time"
	"unicode/utf8"

	"github.com/vienkart/vienkart/internal/date"
)

// valueFault says what a value lacks to be of a type of the schema; it is empty when the value fits.
func valueFault(valueType, value string) string {
	if check, ok := fixedTypes[valueType]; ok {
		return check(value)
	}
	for prefix, check := range widthTypes {
		if limit, ok := strings.CutPrefix(valueType, prefix); ok {
			return check(limit, value)
		}
	}
	panic("isaf: the schema has no type " + valueType)
}

var fixedTypes = map[string]func(string) string{
	"version":     oneOf("iSAF1.2"),
	"dataType":    oneOf("F", "S", "P"),
	"invoiceType": oneOf("SF", "DS", "KS", "VS", "VD", "VK", "AN", ""),
	"special":     oneOf("T", ""),
	"settlement":  oneOf("G", "V"),
	"partNumber":  matching(`^[A-Z0-9_]{1,20}$`, "must be 1 to 20 capital letters, digits and underscores"),
	"taxCode":     matching(`^PVM[0-9]{1,3}$`, "must be PVM and 1 to 3 digits"),
	"country":     matching(`^(?s:..)$`, "must have 2 characters"),
	"taxpayer":    whole(11),
	"count":       whole(10),
	"money":       decimal(18),
	"percent":     decimal(5),
	"date":        func(s string) string { return dateFault(s, date.Date{}) },
	"instant":     instantFault,
}

// widthTypes end with a width or a first day.
var widthTypes = map[string]func(limit, value string) string{
	"text":   func(limit, value string) string { return lengthFault(value, 0, limit) },
	"filled": func(limit, value string) string { return lengthFault(value, 1, limit) },
	"date":   func(limit, value string) string { return dateFault(value, date.MustParse(limit)) },
}

func oneOf(allowed ...string) func(string) string {
	return func(s string) string {
		if slices.Contains(allowed, s) {
			return ""
		}
		return "must be one of " + strings.Join(allowed, ", ")
	}
}

func matching(pattern, fault string) func(string) string {
	compiled := regexp.MustCompile(pattern)
	return func(s string) string {
		if compiled.MatchString(s) {
			return ""
		}
		return fault
	}
}

func lengthFault(s string, least int, limit string) string {
	most, _ := strconv.Atoi(limit)
	if n := utf8.RuneCountInString(s); n < least || n > most {
		return fmt.Sprintf("must have %d to %d characters, not %d", least, most, n)
	}
	return ""
}

// collapsed is what XML Schema reads of numbers and dates: blanks around them do not count.
func collapsed(s string) string { return strings.Trim(s, " \t\r\n") }

var (
	wholePattern   = regexp.MustCompile(`^\+?[0-9]+$`)
	decimalPattern = regexp.MustCompile(`^[+-]?([0-9]+(\.[0-9]*)?|\.[0-9]+)$`)
	datePattern    = regexp.MustCompile(`^([0-9]{4}-[0-9]{2}-[0-9]{2})(Z|[+-][0-9]{2}:[0-9]{2})?$`)
	instantPattern = regexp.MustCompile(`^([0-9]{4}-[0-9]{2}-[0-9]{2}T[0-9]{2}:[0-9]{2}:[0-9]{2})(\.[0-9]+)?(Z|[+-][0-9]{2}:[0-9]{2})?$`)
)

func whole(digits int) func(string) string {
	return func(s string) string {
		s = collapsed(s)
		if !wholePattern.MatchString(s) || len(strings.TrimLeft(s, "+0")) > digits {
			return fmt.Sprintf("must be a whole number of at most %d digits", digits)
		}
		return ""
	}
}

// decimal is a number of at most so many digits, two of them after the point.
func decimal(digits int) func(string) string {
	const places = 2
	return func(s string) string {
		s = collapsed(s)
		before, after, _ := strings.Cut(strings.TrimLeft(s, "+-"), ".")
		before, after = strings.TrimLeft(before, "0"), strings.TrimRight(after, "0")
		if !decimalPattern.MatchString(s) || len(after) > places || len(before)+len(after) > digits {
			return fmt.Sprintf("must be a number of at most %d digits, %d of them after a point", digits, places)
		}
		return ""
	}
}

func dateFault(s string, first date.Date) string {
	parts := datePattern.FindStringSubmatch(collapsed(s))
	if parts == nil {
		return "must be a date such as 2026-01-31"
	}
	day, err := time.Parse(date.Layout, parts[1])
	if err != nil {
		return "must be a day that exists"
	}
	if first.IsZero() {
		return ""
	}
	if d := date.Of(day); d.Before(first) || d.After(lastDate) {
		return fmt.Sprintf("must be %s to %s", first, lastDate)
	}
	return ""
}

func instantFault(s string) string {
	parts := instantPattern.FindStringSubmatch(collapsed(s))
	if parts == nil {
		return "must be a date and time such as 2026-02-10T09:30:00"
	}
	if _, err := time.Parse("2006-01-02T15:04:05", parts[1]); err != nil {
		return "must be a day and a time that exist"
	}
	return ""
}
