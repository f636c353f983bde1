package partner

import (
	"context"
	"fmt"
	"regexp"

	"github.com/vienkart/vienkart/internal/apperr"
	"github.com/vienkart/vienkart/internal/identifier"
	"github.com/vienkart/vienkart/internal/tenant"
)

// VATCheck is what can be said of a VAT number without asking a register.
type VATCheck struct {
	// Valid says that the form is right, and for Lithuania the check digit too. It does not say that anybody has the number.
	Valid bool
	// Prefix is that of an EU state (EL for Greece) or XI; empty when the number has none.
	Prefix string
	// Number is what follows the prefix.
	Number string
	// Reason says in plain words what is wrong; empty when Valid.
	Reason string
}

// vatForms are the forms of VAT numbers after the prefix. Source: "VAT identification number structure" in the questions
// and answers of VIES, https://ec.europa.eu/taxation_customs/vies/#/faq. Lithuania has a check of its own.
var vatForms = map[string]*regexp.Regexp{
	"AT": form(`U\d{8}`),
	"BE": form(`[01]\d{9}`),
	"BG": form(`\d{9,10}`),
	"CY": form(`\d{8}[A-Z]`),
	"CZ": form(`\d{8,10}`),
	"DE": form(`\d{9}`),
	"DK": form(`\d{8}`),
	"EE": form(`\d{9}`),
	"EL": form(`\d{9}`),
	"ES": form(`[A-Z]\d{7}[A-Z0-9]|\d{8}[A-Z]`),
	"FI": form(`\d{8}`),
	"FR": form(`[A-Z0-9]{2}\d{9}`),
	"HR": form(`\d{11}`),
	"HU": form(`\d{8}`),
	"IE": form(`\d[A-Z0-9+*]\d{5}[A-Z]|\d{7}[A-Z]{2}`),
	"IT": form(`\d{11}`),
	"LU": form(`\d{8}`),
	"LV": form(`\d{11}`),
	"MT": form(`\d{8}`),
	"NL": form(`[A-Z0-9+*]{12}`),
	"PL": form(`\d{10}`),
	"PT": form(`\d{9}`),
	"RO": form(`\d{2,10}`),
	"SE": form(`\d{12}`),
	"SI": form(`\d{8}`),
	"SK": form(`\d{10}`),
	"XI": form(`\d{9}|\d{12}|(GD|HA)\d{3}`),
}

func form(pattern string) *regexp.Regexp { return regexp.MustCompile(`^(?:` + pattern + `)$`) }

// CheckVAT checks the form of a normalised VAT number.
func CheckVAT(vat string) VATCheck {
	if _, ok := identifier.VATCountry(vat); !ok {
		return VATCheck{Number: vat, Reason: "it does not start with the prefix of an EU state, such as LT or EL"}
	}
	check := VATCheck{Prefix: vat[:2], Number: vat[2:]}
	if check.Prefix == lithuania {
		if err := identifier.CheckLTVAT(vat); err != nil {
			check.Reason = err.Error()
		}
	} else if !vatForms[check.Prefix].MatchString(check.Number) {
		check.Reason = "it does not have the form of a VAT number that starts with " + check.Prefix
	}
	check.Valid = check.Reason == ""
	return check
}

// ValidateVAT checks a given VAT number, or that of a partner when only the partner is named.
// Errors: validation, not_found, partner.no_vat_code.
func ValidateVAT(ctx context.Context, r tenant.ReadTx, vat string, id tenant.ID) (VATCheck, error) {
	if (vat == "") == id.IsZero() {
		return VATCheck{}, apperr.Invalid("vatCode", "give either vatCode or partnerId")
	}
	if vat != "" {
		faults := newFaults()
		number := identifier.NormalizeVAT(vat)
		checkIdentifier(faults, "vatCode", vat, number)
		return CheckVAT(number), orNil(faults)
	}
	p, err := Get(ctx, r, id)
	if err != nil {
		return VATCheck{}, fmt.Errorf("reading the partner to check: %w", err)
	}
	if p.VATCode == nil {
		return VATCheck{}, ErrNoVATCode.New("The partner %s has no VAT number; store one with partners/update.", p.Name)
	}
	return CheckVAT(*p.VATCode), nil
}
