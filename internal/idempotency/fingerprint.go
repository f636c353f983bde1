package idempotency

import (
	"crypto/sha256"
	"encoding/binary"
	"encoding/hex"
	"hash"
)

// fingerprintVersion begins every digest, so that a change of the recipe can
// never make an old claim match a new request by accident.
const fingerprintVersion = 1

// Fingerprint is the digest of what was asked. Two requests are the same
// request exactly when their fingerprints are equal.
type Fingerprint [sha256.Size]byte

// String returns the fingerprint in hexadecimal digits.
func (f Fingerprint) String() string { return hex.EncodeToString(f[:]) }

// Request is the part of a request that decides whether it is the same as
// another one. Headers, the caller and the time do not count.
type Request struct {
	// Method is the HTTP method, in capitals as sent.
	Method string
	// Route is the path as requested, with any parameters filled in.
	Route string
	// Query is the raw query string, without the question mark. The order of
	// its pairs and their escaping do not count, repeated pairs do.
	Query string
	// MediaType is the Content-Type header. Letter case does not count, nor
	// do parameters, save a charset other than UTF-8.
	MediaType string
	// Body is the JSON body.
	Body Canonical
}

// Fingerprint returns the SHA-256 digest of a version byte, the method, the
// route, the sorted query, the media type and the canonical body, each preceded
// by its length so that no two requests run together into the same bytes.
func (r Request) Fingerprint() Fingerprint {
	digest := sha256.New()
	digest.Write([]byte{fingerprintVersion})
	writePart(digest, []byte(r.Method))
	writePart(digest, []byte(r.Route))
	writePart(digest, []byte(canonicalQuery(r.Query)))
	writePart(digest, []byte(canonicalMediaType(r.MediaType)))
	writePart(digest, r.Body.Bytes())
	return Fingerprint(digest.Sum(nil))
}

func writePart(digest hash.Hash, part []byte) {
	digest.Write(binary.BigEndian.AppendUint64(nil, uint64(len(part))))
	digest.Write(part)
}
