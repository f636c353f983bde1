package httpapi

import (
	"context"

	"github.com/vienkart/vienkart/internal/account"
	"github.com/vienkart/vienkart/internal/clock"
	"github.com/vienkart/vienkart/internal/date"
	"github.com/vienkart/vienkart/internal/files"
	"github.com/vienkart/vienkart/internal/money"
	"github.com/vienkart/vienkart/internal/tenant"
)

// companyMembers are the members that opening and changing have in common.
type companyMembers struct {
	Code                   *string         `json:"code,omitzero" maxLength:"64" description:"Registration number."`
	VATCode                *string         `json:"vatCode,omitzero" maxLength:"64" description:"VAT number."`
	SMEExemptionNumber     *string         `json:"smeExemptionNumber,omitzero" maxLength:"35" description:"Number in the EU scheme for small enterprises."`
	IsVATPayer             *bool           `json:"isVatPayer,omitzero" description:"The company charges VAT; on opening, true when it has a VAT number unless given."`
	Address                *postalAddress  `json:"address,omitzero" description:"Where it is."`
	Email                  *string         `json:"email,omitzero" maxLength:"255" description:"E-mail address."`
	Phone                  *string         `json:"phone,omitzero" maxLength:"50" description:"Phone number."`
	IBAN                   *string         `json:"iban,omitzero" maxLength:"50" description:"Bank account on invoices."`
	BankName               *string         `json:"bankName,omitzero" maxLength:"255" description:"Bank of the account."`
	PeppolID               *string         `json:"peppolId,omitzero" maxLength:"64" description:"Peppol participant, such as 0190:123."`
	DefaultInvoiceCurrency *money.Currency `json:"defaultInvoiceCurrency,omitzero" description:"Currency of a document that names none."`
	TimeZone               *string         `json:"timeZone,omitzero" maxLength:"64" description:"IANA name of the zone in which the company's days are counted; Europe/Vilnius unless given."`
	CashAccounting         *cashAccounting `json:"cashAccounting,omitzero" description:"When the company is under cash accounting, Art 14(9) of the VAT law, as VMI has it; an empty object removes both days. An addition of this server."`
	RequireIdempotencyKey  *bool           `json:"requireIdempotencyKey,omitzero" description:"Refuse mutations without an Idempotency-Key."`
}

func (in companyMembers) profile(name *string) account.Profile {
	return account.Profile{
		Name: name, Code: in.Code, VATCode: in.VATCode, SMEExemptionNumber: in.SMEExemptionNumber, IsVATPayer: in.IsVATPayer,
		Address: (*account.Address)(in.Address), Email: in.Email, Phone: in.Phone, IBAN: in.IBAN, BankName: in.BankName,
		PeppolID: in.PeppolID, DefaultInvoiceCurrency: in.DefaultInvoiceCurrency, TimeZone: in.TimeZone,
		RequireIdempotencyKey: in.RequireIdempotencyKey, CashAccounting: (*account.CashAccounting)(in.CashAccounting),
	}
}

// cashAccounting are the days on which sales of the company may be under cash accounting.
type cashAccounting struct {
	From  date.Date `json:"from,omitzero" description:"First day."`
	Until date.Date `json:"until,omitzero" description:"Last day; absent while it goes on."`
}

// homeCountry is where a company may be registered: the EU and EEA states.
type homeCountry string

// Enum lists the allowed values.
func (homeCountry) Enum() []any {
	var list []any
	for _, c := range countries {
		if c.isEEA() {
			list = append(list, homeCountry(c.code))
		}
	}
	return list
}

type createCompanyRequest struct {
	Name        string      `json:"name" maxLength:"255" description:"Name as on documents."`
	CountryCode homeCountry `json:"countryCode,omitzero" description:"Country of registration; it decides the currency of the books. LT unless given."`
	IsSandbox   bool        `json:"isSandbox,omitzero" description:"The books are for trying things out."`
	companyMembers
}

type createCompanyResponse struct {
	ID        tenant.ID   `json:"id" description:"Id of the company."`
	Name      string      `json:"name" description:"Name of the company."`
	Code      *string     `json:"code,omitzero" description:"Registration number."`
	VATCode   *string     `json:"vatCode,omitzero" description:"VAT number."`
	Role      tenant.Role `json:"role" description:"The caller's role in it."`
	IsSandbox bool        `json:"isSandbox" description:"The books are for trying things out."`
}

