package account

import (
	"context"

	"github.com/vienkart/vienkart/internal/apperr"
	"github.com/vienkart/vienkart/internal/tenant"
)

// ErrNoUser refuses what only a person of this server has.
var ErrNoUser = apperr.Define("account.no_user", apperr.Conflict,
	"The token belongs to a key or to a person of another issuer, and not to a user of this server.")

// Locale is a language of letters and pages.
type Locale string

// The languages.
const (
	Lithuanian Locale = "lt"
	English    Locale = "en"
	Russian    Locale = "ru"
)

// DefaultLocale is the language of somebody of whom none is known.
const DefaultLocale = Lithuanian

// Enum lists the allowed values.
func (Locale) Enum() []any { return []any{Lithuanian, English, Russian} }

func (l Locale) orDefault() Locale {
	if l == "" {
		return DefaultLocale
	}
	return l
}

// LocaleScope is where a language holds.
type LocaleScope string

// The scopes: one company of the user, or all that say nothing else.
const (
	LocaleOfMembership LocaleScope = "membership"
	LocaleOfUser       LocaleScope = "user"
)

// Enum lists the allowed values.
func (LocaleScope) Enum() []any { return []any{LocaleOfMembership, LocaleOfUser} }

// SetLocale stores the calling user's language: in the company of the token, or for the user. Error: account.no_user.
func SetLocale(ctx context.Context, tx tenant.Tx, locale Locale, where LocaleScope) (LocaleScope, error) {
	if tx.Scope().UserID().IsZero() {
		return "", noUser()
	}
	membership, err := tenant.OwnMembership(ctx, tx)
	if err != nil {
		return "", err //nolint:wrapcheck // says what was read
	}
	if where == LocaleOfUser || membership == nil {
		where = LocaleOfUser
		err = tenant.SetOwnLocale(ctx, tx, string(locale))
	} else {
		where = LocaleOfMembership
		text := string(locale)
		membership.Locale = &text
		err = tenant.Update(ctx, tx, membership, "locale")
	}
	if err != nil {
		return "", err //nolint:wrapcheck // says what was stored
	}
	return where, recordMember(ctx, tx, "member.locale_changed", tx.Scope().UserID(), nil,
		map[string]string{"locale": string(locale), "scope": string(where)})
}

func noUser() error {
	return ErrNoUser.New("Only a signed-in user can do that; this token belongs to a key or to a person of another issuer.")
}
