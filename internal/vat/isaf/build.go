package isaf

import (
	"cmp"
	"fmt"
	"slices"
	"strings"
	"unicode/utf8"

	"github.com/vienkart/vienkart/internal/date"
	"github.com/vienkart/vienkart/internal/money"
	"github.com/vienkart/vienkart/internal/vat"
	"github.com/vienkart/vienkart/internal/vat/register"
)

// importCodes are not filled in i.SAF: import VAT comes from a customs declaration, not from an invoice.
var importCodes = vat.ImportCodes()

// classifierOrder is the place of each code, so that totals stand in one order.
var classifierOrder = func() map[string]int {
	order := map[string]int{}
	for i, c := range vat.Codes() {
		order[c.Code] = i + 1
	}
	return order
}()

// entry is one invoice of the file in the making: rows of a document that have one effect.
type entry struct {
	invoiceType register.InvoiceType
	day         date.Date
	// own says that the rows are the document itself and not a later effect on it.
	own  bool
	rows []register.Row
}

// invoicesOf turns all rows that one document has in a period into invoices of the file: the document, or its number with type AN
// when it was cancelled in the period. What was done to an earlier document is a credit note under its number.
func (o *Options) invoicesOf(rows []register.Row) []Invoice {
	rows = slices.DeleteFunc(slices.Clone(rows), func(r register.Row) bool {
		return r.VATCode != nil && slices.Contains(importCodes, *r.VATCode)
	})
	entries := entriesOf(rows)
	invoices := make([]Invoice, len(entries))
	for i, e := range entries {
		invoices[i] = o.invoice(e)
	}
	return invoices
}

func entriesOf(rows []register.Row) []entry {
	recorded, revoked := has(rows, register.Recorded), has(rows, register.Revoked)
	var entries []entry
	put := func(e entry, row register.Row) {
		i := slices.IndexFunc(entries, func(x entry) bool { return x.own == e.own && x.day == e.day })
		if i < 0 {
			entries, i = append(entries, e), len(entries)
		}
		entries[i].rows = append(entries[i].rows, row)
	}
	for _, row := range rows {
		switch {
		case recorded && revoked:
			if row.Event == register.Recorded {
				put(entry{invoiceType: register.Cancelled, day: row.DocumentDate, own: true}, row)
			}
		case row.Event == register.Recorded:
			put(entry{invoiceType: row.InvoiceType, day: row.DocumentDate, own: true}, row)
		case recorded && row.InvoiceType != register.CreditNote:
			// An advance that was taken off in the month of the invoice lowers its rows.
			put(entry{invoiceType: row.InvoiceType, day: row.DocumentDate, own: true}, row)
		default:
			put(entry{invoiceType: register.CreditNote, day: row.RegisterDate}, row)
		}
	}
	slices.SortStableFunc(entries, func(a, b entry) int {
		if a.own != b.own {
			if a.own {
				return -1
			}
			return 1
		}
		return a.day.Compare(b.day)
	})
	return entries
}

func has(rows []register.Row, event register.Event) bool {
	return slices.ContainsFunc(rows, func(r register.Row) bool { return r.Event == event })
}

func (o *Options) invoice(e entry) Invoice {
	row := e.rows[0]
	if i := slices.IndexFunc(e.rows, func(r register.Row) bool { return r.Event == register.Recorded }); i >= 0 {
		row = e.rows[i]
		if e.invoiceType != register.Cancelled {
			e.invoiceType = row.InvoiceType
		}
	}
	invoice := Invoice{
		Direction: row.Direction, DocumentType: row.DocumentType, DocumentID: row.DocumentID, Number: o.number(row.DocumentNumber),
		Party: partyOf(row), Date: e.day, Type: e.invoiceType, SpecialTaxation: row.SpecialTaxation,
	}
	if invoice.isNote() {
		invoice.References = o.references(e)
	}
	switch {
	case row.Direction == register.Purchases:
		invoice.RegistrationDate = row.RegisterDate
		if row.RegisterDate.Before(e.day) && !shownDate(e.day).IsZero() {
			invoice.RegistrationDate = e.day
		}
	case shownDate(e.day).IsZero():
		invoice.Date = row.RegisterDate
	}
	invoice.Totals = totalsOf(e.rows)
	if e.own {
		invoice.SupplyDate = commonSupplyDate(e.rows)
	} else {
		clearSupplyDates(invoice.Totals)
	}
	invoice.bent = bent(e, invoice, row)
	return invoice
}

// bent compares an invoice with what the register says of it.
func bent(e entry, i Invoice, row register.Row) []string {
	var found []string
	for _, what := range i.Party.cut {
		found = append(found, "the "+what+" of the partner is too long and was cut")
	}
	if utf8.RuneCountInString(strings.TrimSpace(row.DocumentNumber)) > maxNumber {
		found = append(found, "the number is too long")
	}
	if i.Date != e.day {
		found = append(found, fmt.Sprintf("a sale cannot bear the date %s; %s stands in the file", e.day, i.Date))
	}
	for _, r := range e.rows {
		if e.own && r.SupplyDate != shownDate(r.SupplyDate) {
			found = append(found, fmt.Sprintf("the supply date %s lies outside what i.SAF takes and was left out", r.SupplyDate))
			break
		}
	}
	return found
}

