package tenant

import (
	"context"
	"fmt"
	"strings"

	"github.com/vienkart/vienkart/internal/clock"
	"github.com/vienkart/vienkart/internal/database"
)

// bearer is who a token says it is for.
type bearer struct {
	key, user ID
	jtiHash   []byte
}

// tenancy is the one row that authentication reads.
type tenancy struct {
	Company
	ChartVersion     int64
	KeyKnown         bool
	KeyRevokedAt     *clock.Time
	UserKnown        bool
	MemberRole       *Role
	SessionID        *ID
	SessionUser      *ID
	SessionProof     *Proof
	SessionCreatedAt *clock.Time
	SessionExpiresAt *clock.Time
	SessionRevokedAt *clock.Time
}

// Every question of authentication is answered in one round trip, by the columns of the company and those of what the token is.
const (
	stampColumns   = "c.updated_at, COALESCE(v.version, 0)"
	companyColumns = stampColumns + `, c.id, c.name, c.code, c.vat_code, c.sme_exemption_number, c.is_vat_payer, c.is_sandbox, c.country_code,
		c.base_currency, c.default_invoice_currency, c.time_zone, c.require_idempotency_key, c.status, c.street, c.city, c.postal_code,
		c.address_country, c.email, c.phone, c.iban, c.bank_name, c.peppol_id, c.logo_file_id, c.cash_accounting_from,
		c.cash_accounting_until, c.created_at, c.deleted_at, c.purge_after`
	companyTables = "companies c LEFT JOIN chart_versions v ON v.company_id = c.id"

	keyColumns = ", k.id IS NOT NULL, k.revoked_at"
	keyJoin    = " LEFT JOIN api_keys k ON k.company_id = c.id AND k.id = ?"

	userColumns = ", u.id IS NOT NULL, m.role, s.id, s.user_id, s.proof, s.created_at, s.expires_at, s.revoked_at"
	userJoin    = " LEFT JOIN users u ON u.id = ? LEFT JOIN memberships m ON m.company_id = c.id AND m.user_id = u.id LEFT JOIN sessions s ON s.jti_hash = ?"
)

// remembered is a company as it was read. It stands as long as the version that UpdateCompany raises, and the time of its last
// change, which the previous release wrote too.
type remembered struct {
	version int64
	company Company
}

// tenancy reads what a token's company is and what its bearer may be there; nil when there is no such company. The many columns
// of a company are read when it is not remembered or has changed.
func (s *Store) tenancy(ctx context.Context, company ID, who bearer, beside *Beside) (*tenancy, error) {
	// A database that does not answer is one that is busy: the request must not wait for as long as its client does.
	ctx, cancel := context.WithTimeout(ctx, database.AcquireTimeout)
	defer cancel()
	if known, ok := s.companies.Get(company); ok {
		t, err := s.readTenancy(ctx, company, who, beside, stampColumns)
		if err != nil || t == nil {
			return nil, err
		}
		if t.ChartVersion == known.version && t.UpdatedAt.Equal(known.company.UpdatedAt.Time) {
			t.Company = known.company
			return t, nil
		}
	}
	t, err := s.readTenancy(ctx, company, who, beside, companyColumns)
	if err == nil && t != nil {
		s.companies.Put(company, remembered{t.ChartVersion, t.Company})
	}
	return t, err
}

// readTenancy goes past the mapper, since every request runs it.
func (s *Store) readTenancy(ctx context.Context, company ID, who bearer, beside *Beside, columns text) (*tenancy, error) {
	var t tenancy
	query, args, dest := t.reading(who, beside, columns)
	p := prepare(s.db, query)
	found, err := peeked(ctx, s.db.Reader(), p.sql, append(args, company), dest)
	if err != nil {
		return nil, fmt.Errorf("reading the company: %w", err)
	}
	if !found {
		return nil, nil //nolint:nilnil // no such company is an answer
	}
	return &t, nil
}

// reading is the query of a tenancy, its values but for the company, and where its columns go.
func (t *tenancy) reading(who bearer, beside *Beside, of text) (query text, args, dest []any) {
	dest = []any{&t.UpdatedAt, &t.ChartVersion}
	if of == companyColumns {
		c := &t.Company
		dest = append(dest, &c.ID, &c.Name, &c.Code, &c.VATCode, &c.SMEExemptionNumber, &c.IsVATPayer, &c.IsSandbox, &c.CountryCode,
			&c.BaseCurrency, &c.DefaultInvoiceCurrency, &c.TimeZone, &c.RequireIdempotencyKey, &c.Status, &c.Street, &c.City, &c.PostalCode,
			&c.AddressCountry, &c.Email, &c.Phone, &c.IBAN, &c.BankName, &c.PeppolID, &c.LogoFileID, &c.CashAccountingFrom,
			&c.CashAccountingUntil, &c.CreatedAt, &c.DeletedAt, &c.PurgeAfter)
	}
	columns, tables := []string{string(of)}, []string{companyTables}
	switch {
	case !who.key.IsZero():
		columns, tables, args = append(columns, keyColumns), append(tables, keyJoin), append(args, who.key)
		dest = append(dest, &t.KeyKnown, &t.KeyRevokedAt)
	case !who.user.IsZero():
		columns, tables, args = append(columns, userColumns), append(tables, userJoin), append(args, who.user, who.jtiHash)
		dest = append(dest, &t.UserKnown, &t.MemberRole, &t.SessionID, &t.SessionUser, &t.SessionProof,
			&t.SessionCreatedAt, &t.SessionExpiresAt, &t.SessionRevokedAt)
	}
	if beside != nil {
		columns, tables = append(columns, ", ", string(beside.Columns)), append(tables, " ", string(beside.Join))
		args, dest = append(args, beside.Args...), append(dest, beside.Dest...)
	}
	return text("SELECT " + strings.Join(columns, "") + " FROM " + strings.Join(tables, "") + " WHERE c.id = ?"), args, dest
}
