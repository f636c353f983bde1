package account

import (
	"context"
	"strings"

	"github.com/vienkart/vienkart/internal/apperr"
	"github.com/vienkart/vienkart/internal/audit"
	"github.com/vienkart/vienkart/internal/clock"
	letters "github.com/vienkart/vienkart/internal/mail"
	"github.com/vienkart/vienkart/internal/tenant"
)

// Errors of invitations.
var (
	ErrInviteGone = apperr.Define("account.invite_gone", apperr.NotFound,
		"The invitation was accepted, withdrawn or never was; ask for another one.")
	ErrInviteExpired = apperr.Define("account.invite_expired", apperr.Conflict, "The invitation has expired; ask for another one.")
	ErrMemberAlready = apperr.Define("account.member_already", apperr.Conflict, "The person is a member of the company already.")
	ErrSignInFirst   = apperr.Define("account.sign_in_first", apperr.Conflict,
		"The e-mail address belongs to a user: sign in as that user and accept with that token, or use the link in the mail.")
)

const entityInvite = "invite"

// inviteLine is an invite as the audit log keeps it.
type inviteLine struct {
	ID        tenant.ID   `json:"id"`
	Email     string      `json:"email"`
	Role      tenant.Role `json:"role"`
	ExpiresAt clock.Time  `json:"expiresAt"`
}

func lineOf(i tenant.Invite) inviteLine { return inviteLine{i.ID, i.Email, i.Role, i.ExpiresAt} }

// Invited is an invite that was just made.
type Invited struct {
	tenant.Invite
	// URL is for the inviter to pass on. It is a secret, and it proves nobody's mailbox.
	URL string
	// Deliver hands the letter over; call it when the invite has been committed. WillSend says whether one is sent.
	Deliver  func()
	WillSend bool
}

// Invite offers a role in the company to an e-mail address; an earlier open invitation of it ends. The letter and the
// answer carry different tokens, since only the first proves the mailbox. Errors: validation, account.member_already.
func (d *Desk) Invite(ctx context.Context, tx tenant.Tx, email string, role tenant.Role, locale Locale) (*Invited, error) {
	email, err := NormalizeEmail(email)
	if err != nil {
		return nil, err
	}
	member, err := tenant.QueryOne[tenant.ID](ctx, tx, `SELECT m.user_id FROM memberships m JOIN users u ON u.id = m.user_id
		WHERE m.company_id = @company AND u.email = ?`, email)
	if err != nil {
		return nil, err //nolint:wrapcheck // says what was read
	}
	if member != nil {
		return nil, memberAlready(email)
	}
	if _, err := tenant.Exec(ctx, tx, `UPDATE invites SET revoked_at = ? WHERE company_id = @company AND email = ?
		AND accepted_at IS NULL AND revoked_at IS NULL`, tx.Now(), email); err != nil {
		return nil, err //nolint:wrapcheck // the pipeline classifies it
	}
	token, hash := newSecret()
	mailToken, mailHash := newSecret()
	made := &Invited{Invite: tenant.Invite{
		Email: email, Role: role, TokenHash: hash, MailTokenHash: mailHash, InvitedBy: tx.Scope().Actor().ID,
		CreatedAt: tx.Now(), ExpiresAt: clock.At(tx.Now().Add(inviteLife)),
	}}
	if err := tenant.Insert(ctx, tx, &made.Invite); err != nil {
		return nil, err //nolint:wrapcheck // says what was stored
	}
	letter := inviteLetter(email, locale.orDefault(), tx.Company().Name, d.link("invite", mailToken))
	made.URL, made.WillSend, made.Deliver = d.link("invite", token), d.mailer.CanSend(), func() { d.mailer.Send(letter) }
	return made, recordInvite(ctx, tx, "invite.created", made.ID, nil, lineOf(made.Invite))
}

func memberAlready(email string) error {
	return ErrMemberAlready.New("%s is a member of the company already.", email)
}

func recordInvite(ctx context.Context, tx tenant.Tx, action string, id tenant.ID, before, after any) error {
	return audit.Record(ctx, tx, audit.Entry{ //nolint:wrapcheck // says what was recorded
		Action: action, Entity: entityInvite, EntityID: id.String(), Before: before, After: after,
	})
}

// ListInvites lists the invitations that were neither accepted nor withdrawn, the expired ones too, the oldest first.
func ListInvites(ctx context.Context, r tenant.Reader) ([]tenant.Invite, error) {
	return tenant.Find[tenant.Invite](ctx, r, "accepted_at IS NULL AND revoked_at IS NULL") //nolint:wrapcheck // says what was read
}

// RevokeInvite withdraws an invitation; one that was withdrawn before stays so. Errors: not_found, account.invite_gone
// for one that was accepted.
func RevokeInvite(ctx context.Context, tx tenant.Tx, id tenant.ID) error {
	i, err := tenant.Lock[tenant.Invite](ctx, tx, id)
	switch {
	case err != nil:
		return err //nolint:wrapcheck // a refusal as it stands
	case i.AcceptedAt != nil:
		return ErrInviteGone.New("The invitation was accepted; remove the member instead.")
	case i.RevokedAt != nil:
		return nil
	}
	now := tx.Now()
	i.RevokedAt = &now
	if err := tenant.Update(ctx, tx, i, "revoked_at"); err != nil {
		return err //nolint:wrapcheck // says what was updated
	}
	return recordInvite(ctx, tx, "invite.revoked", id, lineOf(*i), nil)
}

// inviteLetter and linkLetter write letters in the reader's language.
func inviteLetter(to string, locale Locale, company, link string) letters.Letter {
	// A company's name is free text: in a letter it is one line, so that it cannot pass for the letter itself.
	company = strings.Join(strings.Fields(company), " ")
	switch locale {
	case English:
		return letters.Letter{To: to, Subject: "Invitation to the books of " + company, Text: "You are invited to work in the books of " + company +
			".\n\nAccept the invitation within 7 days:\n" + link + "\n\nIf you do not expect this, do nothing.\n"}
	case Russian:
		return letters.Letter{To: to, Subject: "Приглашение: " + company, Text: "Вас приглашают к учёту компании " + company +
			".\n\nПримите приглашение в течение 7 дней:\n" + link + "\n\nЕсли вы этого не ждали, ничего не делайте.\n"}
	case Lithuanian:
	}
	return letters.Letter{To: to, Subject: "Kvietimas: " + company, Text: "Jus kviečia prisijungti prie įmonės " + company +
		" apskaitos.\n\nPriimkite kvietimą per 7 dienas:\n" + link + "\n\nJei kvietimo nelaukėte, nieko nedarykite.\n"}
}

func linkLetter(to string, locale Locale, link string) letters.Letter {
	switch locale {
	case English:
		return letters.Letter{To: to, Subject: "Your login link", Text: "Sign in to Vienkart within 15 minutes; the link works once:\n" + link +
			"\n\nIf you did not ask for it, do nothing.\n"}
	case Russian:
		return letters.Letter{To: to, Subject: "Ссылка для входа", Text: "Войдите в Vienkart в течение 15 минут; ссылка действует один раз:\n" + link +
			"\n\nЕсли вы её не запрашивали, ничего не делайте.\n"}
	case Lithuanian:
	}
	return letters.Letter{To: to, Subject: "Prisijungimo nuoroda", Text: "Prisijunkite prie „Vienkart“ per 15 minučių; nuoroda veikia vieną kartą:\n" + link +
		"\n\nJei jos neprašėte, nieko nedarykite.\n"}
}
