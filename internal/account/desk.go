package account

import (
	"context"
	"crypto/rand"
	"crypto/sha256"
	"encoding/base64"
	"net/mail"
	"net/url"
	"strings"
	"time"

	"github.com/vienkart/vienkart/internal/apperr"
	letters "github.com/vienkart/vienkart/internal/mail"
	"github.com/vienkart/vienkart/internal/tenant"
)

// Errors of signing in.
var (
	ErrLink = apperr.Define("account.link_invalid", apperr.Unauthorized,
		"The login link was used, has expired or never was; ask for another one.")
	ErrCredentials = apperr.Define("account.credentials", apperr.Unauthorized, "The e-mail or the password is wrong.")
	ErrNoCompany   = apperr.Define("account.no_company", apperr.Conflict,
		"The user is a member of no company; somebody must invite them.")
)

// Lives of what lets a person in.
const (
	// sessionLife is how long a sign-in lasts: a working day.
	sessionLife = 12 * time.Hour
	linkLife    = 15 * time.Minute
	inviteLife  = 7 * 24 * time.Hour
)

// Desk signs people in. One serves all requests.
type Desk struct {
	tokens    *tenant.Tokens
	mailer    *letters.Mailer
	publicURL string
	signUp    bool
	signing   hasher
	changing  hasher
}

// DeskOptions say how people sign in.
type DeskOptions struct {
	// Mail carries links and invitations; nil when no letter can be sent.
	Mail *letters.Mailer
	// PublicURL is where people reach this server, such as https://books.example.com.
	PublicURL string
	// SignUp lets a stranger become a user by a login link.
	SignUp bool
}

// NewDesk makes the desk of one server.
func NewDesk(tokens *tenant.Tokens, o DeskOptions) *Desk {
	return &Desk{
		tokens: tokens, mailer: o.Mail, publicURL: strings.TrimRight(o.PublicURL, "/"), signUp: o.SignUp,
		signing: newHasher(hashesAtOnce), changing: newHasher(1),
	}
}

// Visit is one call of somebody who has no token yet.
type Visit struct {
	tenant.Visitor
	Door tenant.Door
	// Caller is the user whose token came along, or zero: such a call needs none.
	Caller func(context.Context) tenant.ID
}

// secretBytes make a token that nobody guesses.
const secretBytes = 32

// newSecret makes a token and what is stored of it.
func newSecret() (token string, hash []byte) {
	secret := make([]byte, secretBytes)
	_, _ = rand.Read(secret) // never fails, see crypto/rand
	token = base64.RawURLEncoding.EncodeToString(secret)
	return token, hashSecret(token)
}

func hashSecret(token string) []byte {
	digest := sha256.Sum256([]byte(token))
	return digest[:]
}

// link is the address of a page with a token for it. The token is in the query, which this server does not log.
func (d *Desk) link(page, token string) string {
	return d.publicURL + "/" + page + "?token=" + url.QueryEscape(token)
}

// maxEmail is the longest address that mail servers pass on, RFC 5321.
const maxEmail = 254

// NormalizeEmail brings an e-mail address into the one form in which it is stored and compared. Error: validation.
func NormalizeEmail(given string) (string, error) {
	email := strings.ToLower(strings.TrimSpace(given))
	parsed, err := mail.ParseAddress(email)
	if err != nil || parsed.Address != email || len(email) > maxEmail {
		return "", apperr.Invalid("email", "must be an e-mail address such as name@example.com")
	}
	return email, nil
}
