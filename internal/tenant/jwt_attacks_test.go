package tenant_test

import (
	"crypto"
	"crypto/ecdsa"
	"crypto/ed25519"
	"crypto/elliptic"
	"crypto/hmac"
	"crypto/rand"
	"crypto/rsa"
	"crypto/sha256"
	"crypto/x509"
	"encoding/base64"
	"encoding/json"
	"encoding/pem"
	"fmt"
	"net/http"
	"net/http/httptest"
	"strings"
	"sync/atomic"
	"testing"
	"time"

	"github.com/golang-jwt/jwt/v5"
	"github.com/stretchr/testify/require"

	"github.com/vienkart/vienkart/internal/clock"
	"github.com/vienkart/vienkart/internal/tenant"
	"github.com/vienkart/vienkart/internal/testkit"
)

// forged is a token with any header over the claims, signed by a function.
func forged(t *testing.T, header map[string]any, c jwt.MapClaims, sign func(text string) []byte) string {
	t.Helper()
	head, err := json.Marshal(header)
	require.NoError(t, err)
	body, err := json.Marshal(c)
	require.NoError(t, err)
	text := base64.RawURLEncoding.EncodeToString(head) + "." + base64.RawURLEncoding.EncodeToString(body)
	return "Bearer " + text + "." + base64.RawURLEncoding.EncodeToString(sign(text))
}

func macBy(key []byte) func(string) []byte {
	return func(text string) []byte {
		mac := hmac.New(sha256.New, key)
		mac.Write([]byte(text))
		return mac.Sum(nil)
	}
}

func unsigned(string) []byte { return nil }

// TestForgedTokens tries what forgers try against a server of each kind of key: none gets in, and the server asks no address that a
// token names.
func TestForgedTokens(t *testing.T) {
	t.Parallel()
	var asked atomic.Int64
	evil := httptest.NewServer(http.HandlerFunc(func(http.ResponseWriter, *http.Request) { asked.Add(1) }))
	t.Cleanup(evil.Close)
	e := testkit.SQLite(t)
	company := e.Company(t).Scope.Company().ID.String()
	key, err := ecdsa.GenerateKey(elliptic.P256(), rand.Reader)
	require.NoError(t, err)
	rsaKey, err := rsa.GenerateKey(rand.Reader, 2048)
	require.NoError(t, err)
	edPublic, _, err := ed25519.GenerateKey(rand.Reader)
	require.NoError(t, err)
	configs := map[string]tenant.TokenConfig{
		"Secret": {Secret: secret}, "EC": {PublicKeyPEM: publicPEM(t, &key.PublicKey)},
		"RSA": {PublicKeyPEM: publicPEM(t, &rsaKey.PublicKey)}, "Ed25519": {PublicKeyPEM: publicPEM(t, edPublic)}, "Set": {JWKSURL: keySet(t, &key.PublicKey)},
	}
	mine, err := ecdsa.GenerateKey(elliptic.P256(), rand.Reader)
	require.NoError(t, err)
	byMine := func(text string) []byte {
		digest := sha256.Sum256([]byte(text))
		r, s, err := ecdsa.Sign(rand.Reader, mine, digest[:])
		require.NoError(t, err)
		return append(r.FillBytes(make([]byte, 32)), s.FillBytes(make([]byte, 32))...)
	}
	for name, cfg := range configs {
		verifier := tenant.NewVerifier(tokens(t, cfg), e.Store)
		tried := 0
		refuse := func(attack string, header map[string]any, sign func(string) []byte) {
			tried++
			_, err := verifier.Verify(t.Context(), tenant.Call{Authorization: forged(t, header, claims(company), sign)})
			require.ErrorIs(t, err, tenant.ErrUnauthorized, "%s: %s", name, attack)
		}
		for _, alg := range []any{"none", "None", "NONE", "nOnE", "", " ", nil, 1, []string{"none"}, "HS256\x00", "hs256"} {
			refuse("unsigned", map[string]any{"alg": alg, "typ": "JWT"}, unsigned)
			refuse("signed by nothing", map[string]any{"alg": alg}, macBy(nil))
		}
		for _, alg := range []string{"HS256", "HS384", "HS512", "RS256", "RS512", "PS256", "ES256", "ES384", "EdDSA"} {
			refuse("empty signature", map[string]any{"alg": alg, "kid": "k1"}, unsigned)
			refuse("zero signature", map[string]any{"alg": alg, "kid": "k1"}, func(string) []byte { return make([]byte, 64) })
			for _, other := range configs {
				for _, text := range []string{other.PublicKeyPEM, strings.TrimSpace(other.PublicKeyPEM), string(der(other.PublicKeyPEM))} {
					refuse("the public key as a secret", map[string]any{"alg": alg, "kid": "k1"}, macBy([]byte(text)))
				}
			}
		}
		public, err := mine.PublicKey.Bytes()
		require.NoError(t, err)
		part := base64.RawURLEncoding.EncodeToString
		jwk := map[string]any{"kty": "EC", "crv": "P-256", "kid": "mine", "x": part(public[1:33]), "y": part(public[33:])}
		oct := map[string]any{"kty": "oct", "kid": "mine", "k": part([]byte("mine"))}
		for attack, more := range map[string]map[string]any{
			"embedded key": {"jwk": jwk}, "embedded secret": {"jwk": oct}, "address of keys": {"jku": evil.URL}, "address of a certificate": {"x5u": evil.URL},
			"certificate": {"x5c": []string{part(public)}}, "path as id": {"kid": "../../../../dev/null"}, "SQL as id": {"kid": "' UNION SELECT 'mine"},
			"number as id": {"kid": 1}, "list as id": {"kid": []string{"k1"}}, "null as id": {"kid": nil}, "empty id": {"kid": ""}, "address as id": {"kid": evil.URL},
			"critical header": {"crit": []string{"exp"}, "kid": "k1"}, "nested": {"cty": "JWT", "kid": "k1"}, "packed": {"zip": "DEF", "kid": "k1"}, "no payload encoding": {"b64": false, "crit": []string{"b64"}},
		} {
			for alg, sign := range map[string]func(string) []byte{"ES256": byMine, "HS256": macBy([]byte("mine")), "RS256": unsigned} {
				header := map[string]any{"alg": alg}
				for k, v := range more {
					header[k] = v
				}
				refuse(attack, header, sign)
			}
		}
		t.Logf("%s: %d forged tokens", name, tried)
	}
	require.Zero(t, asked.Load(), "the server asked an address that a token named")
}

