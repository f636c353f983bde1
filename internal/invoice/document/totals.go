package document

import (
	"github.com/vienkart/vienkart/internal/invoice"
	"github.com/vienkart/vienkart/internal/money"
	"github.com/vienkart/vienkart/internal/vat"
)

// totals writes the VAT by code and rate, and what the document comes to.
func (s *sheet) totals() {
	if s.IsTaxed() {
		s.breakdown()
	}
	rows := s.sums()
	s.room(millimetres(len(rows))*(lineHeight+rowPadding) + gap)
	columns := []column{{"", 120, true}, {"", 60, true}}
	for _, r := range rows {
		if r.strong {
			s.bold(bodySize + 1)
		}
		s.row(columns, []string{r.label, r.value}, nil)
		s.regular(bodySize)
	}
	s.doc.Ln(gap)
	if text, ok := spell(s.due(), s.l); ok {
		s.paragraph(s.word(wordInWords) + ": " + text)
		s.doc.Ln(gap / 2)
	}
}

// breakdown writes taxable value and VAT of each code and rate, Art 80(1) of the VAT law, and the VAT in the currency of the books
// where the document is in another one, Art 230 of Directive 2006/112/EC.
func (s *sheet) breakdown() {
	columns := []column{
		{s.word(wordTax), 60, false},
		{s.word(wordTaxable) + ", " + s.Currency.Code(), 45, true},
		{s.word(wordVATSum) + ", " + s.Currency.Code(), 75, true},
		{"", 0, true},
	}
	if s.isForeign() {
		columns[2].width, columns[3] = 40, column{s.word(wordVATSum) + ", " + s.Base.Code(), 35, true}
	}
	s.room(2 * (2*lineHeight + rowPadding))
	s.titles(columns)
	for _, g := range s.Groups {
		code, _ := vat.Lookup(g.Code)
		cells := []string{g.Code + "  " + s.groupRate(code, g), amount(g.Net, s.l), amount(g.VAT, s.l), ""}
		if s.isForeign() && g.BaseVAT != nil {
			cells[3] = amount(*g.BaseVAT, s.l)
		}
		s.row(columns, cells, func() { s.titles(columns) })
	}
	s.rule()
	s.doc.Ln(gap)
}

func (s *sheet) groupRate(code vat.Code, g invoice.PrintedGroup) string {
	if rate := s.rateOf(code, g.Rate); rate != "–" {
		return rate
	}
	return s.word(wordNone)
}

// isForeign reports a document in another currency than the books.
func (s *sheet) isForeign() bool { return s.Currency != s.Base }

// sum is a line of the totals.
type sum struct {
	label, value string
	strong       bool
}

func (s *sheet) sums() []sum {
	var rows []sum
	if s.IsTaxed() {
		rows = append(rows, sum{s.word(wordNet), priced(s.Amount(s.NetMinor), s.l), false}, sum{s.word(wordVAT), priced(s.Amount(s.VATMinor), s.l), false})
		if base, known := s.vatInBase(); known && s.isForeign() {
			rows = append(rows, sum{s.inBaseLabel(), priced(base, s.l), false})
		}
	}
	rows = append(rows, sum{s.word(wordGross), priced(s.Amount(s.GrossMinor), s.l), true})
	for _, a := range s.Advances {
		label := s.word(wordAdvance) + " " + flat(a.FullNumber) + ", " + day(a.IssueDate)
		if s.IsTaxed() {
			label += " (" + s.word(wordVAT) + " " + priced(a.VAT, s.l) + ")"
		}
		rows = append(rows, sum{label, priced(a.Net.Add(a.VAT).Neg(), s.l), false})
	}
	if len(s.Advances) > 0 {
		rows = append(rows, sum{s.word(wordLeft), priced(s.due(), s.l), true})
	}
	return rows
}

// inBaseLabel names the VAT in the currency of the books with the rate it was converted at: units for one of the base currency.
func (s *sheet) inBaseLabel() string {
	label := s.word(wordInBase) + " " + s.Base.Code()
	if s.ExchangeRate != nil {
		label += " (" + s.word(wordExchange) + " 1 " + s.Base.Code() + " = " + figure(s.ExchangeRate.String(), s.l) + " " + s.Currency.Code() + ")"
	}
	return label
}

func (s *sheet) vatInBase() (money.Amount, bool) {
	total := money.Zero(s.Base)
	for _, g := range s.Groups {
		if g.BaseVAT == nil {
			return total, false
		}
		total = total.Add(*g.BaseVAT)
	}
	return total, true
}

// due is what the document asks for: its total less the advances taken off it.
func (s *sheet) due() money.Amount {
	due := s.Amount(s.GrossMinor)
	for _, a := range s.Advances {
		due = due.Sub(a.Net.Add(a.VAT))
	}
	return due
}

// remarks writes why no VAT is charged, and what the seller has to say.
func (s *sheet) remarks() {
	said := map[string]bool{"": true} // a company that is no VAT payer has no codes and owes no reason
	for _, g := range s.Groups {
		w, ok := reason(g.Code, s.VATScheme, !g.VAT.IsZero())
		if ok && !said[g.Code] {
			said[g.Code] = true
			s.paragraph(g.Code + ": " + s.word(w) + ".")
		}
	}
	if s.Notes == nil {
		return
	}
	s.doc.Ln(gap / 2)
	s.paragraph(s.word(wordNotes) + ":")
	s.paragraph(plain(*s.Notes))
}
