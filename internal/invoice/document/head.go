package document

import (
	"strings"

	"github.com/vienkart/vienkart/internal/date"
	"github.com/vienkart/vienkart/internal/invoice"
)

// labelled is a label with its value; one without a value is not written.
type labelled struct{ label, value string }

// head writes what the document is, its number and its dates.
func (s *sheet) head() {
	s.bold(titleSize)
	s.doc.CellFormat(pageWidth, 2*lineHeight, s.word(title(s.Printout)), "", 1, "L", false, 0, "")
	s.regular(bodySize)
	if s.Type == invoice.TypeProforma {
		s.paragraph(s.word(wordOffer))
	}
	if s.Status == invoice.StatusDraft {
		s.paragraph(s.word(wordDraftText))
	}
	if !s.CancelledAt.IsZero() {
		s.bold(bodySize)
		s.paragraph(s.word(wordCancelled) + " " + date.Of(s.CancelledAt.Time).String())
	}
	s.doc.Ln(gap / 2)
	number := ""
	if s.FullNumber != nil {
		number = flat(*s.FullNumber)
	}
	facts := []labelled{
		{s.word(wordNumber), number},
		{s.word(wordIssued), day(s.IssueDate)},
		{s.word(wordSupplied), day(s.SupplyDate)},
	}
	if s.Type != invoice.TypeCreditNote {
		facts = append(facts, labelled{s.word(wordDue), day(s.DueDate)})
	}
	if s.Adjusts != nil {
		facts = append(facts, labelled{s.word(wordAdjusts), flat(s.Adjusts.FullNumber) + ", " + day(s.Adjusts.IssueDate)})
	}
	for _, f := range facts {
		s.fact(f)
	}
	s.doc.Ln(gap)
}

func day(d date.Date) string {
	if d.IsZero() {
		return ""
	}
	return d.String()
}

func (s *sheet) fact(f labelled) {
	const labelWidth = 70
	if f.value == "" {
		return
	}
	s.regular(bodySize)
	s.doc.CellFormat(labelWidth, lineHeight, f.label, "", 0, "L", false, 0, "")
	s.bold(bodySize)
	s.doc.CellFormat(pageWidth-labelWidth, lineHeight, f.value, "", 1, "L", false, 0, "")
	s.regular(bodySize)
}

// parties writes seller and buyer side by side.
func (s *sheet) parties() {
	const width = pageWidth/2 - gap
	top := s.doc.GetY()
	s.party(pageMargin, width, wordSeller, s.Seller)
	bottom := s.doc.GetY()
	s.doc.SetY(top)
	s.party(pageMargin+pageWidth/2, width, wordBuyer, s.Buyer)
	s.doc.SetXY(pageMargin, max(bottom, s.doc.GetY())+gap)
}

func (s *sheet) party(left, width millimetres, role words, p invoice.Party) {
	s.regular(smallSize)
	s.cell(left, width, s.word(role))
	s.bold(bodySize + 1)
	s.cell(left, width, flat(p.Name))
	s.regular(bodySize)
	for _, f := range []labelled{
		{s.word(wordCode), p.Code},
		{s.word(wordVATCode), p.VATCode},
		{s.word(wordSMENumber), p.SMEExemptionNumber},
		{s.word(wordAddress), address(p)},
		{s.word(wordEmail), p.Email},
		{s.word(wordPhone), p.Phone},
		{s.word(wordBank), p.BankName},
		{s.word(wordAccount), grouped(p.IBAN)},
	} {
		if value := flat(f.value); value != "" {
			s.cell(left, width, f.label+": "+value)
		}
	}
}

// cell writes text into a column, on as many lines as it takes.
func (s *sheet) cell(left, width millimetres, text string) {
	for _, line := range s.doc.SplitText(text, width) {
		s.doc.SetX(left)
		s.doc.CellFormat(width, lineHeight, line, "", 1, "L", false, 0, "")
	}
}

func address(p invoice.Party) string {
	place := strings.TrimSpace(p.PostalCode + " " + p.City)
	var parts []string
	for _, part := range []string{p.Street, place, p.CountryCode} {
		if part != "" {
			parts = append(parts, part)
		}
	}
	return strings.Join(parts, ", ")
}

// grouped writes an account number as people read it, in groups of four.
func grouped(iban string) string {
	const group = 4
	var out strings.Builder
	for i, r := range iban {
		if i > 0 && i%group == 0 {
			out.WriteByte(' ')
		}
		out.WriteRune(r)
	}
	return out.String()
}
