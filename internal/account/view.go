package account

import (
	"github.com/vienkart/vienkart/internal/money"
	"github.com/vienkart/vienkart/internal/tenant"
)

// Address is where a company is. Absent parts are empty.
type Address struct {
	Street      string `json:"street,omitzero" description:"Street and house."`
	City        string `json:"city,omitzero" description:"City or village."`
	PostalCode  string `json:"postalCode,omitzero" description:"Postal code."`
	CountryCode string `json:"countryCode,omitzero" description:"ISO 3166-1 alpha-2 country, such as LT."`
}

// CompanyProfile is a company as its members see it and as the audit log keeps it.
type CompanyProfile struct {
	ID                     tenant.ID            `json:"id" description:"Id of the company."`
	Name                   string               `json:"name" description:"Name as on documents."`
	Code                   *string              `json:"code,omitzero" description:"Registration number."`
	VATCode                *string              `json:"vatCode,omitzero" description:"VAT number."`
	SMEExemptionNumber     *string              `json:"smeExemptionNumber,omitzero" description:"Number in the EU scheme for small enterprises."`
	IsVATPayer             bool                 `json:"isVatPayer" description:"The company charges VAT."`
	IsSandbox              bool                 `json:"isSandbox" description:"The books are for trying things out."`
	CountryCode            string               `json:"countryCode" description:"Country of registration."`
	BaseCurrency           money.Currency       `json:"baseCurrency" description:"Currency of the books."`
	DefaultInvoiceCurrency money.Currency       `json:"defaultInvoiceCurrency" description:"Currency of a document that names none."`
	Status                 tenant.CompanyStatus `json:"status" description:"Only an active company can be changed."`
	Address                *Address             `json:"address,omitzero" description:"Where it is."`
	Email                  *string              `json:"email,omitzero" description:"E-mail address."`
	Phone                  *string              `json:"phone,omitzero" description:"Phone number."`
	IBAN                   *string              `json:"iban,omitzero" description:"Bank account on invoices."`
	BankName               *string              `json:"bankName,omitzero" description:"Bank of the account."`
	PeppolID               *string              `json:"peppolId,omitzero" description:"Peppol participant."`
	LogoFileID             *tenant.ID           `json:"logoFileId,omitzero" description:"File of the logo."`
	TimeZone               string               `json:"timeZone" description:"IANA name of the zone in which the company's days are counted."`
	CashAccounting         *CashAccounting      `json:"cashAccounting,omitzero" description:"When the company is under cash accounting; absent when it never was."`
	RequireIdempotencyKey  bool                 `json:"requireIdempotencyKey" description:"Mutations without an Idempotency-Key are refused."`
}

// ShowProfile shows a company.
func ShowProfile(c tenant.Company) CompanyProfile {
	p := CompanyProfile{
		ID: c.ID, Name: c.Name, Code: c.Code, VATCode: c.VATCode, SMEExemptionNumber: c.SMEExemptionNumber, IsVATPayer: c.IsVATPayer,
		IsSandbox: c.IsSandbox, CountryCode: c.CountryCode, BaseCurrency: c.BaseCurrency, DefaultInvoiceCurrency: c.DefaultInvoiceCurrency,
		Status: c.Status, Email: c.Email, Phone: c.Phone, IBAN: c.IBAN, BankName: c.BankName, PeppolID: c.PeppolID,
		LogoFileID: c.LogoFileID, TimeZone: c.TimeZone, RequireIdempotencyKey: c.RequireIdempotencyKey,
	}
	if !c.CashAccountingFrom.IsZero() {
		p.CashAccounting = &CashAccounting{c.CashAccountingFrom, c.CashAccountingUntil}
	}
	if a := (Address{value(c.Street), value(c.City), value(c.PostalCode), value(c.AddressCountry)}); a != (Address{}) {
		p.Address = &a
	}
	return p
}

func value(s *string) string {
	if s == nil {
		return ""
	}
	return *s
}
