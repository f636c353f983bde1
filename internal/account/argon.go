package account

import (
	"context"
	"crypto/rand"
	"crypto/subtle"
	"encoding/base64"
	"fmt"
	"runtime"
	"strings"
	"sync"
	"time"

	"golang.org/x/crypto/argon2"

	"github.com/vienkart/vienkart/internal/apperr"
)

// ErrHashingBusy says that too many passwords are being checked.
var ErrHashingBusy = apperr.Define("account.busy", apperr.Unavailable, "Too many passwords are being checked at once; try again in a moment.")

// Parameters of Argon2id: the second choice of the OWASP cheat sheet on password storage (19 MiB, 2 passes, 1 lane).
// https://cheatsheetseries.owasp.org/cheatsheets/Password_Storage_Cheat_Sheet.html
const (
	argonMemory = 19 << 10 // KiB
	argonPasses = 2
	argonLanes  = 1
	argonSalt   = 16
	argonKey    = 32
)

// hashPatience bounds the wait for a free place.
const hashPatience = 2 * time.Second

// hashesAtOnce bounds the memory and the cores that guessing can take from everybody else.
var hashesAtOnce = max(1, runtime.GOMAXPROCS(0)/2)

// hasher hashes passwords, a few at once.
type hasher struct{ places chan struct{} }

func newHasher(places int) hasher { return hasher{make(chan struct{}, places)} }

func (h hasher) enter(ctx context.Context) (leave func(), err error) {
	patience := time.NewTimer(hashPatience)
	defer patience.Stop()
	busy := ErrHashingBusy.New("The server is busy checking passwords; try again in a moment.")
	select {
	case h.places <- struct{}{}:
		return func() { <-h.places }, nil
	case <-ctx.Done():
		return nil, busy.Because(ctx.Err())
	case <-patience.C:
		return nil, busy
	}
}

// hash makes the PHC string of a password with a fresh salt.
func (h hasher) hash(ctx context.Context, password string) (string, error) {
	leave, err := h.enter(ctx)
	if err != nil {
		return "", err
	}
	defer leave()
	salt := make([]byte, argonSalt)
	_, _ = rand.Read(salt) // never fails, see crypto/rand
	return encodePHC(salt, derive(password, salt)), nil
}

// verify reports whether a password is that of a PHC string. Without one it takes as long and reports false.
func (h hasher) verify(ctx context.Context, password, phc string) (bool, error) {
	leave, err := h.enter(ctx)
	if err != nil {
		return false, err
	}
	defer leave()
	exists := phc != ""
	if !exists {
		phc = nobody()
	}
	salt, key, err := decodePHC(phc)
	if err != nil {
		return false, err
	}
	return subtle.ConstantTimeCompare(derive(password, salt), key) == 1 && exists, nil
}

func derive(password string, salt []byte) []byte {
	return argon2.IDKey([]byte(password), salt, argonPasses, argonMemory, argonLanes, argonKey)
}

// nobody is the hash that the passwords of unknown users are compared with.
var nobody = sync.OnceValue(func() string {
	secret := make([]byte, argonSalt+argonKey)
	_, _ = rand.Read(secret) // never fails, see crypto/rand
	return encodePHC(secret[:argonSalt], secret[argonSalt:])
})

func phcPrefix() string {
	return fmt.Sprintf("$argon2id$v=%d$m=%d,t=%d,p=%d$", argon2.Version, argonMemory, argonPasses, argonLanes)
}

func encodePHC(salt, key []byte) string {
	return phcPrefix() + base64.RawStdEncoding.EncodeToString(salt) + "$" + base64.RawStdEncoding.EncodeToString(key)
}

// decodePHC reads what encodePHC wrote: there is one set of parameters, and one that is not known is a fault.
func decodePHC(phc string) (salt, key []byte, err error) {
	rest, ok := strings.CutPrefix(phc, phcPrefix())
	saltText, keyText, both := strings.Cut(rest, "$")
	if !ok || !both {
		return nil, nil, fmt.Errorf("reading a password hash: its parameters are unknown")
	}
	if salt, err = base64.RawStdEncoding.DecodeString(saltText); err == nil {
		key, err = base64.RawStdEncoding.DecodeString(keyText)
	}
	if err != nil || len(key) != argonKey {
		return nil, nil, fmt.Errorf("reading a password hash: it is damaged")
	}
	return salt, key, nil
}
