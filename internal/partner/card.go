package partner

import (
	"github.com/vienkart/vienkart/internal/clock"
	"github.com/vienkart/vienkart/internal/date"
	"github.com/vienkart/vienkart/internal/money"
	"github.com/vienkart/vienkart/internal/tenant"
)

// Card is a partner as clients see it and as the audit log keeps it.
type Card struct {
	ID                   tenant.ID  `json:"id" description:"Id of the partner."`
	Type                 Type       `json:"type" description:"A business or a natural person."`
	Name                 string     `json:"name" description:"Name as on documents."`
	Code                 *string    `json:"code,omitzero" description:"Registration number, normalised."`
	VATCode              *string    `json:"vatCode,omitzero" description:"VAT number, normalised."`
	PeppolID             *string    `json:"peppolId,omitzero" description:"Peppol participant, such as 0190:123."`
	Email                *string    `json:"email,omitzero" description:"E-mail address."`
	Phone                *string    `json:"phone,omitzero" description:"Phone number."`
	SelfEmploymentCertNo *string    `json:"selfEmploymentCertNo,omitzero" description:"Number of the certificate of self-employment."`
	BirthDate            date.Date  `json:"birthDate,omitzero" description:"Date of birth."`
	IsCustomer           bool       `json:"isCustomer" description:"The company sells to it."`
	IsSupplier           bool       `json:"isSupplier" description:"The company buys from it."`
	PaymentTermDays      *int       `json:"paymentTermDays,omitzero" description:"Days from issue to due date."`
	CreditLimit          *string    `json:"creditLimit,omitzero" description:"Credit limit in the base currency."`
	Address              *Address   `json:"address,omitzero" description:"Where it is."`
	Notes                *string    `json:"notes,omitzero" description:"Notes of the company."`
	CreatedAt            clock.Time `json:"createdAt" description:"When it was stored."`
	UpdatedAt            clock.Time `json:"updatedAt" description:"When it was last changed."`
	Warnings             []string   `json:"warnings" description:"What looks mistyped in code and VAT number; nothing is refused for it."`
}

// Address is where a partner is. Absent parts are empty.
type Address struct {
	Street      string `json:"street,omitzero" description:"Street and house."`
	City        string `json:"city,omitzero" description:"City or village."`
	PostalCode  string `json:"postalCode,omitzero" description:"Postal code."`
	CountryCode string `json:"countryCode,omitzero" description:"ISO 3166-1 alpha-2 country, such as LT."`
}

// Card shows the partner to its company.
func (p Partner) Card(of tenant.Company) Card {
	c := Card{
		ID: p.ID, Type: p.Type, Name: p.Name, Code: p.Code, VATCode: p.VATCode, PeppolID: p.PeppolID, Email: p.Email,
		Phone: p.Phone, SelfEmploymentCertNo: p.SelfEmploymentCertNo, BirthDate: p.BirthDate, IsCustomer: p.IsCustomer,
		IsSupplier: p.IsSupplier, PaymentTermDays: p.PaymentTermDays, Notes: p.Notes, CreatedAt: p.CreatedAt,
		UpdatedAt: p.UpdatedAt, Warnings: p.Warnings(of.CountryCode),
	}
	if p.CreditLimitMinor != nil {
		limit := money.New(*p.CreditLimitMinor, of.BaseCurrency).String()
		c.CreditLimit = &limit
	}
	if a := (Address{value(p.Street), value(p.City), value(p.PostalCode), value(p.CountryCode)}); a != (Address{}) {
		c.Address = &a
	}
	return c
}

func value(s *string) string {
	if s == nil {
		return ""
	}
	return *s
}
