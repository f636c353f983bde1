package partner

import (
	"strings"
	"unicode"
	"unicode/utf8"

	"github.com/vienkart/vienkart/internal/apperr"
	"github.com/vienkart/vienkart/internal/date"
	"github.com/vienkart/vienkart/internal/identifier"
	"github.com/vienkart/vienkart/internal/money"
)

// Limits of a partner.
const (
	// maxIdentifier is what i.SAF takes for a registration or VAT number.
	maxIdentifier = 35
	// maxTermDays is ten years: more is a typing error.
	maxTermDays = 3650
)

// Fields are what is given for a partner: nil leaves a value as it is, an empty text removes it.
type Fields struct {
	Type                 *Type
	Name                 *string
	Code                 *string
	VATCode              *string
	PeppolID             *string
	Email                *string
	Phone                *string
	SelfEmploymentCertNo *string
	BirthDate            *date.Date
	IsCustomer           *bool
	IsSupplier           *bool
	// PaymentTermDays is 0 to 3650 days from the issue of an invoice.
	PaymentTermDays *int
	// CreditLimit is a decimal amount in the base currency.
	CreditLimit *string
	// Address replaces the whole address.
	Address *Address
	Notes   *string
}

// apply writes the given values into a partner. Error: validation, naming every field at fault.
func (in Fields) apply(p *Partner, base money.Currency) error {
	faults := newFaults()
	if in.Type != nil {
		p.Type = *in.Type
	}
	if in.Name != nil {
		p.Name = strings.TrimSpace(*in.Name)
	}
	if p.Name == "" {
		faults.Field("name", "must not be blank")
	}
	set(&p.PeppolID, in.PeppolID)
	set(&p.Phone, in.Phone)
	set(&p.SelfEmploymentCertNo, in.SelfEmploymentCertNo)
	set(&p.Notes, in.Notes)
	set(&p.Email, in.Email)
	if in.Email != nil && p.Email != nil && !strings.Contains(*p.Email, "@") {
		faults.Field("email", "must be an e-mail address such as name@example.com")
	}
	if in.BirthDate != nil {
		p.BirthDate = *in.BirthDate
	}
	if in.IsCustomer != nil {
		p.IsCustomer = *in.IsCustomer
	}
	if in.IsSupplier != nil {
		p.IsSupplier = *in.IsSupplier
	}
	if in.Address != nil {
		set(&p.Street, &in.Address.Street)
		set(&p.City, &in.Address.City)
		set(&p.PostalCode, &in.Address.PostalCode)
		set(&p.CountryCode, &in.Address.CountryCode)
	}
	in.applyIdentifiers(p, faults)
	in.applyTerms(p, base, faults)
	return orNil(faults)
}

func newFaults() *apperr.Error {
	return apperr.ErrValidation.New("Some fields are not valid; see fieldErrors.")
}

func orNil(faults *apperr.Error) error {
	if len(faults.Fields()) == 0 {
		return nil
	}
	return faults
}

func (in Fields) applyIdentifiers(p *Partner, faults *apperr.Error) {
	if in.Code != nil {
		code := p.normalizeCode(*in.Code)
		set(&p.Code, &code)
		checkIdentifier(faults, "code", *in.Code, code)
	}
	if in.VATCode != nil {
		vat := identifier.NormalizeVAT(*in.VATCode)
		set(&p.VATCode, &vat)
		// Normalising drops a tab or a line break as white space, so it is the given text that may hold none.
		checkIdentifier(faults, "vatCode", *in.VATCode, vat)
	}
}

func (in Fields) applyTerms(p *Partner, base money.Currency, faults *apperr.Error) {
	if in.PaymentTermDays != nil {
		if *in.PaymentTermDays < 0 || *in.PaymentTermDays > maxTermDays {
			faults.Field("paymentTermDays", "must be 0 to %d", maxTermDays)
		}
		p.PaymentTermDays = in.PaymentTermDays
	}
	if in.CreditLimit == nil {
		return
	}
	if *in.CreditLimit == "" {
		p.CreditLimitMinor = nil
		return
	}
	limit, err := money.Parse(*in.CreditLimit, base)
	switch {
	case err != nil:
		faults.Field("creditLimit", "%s", err.Error())
	case limit.IsNegative():
		faults.Field("creditLimit", "must not be negative; send an empty text to remove the limit")
	}
	minor := limit.Minor()
	p.CreditLimitMinor = &minor
}

// set writes a given text, trimmed, and turns an empty one into none.
func set(to **string, given *string) {
	if given == nil {
		return
	}
	*to = nil
	if text := strings.TrimSpace(*given); text != "" {
		*to = &text
	}
}

func checkIdentifier(faults *apperr.Error, member, given, normalized string) {
	if strings.ContainsFunc(given, unicode.IsControl) {
		faults.Field(member, "must not hold control characters")
	}
	if utf8.RuneCountInString(normalized) > maxIdentifier {
		faults.Field(member, "must have at most %d characters", maxIdentifier)
	}
}

// normalizeCode drops the blanks, dots and dashes that people write into a registration number. A code with other characters
// is somebody's own, and a foreign one is known by how its papers write it: both keep their form.
func (p *Partner) normalizeCode(s string) string {
	digits := identifier.NormalizeVAT(s)
	isForeign := p.CountryCode != nil && *p.CountryCode != homeCountry
	if !isForeign && digits != "" && strings.Trim(digits, "0123456789") == "" {
		return digits
	}
	return strings.TrimSpace(s)
}

// homeCountry is where registration numbers are digits alone.
const homeCountry = "LT"
