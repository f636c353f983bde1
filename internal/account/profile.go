package account

import (
	"strings"
	"time"

	"github.com/vienkart/vienkart/internal/apperr"
	"github.com/vienkart/vienkart/internal/identifier"
	"github.com/vienkart/vienkart/internal/money"
	"github.com/vienkart/vienkart/internal/tenant"
)

// Profile is what is given for a company: nil leaves a value as it is, an empty text removes it.
type Profile struct {
	Name               *string
	Code               *string
	VATCode            *string
	SMEExemptionNumber *string
	IsVATPayer         *bool
	// Address replaces the whole address.
	Address                *Address
	Email                  *string
	Phone                  *string
	IBAN                   *string
	BankName               *string
	PeppolID               *string
	DefaultInvoiceCurrency *money.Currency
	// TimeZone is an IANA name such as Europe/Vilnius; the company's dates are counted in it.
	TimeZone *string
	// RequireIdempotencyKey refuses mutations without an Idempotency-Key.
	RequireIdempotencyKey *bool
	// CashAccounting replaces both days.
	CashAccounting *CashAccounting
	// LogoFileID is a picture that KeepLogo stored.
	LogoFileID *tenant.ID
}

// apply writes the given values into a company. Errors: validation, account.identifier, account.time_zone.
func (in Profile) apply(c *tenant.Company) error {
	if in.Name != nil {
		c.Name = strings.TrimSpace(*in.Name)
	}
	if c.Name == "" {
		return apperr.Invalid("name", "must not be blank")
	}
	set(&c.SMEExemptionNumber, in.SMEExemptionNumber)
	set(&c.Email, in.Email)
	set(&c.Phone, in.Phone)
	set(&c.BankName, in.BankName)
	set(&c.PeppolID, in.PeppolID)
	if in.Email != nil && c.Email != nil && !strings.Contains(*c.Email, "@") {
		return apperr.Invalid("email", "must be an e-mail address such as name@example.com")
	}
	if in.LogoFileID != nil {
		c.LogoFileID = in.LogoFileID
	}
	if in.IsVATPayer != nil {
		c.IsVATPayer = *in.IsVATPayer
	}
	if in.Address != nil {
		set(&c.Street, &in.Address.Street)
		set(&c.City, &in.Address.City)
		set(&c.PostalCode, &in.Address.PostalCode)
		set(&c.AddressCountry, &in.Address.CountryCode)
	}
	if in.CashAccounting != nil {
		if err := in.CashAccounting.apply(c); err != nil {
			return err
		}
	}
	if in.DefaultInvoiceCurrency != nil {
		c.DefaultInvoiceCurrency = *in.DefaultInvoiceCurrency
	}
	if in.RequireIdempotencyKey != nil {
		c.RequireIdempotencyKey = *in.RequireIdempotencyKey
	}
	if in.TimeZone != nil {
		if err := checkTimeZone(*in.TimeZone); err != nil {
			return err
		}
		c.TimeZone = *in.TimeZone
	}
	return in.applyIdentifiers(c)
}

func (in Profile) applyIdentifiers(c *tenant.Company) error {
	normalized := func(to **string, given *string) {
		if given != nil {
			number := identifier.NormalizeVAT(*given)
			set(to, &number)
		}
	}
	normalized(&c.Code, in.Code)
	normalized(&c.VATCode, in.VATCode)
	normalized(&c.IBAN, in.IBAN)
	fault := ErrIdentifier.New("An identifier of the company is mistyped; see fieldErrors.")
	if c.CountryCode == defaultCountry && in.Code != nil && c.Code != nil {
		if err := identifier.CheckTaxpayerCode(*c.Code); err != nil {
			fault.Field("code", "%s", err.Error())
		}
	}
	if in.VATCode != nil && c.VATCode != nil {
		if reason := vatFault(*c.VATCode, c.CountryCode); reason != "" {
			fault.Field("vatCode", "%s", reason)
		}
	}
	if in.IBAN != nil && c.IBAN != nil && !validIBAN(*c.IBAN) {
		fault.Field("iban", "is not an IBAN: its form or check digits are wrong")
	}
	if len(fault.Fields()) > 0 {
		return fault
	}
	return nil
}

// vatFault says what is wrong with the VAT number of a company of a country; empty when nothing is.
func vatFault(vat, country string) string {
	if country == defaultCountry {
		if err := identifier.CheckLTVAT(vat); err != nil {
			return err.Error()
		}
		return ""
	}
	if prefix, ok := identifier.VATPrefix(country); ok && !strings.HasPrefix(vat, prefix) {
		return "must start with " + prefix + ", the prefix of the company's country"
	}
	return ""
}

// checkTimeZone refuses "Local" too: it means another zone on every server.
func checkTimeZone(name string) error {
	if _, err := time.LoadLocation(name); err != nil || name == "" || name == "Local" {
		return ErrTimeZone.New("There is no time zone %q; use an IANA name such as %s.", name, defaultTimeZone).
			Field("timeZone", "must be an IANA name such as %s", defaultTimeZone)
	}
	return nil
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
