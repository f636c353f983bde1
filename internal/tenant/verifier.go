package tenant

import (
	"context"
	"fmt"
	"slices"
	"strings"
	"time"

	"github.com/vienkart/vienkart/internal/clock"
	"github.com/vienkart/vienkart/internal/database"
)

// Verifier turns a bearer token into a Scope.
type Verifier struct {
	tokens *Tokens
	store  *Store
}

// NewVerifier joins tokens and store.
func NewVerifier(tokens *Tokens, store *Store) *Verifier { return &Verifier{tokens, store} }

// Call says which request is being verified.
type Call struct {
	Authorization string
	RequestID     string
	Address       string
	// EvenDeleted lets a deleted company in, so that the request that deleted it can be answered again.
	EvenDeleted bool
}

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

// Verify checks a token and the company it names, and for a user of this server the membership and the session. Errors:
// unauthorized; another tenant's or an unknown company looks like a bad token. What else fails is a fault of the
// database.
func (v *Verifier) Verify(ctx context.Context, call Call) (Scope, error) {
	c, company, err := v.tokens.parse(call.Authorization)
	if err != nil {
		return Scope{}, err
	}
	s := &scope{
		role: Role(c.Role), scopes: parseScopes(c.Scope), requestID: call.RequestID, address: call.Address,
		actor: Actor{Type: ActorUser, ID: c.Subject},
	}
	who, err := c.bearer()
	if err != nil {
		return Scope{}, err
	}
	row, err := v.store.tenancy(ctx, company, who)
	if err != nil {
		return Scope{}, err
	}
	if row == nil || (row.Status == CompanyDeleted && !call.EvenDeleted) {
		return Scope{}, ErrUnauthorized.New("The bearer token names a company that this server does not have.")
	}
	s.company, s.chartVersion = row.Company, row.ChartVersion
	if !who.key.IsZero() {
		s.actor = Actor{Type: ActorAPIKey, ID: who.key.String()}
		err = v.admitKey(s, row, who.key)
	} else if row.UserKnown {
		err = v.admitUser(s, row, who.user, c.ID)
	}
	if err != nil {
		return Scope{}, err
	}
	return Scope{s}, nil
}

// bearer reads the subject: an API key, an id that may be a user's, or a person of another issuer.
func (c claims) bearer() (bearer, error) {
	if keyID, isKey := strings.CutPrefix(c.Subject, apiKeySubject); isKey {
		key, err := ParseID(keyID)
		if err != nil || key.IsZero() || c.ID != keyID {
			return bearer{}, ErrUnauthorized.New("The bearer token is no API key of this server.")
		}
		return bearer{key: key}, nil
	}
	user, err := ParseID(c.Subject)
	if err != nil || user.IsZero() {
		return bearer{}, nil //nolint:nilerr // a subject of another issuer needs no form
	}
	who := bearer{user: user}
	if jti, err := ParseID(c.ID); err == nil {
		who.jtiHash = HashJTI(jti)
	}
	return who, nil
}

func (v *Verifier) admitKey(s *scope, row *tenancy, key ID) error {
	now := v.store.clock.Now()
	if !row.KeyKnown || hasCome(row.KeyRevokedAt, now) {
		return ErrUnauthorized.New("The API key has been revoked; create another one.")
	}
	v.store.sightings.note(sighting{s.company.ID, key}, clock.At(now))
	return nil
}

// hasCome reports a moment that is past on the clock of any server.
func hasCome(at *clock.Time, now time.Time) bool { return at != nil && !at.After(now.Add(tokenLeeway)) }

