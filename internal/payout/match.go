package payout

import (
	"context"
	"fmt"
	"slices"

	"github.com/vienkart/vienkart/internal/ledger"
	"github.com/vienkart/vienkart/internal/money"
	"github.com/vienkart/vienkart/internal/payout/report"
	"github.com/vienkart/vienkart/internal/tenant"
)

// saleInvoice is the type of document that open items of sales bear.
const saleInvoice = "sale_invoice"

// categoryRefundFailure is money of a refund that came back.
const categoryRefundFailure = "refund_failure"

// aboutPayment are the categories whose lines the server matches: payments and what was given back by choice. Whether a disputed
// payment concerns the invoice is for a person to say.
func (l *Line) aboutPayment() bool {
	return l.Category == report.CategoryCharge || l.Category == report.CategoryRefund || l.Category == categoryRefundFailure
}

// match looks for the invoices of lines of one currency that nobody has decided about: the one document that the reference names, else the one that
// the description names, else the one that other lines of the same payment have. Where two are named none is chosen.
func match(ctx context.Context, r tenant.Reader, c money.Currency, lines []*Line) error {
	var undecided []*Line
	for _, l := range lines {
		if l.MatchState == stateNone && l.aboutPayment() {
			undecided = append(undecided, l)
		}
	}
	for chunk := range slices.Chunk(undecided, rowsPerStatement) {
		if err := matchByName(ctx, r, c, chunk); err != nil {
			return err
		}
	}
	return matchByPayment(ctx, r, c, lines, undecided)
}

// namedItems are the sales documents of a company that texts name.
type namedItems struct {
	byNumber map[string]tenant.ID
	byID     map[tenant.ID]bool
}

func matchByName(ctx context.Context, r tenant.Reader, c money.Currency, lines []*Line) error {
	found := namedItems{map[string]tenant.ID{}, map[tenant.ID]bool{}}
	var all mentions
	for _, l := range lines {
		m := mentioned(l.Reference, l.Description)
		all.numbers, all.ids = append(all.numbers, m.numbers...), append(all.ids, m.ids...)
	}
	for chunk := range slices.Chunk(all.numbers, rowsPerStatement) {
		items, err := tenant.Find[ledger.OpenItem](ctx, r, "kind = ? AND document_type = ? AND currency = ? AND document_number IN ?",
			ledger.ItemReceivable, saleInvoice, c, chunk)
		if err != nil {
			return err //nolint:wrapcheck // says what was read
		}
		for _, i := range items {
			found.byNumber[i.DocumentNumber] = i.DocumentID
		}
	}
	for chunk := range slices.Chunk(all.ids, rowsPerStatement) {
		items, err := tenant.Find[ledger.OpenItem](ctx, r, "kind = ? AND document_type = ? AND currency = ? AND document_id IN ?",
			ledger.ItemReceivable, saleInvoice, c, chunk)
		if err != nil {
			return err //nolint:wrapcheck // says what was read
		}
		for _, i := range items {
			found.byID[i.DocumentID] = true
		}
	}
	for _, l := range lines {
		if id, ok := found.in(l.Reference); ok {
			l.matched(id)
		} else if id, ok := found.in(l.Description); ok {
			l.matched(id)
		}
	}
	return nil
}

// in gives the one document that a text names.
func (n namedItems) in(text *string) (tenant.ID, bool) {
	m := mentioned(text)
	documents := map[tenant.ID]bool{}
	for _, number := range m.numbers {
		if id, ok := n.byNumber[number]; ok {
			documents[id] = true
		}
	}
	for _, id := range m.ids {
		if n.byID[id] {
			documents[id] = true
		}
	}
	return theOne(documents)
}

func theOne(documents map[tenant.ID]bool) (tenant.ID, bool) {
	if len(documents) != 1 {
		return tenant.ID{}, false
	}
	for id := range documents {
		return id, true
	}
	return tenant.ID{}, false
}

func (l *Line) matched(id tenant.ID) { l.MatchState, l.InvoiceID = stateMatched, &id }

// paidInvoice is an invoice that a payment was matched with.
type paidInvoice struct {
	ChargeID  string
	InvoiceID tenant.ID
}

// matchByPayment gives lines the invoice that other lines of their payment have, in the same report or an earlier one.
func matchByPayment(ctx context.Context, r tenant.Reader, c money.Currency, lines, undecided []*Line) error {
	invoices := map[string]map[tenant.ID]bool{}
	note := func(charge string, invoice tenant.ID) {
		if invoices[charge] == nil {
			invoices[charge] = map[tenant.ID]bool{}
		}
		invoices[charge][invoice] = true
	}
	for _, l := range lines {
		if l.ChargeID != nil && l.InvoiceID != nil {
			note(*l.ChargeID, *l.InvoiceID)
		}
	}
	var charges []string
	for _, l := range undecided {
		if l.InvoiceID == nil && l.ChargeID != nil {
			charges = append(charges, *l.ChargeID)
		}
	}
	for chunk := range slices.Chunk(charges, rowsPerStatement) {
		rows, err := tenant.Query[paidInvoice](ctx, r, `SELECT DISTINCT l.charge_id, l.invoice_id FROM settlement_lines l
			JOIN settlements s ON s.company_id = l.company_id AND s.id = l.settlement_id
			WHERE l.company_id = @company AND s.currency = ? AND l.invoice_id IS NOT NULL AND l.charge_id IN ?`, c, chunk)
		if err != nil {
			return fmt.Errorf("looking for payments: %w", err)
		}
		for _, row := range rows {
			note(row.ChargeID, row.InvoiceID)
		}
	}
	for _, l := range undecided {
		if l.InvoiceID != nil || l.ChargeID == nil {
			continue
		}
		if id, ok := theOne(invoices[*l.ChargeID]); ok {
			l.matched(id)
		}
	}
	return nil
}
