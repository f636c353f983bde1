package tenant

import (
	"crypto"
	"crypto/elliptic"
	"crypto/rsa"
	"errors"
	"fmt"
	"strings"
	"time"

	"github.com/MicahParks/jwkset"
	"github.com/MicahParks/keyfunc/v3"
	"github.com/golang-jwt/jwt/v5"

	"github.com/vienkart/vienkart/internal/apperr"
	"github.com/vienkart/vienkart/internal/clock"
)

// Errors of authentication and permission.
var (
	ErrUnauthorized = apperr.Define("unauthorized", apperr.Unauthorized,
		"The bearer token is missing, malformed, expired, revoked, or names no company of this server.")
	ErrForbidden = apperr.Define("forbidden", apperr.Forbidden, "The role or the scopes of the token do not allow the operation.")
)

// Limits of tokens.
const (
	tokenLeeway = 30 * time.Second // clocks of two machines differ
	maxTokenLen = 8 << 10          // a larger header is no token of ours
	// APIKeyLife is how long an API key lives unless it is revoked.
	APIKeyLife = 10 * 365 * 24 * time.Hour
	// minSecret is the shortest HS256 secret: RFC 7518 section 3.2 asks for the size of the hash.
	minSecret = 32
	// minRSABits is the shortest RSA key: RFC 7518 section 3.3.
	minRSABits = 2048
)

const apiKeySubject = "api_key:"

// claims are the members of our tokens.
type claims struct {
	CompanyID string `json:"company_id"`
	Role      string `json:"role"`
	Scope     string `json:"scope,omitempty"`
	jwt.RegisteredClaims
}

// TokenConfig says which tokens are accepted. Exactly one of Secret, PublicKeyPEM and JWKSURL is set; a Secret also
// signs tokens and API keys.
type TokenConfig struct {
	Secret       string
	PublicKeyPEM string
	JWKSURL      string
	Issuer       string
	Audience     string
}

// Tokens verifies and, with a secret, signs tokens.
type Tokens struct {
	secret   []byte
	issuer   string
	audience string
	parser   *jwt.Parser
	key      jwt.Keyfunc
	clock    clock.Clock
}

// NewTokens reads the configuration; the algorithm is pinned to the kind of key.
func NewTokens(cfg TokenConfig, c clock.Clock) (*Tokens, error) {
	t := &Tokens{issuer: cfg.Issuer, audience: cfg.Audience, clock: c}
	methods, err := t.loadKey(cfg)
	if err != nil {
		return nil, err
	}
	t.parser = jwt.NewParser(
		jwt.WithValidMethods(methods), jwt.WithIssuer(cfg.Issuer), jwt.WithAudience(cfg.Audience),
		jwt.WithExpirationRequired(), jwt.WithLeeway(tokenLeeway), jwt.WithTimeFunc(c.Now), jwt.WithStrictDecoding(),
	)
	return t, nil
}

func (t *Tokens) loadKey(cfg TokenConfig) ([]string, error) {
	given := 0
	for _, v := range []string{cfg.Secret, cfg.PublicKeyPEM, cfg.JWKSURL} {
		if v != "" {
			given++
		}
	}
	switch {
	case given != 1:
		return nil, errors.New("set exactly one of VIENKART_JWT_SECRET, VIENKART_JWT_PUBLIC_KEY and VIENKART_JWKS_URL")
	case cfg.Secret != "":
		if len(cfg.Secret) < minSecret {
			return nil, fmt.Errorf("VIENKART_JWT_SECRET has %d bytes; HS256 needs %d or more", len(cfg.Secret), minSecret)
		}
		t.secret = []byte(cfg.Secret)
		t.key = func(*jwt.Token) (any, error) { return t.secret, nil }
		return []string{"HS256"}, nil
	case cfg.PublicKeyPEM != "":
		key, method, err := parsePublicKey([]byte(cfg.PublicKeyPEM))
		if err != nil {
			return nil, err
		}
		t.key = func(*jwt.Token) (any, error) { return key, nil }
		return []string{method}, nil
	default:
		var err error
		t.key, err = keysAt(cfg.JWKSURL)
		return []string{"RS256", "ES256", "EdDSA"}, err
	}
}

// keysAt reads a key set: what it has for signatures, or for no named use.
func keysAt(url string) (jwt.Keyfunc, error) {
	set, err := keyfunc.NewDefault([]string{url})
	if err == nil {
		set, err = keyfunc.New(keyfunc.Options{Storage: set.Storage(), UseWhitelist: []jwkset.USE{jwkset.UseSig, ""}})
	}
	if err != nil {
		return nil, fmt.Errorf("reading the key set at VIENKART_JWKS_URL: %w", err)
	}
	return func(token *jwt.Token) (any, error) {
		key, err := set.Keyfunc(token)
		if public, ok := key.(*rsa.PublicKey); ok && err == nil && public.N.BitLen() < minRSABits {
			return nil, fmt.Errorf("a key of the set has %d bits; RS256 needs %d or more", public.N.BitLen(), minRSABits)
		}
		return key, err //nolint:wrapcheck // becomes "its form or signature is wrong"
	}, nil
}

