package account

import (
	"context"
	"fmt"

	"github.com/vienkart/vienkart/internal/apperr"
	"github.com/vienkart/vienkart/internal/audit"
	"github.com/vienkart/vienkart/internal/clock"
	"github.com/vienkart/vienkart/internal/ledger"
	"github.com/vienkart/vienkart/internal/money"
	"github.com/vienkart/vienkart/internal/tenant"
)

// Errors of companies.
var (
	ErrIdentifier = apperr.Define("account.identifier", apperr.Rule,
		"An identifier of the company itself is mistyped: its check digit or form is wrong.")
	ErrTimeZone = apperr.Define("account.time_zone", apperr.Rule, "The time zone is not a name of the IANA database.")
)

// entityCompany names a company in the audit log.
const entityCompany = "company"

const (
	defaultCountry  = "LT"
	defaultTimeZone = "Europe/Vilnius"
)

// nationalCurrencies are those of the EU and EEA states outside the euro area; Bulgaria joined it on 2026-01-01.
var nationalCurrencies = map[string]string{
	"CZ": "CZK", "DK": "DKK", "HU": "HUF", "IS": "ISK", "LI": "CHF", "NO": "NOK", "PL": "PLN", "RO": "RON", "SE": "SEK",
}

// Opening is what can be chosen only when a company is created.
type Opening struct {
	// CountryCode is where the company is registered; LT when empty. It decides the base currency.
	CountryCode string
	IsSandbox   bool
}

// CreateCompany opens a company with its chart of accounts. The calling user becomes its admin; a caller who is no user
// of this server opens a company without members. It counts as a VAT payer when it gives a VAT number and does not say
// otherwise. Errors: validation, account.identifier, account.time_zone.
func CreateCompany(ctx context.Context, tx tenant.Tx, opening Opening, in Profile) (tenant.Company, error) {
	c, err := newCompany(opening, in, tx.Now())
	if err != nil {
		return tenant.Company{}, err
	}
	inside, err := tenant.CreateCompany(ctx, tx, c)
	if err != nil {
		return tenant.Company{}, err //nolint:wrapcheck // says what was stored
	}
	// The line stands in both logs: the new company's begins with it, the caller's tells what its key did.
	if err := record(ctx, tx, c.ID, "company.created", nil, ShowProfile(c)); err != nil {
		return tenant.Company{}, err
	}
	return c, furnish(ctx, inside)
}

// newCompany makes the row of a company.
func newCompany(opening Opening, in Profile, now clock.Time) (tenant.Company, error) {
	c := tenant.Company{
		ID: tenant.NewID(), CountryCode: opening.CountryCode, IsSandbox: opening.IsSandbox, TimeZone: defaultTimeZone,
		Status: tenant.CompanyActive, CreatedAt: now, UpdatedAt: now,
	}
	if c.CountryCode == "" {
		c.CountryCode = defaultCountry
	}
	c.BaseCurrency = money.EUR
	if national, ok := nationalCurrencies[c.CountryCode]; ok {
		c.BaseCurrency = money.MustCurrency(national)
	}
	c.DefaultInvoiceCurrency = c.BaseCurrency
	c.IsVATPayer = in.VATCode != nil && *in.VATCode != ""
	return c, in.apply(&c)
}

// furnish adds what a company has from its first moment: its founder, its chart of accounts, the first line of its log.
func furnish(ctx context.Context, inside tenant.Tx) error {
	if err := addFounder(ctx, inside); err != nil {
		return err
	}
	if _, err := ledger.ApplyTemplate(ctx, inside); err != nil {
		return fmt.Errorf("opening the chart of accounts: %w", err)
	}
	c := inside.Company()
	return record(ctx, inside, c.ID, "company.created", nil, ShowProfile(c))
}

// addFounder makes the calling user a member.
func addFounder(ctx context.Context, inside tenant.Tx) error {
	if inside.Scope().UserID().IsZero() {
		return nil
	}
	user, err := tenant.ReadUser(ctx, inside)
	if err != nil || user == nil {
		return err //nolint:wrapcheck // says what was read
	}
	return tenant.Insert(ctx, inside, &tenant.Membership{ //nolint:wrapcheck // says what was stored
		UserID: user.ID, Role: tenant.RoleAdmin, CreatedAt: inside.Now(),
	})
}

func record(ctx context.Context, tx tenant.Tx, company tenant.ID, action string, before, after any) error {
	return audit.Record(ctx, tx, audit.Entry{ //nolint:wrapcheck // says what was recorded
		Action: action, Entity: entityCompany, EntityID: company.String(), Before: before, After: after,
	})
}

// columns are what Profile can change.
var columns = []string{
	"name", "code", "vat_code", "sme_exemption_number", "is_vat_payer", "street", "city", "postal_code", "address_country",
	"email", "phone", "iban", "bank_name", "peppol_id", "default_invoice_currency", "time_zone", "require_idempotency_key",
	"cash_accounting_from", "cash_accounting_until",
	"logo_file_id", "updated_at",
}

// UpdateCompany changes the given values of the caller's company. Errors: validation, account.identifier,
// account.time_zone.
func UpdateCompany(ctx context.Context, tx tenant.Tx, in Profile) (tenant.Company, error) {
	c, err := tenant.ReadCompany(ctx, tx)
	if err != nil {
		return tenant.Company{}, err //nolint:wrapcheck // says what was read
	}
	before := ShowProfile(c)
	if err := in.apply(&c); err != nil {
		return tenant.Company{}, err
	}
	c.UpdatedAt = tx.Now()
	if err := tenant.UpdateCompany(ctx, tx, c, columns...); err != nil {
		return tenant.Company{}, err //nolint:wrapcheck // says what was updated
	}
	return c, record(ctx, tx, c.ID, "company.updated", before, ShowProfile(c))
}
