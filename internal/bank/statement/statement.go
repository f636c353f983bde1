package statement

import (
	"fmt"

	"github.com/vienkart/vienkart/internal/date"
	"github.com/vienkart/vienkart/internal/money"
)

// Format is a file format.
type Format string

// The formats of the contract.
const (
	CAMT053   Format = "camt053"
	MT940     Format = "mt940"
	StripeCSV Format = "stripe-csv"
)

// Enum lists the allowed values.
func (Format) Enum() []any { return []any{CAMT053, MT940, StripeCSV} }

// Limits of a file. A body is 16 MiB at most, and no bank packs more into it.
const (
	maxLines      = 100_000
	maxStatements = 366 // a year of days; the answer to an import names each
)

// Statement is what happened on one account in one stretch of time.
type Statement struct {
	// ID is the number that the bank gave, or empty.
	ID string
	// IBAN is the account's number without blanks, or empty where the file has another number or none.
	IBAN string
	// From and To are the first and the last day, zero when there is neither a balance nor a line.
	From, To date.Date
	// Opening and Closing are the booked balances, nil when the file does not give them.
	Opening, Closing *money.Amount
	Lines            []Line
}

// Line is one movement of money.
type Line struct {
	// Number is the line of the file that it begins in, from 1.
	Number int
	// Date is the day the bank booked it.
	Date date.Date
	// Amount is positive for money that came in; never zero.
	Amount           money.Amount
	CounterpartyName string
	CounterpartyIBAN string
	Description      string
	// Reference is the bank's own, or empty.
	Reference string
	// ExternalID is Reference, for the one line of the file that may take it as its identity; else empty. Banks give one
	// reference to several lines, such as a payment and its fee, so whoever holds a line with the same ExternalID must
	// compare day and amount too.
	ExternalID string
	// AlternateID tells the line from every other line, of this file and of others. It serves where ExternalID cannot.
	AlternateID string
}

// Fault says why a file cannot be read.
type Fault struct {
	// Line is the line of the file, from 1; 0 when the file as a whole is meant.
	Line    int
	Message string
}

// Error is the message with the line.
func (f *Fault) Error() string {
	if f.Line == 0 {
		return f.Message
	}
	return fmt.Sprintf("line %d: %s", f.Line, f.Message)
}

func fault(line int, format string, args ...any) *Fault {
	return &Fault{Line: line, Message: fmt.Sprintf(format, args...)}
}

// Parse reads a file: the text itself, or its bytes in base64, which is the way to send any encoding but UTF-8. An empty
// format is worked out from the content. The currency is that of the account; it stands in where a CSV file names none.
// Every error is a *Fault.
func Parse(content string, format Format, currency money.Currency) ([]Statement, error) {
	file, err := open(content)
	if err != nil {
		return nil, err
	}
	if format == "" {
		if format, err = detect(file); err != nil {
			return nil, err
		}
	}
	var statements []Statement
	switch format {
	case CAMT053:
		statements, err = parseCAMT(file)
	case MT940:
		statements, err = parseMT940(file)
	case StripeCSV:
		statements, err = parseStripe(file, currency)
	default:
		err = fault(0, "the format %q is not known; use one of camt053, mt940, stripe-csv", format)
	}
	if err != nil {
		return nil, err
	}
	if err := identify(statements); err != nil {
		return nil, err
	}
	return statements, nil
}

// counts keeps a file within the limits while it is read.
type counts struct{ lines, statements int }

func (c *counts) addLines(at, n int) error {
	if c.lines += n; c.lines > maxLines {
		return fault(at, "the file has more than %d lines; import it in parts", maxLines)
	}
	return nil
}

func (c *counts) addStatement(at int) error {
	if c.statements++; c.statements > maxStatements {
		return fault(at, "the file has more than %d statements; import it in parts", maxStatements)
	}
	return nil
}

// span widens the days of a statement so that they cover its lines.
func (s *Statement) span() {
	for _, l := range s.Lines {
		s.cover(l.Date)
	}
}

func (s *Statement) cover(d date.Date) {
	if d.IsZero() {
		return
	}
	if s.From.IsZero() || d.Before(s.From) {
		s.From = d
	}
	if d.After(s.To) {
		s.To = d
	}
}

// reconcile checks that the lines lead from the opening to the closing balance: a file that was cut off, or a page that is
// missing, shows here.
func (s *Statement) reconcile(at int) error {
	if s.Opening == nil || s.Closing == nil || s.Opening.Currency() != s.Closing.Currency() {
		return nil
	}
	sum := *s.Opening
	for _, l := range s.Lines {
		if l.Amount.Currency() != sum.Currency() {
			return fault(l.Number, "the line is in %s, the balances of the statement are in %s", l.Amount.Currency(), sum.Currency())
		}
		sum = sum.Add(l.Amount)
	}
	if sum != *s.Closing {
		return fault(at, "the statement %s does not add up: %s and its lines give %s, not the closing balance %s; the file is incomplete",
			s.ID, s.Opening, sum, s.Closing)
	}
	return nil
}
