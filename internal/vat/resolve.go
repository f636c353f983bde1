package vat

import (
	"github.com/vienkart/vienkart/internal/money"
)

// SupplyType is what is supplied, as far as the place of taxation depends on it.
type SupplyType string

// The types.
const (
	Goods    SupplyType = "goods"
	Services SupplyType = "services"
	// Digital is electronic, telecommunication and broadcasting services, Art 58 of the VAT Directive.
	Digital SupplyType = "digital"
)

// Enum lists the allowed values.
func (SupplyType) Enum() []any { return []any{Goods, Services, Digital} }

// Sale is what decides how a sale of a Lithuanian company is taxed.
type Sale struct {
	// IsVATPayer is about the seller.
	IsVATPayer bool
	// Country is that of the customer, ISO 3166-1; InEU says whether it is in the EU.
	Country string
	InEU    bool
	// ToBusiness is a customer who is a taxable person, in the EU one with a VAT number.
	ToBusiness bool
	Type       SupplyType
	// BelowThreshold is a seller whose distance sales and digital services to consumers of other states stay below 10,000 EUR a year.
	BelowThreshold bool
	// Facilitated is a sale through an electronic interface of somebody else, Facilitating one through the seller's own.
	Facilitated, Facilitating bool
	// EstablishedInEU is about whoever owns the goods that are sold through an interface.
	EstablishedInEU bool
	// Consignment is the value of goods that come from outside the EU in one consignment, in euro; nil for goods that are here.
	Consignment *money.Decimal
}

// Treatment is how a supply is taxed.
type Treatment struct {
	Scheme Scheme
	// Country is whose VAT it is, or whose it would be; empty outside the EU.
	Country string
	// ReverseCharge: the customer owes the VAT. Deemed: the seller counts as supplier of what others sell. ZeroRated: taxed at 0 %
	// with the right to deduct.
	ReverseCharge, Deemed, ZeroRated bool
	// Charges says that VAT of the country is added.
	Charges    bool
	LegalBasis string
	Notes      []string
}

// Home is the country whose VAT law the classifier and the returns are of.
const Home = "LT"

// consignmentLimit is the value up to which imported goods fall under the import one-stop shop, in euro.
var consignmentLimit = money.DecimalFromInt(150)

// Resolve says how a supply is taxed by the common rules. It does not know the exceptions for single goods and services; notes name
// those that are met most.
func Resolve(s Sale) Treatment {
	switch {
	case !s.IsVATPayer:
		return Treatment{
			Scheme: SchemeSMEExempt, Country: Home, LegalBasis: "Art 71(2) of the VAT law; Art 284 of Directive 2006/112/EC",
			Notes: []string{"The company is no VAT payer: no VAT is charged, and the invoice is no VAT invoice. Services to taxable persons of other EU states may need a registration all the same."},
		}
	case s.Type == Goods && s.InEU && !s.ToBusiness && s.isDeemed() && (s.Facilitated || s.Facilitating):
		return s.throughInterface()
	case s.Type == Goods && s.Consignment != nil:
		return s.imported()
	case s.Country == Home:
		return Treatment{
			Scheme: SchemeDomestic, Country: Home, Charges: true, LegalBasis: "Art 19 of the VAT law",
			Notes: s.noted("Art 96 of the VAT law leaves the VAT of some supplies to a buyer who is a VAT payer, construction work among them: use the scheme reverse_charge for those."),
		}
	case s.InEU && s.ToBusiness:
		return s.toEUBusiness()
	case s.InEU:
		return s.toEUConsumer()
	default:
		return s.outside()
	}
}

// isDeemed reports a supply of which an electronic interface counts as supplier: small imported consignments, and goods inside the
// EU of owners who are not established there.
func (s Sale) isDeemed() bool {
	if s.Consignment != nil {
		return s.Consignment.Cmp(consignmentLimit) <= 0
	}
	return !s.EstablishedInEU
}

// noted adds what to say of an interface that changes nothing.
func (s Sale) noted(notes ...string) []string {
	if (s.Facilitated || s.Facilitating) && !s.isDeemed() {
		notes = append(notes, "The interface does not count as the supplier: it does so for imported consignments up to 150 EUR, and for goods of owners outside the EU.")
	}
	return notes
}

func (s Sale) throughInterface() Treatment {
	t := Treatment{Scheme: SchemeMarketplaceDeemed, LegalBasis: "Art 14a of Directive 2006/112/EC"}
	if s.Facilitating {
		t.Country, t.Deemed, t.Charges = s.Country, true, true
		t.Notes = []string{"The interface counts as buyer and seller of the goods and owes the VAT of the customer's country, through the one-stop shop where it is registered."}
		return t
	}
	t.Country, t.ZeroRated = Home, true
	t.LegalBasis += "; Art 136a of the same for the supply to the interface"
	t.Notes = []string{"The interface owes the VAT of the customer. The supply to the interface bears none and keeps the right to deduct."}
	return t
}

