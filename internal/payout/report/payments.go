package report

import (
	"strings"

	"github.com/vienkart/vienkart/internal/money"
)

var paymentColumns = columnSet{
	{"id"}, {"created date (utc)", "created (utc)"}, {"amount"}, {"currency"}, {"fee"}, {"status"}, {"transfer"},
}

// unsettled are the states of a payment that brought no money. Those that begin with "requires" are, too.
var unsettled = map[string]bool{
	"": true, "failed": true, "canceled": true, "cancelled": true, "incomplete": true, "pending": true, "processing": true,
	"uncaptured": true, "blocked": true, "expired": true, "abandoned": true,
}

// payment reads a row of the unified payments. What was refunded becomes a line of its own.
func (c *collection) payment(r row) error {
	state := strings.ToLower(r.get("status"))
	if unsettled[state] || strings.HasPrefix(state, "requires") || strings.EqualFold(r.get("captured"), "false") {
		c.file.SkippedNotSettled++
		return nil
	}
	payoutID, err := r.id("transfer")
	if err != nil {
		return err
	}
	if payoutID == "" {
		c.file.SkippedUnassigned++
		return nil
	}
	l := Line{
		Number: r.line, Category: CategoryCharge, Description: cut(r.get("description"), maxDescription), Reference: r.reference(),
	}
	if l.ExternalID, err = r.id("id"); err != nil {
		return err
	}
	if l.ExternalID == "" {
		return r.fault("id", "is empty")
	}
	l.SourceID, l.ChargeID = l.ExternalID, l.ExternalID
	if l.Date, err = r.day("created date (utc)", "created (utc)"); err != nil {
		return err
	}
	p, err := r.takings()
	if err != nil {
		return err
	}
	l.Gross, l.Fee, l.Net = p.gross, p.fee, p.gross.Sub(p.fee)
	payout := Payout{ID: payoutID, Currency: p.gross.Currency()}
	if err := c.add(r, payout, l); err != nil || p.refunded.IsZero() {
		return err
	}
	return c.refund(r, payout, l, p.refunded)
}

// refundSuffix makes the id of a refund that the report gives no id for.
const refundSuffix = "/refund"

func (c *collection) refund(r row, payout Payout, l Line, refunded money.Amount) error {
	l.ExternalID, l.SourceID, l.Category = l.ExternalID+refundSuffix, "", CategoryRefund
	l.Gross, l.Fee, l.Net = refunded.Neg(), money.Zero(payout.Currency), refunded.Neg()
	if day, err := r.day("refunded date (utc)"); err != nil {
		return err
	} else if !day.IsZero() {
		l.Date = day
	}
	return c.add(r, payout, l)
}

// takings are what a payment brought, in the currency that the provider settles in.
type takings struct{ gross, fee, refunded money.Amount }

// takings reads the converted amounts, and where there are none those of the payment. Fees and refunds are meant without a sign.
func (r row) takings() (p takings, err error) {
	amount, refund := "amount", "amount refunded"
	charged, err := r.currency("currency")
	if err != nil {
		return p, err
	}
	settled := charged
	if r.get("converted amount") != "" {
		amount, refund = "converted amount", "converted amount refunded"
		if r.get("converted currency") != "" {
			if settled, err = r.currency("converted currency"); err != nil {
				return p, err
			}
		}
	}
	if p.gross, err = r.amount(amount, settled); err != nil {
		return p, err
	}
	if p.fee, err = r.amountOrZero("fee", settled); err != nil {
		return p, err
	}
	taxes, err := r.amountOrZero("taxes on fee", settled)
	if err != nil {
		return p, err
	}
	p.fee = p.fee.Abs().Add(taxes.Abs())
	p.refunded, err = r.refunded(refund, charged, settled, p.gross)
	return p, err
}

// refunded reads what of a payment went back. Where the converted refund is not said, that of the whole payment is known still.
func (r row) refunded(column string, charged, settled money.Currency, gross money.Amount) (money.Amount, error) {
	if r.get(column) != "" || r.get("amount refunded") == "" {
		refunded, err := r.amountOrZero(column, settled)
		return refunded.Abs(), err
	}
	amount, err := r.amount("amount", charged)
	if err != nil {
		return amount, err
	}
	refunded, err := r.amount("amount refunded", charged)
	switch {
	case err != nil:
		return refunded, err
	case refunded.IsZero():
		return money.Zero(settled), nil
	case charged == settled && amount == gross:
		return refunded.Abs(), nil
	case refunded.Abs() == amount.Abs():
		return gross.Abs(), nil
	}
	return refunded, r.fault("converted amount refunded", "is empty, but a part of the payment was refunded; export the column too")
}
