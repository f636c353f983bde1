package httpapi

import (
	"context"

	"github.com/vienkart/vienkart/internal/apperr"
	"github.com/vienkart/vienkart/internal/clock"
	"github.com/vienkart/vienkart/internal/date"
	"github.com/vienkart/vienkart/internal/partner"
	"github.com/vienkart/vienkart/internal/tenant"
)

// errPartnerUnsupported refuses what the contract has and this server does not keep.
var errPartnerUnsupported = apperr.Define("partner.unsupported", apperr.Rule,
	"The server keeps no price lists, groups or statuses of partners; send the partner without them.")

// partnerOperations keep customers and suppliers.
func partnerOperations() []Operation {
	return []Operation{
		mutation("/v1/partners/create", tenant.WriteSales, "Create a partner", createPartner, about("partner"),
			described("A second partner with the same code or VAT number is refused, and the answer names the first. A wrong check digit only warns.")),
		mutation("/v1/partners/find-or-create", tenant.WriteSales, "Find a partner or create it", findOrCreatePartner, about("partner"),
			described("Looks for the code, then for the VAT number, then for the exact name and email, and creates a partner when nothing matches. Equal requests at the same moment give one partner. A found partner is not changed.")),
		mutation("/v1/partners/update", tenant.WriteSales, "Change a partner", updatePartner, about("partner"),
			described("Absent members stay as they are; an empty text removes a value; an address replaces the whole address. Documents issued before keep what they say.")),
		mutation("/v1/partners/delete", tenant.WriteSales, "Delete a partner that no document refers to", deletePartner, about("partner")),
		mutation("/v1/partners/redact", tenant.ManageCompany, "Take a person's data out of a partner", redactPartner, about("partner"),
			described("For natural persons. E-mail, phone, date of birth and notes go at once; name, codes and address when no document that the law "+
				"wants kept is made out to the person, see identityKeptUntil: ask again then. The books stay as they are.")),
		query("/v1/partners/get", tenant.ReadBooks, "Get a partner", getPartner),
		query("/v1/partners/list", tenant.ReadBooks, "List partners", listPartners),
		query("/v1/partners/validate-vat", tenant.ReadBooks, "Check the form of a VAT number", validatePartnerVAT,
			described("Checks prefix, form and, for Lithuania, the check digit. It asks no register: whether anybody has the number is not known.")),
		query("/v1/partners/credit-check", tenant.ReadBooks, "Compare a customer's debt with its credit limit", checkPartnerCredit),
	}
}

// postalAddress is an address in a request.
type postalAddress struct {
	Street      string `json:"street,omitzero" maxLength:"255" description:"Street and house."`
	City        string `json:"city,omitzero" maxLength:"100" description:"City or village."`
	PostalCode  string `json:"postalCode,omitzero" maxLength:"20" description:"Postal code."`
	CountryCode string `json:"countryCode,omitzero" pattern:"^[A-Z]{2}$" description:"ISO 3166-1 alpha-2 country, such as LT."`
}

// partnerMembers are the members that creating and changing have in common.
type partnerMembers struct {
	Type                 *partner.Type  `json:"type,omitzero" description:"A business or a natural person; company unless given."`
	Code                 *string        `json:"code,omitzero" maxLength:"64" description:"Registration number; blanks, dots and dashes between digits are dropped."`
	VATCode              *string        `json:"vatCode,omitzero" maxLength:"64" description:"VAT number; blanks, dots and dashes are dropped."`
	PeppolID             *string        `json:"peppolId,omitzero" maxLength:"64" description:"Peppol participant, such as 0190:123."`
	Email                *string        `json:"email,omitzero" maxLength:"255" description:"E-mail address."`
	Phone                *string        `json:"phone,omitzero" maxLength:"50" description:"Phone number."`
	SelfEmploymentCertNo *string        `json:"selfEmploymentCertNo,omitzero" maxLength:"35" description:"Number of the certificate of self-employment."`
	BirthDate            *date.Date     `json:"birthDate,omitzero" description:"Date of birth."`
	IsCustomer           *bool          `json:"isCustomer,omitzero" description:"The company sells to it; true unless given."`
	IsSupplier           *bool          `json:"isSupplier,omitzero" description:"The company buys from it; false unless given."`
	PaymentTermDays      *int           `json:"paymentTermDays,omitzero" minimum:"0" maximum:"3650" description:"Days from issue to due date."`
	CreditLimit          *string        `json:"creditLimit,omitzero" maxLength:"32" description:"Credit limit in the base currency."`
	PriceListID          *string        `json:"priceListId,omitzero" description:"Refused: the server keeps no price lists."`
	GroupID              *string        `json:"groupId,omitzero" description:"Refused: the server keeps no groups of partners."`
	StatusID             *string        `json:"statusId,omitzero" description:"Refused: the server keeps no statuses of partners."`
	Address              *postalAddress `json:"address,omitzero" description:"Where it is."`
	Notes                *string        `json:"notes,omitzero" maxLength:"2000" description:"Notes of the company."`
}