func (s Sale) imported() Treatment {
	if s.InEU && !s.ToBusiness && s.Consignment.Cmp(consignmentLimit) <= 0 {
		return Treatment{
			Scheme: SchemeIOSS, Country: s.Country, Charges: true, LegalBasis: "Arts 33(b), 369l to 369x of Directive 2006/112/EC",
			Notes: s.noted("Needs a registration for the import scheme; without it the VAT is paid at customs. Excise goods are outside the scheme."),
		}
	}
	t := Treatment{
		Scheme: SchemeOutOfScope, LegalBasis: "Arts 32, 33 and 60 of Directive 2006/112/EC",
		Notes: s.noted("The goods are sold outside the EU; VAT is paid when they are imported, by whoever declares them. A seller who declares them himself sells in the country of import."),
	}
	if s.InEU {
		t.Country = s.Country
	}
	return t
}

func (s Sale) toEUBusiness() Treatment {
	if s.Type == Goods {
		return Treatment{
			Scheme: SchemeIntraEUB2B, Country: s.Country, ZeroRated: true, LegalBasis: "Art 49(1) of the VAT law; Art 138 of Directive 2006/112/EC",
			Notes: s.noted(
				"The VAT number of the customer must be valid in VIES on the day of the supply, and the goods must leave Lithuania; keep the proof.",
				"The customer declares an acquisition; the sale belongs in the recapitulative statement FR0564.",
			),
		}
	}
	return Treatment{
		Scheme: SchemeReverseCharge, Country: s.Country, ReverseCharge: true, LegalBasis: "Art 13(2) of the VAT law; Arts 44 and 196 of Directive 2006/112/EC",
		Notes: []string{
			"The invoice bears the words for reverse charge and both VAT numbers; the sale belongs in the recapitulative statement FR0564.",
			servicesElsewhere,
		},
	}
}

const servicesElsewhere = "Services tied to land, passenger transport, admission to events, restaurants and short hire of vehicles are taxed where they happen."

func (s Sale) toEUConsumer() Treatment {
	switch {
	case s.Type == Services:
		return Treatment{
			Scheme: SchemeDomestic, Country: Home, Charges: true, LegalBasis: "Art 13 of the VAT law; Art 45 of Directive 2006/112/EC",
			Notes: []string{servicesElsewhere},
		}
	case s.BelowThreshold:
		return Treatment{
			Scheme: SchemeDomestic, Country: Home, Charges: true, LegalBasis: "Art 59c of Directive 2006/112/EC",
			Notes: s.noted("Holds while sales of goods and digital services to consumers of all other EU states together stay below 10,000 EUR in this and the last year."),
		}
	}
	basis := "Arts 33(a), 369a to 369k of Directive 2006/112/EC"
	if s.Type == Digital {
		basis = "Arts 58, 369a to 369k of Directive 2006/112/EC"
	}
	return Treatment{
		Scheme: SchemeOSSUnion, Country: s.Country, Charges: true, LegalBasis: basis,
		Notes: s.noted("Declared in the Union one-stop shop. Without that registration the company registers in the customer's country."),
	}
}

func (s Sale) outside() Treatment {
	switch {
	case s.Type == Goods:
		return Treatment{
			Scheme: SchemeExport, Country: Home, ZeroRated: true, LegalBasis: "Art 41 of the VAT law; Art 146 of Directive 2006/112/EC",
			Notes: s.noted("The goods must leave the EU; keep the export declaration. Goods that stay here are taxed here."),
		}
	case s.ToBusiness:
		return Treatment{
			Scheme: SchemeOutOfScope, LegalBasis: "Art 13(2) of the VAT law; Art 44 of Directive 2006/112/EC",
			Notes: []string{"The service is taxed where the customer is established, by the law there.", servicesElsewhere},
		}
	case s.Type == Digital:
		return Treatment{
			Scheme: SchemeOutOfScope, LegalBasis: "Art 58 of Directive 2006/112/EC",
			Notes: []string{"Digital services to consumers are taxed where the consumer lives; the law there may ask for a registration."},
		}
	}
	return Treatment{
		Scheme: SchemeDomestic, Country: Home, Charges: true, LegalBasis: "Art 13 of the VAT law; Art 45 of Directive 2006/112/EC",
		Notes: []string{"Advertising, consultancy, legal, accounting, data processing and similar services to consumers outside the EU are taxed outside it (Art 59): use out_of_scope for those.", servicesElsewhere},
	}
}
