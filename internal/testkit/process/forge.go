package process

import (
	"crypto/hmac"
	"crypto/sha256"
	"encoding/base64"
	"testing"

	"github.com/go-json-experiment/json"
	"github.com/stretchr/testify/require"
)

// Forge signs any claims with the secret of the test servers, those too that no server would sign.
func Forge(t testing.TB, claims map[string]any) string {
	t.Helper()
	text, err := json.Marshal(claims)
	require.NoError(t, err)
	encode := base64.RawURLEncoding.EncodeToString
	signed := encode([]byte(`{"alg":"HS256","typ":"JWT"}`)) + "." + encode(text)
	mac := hmac.New(sha256.New, []byte(Secret))
	mac.Write([]byte(signed))
	return signed + "." + encode(mac.Sum(nil))
}