// fields are the members as the domain takes them. Error: partner.unsupported.
func (in partnerMembers) fields(name *string) (partner.Fields, error) {
	refusal := errPartnerUnsupported.New("This server keeps no price lists, groups or statuses of partners; send the partner without them.")
	for member, value := range map[string]*string{"priceListId": in.PriceListID, "groupId": in.GroupID, "statusId": in.StatusID} {
		if value != nil && *value != "" {
			refusal.Field(member, "is not kept by this server; leave it out")
		}
	}
	if len(refusal.Fields()) > 0 {
		return partner.Fields{}, refusal
	}
	return partner.Fields{
		Type: in.Type, Name: name, Code: in.Code, VATCode: in.VATCode, PeppolID: in.PeppolID, Email: in.Email, Phone: in.Phone,
		SelfEmploymentCertNo: in.SelfEmploymentCertNo, BirthDate: in.BirthDate, IsCustomer: in.IsCustomer, IsSupplier: in.IsSupplier,
		PaymentTermDays: in.PaymentTermDays, CreditLimit: in.CreditLimit, Address: (*partner.Address)(in.Address), Notes: in.Notes,
	}, nil
}

// partnerResponse is a partner with the members of the contract that this server never fills.
type partnerResponse struct {
	partner.Card
	PriceListID    *string     `json:"priceListId,omitzero" description:"Always absent: the server keeps no price lists."`
	GroupID        *string     `json:"groupId,omitzero" description:"Always absent: the server keeps no groups of partners."`
	StatusID       *string     `json:"statusId,omitzero" description:"Always absent: the server keeps no statuses of partners."`
	VATValid       *bool       `json:"vatValid,omitzero" description:"Always absent: the server asks no register; see warnings."`
	VATValidatedAt *clock.Time `json:"vatValidatedAt,omitzero" description:"Always absent, as vatValid is."`
}

func toPartner(p partner.Partner, of tenant.Company) partnerResponse {
	return partnerResponse{Card: p.Card(of)}
}

type createPartnerRequest struct {
	Name string `json:"name" maxLength:"255" description:"Name as on documents."`
	partnerMembers
}

func createPartner(ctx context.Context, tx tenant.Tx, in createPartnerRequest) (partnerResponse, error) {
	fields, err := in.fields(&in.Name)
	if err != nil {
		return partnerResponse{}, err
	}
	p, err := partner.Create(ctx, tx, fields)
	if err != nil {
		return partnerResponse{}, err //nolint:wrapcheck // a refusal of the domain is the answer
	}
	return toPartner(*p, tx.Company()), nil
}

type foundPartnerResponse struct {
	ID      tenant.ID       `json:"id" description:"Id of the partner."`
	Created bool            `json:"created" description:"Whether the partner is new."`
	Partner partnerResponse `json:"partner" description:"The partner as it is."`
}

func findOrCreatePartner(ctx context.Context, tx tenant.Tx, in createPartnerRequest) (foundPartnerResponse, error) {
	fields, err := in.fields(&in.Name)
	if err != nil {
		return foundPartnerResponse{}, err
	}
	p, created, err := partner.FindOrCreate(ctx, tx, fields)
	if err != nil {
		return foundPartnerResponse{}, err //nolint:wrapcheck // a refusal of the domain is the answer
	}
	return foundPartnerResponse{p.ID, created, toPartner(*p, tx.Company())}, nil
}

type updatePartnerRequest struct {
	ID   tenant.ID `json:"id" description:"Id of the partner."`
	Name *string   `json:"name,omitzero" maxLength:"255" description:"Name as on documents."`
	partnerMembers
}

func updatePartner(ctx context.Context, tx tenant.Tx, in updatePartnerRequest) (partnerResponse, error) {
	fields, err := in.fields(in.Name)
	if err != nil {
		return partnerResponse{}, err
	}
	p, err := partner.Update(ctx, tx, in.ID, fields)
	if err != nil {
		return partnerResponse{}, err //nolint:wrapcheck // a refusal of the domain is the answer
	}
	return toPartner(*p, tx.Company()), nil
}

