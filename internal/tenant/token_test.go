package tenant_test

import (
	"crypto/ecdsa"
	"crypto/elliptic"
	"crypto/rand"
	"crypto/x509"
	"encoding/base64"
	"encoding/pem"
	"strings"
	"testing"
	"time"

	"github.com/golang-jwt/jwt/v5"
	"github.com/stretchr/testify/require"

	"github.com/vienkart/vienkart/internal/clock"
	"github.com/vienkart/vienkart/internal/tenant"
	"github.com/vienkart/vienkart/internal/testkit"
)

const secret = "0123456789abcdef0123456789abcdef"

func tokens(t *testing.T, cfg tenant.TokenConfig) *tenant.Tokens {
	t.Helper()
	cfg.Issuer, cfg.Audience = "vienkart", "vienkart-api"
	made, err := tenant.NewTokens(cfg, clock.System{})
	require.NoError(t, err)
	return made
}

// claims are those of a token that is accepted.
func claims(company string) jwt.MapClaims {
	now := clock.System{}.Now()
	return jwt.MapClaims{
		"iss": "vienkart", "aud": "vienkart-api", "sub": "someone", "role": "admin", "company_id": company, "jti": "1",
		"exp": now.Add(time.Hour).Unix(), "nbf": now.Add(-time.Minute).Unix(),
	}
}

func without(c jwt.MapClaims, name string) jwt.MapClaims {
	delete(c, name)
	return c
}

func with(c jwt.MapClaims, name string, value any) jwt.MapClaims {
	c[name] = value
	return c
}

func signed(t *testing.T, method jwt.SigningMethod, key any, c jwt.MapClaims) string {
	t.Helper()
	s, err := jwt.NewWithClaims(method, c).SignedString(key)
	require.NoError(t, err)
	return s
}

func TestVerify(t *testing.T) {
	t.Parallel()
	testkit.EachEngine(t, func(t *testing.T, e *testkit.Engine) {
		company := e.Company(t).Scope.Company().ID.String()
		verifier := tenant.NewVerifier(tokens(t, tenant.TokenConfig{Secret: secret}), e.Store)
		hs := func(c jwt.MapClaims) string { return "Bearer " + signed(t, jwt.SigningMethodHS256, []byte(secret), c) }
		now := clock.System{}.Now()
		scope, err := verifier.Verify(t.Context(), tenant.Call{Authorization: hs(claims(company)), RequestID: "r1"})
		require.NoError(t, err)
		require.Equal(t, company, scope.Company().ID.String())
		require.Equal(t, tenant.RoleAdmin, scope.Role())
		require.Equal(t, "r1", scope.RequestID())

		forged := claims(company)
		for name, authorization := range map[string]string{
			"NoHeader":            "",
			"NoScheme":            signed(t, jwt.SigningMethodHS256, []byte(secret), claims(company)),
			"Basic":               "Basic " + base64.StdEncoding.EncodeToString([]byte("a:b")),
			"Garbage":             "Bearer a.b.c",
			"AlgorithmNone":       "Bearer " + signed(t, jwt.SigningMethodNone, jwt.UnsafeAllowNoneSignatureType, forged),
			"OtherAlgorithm":      "Bearer " + signed(t, jwt.SigningMethodHS512, []byte(secret), forged),
			"OtherSecret":         "Bearer " + signed(t, jwt.SigningMethodHS256, []byte(strings.Repeat("x", 32)), forged),
			"Expired":             hs(with(claims(company), "exp", now.Add(-time.Hour).Unix())),
			"NoExpiry":            hs(without(claims(company), "exp")),
			"NotYetValid":         hs(with(claims(company), "nbf", now.Add(time.Hour).Unix())),
			"OtherIssuer":         hs(with(claims(company), "iss", "someone else")),
			"OtherAudience":       hs(with(claims(company), "aud", "another api")),
			"NoSubject":           hs(without(claims(company), "sub")),
			"NoRole":              hs(without(claims(company), "role")),
			"UnknownRole":         hs(with(claims(company), "role", "root")),
			"NoCompany":           hs(without(claims(company), "company_id")),
			"EmptyCompany":        hs(with(claims(company), "company_id", "")),
			"NullCompany":         hs(with(claims(company), "company_id", nil)),
			"ZeroCompany":         hs(with(claims(company), "company_id", tenant.ID{}.String())),
			"NumberAsCompany":     hs(with(claims(company), "company_id", 0)),
			"UnknownCompany":      hs(claims(tenant.NewID().String())),
			"UnknownAPIKey":       hs(with(claims(company), "sub", tenant.APIKeySubject(tenant.NewID()))),
			"HugeToken":           "Bearer " + strings.Repeat("a", 100_000),
			"TamperedClaims":      "Bearer " + tampered(t, hs(claims(company))),
			"PaddedBase64IsWrong": hs(claims(company)) + "==",
		} {
			_, err := verifier.Verify(t.Context(), tenant.Call{Authorization: authorization})
			require.ErrorIs(t, err, tenant.ErrUnauthorized, name)
		}
	})
}