// isNote reports a type under which adjusted documents are named and values may be negative.
func (i Invoice) isNote() bool { return i.Type == register.CreditNote || i.Type == register.DebitNote }

// references are the documents that the rows adjust, by date and number. A cancellation adjusts the document itself.
func (o *Options) references(e entry) []Reference {
	var list []Reference
	for _, row := range e.rows {
		ref := Reference{Date: row.AdjustsDate}
		switch {
		case row.Event == register.Revoked:
			ref = Reference{o.number(row.DocumentNumber), row.DocumentDate}
		case row.AdjustsNumber != nil:
			ref.Number = o.number(*row.AdjustsNumber)
		}
		if ref.Number != "" && isReferenceDate(ref.Date) && !slices.Contains(list, ref) {
			list = append(list, ref)
		}
	}
	slices.SortFunc(list, func(a, b Reference) int { return cmp.Or(a.Date.Compare(b.Date), cmp.Compare(a.Number, b.Number)) })
	return list
}

// totalsOf adds up rows by code, and rows without a code by rate. Totals of nothing are left out while others are left.
func totalsOf(rows []register.Row) []Total {
	type key struct{ code, rate string }
	position := map[key]int{}
	var totals []Total
	for _, row := range rows {
		k := key{code: text(row.VATCode)}
		if k.code == "" {
			k.rate = row.Rate.String()
		}
		i, known := position[k]
		if !known {
			i = len(totals)
			position[k] = i
			totals = append(totals, newTotal(row))
		}
		totals[i].Net = totals[i].Net.Add(money.New(row.BaseNetMinor, money.EUR))
		totals[i].charged = totals[i].charged.Add(money.New(row.BaseVATMinor, money.EUR))
	}
	filled := slices.DeleteFunc(slices.Clone(totals), func(t Total) bool { return t.Net.IsZero() && t.charged.IsZero() })
	if len(filled) == 0 {
		filled = totals[:1]
	}
	for i := range filled {
		filled[i].showVAT()
	}
	slices.SortStableFunc(filled, func(a, b Total) int {
		return cmp.Or(cmp.Compare(classifierOrder[text(a.Code)], classifierOrder[text(b.Code)]), compareRates(b.Rate, a.Rate))
	})
	return filled
}

func compareRates(a, b *money.Decimal) int {
	if a == nil || b == nil {
		return 0
	}
	return a.Cmp(*b)
}

// newTotal is a total without amounts. A code has its own rate or none; without a code it is the rate on the document.
func newTotal(row register.Row) Total {
	t := Total{Net: money.Zero(money.EUR), charged: money.Zero(money.EUR), SupplyDate: shownDate(row.SupplyDate)}
	if row.Direction == register.Purchases {
		t.SupplyDate = date.Date{}
	}
	rate := row.Rate
	if row.VATCode != nil {
		code, known := vat.Lookup(*row.VATCode)
		t.Code = row.VATCode
		if !known || !code.HasRate {
			return t
		}
		rate = code.Rate
	}
	if fitsPercentage(rate) {
		t.Rate = &rate
	}
	return t
}

// showVAT decides whether the VAT is in the file: not where the code has no rate, nor where the seller leaves it to the buyer.
func (t *Total) showVAT() {
	if showsVAT(t.Code, t.charged) {
		vat := t.charged
		t.VAT = &vat
	}
}

func showsVAT(code *string, charged money.Amount) bool {
	if code == nil {
		return true
	}
	c, _ := vat.Lookup(*code)
	leftToBuyer := slices.Contains(c.SaleBoxes.Base, "12") && charged.IsZero()
	return c.HasRate && !leftToBuyer
}

// fitsPercentage reports a rate that the schema can express: up to 999.99.
func fitsPercentage(rate money.Decimal) bool {
	return rate.Sign() >= 0 && rate.Cmp(money.DecimalFromInt(1000)) < 0 && rate.Div(money.DecimalFromInt(1), 2).Cmp(rate) == 0
}

func commonSupplyDate(rows []register.Row) date.Date {
	common := rows[0].SupplyDate
	for _, row := range rows[1:] {
		if row.SupplyDate != common {
			return date.Date{}
		}
	}
	return shownDate(common)
}

func clearSupplyDates(totals []Total) {
	for i := range totals {
		totals[i].SupplyDate = date.Date{}
	}
}

// The bounds of dates in the schema.
var (
	firstDate      = date.MustParse("2016-07-01")
	firstReference = date.MustParse("1990-01-01")
	lastDate       = date.MustParse("2100-01-01")
)

// shownDate is a date of supply as the file can show it, else the zero Date.
func shownDate(d date.Date) date.Date {
	if d.Before(firstDate) || d.After(lastDate) {
		return date.Date{}
	}
	return d
}

func isReferenceDate(d date.Date) bool { return !d.Before(firstReference) && !d.After(lastDate) }
