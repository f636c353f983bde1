package tenant

import (
	"context"
	"errors"
	"fmt"
	"strings"

	"gorm.io/gorm"
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
}

// tenancy is the one row that authentication reads.
type tenancy struct {
	Company
	KeyRevoked bool
	KeyKnown   bool
}

// Verify checks a token and the company it names. Errors: unauthorized; another tenant's or an unknown company looks
// like a bad token. What else fails is a fault of the database.
func (v *Verifier) Verify(ctx context.Context, call Call) (Scope, error) {
	c, company, err := v.tokens.parse(call.Authorization)
	if err != nil {
		return Scope{}, err
	}
	s := &scope{
		role: Role(c.Role), scopes: parseScopes(c.Scope), requestID: call.RequestID, address: call.Address,
		actor: Actor{Type: ActorUser, ID: c.Subject},
	}
	keyID, isKey := strings.CutPrefix(c.Subject, apiKeySubject)
	var key ID
	if isKey {
		if key, err = ParseID(keyID); err != nil || c.ID != keyID {
			return Scope{}, ErrUnauthorized.New("The bearer token is no API key of this server.")
		}
		s.actor = Actor{Type: ActorAPIKey, ID: keyID}
	} else if user, err := ParseID(c.Subject); err == nil {
		s.userID = user
	}
	row, err := v.store.tenancy(ctx, company, key)
	if err != nil {
		return Scope{}, err
	}
	if row == nil || row.Status == CompanyDeleted {
		return Scope{}, ErrUnauthorized.New("The bearer token names a company that this server does not have.")
	}
	if isKey && (!row.KeyKnown || row.KeyRevoked) {
		return Scope{}, ErrUnauthorized.New("The API key has been revoked; create another one.")
	}
	s.company = row.Company
	return Scope{s}, nil
}

func (s *Store) tenancy(ctx context.Context, company, key ID) (*tenancy, error) {
	const query = `SELECT c.*, k.id IS NOT NULL AS key_known, k.revoked_at IS NOT NULL AS key_revoked
		FROM companies c LEFT JOIN api_keys k ON k.company_id = c.id AND k.id = ? WHERE c.id = ?`
	var row tenancy
	err := s.db.ORM(ctx, s.db.Reader()).Raw(query, key, company).Take(&row).Error
	if errors.Is(err, gorm.ErrRecordNotFound) {
		return nil, nil //nolint:nilnil // no such company is an answer
	}
	if err != nil {
		return nil, fmt.Errorf("reading the company: %w", err)
	}
	return &row, nil
}