// TestClaimsOutOfShape signs, with the right secret, what no issuer should: times that are no times, lists and objects in place of texts.
func TestClaimsOutOfShape(t *testing.T) {
	t.Parallel()
	e := testkit.SQLite(t)
	company := e.Company(t).Scope.Company().ID.String()
	verifier := tenant.NewVerifier(tokens(t, tenant.TokenConfig{Secret: secret}), e.Store)
	sign := macBy([]byte(secret))
	header := map[string]any{"alg": "HS256", "typ": "JWT"}
	past, future := clock.System{}.Now().Add(-time.Minute).Unix(), clock.System{}.Now().Add(time.Minute).Unix()
	_, err := verifier.Verify(t.Context(), tenant.Call{Authorization: forged(t, header, with(claims(company), "aud", []string{"other", "vienkart-api"}), sign)})
	require.NoError(t, err, "one of several audiences is this server")
	for name, c := range map[string]jwt.MapClaims{
		"ExpiredAMinuteAgo": with(claims(company), "exp", past), "ValidInAMinute": with(claims(company), "nbf", future), "IssuedLater": with(claims(company), "nbf", future+3600),
		"TextAsExpiry": with(claims(company), "exp", "2099-01-01"), "NegativeExpiry": with(claims(company), "exp", -1), "ZeroExpiry": with(claims(company), "exp", 0),
		"NullExpiry": with(claims(company), "exp", nil), "ListAsExpiry": with(claims(company), "exp", []int64{future}), "TextAsStart": with(claims(company), "nbf", "tomorrow"),
		"HugeExpiry": with(claims(company), "exp", json.Number("1e1000000000")), "ObjectAsIssuer": with(claims(company), "iss", map[string]any{"iss": "vienkart"}),
		"ListAsIssuer": with(claims(company), "iss", []string{"vienkart"}), "IssuerWithBlank": with(claims(company), "iss", "vienkart "), "EmptyAudience": with(claims(company), "aud", ""),
		"NoAudience": without(claims(company), "aud"), "EmptyAudiences": with(claims(company), "aud", []string{}), "PrefixOfAudience": with(claims(company), "aud", "vienkart"),
		"NumberAsAudience": with(claims(company), "aud", 1), "RolesAsList": with(claims(company), "role", []string{"admin"}), "RoleInCapitals": with(claims(company), "role", "ADMIN"),
		"TwoCompanies": with(claims(company), "company_id", company+","+company), "CompanyAsObject": with(claims(company), "company_id", map[string]any{"id": company}),
		"BracedCompany": with(claims(company), "company_id", "{"+company+"}"), "SubjectAsNumber": with(claims(company), "sub", 1), "KeyOfNobody": with(claims(company), "sub", "api_key:"),
		"KeyOfZero": with(claims(company), "sub", "api_key:"+tenant.ID{}.String()), "ScopeAsList": with(claims(company), "scope", []string{"books:read"}),
	} {
		_, err := verifier.Verify(t.Context(), tenant.Call{Authorization: forged(t, header, c, sign)})
		require.ErrorIs(t, err, tenant.ErrUnauthorized, name)
	}
	scope, err := verifier.Verify(t.Context(), tenant.Call{Authorization: forged(t, header, with(claims(company), "scope", "all everything"), sign)})
	if err == nil {
		require.False(t, scope.Can(tenant.ReadBooks), "scopes that are not known allow nothing")
	}
}

