package isaf

import (
	"github.com/vienkart/vienkart/internal/identifier"
	"github.com/vienkart/vienkart/internal/vat/register"
)

// checkCashMark compares the mark of cash accounting with the days on which the company is under it, as VMI does with its register
// of taxpayers. Of suppliers those days are not known (checks 14015 and 14016). The right is one of suppliers of farm produce
// whose buyer, a Lithuanian VAT payer, issues the invoice (VMI's answer KD-4018), which a document does not tell.
func (c *checker) checkCashMark(i Invoice) {
	if i.Direction == register.Purchases || i.Type == register.Cancelled {
		return
	}
	country, _ := identifier.VATCountry(i.Party.VATNumber)
	toPayer, covered := country == lithuania, c.company.AccountsForCash(i.Date)
	switch {
	case i.SpecialTaxation && !covered:
		c.of(i, LevelWarning, "14038", "it is marked as under cash accounting, which the company's profile does not have on %s", i.Date)
	case i.SpecialTaxation && !toPayer:
		c.of(i, LevelWarning, "", "it is under cash accounting, which is for sales to Lithuanian VAT payers; the buyer's number is %s", i.Party.VATNumber)
	case !i.SpecialTaxation && covered && toPayer && i.chargesVAT():
		c.of(i, LevelWarning, "14039", "the company is under cash accounting on %s and the document is not marked so; that is right unless it sells farm produce", i.Date)
	}
}

func (i Invoice) chargesVAT() bool {
	for _, t := range i.Totals {
		if t.VAT != nil && !t.VAT.IsZero() {
			return true
		}
	}
	return false
}

// checkSettlement looks at a payment as VMI does.
func (c *checker) checkSettlement(s Settlement) {
	if !c.period.contains(s.Date) {
		c.ofSettlement(s, LevelError, "14055", "the payment of %s lies outside the period", s.Date)
	}
	c.checkPayer(s)
	seen := map[SettledInvoice]bool{}
	for _, i := range s.Invoices {
		named := SettledInvoice{Number: normalized(i.Number), Date: i.Date}
		if seen[named] {
			c.ofSettlement(s, LevelError, "14071", "the payment of %s names %s of %s twice", s.Date, i.Number, i.Date)
		}
		seen[named] = true
	}
	for _, what := range s.bent {
		c.ofSettlement(s, LevelError, codeSchema, "%s", what)
	}
}

func (c *checker) checkPayer(s Settlement) {
	p := s.Party
	expected, ofEU := identifier.VATCountry(p.VATNumber)
	switch {
	case p.VATNumber == "":
		c.ofSettlement(s, LevelError, "14056", "the party of the payment of %s needs a VAT number, or ND", s.Date)
	case p.VATNumber == unknown && p.Code == "":
		c.ofSettlement(s, LevelError, "14059", "the party of the payment of %s has no VAT number and needs a code, or ND", s.Date)
	case ofEU && expected == lithuania && identifier.CheckLTVAT(p.VATNumber) != nil:
		c.ofSettlement(s, LevelWarning, "14057", "the VAT number %s: %s", p.VATNumber, identifier.CheckLTVAT(p.VATNumber))
	}
	switch {
	case p.Country != "" && !isCountry(p.Country):
		c.ofSettlement(s, LevelError, "14060", "%s is no country", p.Country)
	case p.Country == "" && !ofEU:
		c.ofSettlement(s, LevelError, "14061", "%s has no VAT number of the EU, so its card needs the country", p.Name)
	case p.Country != "" && ofEU && p.Country != expected && p.Country != p.VATNumber[:2]:
		c.ofSettlement(s, LevelWarning, "14058", "the VAT number %s is not of the country %s", p.VATNumber, p.Country)
	}
	if p.Name == "" {
		c.ofSettlement(s, LevelError, "14062", "the party of the payment of %s needs a name, or ND", s.Date)
	}
}

// ofSettlement reports a problem of a payment, under the document that was paid.
func (p *problems) ofSettlement(s Settlement, level Level, code, format string, args ...any) {
	p.of(Invoice{Number: s.Invoices[0].Number, DocumentID: s.DocumentID}, level, code, format, args...)
}