// tampered raises the role in a signed token.
func tampered(t *testing.T, authorization string) string {
	t.Helper()
	parts := strings.Split(strings.TrimPrefix(authorization, "Bearer "), ".")
	body, err := base64.RawURLEncoding.DecodeString(parts[1])
	require.NoError(t, err)
	parts[1] = base64.RawURLEncoding.EncodeToString([]byte(strings.Replace(string(body), "someone", "somebody", 1)))
	return strings.Join(parts, ".")
}

func TestPublicKey(t *testing.T) {
	t.Parallel()
	key, err := ecdsa.GenerateKey(elliptic.P256(), rand.Reader)
	require.NoError(t, err)
	der, err := x509.MarshalPKIXPublicKey(&key.PublicKey)
	require.NoError(t, err)
	public := string(pem.EncodeToMemory(&pem.Block{Type: "PUBLIC KEY", Bytes: der}))
	e := testkit.SQLite(t)
	company := e.Company(t).Scope.Company().ID.String()
	made := tokens(t, tenant.TokenConfig{PublicKeyPEM: public})
	require.False(t, made.CanSign())
	_, _, err = made.Sign(tenant.Grant{})
	require.ErrorContains(t, err, "VIENKART_JWT_SECRET")
	verifier := tenant.NewVerifier(made, e.Store)
	_, err = verifier.Verify(t.Context(), tenant.Call{Authorization: "Bearer " + signed(t, jwt.SigningMethodES256, key, claims(company))})
	require.NoError(t, err)
	// Key confusion: the public key is no secret, so a token signed with its bytes must not pass.
	_, err = verifier.Verify(t.Context(), tenant.Call{Authorization: "Bearer " + signed(t, jwt.SigningMethodHS256, []byte(public), claims(company))})
	require.ErrorIs(t, err, tenant.ErrUnauthorized)
}

func TestTokenConfig(t *testing.T) {
	t.Parallel()
	for name, cfg := range map[string]tenant.TokenConfig{
		"None":        {},
		"Two":         {Secret: secret, PublicKeyPEM: "x"},
		"ShortSecret": {Secret: "short"},
		"BadPEM":      {PublicKeyPEM: "not a key"},
	} {
		_, err := tenant.NewTokens(cfg, clock.System{})
		require.ErrorContains(t, err, "VIENKART_JWT", name)
	}
}

func TestScopesNarrowARole(t *testing.T) {
	t.Parallel()
	e := testkit.SQLite(t)
	company := e.Company(t).Scope.Company().ID
	made := tokens(t, tenant.TokenConfig{Secret: secret})
	verifier := tenant.NewVerifier(made, e.Store)
	for _, c := range []struct {
		role   tenant.Role
		scopes []tenant.Permission
		ask    tenant.Permission
		want   bool
	}{
		{tenant.RoleAdmin, nil, tenant.ManageCompany, true},
		{tenant.RoleAdmin, []tenant.Permission{tenant.ReadBooks}, tenant.ManageCompany, false},
		{tenant.RoleAdmin, []tenant.Permission{tenant.ReadBooks}, tenant.ReadBooks, true},
		{tenant.RoleViewer, []tenant.Permission{tenant.WriteSales}, tenant.WriteSales, false},
		{tenant.RoleViewer, nil, tenant.ReadBooks, true},
		{tenant.RoleViewer, nil, tenant.WriteSales, false},
		{tenant.RoleAccountant, nil, tenant.LockPeriods, true},
		{tenant.RoleManager, nil, tenant.LockPeriods, false},
		{tenant.RoleAccountant, nil, tenant.ReviewRefusals, false},
	} {
		token, _, err := made.Sign(tenant.Grant{Company: company, Subject: "s", Role: c.role, Scopes: c.scopes, Life: time.Minute})
		require.NoError(t, err)
		scope, err := verifier.Verify(t.Context(), tenant.Call{Authorization: "Bearer " + token})
		require.NoError(t, err)
		require.Equal(t, c.want, scope.Can(c.ask), "%+v", c)
	}
}
