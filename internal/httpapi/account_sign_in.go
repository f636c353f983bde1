package httpapi

import (
	"context"

	"github.com/vienkart/vienkart/internal/account"
	"github.com/vienkart/vienkart/internal/clock"
	"github.com/vienkart/vienkart/internal/tenant"
)

func (h accountHandlers) signInOperations() []Operation {
	return []Operation{
		open("/v1/account/login-link/request", "Ask for a login link", h.requestLink,
			described("A link that works once and for 15 minutes is sent to the address, if it is a user's. The answer is the same for every address.")),
		open("/v1/account/login-link/consume", "Sign in by a login link", h.consumeLink,
			described("The link works once: when the answer is lost, ask for another one.")),
		open("/v1/account/password/login", "Sign in by e-mail and password", h.passwordLogin,
			described("Wrong attempts make the next ones wait, by e-mail and by address.")),
		personal("/v1/account/password/set", tenant.OwnAccount, "Set the own password", h.setPassword,
			described("The user's other sessions end. Who has a password names it, unless the session began by mail in the last 15 minutes.")),
		personal("/v1/account/logout", tenant.OwnAccount, "End the present session", logout,
			described("Every token of the session stops working at once. A token that no sign-in made has no session and lives until it expires.")),
		query("/v1/account/sessions/list", tenant.OwnAccount, "List the own sessions", listSessions),
		personal("/v1/account/sessions/revoke", tenant.OwnAccount, "End one of the own sessions", revokeSession),
		personal("/v1/account/locale/set", tenant.OwnAccount, "Choose the own language", setLocale),
	}
}

type requestLinkRequest struct {
	Email  string         `json:"email" maxLength:"254" description:"E-mail address of a user."`
	Locale account.Locale `json:"locale,omitzero" description:"Language of the letter; the user's own unless given."`
}

type requestLinkResponse struct {
	Sent bool `json:"sent" description:"Whether the server can send letters. It does not say whether the address is a user's."`
}

func (h accountHandlers) requestLink(ctx context.Context, v account.Visit, in requestLinkRequest) (requestLinkResponse, error) {
	sent, err := h.desk.RequestLink(ctx, v, in.Email, in.Locale)
	return requestLinkResponse{sent}, err
}

type tokenRequest struct {
	Token string `json:"token" maxLength:"200" description:"The token from the link."`
}

type signedInUser struct {
	ID    tenant.ID `json:"id" description:"Id of the user."`
	Email string    `json:"email" description:"E-mail address."`
	Name  *string   `json:"name,omitzero" description:"Name of the person."`
	Plan  string    `json:"plan" description:"Always self-hosted."`
}

type signedInResponse struct {
	Token     string       `json:"token" description:"Bearer token of the user's first company; choose another one by companies/select."`
	ExpiresAt clock.Time   `json:"expiresAt" description:"When the session ends."`
	User      signedInUser `json:"user" description:"Who has signed in."`
	IsNewUser bool         `json:"isNewUser" description:"The user did not exist before."`
}

func signedIn(in *account.SignedIn, err error) (signedInResponse, error) {
	if err != nil {
		return signedInResponse{}, err
	}
	return signedInResponse{
		in.Token, clock.At(in.ExpiresAt), signedInUser{in.User.ID, in.User.Email, in.User.Name, plan}, in.IsNew,
	}, nil
}

func (h accountHandlers) consumeLink(ctx context.Context, v account.Visit, in tokenRequest) (signedInResponse, error) {
	return signedIn(h.desk.ConsumeLink(ctx, v, in.Token))
}

type passwordLoginRequest struct {
	Email    string `json:"email" maxLength:"254" description:"E-mail address of a user."`
	Password string `json:"password" maxLength:"128" description:"The password."`
}

func (h accountHandlers) passwordLogin(ctx context.Context, v account.Visit, in passwordLoginRequest) (signedInResponse, error) {
	return signedIn(h.desk.LoginByPassword(ctx, v, in.Email, in.Password))
}

type setPasswordRequest struct {
	Password        string `json:"password" maxLength:"128" description:"The new password, 12 characters or more."`
	CurrentPassword string `json:"currentPassword,omitzero" maxLength:"128" description:"The present password, if there is one."`
}

type setPasswordResponse struct {
	Changed bool `json:"changed" description:"Always true."`
}

func (h accountHandlers) setPassword(ctx context.Context, tx tenant.Tx, in setPasswordRequest) (setPasswordResponse, error) {
	return setPasswordResponse{true}, h.desk.SetPassword(ctx, tx, in.Password, in.CurrentPassword)
}

type logoutResponse struct {
	LoggedOut bool `json:"loggedOut" description:"False when the token belongs to no session, and so works until it expires."`
}

func logout(ctx context.Context, tx tenant.Tx, _ emptyRequest) (logoutResponse, error) {
	ended, err := account.Logout(ctx, tx)
	return logoutResponse{ended}, err
}

type sessionRow struct {
	ID         tenant.ID    `json:"id" description:"Id of the session."`
	Proof      tenant.Proof `json:"proof" description:"How the user signed in."`
	Address    string       `json:"address" description:"Network address of the sign-in."`
	IsCurrent  bool         `json:"isCurrent" description:"It is the session of this request."`
	CreatedAt  clock.Time   `json:"createdAt" description:"When the user signed in."`
	LastSeenAt clock.Time   `json:"lastSeenAt" description:"When it was last used, to the minute or so."`
	ExpiresAt  clock.Time   `json:"expiresAt" description:"When it ends."`
}

type sessionsResponse struct {
	Rows []sessionRow `json:"rows" description:"The sessions that have not ended, the newest first."`
}

func listSessions(ctx context.Context, r tenant.ReadTx, _ emptyRequest) (sessionsResponse, error) {
	sessions, err := tenant.OwnSessions(ctx, r)
	rows := make([]sessionRow, len(sessions))
	for i, s := range sessions {
		rows[i] = sessionRow{s.ID, s.Proof, s.Address, s.ID == r.Scope().Session().ID, s.CreatedAt, s.LastSeenAt, s.ExpiresAt}
	}
	return sessionsResponse{rows}, err
}

type revokeSessionResponse struct {
	Revoked bool `json:"revoked" description:"Always true."`
}

func revokeSession(ctx context.Context, tx tenant.Tx, in idRequest) (revokeSessionResponse, error) {
	return revokeSessionResponse{true}, account.RevokeSession(ctx, tx, in.ID)
}

type setLocaleRequest struct {
	Locale account.Locale      `json:"locale" description:"The language."`
	Scope  account.LocaleScope `json:"scope,omitzero" description:"Where it holds; in this company unless given."`
}

type setLocaleResponse struct {
	Locale account.Locale      `json:"locale" description:"The language."`
	Scope  account.LocaleScope `json:"scope" description:"Where it holds."`
}

func setLocale(ctx context.Context, tx tenant.Tx, in setLocaleRequest) (setLocaleResponse, error) {
	scope, err := account.SetLocale(ctx, tx, in.Locale, in.Scope)
	return setLocaleResponse{in.Locale, scope}, err
}
