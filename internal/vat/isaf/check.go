package isaf

import (
	"hash/fnv"

	"github.com/vienkart/vienkart/internal/date"
	"github.com/vienkart/vienkart/internal/identifier"
	"github.com/vienkart/vienkart/internal/tenant"
	"github.com/vienkart/vienkart/internal/vat/register"
)

// checker looks at each invoice as VMI does after the schema: its codes are those of the web-service specification.
type checker struct {
	problems
	period Period
	today  date.Date
	ownVAT string
	// company is whose file it is.
	company tenant.Company
	// seen holds a hash of what must be unique, so that memory stays small.
	seen map[uint64]tenant.ID
}

// side chooses between the codes of a check for purchases and for sales.
func (i Invoice) side(purchases, sales string) string {
	if i.Direction == register.Purchases {
		return purchases
	}
	return sales
}

func (c *checker) check(r piece) {
	if r.settlement != nil {
		c.checkSettlement(*r.settlement)
		return
	}
	c.checkInvoice(*r.invoice)
}

func (c *checker) checkInvoice(i Invoice) {
	c.checkNumber(i)
	c.checkDates(i)
	c.checkParty(i)
	c.checkCashMark(i)
	for _, what := range i.bent {
		c.of(i, LevelError, codeSchema, "%s", what)
	}
	for _, t := range i.Totals {
		c.checkTotal(i, t)
	}
	if i.isNote() && len(i.References) == 0 {
		c.of(i, LevelWarning, "", "the note names no document that it adjusts; VMI allows that where none can be named")
	}
}

func (c *checker) checkNumber(i Invoice) {
	if !hasDigit(i.Number) {
		c.of(i, LevelError, i.side("14012", "14035"), "the number has no digit")
	}
	hash := fnv.New64a()
	identity := []string{string(i.Direction), normalized(i.Number), i.Date.String()}
	if i.Direction == register.Purchases {
		identity = append(identity, i.Party.VATNumber, i.Party.Code, i.Party.Name)
	}
	for _, part := range identity {
		_, _ = hash.Write([]byte(part + "\n")) // a hash takes everything
	}
	if first, known := c.seen[hash.Sum64()]; known {
		c.of(i, LevelWarning, i.side("14068", "14067"), "another document of the file (%s) has the same number and date", first)
		return
	}
	c.seen[hash.Sum64()] = i.DocumentID
}

func (c *checker) checkDates(i Invoice) {
	switch {
	case i.Date.After(c.today):
		c.of(i, LevelError, i.side("14013", "14036"), "the date %s lies in the future", i.Date)
	case i.Direction == register.Sales && !c.period.contains(i.Date):
		c.of(i, LevelError, "14037", "the date %s lies outside the period", i.Date)
	case i.Direction == register.Purchases && i.Date.After(c.period.To):
		c.of(i, LevelError, "14407", "the date %s lies after the period", i.Date)
	}
	if i.Direction == register.Purchases && !c.period.contains(i.RegistrationDate) {
		c.of(i, LevelError, "14019", "the registration date %s lies outside the period", i.RegistrationDate)
	}
	if i.Type == register.CreditNote && i.Direction == register.Sales && len(i.References) > 0 && i.References[0].Number == i.Number {
		c.of(i, LevelWarning, "", "the document was cancelled after its month; correct the file of that month instead where VMI still takes it")
	}
}

func (c *checker) checkParty(i Invoice) {
	p := i.Party
	if p.VATNumber == unknown || !p.ofEU() {
		if p.Country == "" {
			c.of(i, LevelError, i.side("14008", "14033"), "%s has no VAT number of the EU, so its card needs the country", p.Name)
		}
	} else if p.VATNumber[:2] == lithuania {
		if err := identifier.CheckLTVAT(p.VATNumber); err != nil {
			c.of(i, LevelWarning, i.side("14004", "14026"), "the VAT number %s: %s; send it as printed, and ask the partner", p.VATNumber, err)
		}
	}
	if i.Direction == register.Sales && c.ownVAT != "" && p.VATNumber == c.ownVAT {
		c.of(i, LevelError, "14315", "the buyer has the VAT number of the company itself")
	}
	if p.Country != "" && p.VATNumber != unknown && isCountry(p.VATNumber[:min(2, len(p.VATNumber))]) && p.VATNumber[:2] != p.Country {
		c.of(i, LevelWarning, i.side("14005", "14027"), "the VAT number %s does not begin with the country %s", p.VATNumber, p.Country)
	}
}