func createCompany(ctx context.Context, tx tenant.Tx, in createCompanyRequest) (createCompanyResponse, error) {
	c, err := account.CreateCompany(ctx, tx,
		account.Opening{CountryCode: string(in.CountryCode), IsSandbox: in.IsSandbox}, in.profile(&in.Name))
	return createCompanyResponse{c.ID, c.Name, c.Code, c.VATCode, tenant.RoleAdmin, c.IsSandbox}, err
}

func getCompanyProfile(ctx context.Context, r tenant.ReadTx, _ emptyRequest) (account.CompanyProfile, error) {
	c, err := tenant.ReadCompany(ctx, r)
	return account.ShowProfile(c), err
}

type companyLogo struct {
	FileName string `json:"fileName" maxLength:"255" description:"Name of the file."`
	MIMEType string `json:"mimeType" maxLength:"100" description:"image/png, image/jpeg or image/webp."`
	Content  []byte `json:"content" description:"The picture in base64, up to 10 MiB."`
}

type updateCompanyRequest struct {
	Name *string      `json:"name,omitzero" maxLength:"255" description:"Name as on documents."`
	Logo *companyLogo `json:"logo,omitzero" description:"A picture for documents, in place of the one before."`
	companyMembers
}

// updatedCompany is a profile after whose commit the picture before is dropped.
type updatedCompany struct {
	account.CompanyProfile
	drop func()
}

func (u updatedCompany) afterCommit() {
	if u.drop != nil {
		u.drop()
	}
}

func (h accountHandlers) updateCompany(ctx context.Context, tx tenant.Tx, in updateCompanyRequest) (updatedCompany, error) {
	changes := in.profile(in.Name)
	if in.Logo == nil {
		c, err := account.UpdateCompany(ctx, tx, changes)
		return updatedCompany{CompanyProfile: account.ShowProfile(c)}, err
	}
	logo, err := account.KeepLogo(ctx, tx, h.depot, files.New{FileName: in.Logo.FileName, MIMEType: in.Logo.MIMEType, Content: in.Logo.Content})
	if err != nil {
		return updatedCompany{}, err //nolint:wrapcheck // a refusal of the domain is the answer
	}
	changes.LogoFileID = &logo.ID
	c, err := account.UpdateCompany(ctx, tx, changes)
	if err != nil {
		return updatedCompany{}, err //nolint:wrapcheck // a refusal of the domain is the answer
	}
	drop, err := account.DropLogo(ctx, tx, h.depot)
	return updatedCompany{account.ShowProfile(c), drop}, err
}

type archiveCompanyResponse struct {
	ID     tenant.ID            `json:"id" description:"Id of the company."`
	Status tenant.CompanyStatus `json:"status" description:"State of the company now."`
}

func archiveCompany(ctx context.Context, tx tenant.Tx, in companyIDRequest) (archiveCompanyResponse, error) {
	c, err := account.ArchiveCompany(ctx, tx, in.CompanyID)
	return archiveCompanyResponse{c.ID, c.Status}, err
}

func activateCompany(ctx context.Context, tx tenant.Tx, in companyIDRequest) (archiveCompanyResponse, error) {
	c, err := account.ActivateCompany(ctx, tx, in.CompanyID)
	return archiveCompanyResponse{c.ID, c.Status}, err
}

type deleteCompanyResponse struct {
	ID         tenant.ID            `json:"id" description:"Id of the company."`
	Status     tenant.CompanyStatus `json:"status" description:"deleted."`
	PurgeAfter clock.Time           `json:"purgeAfter" description:"From when on nothing of it need be kept."`
}

func deleteCompany(ctx context.Context, tx tenant.Tx, in companyIDRequest) (deleteCompanyResponse, error) {
	c, err := account.DeleteCompany(ctx, tx, in.CompanyID)
	if err != nil {
		return deleteCompanyResponse{}, err //nolint:wrapcheck // a refusal of the domain is the answer
	}
	return deleteCompanyResponse{c.ID, c.Status, *c.PurgeAfter}, nil
}
