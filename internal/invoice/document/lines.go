package document

import (
	"strconv"
	"strings"

	"github.com/vienkart/vienkart/internal/invoice"
	"github.com/vienkart/vienkart/internal/money"
	"github.com/vienkart/vienkart/internal/vat"
)

// column is a column of a table of the page.
type column struct {
	title string
	width millimetres
	right bool
}

// pricePlaces is the precision of a price without VAT that is worked out of one with VAT.
const pricePlaces = 4

func (s *sheet) columns() []column {
	price, sum := wordPlainPrice, wordPlainSum
	if s.IsTaxed() {
		price, sum = wordPrice, wordSum
	}
	columns := []column{
		{s.word(wordLine), 10, false},
		{s.word(wordDescription), 74, false},
		{s.word(wordQuantity), 20, true},
		{s.word(wordUnit), 16, false},
		{s.word(price), 22, true},
		{s.word(wordRate), 14, true},
		{s.word(sum), 24, true},
	}
	if !s.IsTaxed() {
		const rate = 5
		columns[1].width += columns[rate].width
		columns[rate].width = 0
	}
	return columns
}

// lines writes the table of lines over as many pages as it takes, with the titles on each.
func (s *sheet) lines() {
	columns := s.columns()
	s.titles(columns)
	for i, l := range s.Lines {
		cells := []string{
			strconv.Itoa(i + 1), flat(l.Description), figure(l.Quantity.String(), s.l), flat(l.Unit), figure(twoPlaces(s.price(l).String()), s.l),
			s.rate(l), amount(s.Amount(l.NetMinor), s.l),
		}
		s.row(columns, cells, func() { s.titles(columns) })
	}
	s.rule()
	s.doc.Ln(gap)
}

// titles writes the head of a table.
func (s *sheet) titles(columns []column) {
	titles := make([]string, len(columns))
	for i, c := range columns {
		titles[i] = c.title
	}
	s.bold(smallSize)
	s.rule()
	s.row(columns, titles, nil)
	s.rule()
	s.regular(bodySize)
}

// row writes cells side by side, each on as many lines as it takes. Where they do not fit a new page begins, with again.
func (s *sheet) row(columns []column, cells []string, again func()) {
	split := make([][]string, len(cells))
	height := 1
	for i, c := range columns {
		if c.width > 0 && cells[i] != "" {
			split[i] = s.doc.SplitText(cells[i], c.width)
			height = max(height, len(split[i]))
		}
	}
	whole := millimetres(height)*lineHeight + rowPadding
	if s.room(whole) && again != nil {
		again()
	}
	top, left := s.doc.GetY()+rowPadding/2, millimetres(pageMargin)
	for i, c := range columns {
		align := "L"
		if c.right {
			align = "R"
		}
		for j, line := range split[i] {
			s.doc.SetXY(left, top+millimetres(j)*lineHeight)
			s.doc.CellFormat(c.width, lineHeight, line, "", 0, align, false, 0, "")
		}
		left += c.width
	}
	s.doc.SetXY(pageMargin, top-rowPadding/2+whole)
}

// price is the unit price without VAT, which the law asks for.
func (s *sheet) price(l invoice.Line) money.Decimal {
	if !l.PriceIncludesVAT || !s.ChargesVAT() || l.Quantity.IsZero() {
		return l.UnitPrice
	}
	return s.Amount(l.NetMinor).Decimal().Div(l.Quantity, pricePlaces)
}

// twoPlaces fills a price up to hundredths, as people write prices.
func twoPlaces(number string) string {
	whole, fraction, _ := strings.Cut(number, ".")
	for len(fraction) < 2 {
		fraction += "0"
	}
	return whole + "." + fraction
}

// rate is the rate that a line is charged at; nothing where none is charged, for then the totals give the reason.
func (s *sheet) rate(l invoice.Line) string {
	if l.VATCode == nil {
		return ""
	}
	code, _ := vat.Lookup(*l.VATCode)
	return s.rateOf(code, l.VATRate)
}

func (s *sheet) rateOf(code vat.Code, rate money.Decimal) string {
	if rate.IsZero() && code.HasRate && code.Rate.IsZero() {
		return percent(rate, s.l)
	}
	if rate.IsZero() || !s.ChargesVAT() {
		return "–"
	}
	return percent(rate, s.l)
}