// deletedResponse names the object that is gone.
type deletedResponse struct {
	ID tenant.ID `json:"id" description:"Id of the object that was deleted."`
}

func deletePartner(ctx context.Context, tx tenant.Tx, in idRequest) (deletedResponse, error) {
	return deletedResponse(in), partner.Delete(ctx, tx, in.ID)
}

func getPartner(ctx context.Context, r tenant.ReadTx, in idRequest) (partnerResponse, error) {
	p, err := partner.Get(ctx, r, in.ID)
	if err != nil {
		return partnerResponse{}, err //nolint:wrapcheck // a refusal of the domain is the answer
	}
	return toPartner(*p, r.Company()), nil
}

func listPartners(ctx context.Context, r tenant.ReadTx, q tenant.ListQuery) (tenant.Page[partnerResponse], error) {
	page, err := partner.List(ctx, r, q)
	company := r.Company()
	return tenant.MapPage(page, func(p partner.Partner) partnerResponse { return toPartner(p, company) }), err
}

type validateVATRequest struct {
	VATCode   string    `json:"vatCode,omitzero" maxLength:"64" description:"The number to check."`
	PartnerID tenant.ID `json:"partnerId,omitzero" description:"The partner whose number to check; give this or vatCode."`
}

type validateVATResponse struct {
	Valid             bool       `json:"valid" description:"The form is right, and for Lithuania the check digit."`
	CountryCode       string     `json:"countryCode" description:"Prefix of the number: an EU state, EL for Greece, or XI; empty when it has none."`
	VATNumber         string     `json:"vatNumber" description:"What follows the prefix."`
	Reason            string     `json:"reason,omitzero" description:"What is wrong with it."`
	CheckedAt         clock.Time `json:"checkedAt" description:"When it was checked."`
	Name              string     `json:"name,omitzero" description:"Always absent: the server asks no register."`
	Address           string     `json:"address,omitzero" description:"Always absent, as name is."`
	RequestIdentifier string     `json:"requestIdentifier,omitzero" description:"Always absent, as name is."`
}

func validatePartnerVAT(ctx context.Context, r tenant.ReadTx, in validateVATRequest) (validateVATResponse, error) {
	check, err := partner.ValidateVAT(ctx, r, in.VATCode, in.PartnerID)
	return validateVATResponse{
		Valid: check.Valid, CountryCode: check.Prefix, VATNumber: check.Number, Reason: check.Reason, CheckedAt: r.Now(),
	}, err
}

type creditCheckRequest struct {
	PartnerID        tenant.ID `json:"partnerId" description:"The customer."`
	AdditionalAmount string    `json:"additionalAmount,omitzero" maxLength:"32" description:"A sale to come, in the base currency."`
}

type creditCheckResponse struct {
	PartnerID        tenant.ID `json:"partnerId" description:"The customer."`
	PartnerName      string    `json:"partnerName" description:"Its name."`
	CreditLimit      string    `json:"creditLimit,omitzero" description:"Its limit; absent when it has none."`
	OpenReceivables  string    `json:"openReceivables" description:"What it owes, in the base currency at the rates of the documents."`
	AdditionalAmount string    `json:"additionalAmount" description:"The sale to come."`
	TotalExposure    string    `json:"totalExposure" description:"Debt and sale together."`
	Available        string    `json:"available,omitzero" description:"What is left of the limit then; negative when it is exceeded."`
	Exceeded         bool      `json:"exceeded" description:"The exposure is above the limit."`
}

func checkPartnerCredit(ctx context.Context, r tenant.ReadTx, in creditCheckRequest) (creditCheckResponse, error) {
	c, err := partner.CheckCredit(ctx, r, in.PartnerID, in.AdditionalAmount)
	if err != nil {
		return creditCheckResponse{}, err //nolint:wrapcheck // a refusal of the domain is the answer
	}
	answer := creditCheckResponse{
		PartnerID: c.Partner.ID, PartnerName: c.Partner.Name, OpenReceivables: c.Open.String(),
		AdditionalAmount: c.Additional.String(), TotalExposure: c.Exposure.String(), Exceeded: c.Exceeded(),
	}
	if c.Limit != nil {
		answer.CreditLimit, answer.Available = c.Limit.String(), c.Available().String()
	}
	return answer, nil
}
