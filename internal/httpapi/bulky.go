package httpapi

import (
	"crypto/sha256"
	"encoding/hex"
	"fmt"

	"github.com/go-json-experiment/json"
	"github.com/go-json-experiment/json/jsontext"

	"github.com/vienkart/vienkart/internal/idempotency"
	"github.com/vienkart/vienkart/internal/webhook/delivery"
)

// bulkyFrom is the length from which a member is kept by its digest.
const bulkyFrom = 4 << 10

// keptByDigest names a member that may be megabytes long: requests are compared by its SHA-256, and that alone is kept
// with the key. The content itself is stored by the operation, and once is enough.
func keptByDigest(member string) option { return func(o *Operation) { o.bulky = member } }

// keptAsSecret names a member that is a secret of the caller: requests are compared by a keyed digest of it, and that alone is kept
// with the key and shown beside a refused duplicate. Without a vault nothing of it is kept.
func keptAsSecret(member string, vault *delivery.Vault) option {
	return func(o *Operation) { o.secret, o.vault = member, vault }
}

// kept is what is compared and stored of a canonical body.
func (o Operation) kept(body idempotency.Canonical) (idempotency.Canonical, error) {
	var err error
	if o.bulky != "" {
		body, err = replaced(body, o.bulky, func(value jsontext.Value) string {
			if len(value) < bulkyFrom {
				return ""
			}
			digest := sha256.Sum256(value)
			return `{"sha256":"` + hex.EncodeToString(digest[:]) + `"}`
		})
	}
	if o.secret != "" && err == nil {
		body, err = replaced(body, o.secret, func(value jsontext.Value) string {
			if o.vault == nil {
				return `{"secret":"not kept"}`
			}
			return `{"secret":"` + o.vault.Digest(value) + `"}`
		})
	}
	return body, err
}

// isWhole reports an operation of which all that was sent is kept.
func (o Operation) isWhole() bool { return o.bulky == "" && o.secret == "" }

// replaced puts something else in the place of a member, in an object: no text that a client sends looks so. An empty text leaves the
// member as it is.
func replaced(body idempotency.Canonical, member string, by func(jsontext.Value) string) (idempotency.Canonical, error) {
	var members map[string]jsontext.Value
	if err := json.Unmarshal(body.Bytes(), &members); err != nil {
		return body, nil //nolint:nilerr // no object: the decoder says so
	}
	value, ok := members[member]
	if !ok {
		return body, nil
	}
	text := by(value)
	if text == "" {
		return body, nil
	}
	members[member] = jsontext.Value(text)
	b, err := json.Marshal(members)
	if err != nil {
		return body, fmt.Errorf("keeping a member by its digest: %w", err)
	}
	return idempotency.Canonicalize(b, idempotency.Limits{}) //nolint:wrapcheck // it was canonical a moment ago
}
