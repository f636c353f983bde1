package report

import (
	"fmt"

	"github.com/vienkart/vienkart/internal/date"
	"github.com/vienkart/vienkart/internal/money"
)

// Format is the kind of a report, by its columns.
type Format string

// The formats.
const (
	PayoutReconciliation Format = "payout_reconciliation"
	UnifiedPayments      Format = "unified_payments"
)

// Enum lists the formats for the API document.
func (Format) Enum() []any { return []any{PayoutReconciliation, UnifiedPayments} }

// Categories with a meaning of their own. A report may have others.
const (
	CategoryCharge = "charge"
	CategoryRefund = "refund"
	CategoryFee    = "fee"
	categoryPayout = "payout"
)

// Limits of a file.
const (
	// MaxPayouts keeps the answer to an import, which lists its batches, within what is stored for a replay. It is more than a
	// year of daily payouts.
	MaxPayouts = 400
	// MaxLines is what one import stores well within the time that a request has.
	MaxLines = 50_000
	// MaxPayoutLines keeps the ids of one payout within the parameters that a statement may have on every engine.
	MaxPayoutLines = 30_000

	maxID          = 100 // characters
	maxCategory    = 50
	maxText        = 255
	maxDescription = 500
)

// File is what a report holds. Payouts stand in the order of their first lines.
type File struct {
	Format  Format
	Payouts []Payout
	// SkippedUnassigned counts rows without a payout, SkippedPayoutRows those that are the sum of one, SkippedNotSettled payments
	// that brought no money.
	SkippedUnassigned, SkippedPayoutRows, SkippedNotSettled int
}

// Payout is one transfer to the bank.
type Payout struct {
	ID string
	// Date is the day the money arrives; the zero Date where the report does not say.
	Date     date.Date
	Currency money.Currency
	Lines    []Line
}

// Net is what the bank received; negative when it was charged.
func (p Payout) Net() money.Amount {
	sum := money.Zero(p.Currency)
	for _, l := range p.Lines {
		sum = sum.Add(l.Net)
	}
	return sum
}

// Line is one movement that a payout is made of. Net is Gross less Fee; money that went back is negative.
type Line struct {
	// Number is the line of the file.
	Number int
	// ExternalID is the provider's id of the movement, unique in the file.
	ExternalID string
	// Category is what moved the money, in lower case.
	Category        string
	Date            date.Date
	Gross, Fee, Net money.Amount
	// Description, SourceID, ChargeID and Reference are empty where the report has none. ChargeID is the payment that a charge,
	// refund or dispute is about; Reference is what the merchant attached to it, or the payment intent.
	Description, SourceID, ChargeID, Reference string
}

// Parse reads a report, given as text or as text in base64. Errors: *Fault, *Mismatch.
func Parse(content string) (*File, error) {
	text, err := decode(content)
	if err != nil {
		return nil, err
	}
	s, err := open(text)
	if err != nil {
		return nil, err
	}
	c := &collection{file: &File{}, seen: map[string]int{}, at: map[string]int{}, paid: map[string]money.Amount{}}
	read := c.reconciliation
	switch {
	case s.hasAny("balance_transaction_id", "automatic_payout_id", "reporting_category"):
		c.file.Format = PayoutReconciliation
		err = s.require(reconciliationColumns)
	case s.hasAny("transfer", "created date (utc)", "created (utc)"):
		c.file.Format, read = UnifiedPayments, c.payment
		err = s.require(paymentColumns)
	default:
		err = &Fault{Line: s.header, Reason: "the header is that of no known report; an itemised payout reconciliation has " +
			reconciliationColumns.String() + ", a unified payments export has " + paymentColumns.String()}
	}
	if err != nil {
		return nil, err
	}
	if err := s.each(read); err != nil {
		return nil, err
	}
	return c.file, c.compare()
}

// Fault says where a file cannot be read, and why.
type Fault struct {
	// Line is the line of the file, from 1; 0 for the file as a whole.
	Line int
	// Column is the name of the column, empty for the whole line.
	Column string
	Reason string
}

func (f *Fault) Error() string {
	switch {
	case f.Line == 0:
		return f.Reason
	case f.Column == "":
		return fmt.Sprintf("line %d: %s", f.Line, f.Reason)
	}
	return fmt.Sprintf("line %d, column %s: %s", f.Line, f.Column, f.Reason)
}

// Mismatch says that the lines of a payout do not come to what its own row says.
type Mismatch struct {
	PayoutID        string
	Expected, Found money.Amount
}

func (m *Mismatch) Error() string {
	return fmt.Sprintf("the payout %s is %s %s, its lines come to %s %s", m.PayoutID, m.Expected, m.Expected.Currency(), m.Found, m.Found.Currency())
}
