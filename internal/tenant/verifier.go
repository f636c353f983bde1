package tenant

import (
	"context"
	"slices"
	"strings"
	"time"

	"github.com/vienkart/vienkart/internal/clock"
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
	// Beside is read with the tenancy; nil reads no more.
	Beside *Beside
}

// Beside is a row of the company that a request needs anyway, read in the round trip that authenticates it. Nothing of it may be
// shown before Verify has let the caller in.
type Beside struct {
	// Columns are selected, and Join hangs their table on companies c by a LEFT JOIN of at most one row.
	Columns, Join text
	// Args are the values of Join.
	Args []any
	// Dest takes the columns.
	Dest []any
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
	row, err := v.store.tenancy(ctx, company, who, call.Beside)
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