// admitUser lets a user in as what they are now, whatever the token says they were.
func (v *Verifier) admitUser(s *scope, row *tenancy, user ID, jti string) error {
	s.userID = user
	if row.MemberRole == nil {
		return ErrUnauthorized.New("You are no member of this company any more; ask its admin.")
	}
	role, both := lower(s.role, *row.MemberRole)
	s.role = role
	switch {
	case both == nil:
	case len(s.scopes) == 0:
		s.scopes = both
	default:
		s.scopes = slices.DeleteFunc(s.scopes, func(p Permission) bool { return !slices.Contains(both, p) })
		if len(s.scopes) == 0 {
			return ErrUnauthorized.New("Nothing is left of what the bearer token allowed: your role has changed. Sign in again.")
		}
	}
	if row.SessionID == nil {
		return nil // signed by the operator, without a session
	}
	now := v.store.clock.Now()
	if *row.SessionUser != user || hasCome(row.SessionRevokedAt, now) || !row.SessionExpiresAt.After(now) {
		return ErrUnauthorized.New("The session has ended; sign in again.")
	}
	id, err := ParseID(jti)
	if err != nil {
		return ErrUnauthorized.New("The bearer token has no session.")
	}
	s.session = SessionRef{*row.SessionID, id, *row.SessionProof, row.SessionCreatedAt.Time, row.SessionExpiresAt.Time}
	v.store.sightings.note(sighting{id: *row.SessionID}, clock.At(now))
	return nil
}

// tenancyQuery answers every question of authentication in one round trip.
const tenancyQuery = `SELECT c.id, c.name, c.code, c.vat_code, c.sme_exemption_number, c.is_vat_payer, c.is_sandbox, c.country_code,
	c.base_currency, c.default_invoice_currency, c.time_zone, c.require_idempotency_key, c.status, c.street, c.city, c.postal_code,
	c.address_country, c.email, c.phone, c.iban, c.bank_name, c.peppol_id, c.logo_file_id, c.cash_accounting_from,
	c.cash_accounting_until, c.created_at, c.updated_at, c.deleted_at, c.purge_after, COALESCE(v.version, 0), k.id IS NOT NULL, k.revoked_at, u.id IS NOT NULL, m.role, s.id, s.user_id, s.proof,
	s.created_at, s.expires_at, s.revoked_at
	FROM companies c LEFT JOIN chart_versions v ON v.company_id = c.id LEFT JOIN api_keys k ON k.company_id = c.id AND k.id = ?
	LEFT JOIN users u ON u.id = ? LEFT JOIN memberships m ON m.company_id = c.id AND m.user_id = u.id
	LEFT JOIN sessions s ON s.jti_hash = ? WHERE c.id = ?`

// tenancy reads what a token's company is and what its bearer may be there; nil when there is no such company. It goes past
// the mapper, since every request runs it.
func (s *Store) tenancy(ctx context.Context, company ID, who bearer) (*tenancy, error) {
	// A database that does not answer is one that is busy: the request must not wait for as long as its client does.
	ctx, cancel := context.WithTimeout(ctx, database.AcquireTimeout)
	defer cancel()
	var t tenancy
	c := &t.Company
	found, err := peeked(ctx, s.db.Reader(), tenancyQuery, []any{who.key, who.user, who.jtiHash, company}, []any{
		&c.ID, &c.Name, &c.Code, &c.VATCode, &c.SMEExemptionNumber, &c.IsVATPayer, &c.IsSandbox, &c.CountryCode,
		&c.BaseCurrency, &c.DefaultInvoiceCurrency, &c.TimeZone, &c.RequireIdempotencyKey, &c.Status, &c.Street, &c.City, &c.PostalCode,
		&c.AddressCountry, &c.Email, &c.Phone, &c.IBAN, &c.BankName, &c.PeppolID, &c.LogoFileID, &c.CashAccountingFrom,
		&c.CashAccountingUntil, &c.CreatedAt, &c.UpdatedAt, &c.DeletedAt, &c.PurgeAfter, &t.ChartVersion, &t.KeyKnown, &t.KeyRevokedAt, &t.UserKnown, &t.MemberRole, &t.SessionID, &t.SessionUser, &t.SessionProof,
		&t.SessionCreatedAt, &t.SessionExpiresAt, &t.SessionRevokedAt,
	})
	if err != nil {
		return nil, fmt.Errorf("reading the company: %w", err)
	}
	if !found {
		return nil, nil //nolint:nilnil // no such company is an answer
	}
	return &t, nil
}