// parsePublicKey reads a PEM public key of the three asymmetric kinds.
func parsePublicKey(pem []byte) (crypto.PublicKey, string, error) {
	if key, err := jwt.ParseRSAPublicKeyFromPEM(pem); err == nil {
		if key.N.BitLen() < minRSABits {
			return nil, "", fmt.Errorf("VIENKART_JWT_PUBLIC_KEY has %d bits; RS256 needs %d or more", key.N.BitLen(), minRSABits)
		}
		return key, "RS256", nil
	}
	if key, err := jwt.ParseECPublicKeyFromPEM(pem); err == nil {
		if key.Curve != elliptic.P256() {
			return nil, "", fmt.Errorf("VIENKART_JWT_PUBLIC_KEY is of the curve %s; ES256 needs P-256", key.Curve.Params().Name)
		}
		return key, "ES256", nil
	}
	if key, err := jwt.ParseEdPublicKeyFromPEM(pem); err == nil {
		return key, "EdDSA", nil
	}
	return nil, "", errors.New("VIENKART_JWT_PUBLIC_KEY is not a PEM public key of RSA, ECDSA P-256 or Ed25519")
}

// Grant is what a token is issued for.
type Grant struct {
	Company ID
	Subject string
	Role    Role
	Scopes  []Permission
	Life    time.Duration
	JTI     ID
}

// CanSign reports whether this server issues tokens itself.
func (t *Tokens) CanSign() bool { return t.secret != nil }

// Sign issues a token and says when it expires.
func (t *Tokens) Sign(g Grant) (string, time.Time, error) {
	if !t.CanSign() {
		return "", time.Time{}, errors.New("this server verifies tokens of another issuer and cannot sign any; set VIENKART_JWT_SECRET")
	}
	now := t.clock.Now()
	expires := now.Add(g.Life)
	scopes := make([]string, len(g.Scopes))
	for i, s := range g.Scopes {
		scopes[i] = string(s)
	}
	if g.JTI.IsZero() {
		g.JTI = NewID()
	}
	token, err := jwt.NewWithClaims(jwt.SigningMethodHS256, claims{
		CompanyID: g.Company.String(), Role: string(g.Role), Scope: strings.Join(scopes, " "),
		RegisteredClaims: jwt.RegisteredClaims{
			Issuer: t.issuer, Audience: jwt.ClaimStrings{t.audience}, Subject: g.Subject, ID: g.JTI.String(),
			IssuedAt: jwt.NewNumericDate(now), NotBefore: jwt.NewNumericDate(now), ExpiresAt: jwt.NewNumericDate(expires),
		},
	}).SignedString(t.secret)
	if err != nil {
		return "", time.Time{}, fmt.Errorf("signing a token: %w", err)
	}
	return token, expires, nil
}

// APIKeySubject is the subject of a token that is an API key.
func APIKeySubject(id ID) string { return apiKeySubject + id.String() }

// parse verifies an Authorization header and returns its claims and company.
func (t *Tokens) parse(authorization string) (claims, ID, error) {
	kind, raw, found := strings.Cut(authorization, " ")
	if !found || !strings.EqualFold(kind, "Bearer") || raw == "" {
		return claims{}, ID{}, ErrUnauthorized.New("Send the token as Authorization: Bearer TOKEN.")
	}
	if len(raw) > maxTokenLen {
		return claims{}, ID{}, ErrUnauthorized.New("The bearer token is longer than %d bytes.", maxTokenLen)
	}
	var c claims
	if _, err := t.parser.ParseWithClaims(strings.TrimSpace(raw), &c, t.key); err != nil {
		return claims{}, ID{}, ErrUnauthorized.New("The bearer token is not valid: %s.", reason(err)).Because(err)
	}
	company, err := ParseID(c.CompanyID)
	if err != nil {
		return claims{}, ID{}, ErrUnauthorized.New("The bearer token names no company.")
	}
	if c.Subject == "" || !Role(c.Role).Valid() {
		return claims{}, ID{}, ErrUnauthorized.New("The bearer token names no subject or no known role.")
	}
	return c, company, nil
}

// reason says what a client may know about a refused token.
func reason(err error) string {
	for _, known := range []struct {
		err  error
		text string
	}{
		{jwt.ErrTokenExpired, "it has expired"},
		{jwt.ErrTokenNotValidYet, "it is not valid yet"},
		{jwt.ErrTokenInvalidIssuer, "it comes from another issuer"},
		{jwt.ErrTokenInvalidAudience, "it is meant for another audience"},
		{jwt.ErrTokenRequiredClaimMissing, "a required claim is missing"},
	} {
		if errors.Is(err, known.err) {
			return known.text
		}
	}
	return "its form or signature is wrong"
}
