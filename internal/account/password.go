package account

import (
	"context"
	"strings"
	"time"
	"unicode/utf8"

	"github.com/vienkart/vienkart/internal/apperr"
	"github.com/vienkart/vienkart/internal/audit"
	"github.com/vienkart/vienkart/internal/tenant"
)

// Errors of passwords.
var (
	ErrPasswordWeak = apperr.Define("account.password_weak", apperr.Rule, "The password is too short, too long, or is the e-mail address.")
	ErrPasswordOld  = apperr.Define("account.password_current", apperr.Rule,
		"The present password is missing or wrong, and the session did not just begin by a login link.")
	ErrUnproven = apperr.Define("account.unproven", apperr.Conflict,
		"The session began by an invitation that was not taken from the mailbox; sign in by a login link first.")
)

// Lengths of a password, in characters. There is no rule about its characters: length is what counts (NIST SP 800-63B).
const (
	minPassword = 12
	maxPassword = 128
)

// freshProof is how long after a sign-in by mail a forgotten password may be replaced.
const freshProof = 15 * time.Minute

// SetPassword gives the calling user a password and ends their other sessions. Who has one must name it, unless they
// have just signed in by mail. A token that the operator signed for the user may set the first one. Errors:
// account.no_user, account.password_weak, account.password_current, account.unproven.
func (d *Desk) SetPassword(ctx context.Context, tx tenant.Tx, password, current string) error {
	user, err := tenant.ReadUser(ctx, tx)
	if err != nil {
		return err //nolint:wrapcheck // says what was read
	}
	if user == nil {
		return noUser()
	}
	session := tx.Scope().Session()
	if session.Proof == tenant.ProofInviteURL {
		return ErrUnproven.New("Sign in by a login link before you set a password: so far nothing shows that %s is your address.", user.Email)
	}
	if err := checkPassword(password, user.Email); err != nil {
		return err
	}
	isFresh := session.Proof.ProvesMailbox() && tx.Now().Sub(session.CreatedAt) < freshProof
	if err := d.checkCurrent(ctx, tx, current, isFresh); err != nil {
		return err
	}
	hash, err := d.changing.hash(ctx, password)
	if err != nil {
		return err
	}
	if err := tenant.SetOwnPassword(ctx, tx, hash); err != nil {
		return err //nolint:wrapcheck // says what was stored
	}
	if err := tenant.RevokeOtherSessions(ctx, tx); err != nil {
		return err //nolint:wrapcheck // says what was stored
	}
	return audit.Record(ctx, tx, audit.Entry{ //nolint:wrapcheck // says what was recorded
		Action: "user.password_set", Entity: "user", EntityID: user.ID.String(),
	})
}

func (d *Desk) checkCurrent(ctx context.Context, tx tenant.Tx, current string, isFresh bool) error {
	stored, err := tenant.OwnPassword(ctx, tx)
	if err != nil || stored == nil || isFresh {
		return err //nolint:wrapcheck // says what was read
	}
	right, err := d.changing.verify(ctx, current, stored.Hash)
	if err != nil {
		return err
	}
	if !right {
		return ErrPasswordOld.New("Send the present password too, or sign in by a login link and set the new one within %d minutes.",
			int(freshProof.Minutes())).Field("currentPassword", "is not the present password")
	}
	return nil
}

func checkPassword(password, email string) error {
	weak := func(format string, args ...any) error {
		return ErrPasswordWeak.New("Choose another password; see fieldErrors.").Field("password", format, args...)
	}
	name, _, _ := strings.Cut(email, "@")
	switch length := utf8.RuneCountInString(password); {
	case length < minPassword:
		return weak("must have %d characters or more", minPassword)
	case length > maxPassword:
		return weak("must have %d characters or less", maxPassword)
	case strings.EqualFold(password, email), strings.EqualFold(password, name):
		return weak("must not be your e-mail address")
	}
	return nil
}

// LoginByPassword signs in by e-mail and password. An unknown e-mail, a user without a password and a wrong one get the
// same answer after the same time. Errors: validation, account.credentials, account.too_many_attempts, account.busy,
// account.no_company.
func (d *Desk) LoginByPassword(ctx context.Context, v Visit, email, password string) (in *SignedIn, err error) {
	if email, err = NormalizeEmail(email); err != nil {
		return nil, err
	}
	if err := v.count(ctx, passwordsOfSource, v.source()); err != nil {
		return nil, err
	}
	if err := v.count(ctx, passwordsOfEmail, email); err != nil {
		return nil, err
	}
	var user *tenant.User
	stored := ""
	err = v.Door.Pass(ctx, func(ctx context.Context, t tenant.DoorTx) (err error) {
		user, stored, err = readPassword(ctx, t, email)
		return err
	})
	if err != nil {
		return nil, err //nolint:wrapcheck // says what failed
	}
	// Outside any transaction: hashing takes long.
	right, err := d.signing.verify(ctx, password, stored)
	if err != nil {
		return nil, err
	}
	if !right {
		return nil, ErrCredentials.New("The e-mail or the password is wrong.")
	}
	err = v.Door.Pass(ctx, func(ctx context.Context, t tenant.DoorTx) error {
		// What was checked may have been changed since.
		_, now, err := readPassword(ctx, t, email)
		if err != nil {
			return err
		}
		if now != stored {
			return ErrCredentials.New("The e-mail or the password is wrong.")
		}
		if in, err = d.signIn(ctx, t, v, *user, tenant.ProofPassword, tenant.ID{}); err != nil {
			return err
		}
		if err := forget(ctx, t, passwordsOfEmail, email); err != nil {
			return err
		}
		return forgive(ctx, t, passwordsOfSource, v.source())
	})
	return in, err //nolint:wrapcheck // a refusal as it stands
}

func readPassword(ctx context.Context, t tenant.DoorTx, email string) (*tenant.User, string, error) {
	user, err := userByEmail(ctx, t, email)
	if err != nil {
		return nil, "", err
	}
	id := tenant.ID{}
	if user != nil {
		id = user.ID
	}
	password, err := tenant.DoorFind[tenant.UserPassword](ctx, t, "user_id = ?", id)
	if err != nil || password == nil {
		return user, "", err //nolint:wrapcheck // says what was read
	}
	return user, password.Hash, nil
}
