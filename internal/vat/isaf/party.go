package isaf

import (
	"strings"

	"github.com/vienkart/vienkart/internal/identifier"
	"github.com/vienkart/vienkart/internal/vat/register"
)

const lithuania = "LT"

// Widths of the schema, in characters.
const (
	maxNumber     = 70
	maxIdentifier = 35
	maxName       = 256
	maxVersion    = 24
)

// partyOf is the other side of a row. A VAT number of the EU says the country, so that the file leaves it out; otherwise the
// country must be given. Without a VAT number the registration number takes its place.
func partyOf(row register.Row) Party {
	p := Party{ID: row.PartnerID, origin: strings.ToUpper(text(row.PartnerCountry))}
	p.VATNumber = p.held("VAT number", text(row.PartnerVATCode), maxIdentifier)
	p.Code = p.held("code", text(row.PartnerCode), maxIdentifier)
	p.Name = p.held("name", row.PartnerName, maxName)
	if !isCountry(p.origin) {
		p.origin = ""
	}
	country, ofEU := identifier.VATCountry(p.VATNumber)
	switch {
	case ofEU:
		p.origin = country
	case p.VATNumber == "":
		p.VATNumber, p.Country = unknown, p.origin
		if p.Code == "" {
			p.Code = unknown
		}
	default:
		p.Country = p.origin
	}
	if p.Name == "" {
		p.Name = unknown
	}
	return p
}

// held is a particular held to its width.
func (p *Party) held(what, value string, width int) string {
	held := clip(value, width)
	if held != strings.TrimSpace(value) {
		p.cut = append(p.cut, what)
	}
	return held
}

// ofEU reports a party with a VAT number of the EU, Lithuanian ones included.
func (p Party) ofEU() bool {
	_, ok := identifier.VATCountry(p.VATNumber)
	return ok
}

// isCountry reports two capital letters. ND passes the schema and is no country.
func isCountry(s string) bool {
	return len(s) == 2 && s != unknown && s[0] >= 'A' && s[0] <= 'Z' && s[1] >= 'A' && s[1] <= 'Z'
}

func text(s *string) string {
	if s == nil {
		return ""
	}
	return strings.TrimSpace(*s)
}

// clip trims a text and holds it to a width of the schema.
func clip(s string, width int) string {
	s = strings.TrimSpace(s)
	runes := []rune(s)
	if len(runes) <= width {
		return s
	}
	return strings.TrimSpace(string(runes[:width]))
}
