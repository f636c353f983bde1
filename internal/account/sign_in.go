package account

import (
	"context"
	"time"

	"github.com/vienkart/vienkart/internal/audit"
	"github.com/vienkart/vienkart/internal/clock"
	"github.com/vienkart/vienkart/internal/tenant"
)

// SignedIn is a user with a token.
type SignedIn struct {
	Token     string
	ExpiresAt time.Time
	User      tenant.User
	// IsNew says that the user did not exist before.
	IsNew bool
}

const entitySession = "session"

// signIn begins a session of a user in a company, or with no company given in the one that the user joined first and
// that is active. Errors: account.no_company, account.cannot_sign.
func (d *Desk) signIn(ctx context.Context, t tenant.DoorTx, v Visit, user tenant.User, proof tenant.Proof, company tenant.ID) (*SignedIn, error) {
	if !d.tokens.CanSign() {
		return nil, cannotSign()
	}
	companies, err := tenant.CompaniesOf(ctx, t, user.ID)
	if err != nil {
		return nil, err //nolint:wrapcheck // says what was read
	}
	chosen := choose(companies, company)
	if chosen == nil {
		return nil, ErrNoCompany.New("You are a member of no company; ask its admin for an invitation.")
	}
	if proof != tenant.ProofInviteURL {
		// Now the owner of the mailbox has come: who came before without proof goes.
		_, err := tenant.DoorUpdate(ctx, t, tenant.Session{RevokedAt: new(t.Now())}, []string{"revoked_at"},
			"user_id = ? AND proof = ? AND revoked_at IS NULL", user.ID, tenant.ProofInviteURL)
		if err != nil {
			return nil, err //nolint:wrapcheck // says what was stored
		}
	}
	jti := tenant.NewID()
	token, expires, err := d.tokens.Sign(tenant.Grant{
		Company: chosen.ID, Subject: user.ID.String(), Role: chosen.Role, Life: sessionLife, JTI: jti,
	})
	if err != nil {
		return nil, err //nolint:wrapcheck // says what failed
	}
	session := tenant.Session{
		ID: tenant.NewID(), UserID: user.ID, JTIHash: tenant.HashJTI(jti), Proof: proof, Address: shorten(v.Address), CreatedAt: t.Now(),
		LastSeenAt: t.Now(), ExpiresAt: clock.At(expires),
	}
	if err := tenant.DoorInsert(ctx, t, session); err != nil {
		return nil, err //nolint:wrapcheck // says what was stored
	}
	inside, err := tenant.EnterAsMember(ctx, t, user.ID, chosen.ID, v.Visitor)
	if err != nil {
		return nil, err //nolint:wrapcheck // says what was read
	}
	if err := recordSession(ctx, inside, "session.started", session.ID, proof); err != nil {
		return nil, err
	}
	return &SignedIn{Token: token, ExpiresAt: expires, User: user}, nil
}

// choose picks a company by its id, or without one the first that is active, or else the first that is archived.
func choose(companies []tenant.CompanyOfUser, id tenant.ID) *tenant.CompanyOfUser {
	for _, status := range []tenant.CompanyStatus{tenant.CompanyActive, tenant.CompanyArchived} {
		for i := range companies {
			if c := &companies[i]; c.Status == status && (id.IsZero() || c.ID == id) {
				return c
			}
		}
	}
	return nil
}

func recordSession(ctx context.Context, tx tenant.Tx, action string, session tenant.ID, proof tenant.Proof) error {
	return audit.Record(ctx, tx, audit.Entry{ //nolint:wrapcheck // says what was recorded
		Action: action, Entity: entitySession, EntityID: session.String(), After: map[string]string{"proof": string(proof)},
	})
}

// shorten fits an address into its column.
func shorten(address string) string { return address[:min(len(address), 64)] }

// userByEmail finds a user; nil when there is none.
func userByEmail(ctx context.Context, t tenant.DoorTx, email string) (*tenant.User, error) {
	return tenant.DoorFind[tenant.User](ctx, t, "email = ?", email) //nolint:wrapcheck // says what was read
}

// register stores a new user.
func register(ctx context.Context, t tenant.DoorTx, email, name string, locale Locale) (*tenant.User, error) {
	user := tenant.User{ID: tenant.NewID(), Email: email, Locale: string(locale.orDefault()), CreatedAt: t.Now()}
	if name != "" {
		user.Name = &name
	}
	return &user, tenant.DoorInsert(ctx, t, user) //nolint:wrapcheck // says what was stored
}

// found opens the first company of a new user: a token belongs to a company, so a user without one could not even
// create it.
func found(ctx context.Context, t tenant.DoorTx, v Visit, user tenant.User) error {
	_, err := openFor(ctx, t, v.Visitor, user, Opening{IsSandbox: true}, Profile{Name: &user.Email})
	return err
}
