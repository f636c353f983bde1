package report

import (
	"strings"

	"github.com/vienkart/vienkart/internal/money"
)

var reconciliationColumns = columnSet{
	{"automatic_payout_id"},
	{"balance_transaction_id"},
	{"created_utc", "created"},
	{"currency"},
	{"gross"},
	{"fee"},
	{"net"},
	{"reporting_category"},
}

// reconciliation reads a row of the itemised payout reconciliation.
func (c *collection) reconciliation(r row) error {
	l := Line{
		Number: r.line, Category: cut(strings.ToLower(r.get("reporting_category")), maxCategory),
		Description: cut(r.get("description"), maxDescription), Reference: r.reference(),
	}
	if l.Category == categoryPayout {
		c.file.SkippedPayoutRows++
		return c.payoutRow(r)
	}
	payoutID, err := r.id("automatic_payout_id")
	if err != nil {
		return err
	}
	if payoutID == "" {
		c.file.SkippedUnassigned++
		return nil
	}
	if err := l.ids(r); err != nil {
		return err
	}
	if l.Date, err = r.day("created_utc", "created"); err != nil {
		return err
	}
	arrival, err := r.day("automatic_payout_effective_at", "automatic_payout_effective_at_utc")
	if err != nil {
		return err
	}
	currency, err := r.currency("currency")
	if err != nil {
		return err
	}
	if err := l.amounts(r, currency); err != nil {
		return err
	}
	return c.add(r, Payout{ID: payoutID, Date: arrival, Currency: currency}, l)
}

// ids reads what names the movement.
func (l *Line) ids(r row) (err error) {
	if l.ExternalID, err = r.id("balance_transaction_id"); err != nil {
		return err
	}
	switch {
	case l.ExternalID == "":
		return r.fault("balance_transaction_id", "is empty")
	case l.Category == "":
		return r.fault("reporting_category", "is empty")
	}
	if l.SourceID, err = r.id("source_id"); err != nil {
		return err
	}
	if l.ChargeID, err = r.id("charge_id"); err != nil {
		return err
	}
	if l.ChargeID == "" && (strings.HasPrefix(l.SourceID, "ch_") || strings.HasPrefix(l.SourceID, "py_")) {
		l.ChargeID = l.SourceID // the column is optional; the source of a charge is the charge
	}
	return nil
}

// amounts reads gross, fee and net. Some programs write fees as what they take; the net tells.
func (l *Line) amounts(r row, c money.Currency) (err error) {
	if l.Gross, err = r.amount("gross", c); err != nil {
		return err
	}
	if l.Fee, err = r.amount("fee", c); err != nil {
		return err
	}
	if l.Net, err = r.amount("net", c); err != nil {
		return err
	}
	if l.Net != l.Gross.Sub(l.Fee) {
		if l.Net != l.Gross.Add(l.Fee) {
			return r.fault("net", "is %s, but gross less fee is %s", l.Net, l.Gross.Sub(l.Fee))
		}
		l.Fee = l.Fee.Neg()
	}
	return nil
}

// currency reads the code of a currency in either case.
func (r row) currency(names ...string) (money.Currency, error) {
	code := r.get(names...)
	c, err := money.ParseCurrency(strings.ToUpper(code))
	if err != nil {
		return c, r.fault(names[0], "%q is no currency", shorten(code))
	}
	return c, nil
}
