package document

import "github.com/vienkart/vienkart/internal/invoice"

// Language is what a document is written in.
type Language string

// The languages of the wire contract.
const (
	Lithuanian Language = "lt"
	English    Language = "en"
	Russian    Language = "ru"
)

// Enum lists the allowed values.
func (Language) Enum() []any { return []any{Lithuanian, English, Russian} }

// Or is the language, or the one that suits the buyer where none is asked for: Lithuanian for a buyer in Lithuania and for one of
// whom no country is known, English for all others.
func (l Language) Or(p *invoice.Printout) Language {
	switch {
	case l != "":
		return l
	case p.Buyer.CountryCode == "" || p.Buyer.CountryCode == "LT":
		return Lithuanian
	}
	return English
}

// words is a text in each language.
type words struct{ lt, en, ru string }

func (w words) in(l Language) string {
	switch l {
	case English:
		return w.en
	case Russian:
		return w.ru
	case Lithuanian:
	}
	return w.lt
}
