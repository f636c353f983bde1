package invoice

import (
	"context"
	"fmt"

	"github.com/go-json-experiment/json"

	"github.com/vienkart/vienkart/internal/partner"
	"github.com/vienkart/vienkart/internal/tenant"
)

// Party is one side of a document. Absent texts are empty. The names of its members in JSON are stored with issued documents and
// never change their meaning.
type Party struct {
	Name        string `json:"name"`
	Code        string `json:"code,omitzero"`
	VATCode     string `json:"vatCode,omitzero"`
	Street      string `json:"street,omitzero"`
	City        string `json:"city,omitzero"`
	PostalCode  string `json:"postalCode,omitzero"`
	CountryCode string `json:"countryCode,omitzero"`
	Email       string `json:"email,omitzero"`
	Phone       string `json:"phone,omitzero"`
	IBAN        string `json:"iban,omitzero"`
	BankName    string `json:"bankName,omitzero"`
	// SMEExemptionNumber is the seller's number in the EU scheme for small enterprises.
	SMEExemptionNumber string `json:"smeExemptionNumber,omitzero"`
}

// parties are both sides, kept with a document at its issue: a printed invoice says who the parties were then, whatever becomes
// of their names and addresses.
type parties struct {
	Seller Party `json:"seller"`
	Buyer  Party `json:"buyer"`
}

func partiesOf(seller tenant.Company, buyer partner.Partner) parties {
	country := value(seller.AddressCountry)
	if country == "" {
		country = seller.CountryCode
	}
	return parties{
		Seller: Party{
			Name: seller.Name, Code: value(seller.Code), VATCode: value(seller.VATCode), Street: value(seller.Street),
			City: value(seller.City), PostalCode: value(seller.PostalCode), CountryCode: country, Email: value(seller.Email),
			Phone: value(seller.Phone), IBAN: value(seller.IBAN), BankName: value(seller.BankName),
			SMEExemptionNumber: value(seller.SMEExemptionNumber),
		},
		Buyer: Party{
			Name: buyer.Name, Code: value(buyer.Code), VATCode: value(buyer.VATCode), Street: value(buyer.Street),
			City: value(buyer.City), PostalCode: value(buyer.PostalCode), CountryCode: value(buyer.CountryCode),
			Email: value(buyer.Email), Phone: value(buyer.Phone),
		},
	}
}

func value(s *string) string {
	if s == nil {
		return ""
	}
	return *s
}

// encoded is the form in which parties are stored.
func (p parties) encoded() (*string, error) {
	text, err := json.Marshal(p)
	if err != nil {
		return nil, fmt.Errorf("storing the parties of a document: %w", err)
	}
	stored := string(text)
	return &stored, nil
}

// readParties gives the parties of a document: those of its issue, or as they stand for a draft and for a document that was
// issued before they were kept.
func readParties(ctx context.Context, r tenant.Reader, stored *string, buyer tenant.ID) (parties, error) {
	var p parties
	if stored != nil {
		if err := json.Unmarshal([]byte(*stored), &p); err != nil {
			return p, fmt.Errorf("reading the parties of a document: %w", err)
		}
		return p, nil
	}
	company, err := tenant.ReadCompany(ctx, r)
	if err != nil {
		return p, err //nolint:wrapcheck // says what was read
	}
	bought, err := partner.Get(ctx, r, buyer)
	if err != nil {
		return p, err //nolint:wrapcheck // says what was read
	}
	return partiesOf(company, *bought), nil
}
