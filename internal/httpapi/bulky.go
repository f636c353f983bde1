package httpapi

import (
	"crypto/sha256"
	"encoding/hex"
	"fmt"

	"github.com/go-json-experiment/json"
	"github.com/go-json-experiment/json/jsontext"

	"github.com/vienkart/vienkart/internal/idempotency"
)

// bulkyFrom is the length from which a member is kept by its digest.
const bulkyFrom = 4 << 10

// keptByDigest names a member that may be megabytes long: requests are compared by its SHA-256, and that alone is kept
// with the key. The content itself is stored by the operation, and once is enough.
func keptByDigest(member string) option { return func(o *Operation) { o.bulky = member } }

// slim replaces a long member of a canonical body by its digest, in an object: no text that a client sends looks so.
func slim(body idempotency.Canonical, member string) (idempotency.Canonical, error) {
	var members map[string]jsontext.Value
	if err := json.Unmarshal(body.Bytes(), &members); err != nil {
		return body, nil //nolint:nilerr // no object: the decoder says so
	}
	value, ok := members[member]
	if !ok || len(value) < bulkyFrom {
		return body, nil
	}
	digest := sha256.Sum256(value)
	members[member] = jsontext.Value(`{"sha256":"` + hex.EncodeToString(digest[:]) + `"}`)
	b, err := json.Marshal(members)
	if err != nil {
		return body, fmt.Errorf("keeping a long member by its digest: %w", err)
	}
	return idempotency.Canonicalize(b, idempotency.Limits{}) //nolint:wrapcheck // it was canonical a moment ago
}
