package account

import (
	"context"
	"strings"

	"github.com/vienkart/vienkart/internal/tenant"
)

// Offer is what an invitation says to who holds its token.
type Offer struct {
	Email       string
	Role        tenant.Role
	CompanyName string
	Expired     bool
	UserExists  bool
}

// GetInvite shows an invitation. Errors: account.invite_gone, account.too_many_attempts.
func (d *Desk) GetInvite(ctx context.Context, v Visit, token string) (o *Offer, err error) {
	if err := v.count(ctx, tokensOfAddress, v.source()); err != nil {
		return nil, err
	}
	err = v.Door.Pass(ctx, func(ctx context.Context, t tenant.DoorTx) error {
		i, err := openInvitation(ctx, t, token)
		if err != nil {
			return err
		}
		user, err := userByEmail(ctx, t, i.Invite().Email)
		if err != nil {
			return err
		}
		o = &Offer{i.Invite().Email, i.Invite().Role, i.Company().Name, !i.Invite().ExpiresAt.After(t.Now().Time), user != nil}
		return forgive(ctx, t, tokensOfAddress, v.source())
	})
	return o, err //nolint:wrapcheck // a refusal as it stands
}

func openInvitation(ctx context.Context, t tenant.DoorTx, token string) (*tenant.Invitation, error) {
	i, err := tenant.FindInvitation(ctx, t, hashSecret(token))
	if err != nil {
		return nil, err //nolint:wrapcheck // says what was read
	}
	if i == nil || i.Invite().AcceptedAt != nil || i.Invite().RevokedAt != nil || i.Company().Status != tenant.CompanyActive {
		return nil, inviteGone()
	}
	return i, nil
}

func inviteGone() error {
	return ErrInviteGone.New("The invitation was accepted, withdrawn or never was; ask for another one.")
}

// AcceptInvite makes the invited person a member and signs them in, once. Who does not exist yet becomes a user. Who
// does must come with the token of the letter, or with a token of their own: the inviter knows the other address of the
// invitation, and must not get into an account by it. Errors: account.invite_gone, account.invite_expired,
// account.sign_in_first, account.member_already, account.too_many_attempts.
func (d *Desk) AcceptInvite(ctx context.Context, v Visit, token, name string, locale Locale) (in *SignedIn, err error) {
	if err := v.count(ctx, tokensOfAddress, v.source()); err != nil {
		return nil, err
	}
	caller := v.Caller(ctx)
	err = v.Door.Pass(ctx, func(ctx context.Context, t tenant.DoorTx) error {
		i, err := openInvitation(ctx, t, token)
		if err != nil {
			return err
		}
		if !i.Invite().ExpiresAt.After(t.Now().Time) {
			return ErrInviteExpired.New("The invitation has expired; ask for another one.")
		}
		user, err := userByEmail(ctx, t, i.Invite().Email)
		if err != nil {
			return err
		}
		isNew := user == nil
		if isNew {
			user, err = register(ctx, t, i.Invite().Email, strings.TrimSpace(name), locale)
		} else if !i.FromMail() && caller != user.ID {
			err = ErrSignInFirst.New("%s has an account here already. Use the link in the mail, or sign in and accept with that token.", user.Email)
		}
		if err != nil {
			return err
		}
		if err := enrol(ctx, t, v, *i, *user, locale); err != nil {
			return err
		}
		proof := tenant.ProofInviteURL
		if i.FromMail() {
			proof = tenant.ProofInviteMail
		}
		if in, err = d.signIn(ctx, t, v, *user, proof, i.Company().ID); err != nil {
			return err
		}
		in.IsNew = isNew
		return forgive(ctx, t, tokensOfAddress, v.source())
	})
	return in, err //nolint:wrapcheck // a refusal as it stands
}

// enrol uses the invitation up and stores the membership.
func enrol(ctx context.Context, t tenant.DoorTx, v Visit, i tenant.Invitation, user tenant.User, locale Locale) error {
	inside := tenant.EnterInvited(t, i, user.ID, v.Visitor)
	now := inside.Now()
	result, err := tenant.Exec(ctx, inside, `UPDATE invites SET accepted_at = ? WHERE company_id = @company AND id = ?
		AND accepted_at IS NULL AND revoked_at IS NULL AND expires_at > ?`, now, i.Invite().ID, now)
	if err != nil {
		return err //nolint:wrapcheck // the door classifies it
	}
	if n, err := result.RowsAffected(); err != nil || n != 1 {
		return inviteGone() // somebody was faster
	}
	existing, err := tenant.OwnMembership(ctx, inside)
	if err != nil {
		return err //nolint:wrapcheck // says what was read
	}
	if existing != nil {
		return memberAlready(user.Email)
	}
	m := &tenant.Membership{UserID: user.ID, Role: i.Invite().Role, CreatedAt: now}
	if locale != "" {
		m.Locale = new(string(locale))
	}
	if err := tenant.Insert(ctx, inside, m); err != nil {
		return err //nolint:wrapcheck // says what was stored
	}
	return recordMember(ctx, inside, "member.joined", user.ID, nil, memberLine{user.ID, m.Role})
}
