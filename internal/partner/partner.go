package partner

import (
	"context"

	"github.com/vienkart/vienkart/internal/apperr"
	"github.com/vienkart/vienkart/internal/clock"
	"github.com/vienkart/vienkart/internal/date"
	"github.com/vienkart/vienkart/internal/tenant"
)

// Type tells a business from a natural person.
type Type string

// The types.
const (
	TypeCompany Type = "company"
	TypePerson  Type = "person"
)

// Enum lists the allowed values for validation and the API document.
func (Type) Enum() []any { return []any{TypeCompany, TypePerson} }

// entity names a partner in the audit log.
const entity = "partner"

// Errors of this package.
var (
	ErrDuplicateCode = apperr.Define("partner.duplicate_code", apperr.Duplicate,
		"Another partner of the company has this code.")
	ErrDuplicateVATCode = apperr.Define("partner.duplicate_vat_code", apperr.Duplicate,
		"Another partner of the company has this VAT number.")
	ErrReferenced = apperr.Define("partner.referenced", apperr.Conflict,
		"Documents refer to the partner, so it cannot be deleted.")
	ErrNoVATCode = apperr.Define("partner.no_vat_code", apperr.Rule, "The partner has no VAT number to check.")
)

// Partner is a customer, a supplier or both. Texts that are absent are nil, never empty.
type Partner struct {
	tenant.Row
	Type Type
	Name string
	// Code is the number in the register of legal entities or of residents, normalised.
	Code *string
	// VATCode is the VAT number, normalised.
	VATCode              *string
	PeppolID             *string
	Email                *string
	Phone                *string
	SelfEmploymentCertNo *string
	BirthDate            date.Date
	IsCustomer           bool
	IsSupplier           bool
	PaymentTermDays      *int
	// CreditLimitMinor is in minor units of the company's base currency; nil is no limit.
	CreditLimitMinor *int64
	Street           *string
	City             *string
	PostalCode       *string
	// CountryCode is ISO 3166-1 alpha-2.
	CountryCode *string
	Notes       *string
	// MatchKey makes partners unique that FindOrCreate knows by name and email alone; see matchKey.
	MatchKey  []byte
	CreatedAt clock.Time
	UpdatedAt clock.Time
}

// TableName names the table for the mapper.
func (Partner) TableName() string { return "partners" }

// Get reads a partner. Error: not_found.
func Get(ctx context.Context, r tenant.Reader, id tenant.ID) (*Partner, error) {
	return tenant.Get[Partner](ctx, r, id) //nolint:wrapcheck // says what was read
}

var listing = tenant.Listing{
	Sources: []tenant.Source{{
		From: "partners",
		Fields: map[string]tenant.Field{
			"id":                   tenant.IDField("id"),
			"type":                 tenant.TextField("type"),
			"name":                 tenant.TextField("name"),
			"code":                 tenant.TextField("code"),
			"vatCode":              tenant.TextField("vat_code"),
			"peppolId":             tenant.TextField("peppol_id"),
			"email":                tenant.TextField("email"),
			"phone":                tenant.TextField("phone"),
			"selfEmploymentCertNo": tenant.TextField("self_employment_cert_no"),
			"birthDate":            tenant.DateField("birth_date"),
			"isCustomer":           tenant.BoolField("is_customer"),
			"isSupplier":           tenant.BoolField("is_supplier"),
			"paymentTermDays":      tenant.IntField("payment_term_days"),
			"creditLimit":          tenant.MoneyField("credit_limit_minor"),
			"countryCode":          tenant.TextField("country_code"),
			"createdAt":            tenant.TimeField("created_at"),
			"updatedAt":            tenant.TimeField("updated_at"),
		},
	}},
	Order: []tenant.Sort{{Field: "name"}},
}

// List reads a page of partners, by name unless asked otherwise. Error: validation.
func List(ctx context.Context, r tenant.ReadTx, q tenant.ListQuery) (tenant.Page[Partner], error) {
	return tenant.ListRows[Partner](ctx, r, q, listing) //nolint:wrapcheck // names the field at fault
}
