package delivery

import (
	"crypto/aes"
	"crypto/cipher"
	"crypto/hkdf"
	"crypto/hmac"
	"crypto/rand"
	"crypto/sha256"
	"encoding/hex"
	"errors"
	"fmt"

	"github.com/vienkart/vienkart/internal/tenant"
)

// minMasterKey is the shortest secret a key may be derived from.
const minMasterKey = 32

// keyPurpose separates this key from whatever else is derived from the same secret.
const keyPurpose = "vienkart webhook secrets 1"

// digestPurpose is that of the key by which secrets are compared and not kept.
const digestPurpose = "vienkart digests of webhook secrets 1"

// Vault seals the secrets of subscriptions for the database: signing needs them in clear, so a digest would not do.
type Vault struct {
	seal   cipher.AEAD
	digest []byte
}

// NewVault derives the key from a secret of the operator.
func NewVault(master string) (*Vault, error) {
	if len(master) < minMasterKey {
		return nil, fmt.Errorf("the key of webhook secrets has %d bytes; it needs %d or more", len(master), minMasterKey)
	}
	key, err := hkdf.Key(sha256.New, []byte(master), nil, keyPurpose, sha256.Size)
	if err != nil {
		return nil, fmt.Errorf("deriving the key of webhook secrets: %w", err)
	}
	block, err := aes.NewCipher(key)
	if err != nil {
		return nil, fmt.Errorf("making the cipher of webhook secrets: %w", err)
	}
	seal, err := cipher.NewGCM(block)
	if err != nil {
		return nil, fmt.Errorf("making the cipher of webhook secrets: %w", err)
	}
	digest, err := hkdf.Key(sha256.New, []byte(master), nil, digestPurpose, sha256.Size)
	if err != nil {
		return nil, fmt.Errorf("deriving the key of digests: %w", err)
	}
	return &Vault{seal, digest}, nil
}

// Digest tells two secrets apart and gives nothing away of either, not even to somebody who guesses: it is keyed.
func (v *Vault) Digest(secret []byte) string {
	mac := hmac.New(sha256.New, v.digest)
	_, _ = mac.Write(secret) // never fails
	return hex.EncodeToString(mac.Sum(nil))
}

// Seal encrypts the secret of a subscription. It can be opened for the same subscription only, so that nobody who can
// write to the table gives one tenant's secret to another.
func (v *Vault) Seal(secret string, company, subscription tenant.ID) []byte {
	nonce := make([]byte, v.seal.NonceSize())
	_, _ = rand.Read(nonce) // never fails
	return v.seal.Seal(nonce, nonce, []byte(secret), owner(company, subscription))
}

// Open decrypts what Seal made. An error says that the key is another one than then, or that the row was tampered with.
func (v *Vault) Open(sealed []byte, company, subscription tenant.ID) (string, error) {
	size := v.seal.NonceSize()
	if len(sealed) < size {
		return "", errors.New("opening a webhook secret: it is cut short")
	}
	secret, err := v.seal.Open(nil, sealed[:size], sealed[size:], owner(company, subscription))
	if err != nil {
		return "", fmt.Errorf("opening a webhook secret: %w", err)
	}
	return string(secret), nil
}

func owner(company, subscription tenant.ID) []byte { return append(company[:], subscription[:]...) }