// TestWeakPublicKeys: RFC 7518 asks for 2048 bits of RSA, section 3.3, and ES256 for the curve P-256.
func TestWeakPublicKeys(t *testing.T) {
	t.Parallel()
	short, err := rsa.GenerateKey(rand.Reader, 1024)
	require.NoError(t, err)
	curve, err := ecdsa.GenerateKey(elliptic.P384(), rand.Reader)
	require.NoError(t, err)
	for name, key := range map[string]crypto.PublicKey{"RSA1024": &short.PublicKey, "P384": &curve.PublicKey} {
		_, err := tenant.NewTokens(tenant.TokenConfig{PublicKeyPEM: publicPEM(t, key), Issuer: "a", Audience: "b"}, clock.System{})
		require.ErrorContains(t, err, "VIENKART_JWT_PUBLIC_KEY", name)
	}
}

func publicPEM(t *testing.T, key crypto.PublicKey) string {
	t.Helper()
	der, err := x509.MarshalPKIXPublicKey(key)
	require.NoError(t, err)
	return string(pem.EncodeToMemory(&pem.Block{Type: "PUBLIC KEY", Bytes: der}))
}

func der(text string) []byte {
	block, _ := pem.Decode([]byte(text))
	if block == nil {
		return nil
	}
	return block.Bytes
}

// keySet serves a key, the same for encryption, and a secret that somebody published by mistake.
func keySet(t *testing.T, key *ecdsa.PublicKey) string {
	t.Helper()
	public, err := key.Bytes()
	require.NoError(t, err)
	part := base64.RawURLEncoding.EncodeToString
	issuer := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, _ *http.Request) {
		_, _ = fmt.Fprintf(w, `{"keys":[{"kty":"EC","crv":"P-256","kid":"k1","use":"sig","x":%[1]q,"y":%[2]q},{"kty":"EC","crv":"P-256","kid":"enc","use":"enc","x":%[1]q,"y":%[2]q},`+
			`{"kty":"oct","kid":"mine","k":%[3]q}]}`, part(public[1:33]), part(public[33:]), part([]byte("mine")))
	}))
	t.Cleanup(issuer.Close)
	return issuer.URL
}

// TestKeysForEncryptionSignNothing: a key of the set that says it is for encryption is none for signatures.
func TestKeysForEncryptionSignNothing(t *testing.T) {
	t.Parallel()
	e := testkit.SQLite(t)
	company := e.Company(t).Scope.Company().ID.String()
	key, err := ecdsa.GenerateKey(elliptic.P256(), rand.Reader)
	require.NoError(t, err)
	verifier := tenant.NewVerifier(tokens(t, tenant.TokenConfig{JWKSURL: keySet(t, &key.PublicKey)}), e.Store)
	for kid, good := range map[string]bool{"k1": true, "enc": false} {
		token := jwt.NewWithClaims(jwt.SigningMethodES256, claims(company))
		token.Header["kid"] = kid
		text, err := token.SignedString(key)
		require.NoError(t, err)
		_, err = verifier.Verify(t.Context(), tenant.Call{Authorization: "Bearer " + text})
		if good {
			require.NoError(t, err)
		} else {
			require.ErrorIs(t, err, tenant.ErrUnauthorized)
		}
	}
}
