package delivery

import (
	"crypto/hmac"
	"crypto/rand"
	"crypto/sha256"
	"encoding/base64"
	"strconv"
	"strings"
	"time"

	"github.com/vienkart/vienkart/internal/apperr"
)

// The form of secrets, as the Standard Webhooks specification has it.
const (
	secretPrefix   = "whsec_"
	newSecretBytes = 32
	minSecretBytes = 24
	maxSecretBytes = 64
	maxPlainSecret = 75
)

func newSecret() string {
	key := make([]byte, newSecretBytes)
	_, _ = rand.Read(key) // never fails
	return secretPrefix + base64.StdEncoding.EncodeToString(key)
}

// signingKey is the key that a secret stands for: what is encoded after the prefix, or the bytes of a secret without.
// Error: validation.
func signingKey(secret string) ([]byte, error) {
	encoded, isEncoded := strings.CutPrefix(secret, secretPrefix)
	if !isEncoded {
		if len(secret) < minSecretBytes || len(secret) > maxPlainSecret {
			return nil, apperr.Invalid("secret", "must have %d to %d bytes, or be %s and a key in base64; leave it out to get a good one",
				minSecretBytes, maxPlainSecret, secretPrefix)
		}
		return []byte(secret), nil
	}
	key, err := base64.StdEncoding.DecodeString(encoded)
	if err != nil || len(key) < minSecretBytes || len(key) > maxSecretBytes {
		return nil, apperr.Invalid("secret", "must be %s and %d to %d bytes in base64; leave it out to get a good one",
			secretPrefix, minSecretBytes, maxSecretBytes)
	}
	return key, nil
}

// signatures are the values of the header webhook-signature: one per secret, parted by a blank.
func signatures(keys [][]byte, id string, at time.Time, body []byte) string {
	signed := make([]string, len(keys))
	for i, key := range keys {
		mac := hmac.New(sha256.New, key)
		_, _ = mac.Write([]byte(id + "." + strconv.FormatInt(at.Unix(), 10) + "."))
		_, _ = mac.Write(body)
		signed[i] = "v1," + base64.StdEncoding.EncodeToString(mac.Sum(nil))
	}
	return strings.Join(signed, " ")
}
