package account

import (
	"context"
	"time"

	"github.com/vienkart/vienkart/internal/tenant"
)

// Self is the caller.
type Self struct {
	// User is nil for an API key and for a person of another issuer.
	User *tenant.User
	// Locale is the language in the company of the token; empty is that of the user.
	Locale string
	// Companies are those the caller may work in, the token's own among them.
	Companies []tenant.CompanyOfUser
}

// Me tells the caller who it is and where it may work.
func Me(ctx context.Context, r tenant.ReadTx) (Self, error) {
	user, err := tenant.ReadUser(ctx, r)
	if err != nil {
		return Self{}, err //nolint:wrapcheck // says what was read
	}
	companies, err := tenant.CompaniesOfUser(ctx, r)
	if err != nil {
		return Self{}, err //nolint:wrapcheck // says what was read
	}
	if find(companies, r.Company().ID) == nil {
		companies = append(companies, tenant.CompanyOfUser{Company: r.Company(), Role: r.Scope().Role()})
	}
	self := Self{User: user, Companies: companies}
	if user == nil {
		return self, nil
	}
	membership, err := tenant.OwnMembership(ctx, r)
	if err == nil && membership != nil && membership.Locale != nil {
		self.Locale = *membership.Locale
	}
	return self, err //nolint:wrapcheck // says what was read
}

func find(companies []tenant.CompanyOfUser, id tenant.ID) *tenant.CompanyOfUser {
	for i := range companies {
		if companies[i].ID == id && companies[i].Status != tenant.CompanyDeleted {
			return &companies[i]
		}
	}
	return nil
}

// Selected is the answer to the choice of a company.
type Selected struct {
	Company tenant.ID
	// Token works in the company; empty for a caller who is no member and goes on with the token it has.
	Token     string
	ExpiresAt time.Time
}

// SelectCompany gives a member a token for a company, with the member's role there and the scopes of the present token.
// Errors: not_found, account.cannot_sign.
func SelectCompany(ctx context.Context, r tenant.ReadTx, tokens *tenant.Tokens, id tenant.ID) (Selected, error) {
	companies, err := tenant.CompaniesOfUser(ctx, r)
	if err != nil {
		return Selected{}, err //nolint:wrapcheck // says what was read
	}
	member := find(companies, id)
	switch isOwn := id == r.Company().ID; {
	case member == nil && !isOwn:
		return Selected{}, tenant.NotFound("company", id) //nolint:wrapcheck // a refusal as it stands
	case member == nil, isOwn && !tokens.CanSign():
		return Selected{Company: id}, nil
	case !tokens.CanSign():
		return Selected{}, cannotSign()
	}
	scope := r.Scope()
	grant := tenant.Grant{Company: id, Subject: scope.Actor().ID, Role: member.Role, Scopes: scope.Scopes(), Life: sessionLife}
	if session := scope.Session(); !session.ID.IsZero() {
		// The token belongs to the same session, and ends with it.
		grant.JTI, grant.Life = session.JTI, session.ExpiresAt.Sub(r.Now().Time)
	}
	token, expires, err := tokens.Sign(grant)
	if err != nil {
		return Selected{}, err //nolint:wrapcheck // says what failed
	}
	return Selected{id, token, expires}, nil
}
