package account

import (
	"context"
	"fmt"

	"github.com/vienkart/vienkart/internal/tenant"
)

// Founding is a company to open for somebody who cannot sign in yet.
type Founding struct {
	Opening Opening
	Profile Profile
	// Admin is the e-mail address of its first admin, who may be a user already.
	Admin  string
	Locale Locale
}

// Found opens a company with its chart of accounts and its first admin, in one transaction. It is for the operator: whoever is
// signed in calls CreateCompany. Called twice it opens two companies. Errors: validation, account.identifier, account.time_zone.
func Found(ctx context.Context, door tenant.Door, v tenant.Visitor, in Founding) (company tenant.Company, admin tenant.User, err error) {
	email, err := NormalizeEmail(in.Admin)
	if err != nil {
		return tenant.Company{}, tenant.User{}, err
	}
	err = door.Pass(ctx, func(ctx context.Context, t tenant.DoorTx) error {
		user, err := userByEmail(ctx, t, email)
		if err == nil && user == nil {
			user, err = register(ctx, t, email, "", in.Locale)
		}
		if err != nil {
			return err
		}
		admin = *user
		company, err = openFor(ctx, t, v, admin, in.Opening, in.Profile)
		return err
	})
	return company, admin, err //nolint:wrapcheck // says what failed
}

// openFor stores a company whose first admin is the user, with all that a company has from its first moment.
func openFor(ctx context.Context, t tenant.DoorTx, v tenant.Visitor, user tenant.User, opening Opening, in Profile) (tenant.Company, error) {
	company, err := newCompany(opening, in, t.Now())
	if err != nil {
		return tenant.Company{}, err
	}
	inside, err := tenant.FoundCompany(ctx, t, user.ID, company, v)
	if err != nil {
		return tenant.Company{}, err //nolint:wrapcheck // says what was stored
	}
	if err := furnish(ctx, inside); err != nil {
		return tenant.Company{}, fmt.Errorf("opening the first company: %w", err)
	}
	return company, nil
}
