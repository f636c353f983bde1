package vat

import (
	"fmt"
	"slices"
	"strings"
)

// Scheme is the VAT treatment of a sales document.
type Scheme string

// The schemes of the API.
const (
	// SchemeDomestic is a supply in Lithuania on which the seller owes Lithuanian VAT, at whatever rate, or an exempt one.
	SchemeDomestic Scheme = "domestic"
	// SchemeIntraEUB2B is a supply to a VAT payer of another EU state.
	SchemeIntraEUB2B Scheme = "intra_eu_b2b"
	// SchemeReverseCharge is a supply on which the buyer owes the VAT, inside Lithuania under Art 96 of the VAT law.
	SchemeReverseCharge Scheme = "reverse_charge"
	// SchemeOSSUnion is a sale to consumers of other EU states, declared in the Union one-stop shop.
	SchemeOSSUnion Scheme = "oss_union"
	// SchemeIOSS is a distance sale of imported goods, declared in the import one-stop shop.
	SchemeIOSS Scheme = "ioss"
	// SchemeMarketplaceDeemed is a sale through an electronic interface that counts as the supplier (VAT Directive Art 14a):
	// the interface's sale to the consumer, or at 0 % the seller's supply to the interface.
	SchemeMarketplaceDeemed Scheme = "marketplace_deemed"
	// SchemeExport is a supply of goods carried out of the EU, or a service tied to it.
	SchemeExport Scheme = "export"
	// SchemeOutOfScope is a supply outside Lithuania, or something that is no supply at all.
	SchemeOutOfScope Scheme = "out_of_scope"
	// SchemeSMEExempt is a supply under the small-business exemption.
	SchemeSMEExempt Scheme = "sme_exempt"
)

var schemes = []Scheme{
	SchemeDomestic, SchemeIntraEUB2B, SchemeReverseCharge, SchemeOSSUnion, SchemeIOSS, SchemeMarketplaceDeemed, SchemeExport,
	SchemeOutOfScope, SchemeSMEExempt,
}

// Schemes returns every scheme in the order of the API's documentation.
func Schemes() []Scheme { return slices.Clone(schemes) }

// Enum lists the allowed values for validation and the API document.
func (Scheme) Enum() []any {
	all := make([]any, len(schemes))
	for i, s := range schemes {
		all[i] = s
	}
	return all
}

// ParseScheme reads a scheme by its name in the API. The error lists the names.
func ParseScheme(s string) (Scheme, error) {
	if slices.Contains(schemes, Scheme(s)) {
		return Scheme(s), nil
	}
	names := make([]string, len(schemes))
	for i, known := range schemes {
		names[i] = string(known)
	}
	return "", fmt.Errorf("the VAT scheme must be one of %s", strings.Join(names, ", "))
}

// ChargesVAT reports whether an invoice under the scheme adds VAT to its net at the line's rate. Under oss_union and ioss, and
// for sales to other states under marketplace_deemed, that is the VAT of the buyer's country, not Lithuania's.
func (s Scheme) ChargesVAT() bool { return s == SchemeDomestic || s.chargesForeignVAT() }

func (s Scheme) chargesForeignVAT() bool {
	return s == SchemeOSSUnion || s == SchemeIOSS || s == SchemeMarketplaceDeemed
}
