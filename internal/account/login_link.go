package account

import (
	"context"

	"github.com/vienkart/vienkart/internal/clock"
	"github.com/vienkart/vienkart/internal/tenant"
)

// RequestLink sends a login link to an e-mail address that is a user's, or with sign-up anybody's. What it answers, and
// what it does to the database, is the same for every address: it says whether letters can be sent at all. Errors:
// validation, account.too_many_attempts.
func (d *Desk) RequestLink(ctx context.Context, v Visit, email string, locale Locale) (sent bool, err error) {
	if email, err = NormalizeEmail(email); err != nil {
		return false, err
	}
	if err := v.count(ctx, linksOfAddress, v.source()); err != nil {
		return false, err
	}
	if err := v.count(ctx, linksOfEmail, email); err != nil {
		return false, err
	}
	token, hash := newSecret()
	deliver := false
	err = v.Door.Pass(ctx, func(ctx context.Context, t tenant.DoorTx) error {
		user, err := userByEmail(ctx, t, email)
		if err != nil {
			return err
		}
		deliver = user != nil || d.signUp
		if locale == "" && user != nil {
			locale = Locale(user.Locale)
		}
		// A link that is not delivered is stored all the same: its token is nowhere, and the work is equal.
		return tenant.DoorInsert(ctx, t, tenant.LoginLink{ //nolint:wrapcheck // says what was stored
			ID: tenant.NewID(), TokenHash: hash, Email: email, Locale: string(locale.orDefault()),
			CreatedAt: t.Now(), ExpiresAt: clock.At(t.Now().Add(linkLife)),
		})
	})
	if err != nil {
		return false, err //nolint:wrapcheck // says what failed
	}
	if deliver {
		d.mailer.Send(linkLetter(email, locale.orDefault(), d.link("login", token)))
	}
	return d.mailer.CanSend(), nil
}

// ConsumeLink signs in by the token of a login link, once. Errors: account.link_invalid, which does not say why,
// account.no_company, account.too_many_attempts.
func (d *Desk) ConsumeLink(ctx context.Context, v Visit, token string) (in *SignedIn, err error) {
	if err := v.count(ctx, tokensOfAddress, v.source()); err != nil {
		return nil, err
	}
	hash := hashSecret(token)
	err = v.Door.Pass(ctx, func(ctx context.Context, t tenant.DoorTx) error {
		now := t.Now()
		used, err := tenant.DoorUpdate(ctx, t, tenant.LoginLink{UsedAt: &now}, []string{"used_at"},
			"token_hash = ? AND used_at IS NULL AND expires_at > ?", hash, now)
		if err != nil {
			return err //nolint:wrapcheck // says what was stored
		}
		if used != 1 {
			return invalidLink()
		}
		link, err := tenant.DoorFind[tenant.LoginLink](ctx, t, "token_hash = ?", hash)
		if err != nil || link == nil {
			return err //nolint:wrapcheck // says what was read
		}
		in, err = d.signInOwner(ctx, t, v, *link)
		if err != nil {
			return err
		}
		return forgive(ctx, t, tokensOfAddress, v.source())
	})
	return in, err //nolint:wrapcheck // a refusal as it stands
}

// signInOwner signs in the owner of the mailbox that a link was sent to.
func (d *Desk) signInOwner(ctx context.Context, t tenant.DoorTx, v Visit, link tenant.LoginLink) (*SignedIn, error) {
	user, err := userByEmail(ctx, t, link.Email)
	if err != nil {
		return nil, err
	}
	isNew := user == nil
	switch {
	case isNew && !d.signUp:
		return nil, invalidLink()
	case isNew:
		if user, err = register(ctx, t, link.Email, "", Locale(link.Locale)); err != nil {
			return nil, err
		}
	}
	if d.signUp {
		if err := d.ensureCompany(ctx, t, v, *user); err != nil {
			return nil, err
		}
	}
	in, err := d.signIn(ctx, t, v, *user, tenant.ProofLink, tenant.ID{})
	if err != nil {
		return nil, err
	}
	in.IsNew = isNew
	return in, nil
}

func (d *Desk) ensureCompany(ctx context.Context, t tenant.DoorTx, v Visit, user tenant.User) error {
	companies, err := tenant.CompaniesOf(ctx, t, user.ID)
	if err != nil || choose(companies, tenant.ID{}) != nil {
		return err //nolint:wrapcheck // says what was read
	}
	return found(ctx, t, v, user)
}

func invalidLink() error {
	return ErrLink.New("The link is not valid: it was used, has expired or never was. Ask for another one.")
}
