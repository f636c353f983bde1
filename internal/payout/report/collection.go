package report

import (
	"strings"

	"github.com/vienkart/vienkart/internal/money"
)

// collection gathers the lines of a file by payout.
type collection struct {
	file *File
	// seen is the line of the file by the id of its movement, at the place of a payout by its id.
	seen, at map[string]int
	// paid is what payout rows say was paid out, by the id of the payout; order keeps the first row's place.
	paid  map[string]money.Amount
	order []string
	lines int
	// sums are the amounts of each payout without their signs.
	sums []int64
}

// add puts a line to its payout.
func (c *collection) add(r row, p Payout, l Line) error {
	if l.Date.IsZero() {
		l.Date = p.Date
	}
	if l.Date.IsZero() {
		return r.fault("", "the line has no day")
	}
	if first, twice := c.seen[l.ExternalID]; twice {
		return r.fault("", "the id %s is on line %d too; a movement belongs to one line", shorten(l.ExternalID), first)
	}
	c.seen[l.ExternalID] = r.line
	if c.lines++; c.lines > MaxLines {
		return r.fault("", "the file has more than %d lines with a payout; export a shorter time at once", MaxLines)
	}
	at, known := c.at[p.ID]
	if !known {
		at = len(c.file.Payouts)
		if at == MaxPayouts {
			return r.fault("", "the file has more than %d payouts; export a shorter time at once", MaxPayouts)
		}
		c.at[p.ID] = at
		c.file.Payouts = append(c.file.Payouts, p)
		c.sums = append(c.sums, 0)
	}
	payout := &c.file.Payouts[at]
	if payout.Currency != p.Currency {
		return r.fault("currency", "is %s, but other lines of the payout %s are in %s; a payout has one currency", p.Currency, shorten(p.ID), payout.Currency)
	}
	if payout.Date.IsZero() {
		payout.Date = p.Date
	}
	payout.Lines = append(payout.Lines, l)
	if len(payout.Lines) > MaxPayoutLines {
		return r.fault("", "the payout %s has more than %d lines", shorten(p.ID), MaxPayoutLines)
	}
	c.sums[at] += l.Gross.Abs().Minor() + l.Fee.Abs().Minor()
	if c.sums[at] > money.MaxMinor {
		return r.fault("", "the amounts of the payout %s come to more than the books take", shorten(p.ID))
	}
	return nil
}

// payoutRow notes what a payout came to. Without a payout in a column of its own the source is the payout.
func (c *collection) payoutRow(r row) error {
	id := r.get("automatic_payout_id")
	if source := r.get("source_id"); id == "" && strings.HasPrefix(source, "po_") {
		id = source
	}
	if id == "" {
		return nil
	}
	currency, err := r.currency("currency")
	if err != nil {
		return err
	}
	net, err := r.amount("net", currency)
	if err != nil {
		return err
	}
	before, known := c.paid[id]
	switch {
	case !known:
		c.paid[id] = net
		c.order = append(c.order, id)
		return nil
	case before.Currency() != currency:
		return r.fault("currency", "is %s, but another row of the payout %s is in %s", currency, shorten(id), before.Currency())
	}
	if c.paid[id] = before.Add(net); c.paid[id].Abs().Minor() > money.MaxMinor {
		return r.fault("net", "the rows of the payout %s come to more than the books take", shorten(id))
	}
	return nil
}

// compare sets what the lines of a payout come to against its own row, where the file has one.
func (c *collection) compare() error {
	for _, id := range c.order {
		at, ok := c.at[id]
		if !ok {
			continue
		}
		p, said := c.file.Payouts[at], c.paid[id]
		if said.Currency() != p.Currency {
			return &Fault{Reason: "the payout " + shorten(id) + " is in " + said.Currency().Code() + ", its lines are in " + p.Currency.Code()}
		}
		if net := p.Net(); net.Abs() != said.Abs() {
			expected := said.Abs()
			if net.IsNegative() {
				expected = expected.Neg()
			}
			return &Mismatch{PayoutID: p.ID, Expected: expected, Found: net}
		}
	}
	return nil
}
