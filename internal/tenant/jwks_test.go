package tenant_test

import (
	"crypto/ecdsa"
	"crypto/elliptic"
	"crypto/rand"
	"encoding/base64"
	"fmt"
	"net/http"
	"net/http/httptest"
	"testing"

	"github.com/golang-jwt/jwt/v5"
	"github.com/stretchr/testify/require"

	"github.com/vienkart/vienkart/internal/tenant"
	"github.com/vienkart/vienkart/internal/testkit"
)

// TestKeySet accepts tokens of an outside issuer by the keys at its address, and by no other.
func TestKeySet(t *testing.T) {
	t.Parallel()
	key, err := ecdsa.GenerateKey(elliptic.P256(), rand.Reader)
	require.NoError(t, err)
	public, err := key.PublicKey.Bytes() // 4, then x and y
	require.NoError(t, err)
	part := func(b []byte) string { return base64.RawURLEncoding.EncodeToString(b) }
	issuer := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, _ *http.Request) {
		_, _ = fmt.Fprintf(w, `{"keys":[{"kty":"EC","crv":"P-256","kid":"k1","alg":"ES256","use":"sig","x":%q,"y":%q}]}`,
			part(public[1:33]), part(public[33:]))
	}))
	t.Cleanup(issuer.Close)
	e := testkit.SQLite(t)
	company := e.Company(t).Scope.Company().ID.String()
	verifier := tenant.NewVerifier(tokens(t, tenant.TokenConfig{JWKSURL: issuer.URL}), e.Store)
	sign := func(signer *ecdsa.PrivateKey, kid string) string {
		token := jwt.NewWithClaims(jwt.SigningMethodES256, claims(company))
		token.Header["kid"] = kid
		text, err := token.SignedString(signer)
		require.NoError(t, err)
		return "Bearer " + text
	}
	_, err = verifier.Verify(t.Context(), tenant.Call{Authorization: sign(key, "k1")})
	require.NoError(t, err)
	stranger, err := ecdsa.GenerateKey(elliptic.P256(), rand.Reader)
	require.NoError(t, err)
	for name, authorization := range map[string]string{
		"OtherKey":          sign(stranger, "k1"),
		"UnknownKID":        sign(key, "k2"),
		"SecretOfPublicKey": "Bearer " + signed(t, jwt.SigningMethodHS256, public, claims(company)),
	} {
		_, err := verifier.Verify(t.Context(), tenant.Call{Authorization: authorization})
		require.ErrorIs(t, err, tenant.ErrUnauthorized, name)
	}
}
