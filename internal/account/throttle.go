package account

import (
	"context"
	"crypto/sha256"
	"net/netip"
	"time"

	"github.com/vienkart/vienkart/internal/apperr"
	"github.com/vienkart/vienkart/internal/clock"
	"github.com/vienkart/vienkart/internal/tenant"
)

// ErrTooManyAttempts slows down who guesses.
var ErrTooManyAttempts = apperr.Define("account.too_many_attempts", apperr.RateLimited,
	"Too many attempts for this e-mail or from this address; details.retryAfterSeconds says how long to wait.")

// allowance is what one e-mail or address may try.
type allowance struct {
	name string
	// free attempts cost no wait; from then on every one doubles it, up to the ceiling.
	free    int
	ceiling time.Duration
}

// The allowances. An address may be that of a whole office, so it has more than one e-mail has.
var (
	linksOfEmail      = allowance{"link.email", 3, 15 * time.Minute}
	linksOfAddress    = allowance{"link.address", 30, 15 * time.Minute}
	passwordsOfEmail  = allowance{"password.email", 5, 5 * time.Minute}
	passwordsOfSource = allowance{"password.address", 30, 15 * time.Minute}
	tokensOfAddress   = allowance{"token.address", 60, 15 * time.Minute}
	wishesOfAddress   = allowance{"wish.address", 5, time.Hour}
)

const (
	// forgetAfter is when what was tried no longer counts.
	forgetAfter = time.Hour
	firstWait   = time.Second
)

// wait is how long after the n-th attempt the next one is refused.
func (a allowance) wait(n int) time.Duration {
	if n <= a.free {
		return 0
	}
	wait := firstWait
	for range n - a.free - 1 {
		if wait *= 2; wait >= a.ceiling {
			return a.ceiling
		}
	}
	return wait
}

func (a allowance) subject(of string) []byte {
	digest := sha256.Sum256([]byte(a.name + "\x00" + of))
	return digest[:]
}

// count takes one attempt before it is made, in a transaction of its own: what the attempt comes to must not undo it,
// and of many at once each one counts. Error: account.too_many_attempts.
func (v Visit) count(ctx context.Context, a allowance, of string) error {
	subject := a.subject(of)
	return v.Door.Pass(ctx, func(ctx context.Context, t tenant.DoorTx) error { //nolint:wrapcheck // a refusal as it stands
		now := t.Now()
		row, err := tenant.DoorFind[tenant.Attempts](ctx, t, "subject_hash = ?", subject)
		if err != nil {
			return err //nolint:wrapcheck // says what was read
		}
		if row == nil {
			return tenant.DoorInsert(ctx, t, tenant.Attempts{ //nolint:wrapcheck // says what was stored
				SubjectHash: subject, Attempts: 1, LastAt: now, BlockedUntil: clock.At(now.Add(a.wait(1))),
			})
		}
		if row, err = tenant.DoorLock[tenant.Attempts](ctx, t, "subject_hash = ?", subject); err != nil || row == nil {
			return err //nolint:wrapcheck // says what was read
		}
		if row.BlockedUntil.After(now.Time) {
			seconds := int(row.BlockedUntil.Sub(now.Time).Seconds()) + 1
			return ErrTooManyAttempts.New("Too many attempts; wait %d seconds and try again.", seconds).Detail("retryAfterSeconds", seconds)
		}
		n := row.Attempts + 1
		if now.Sub(row.LastAt.Time) > forgetAfter {
			n = 1
		}
		return saveAttempts(ctx, t, subject, n, now, clock.At(now.Add(a.wait(n))))
	})
}

func saveAttempts(ctx context.Context, t tenant.DoorTx, subject []byte, n int, last, blocked clock.Time) error {
	_, err := tenant.DoorUpdate(ctx, t, tenant.Attempts{Attempts: n, LastAt: last, BlockedUntil: blocked},
		[]string{"attempts", "last_at", "blocked_until"}, "subject_hash = ?", subject)
	return err //nolint:wrapcheck // says what was stored
}

// forgive takes an attempt back that was no guess.
func forgive(ctx context.Context, t tenant.DoorTx, a allowance, of string) error {
	subject := a.subject(of)
	row, err := tenant.DoorLock[tenant.Attempts](ctx, t, "subject_hash = ?", subject)
	if err != nil || row == nil {
		return err //nolint:wrapcheck // says what was read
	}
	return saveAttempts(ctx, t, subject, max(0, row.Attempts-1), row.LastAt, t.Now())
}

// forget makes an e-mail's attempts count no more, since its owner has come.
func forget(ctx context.Context, t tenant.DoorTx, a allowance, of string) error {
	return tenant.DoorDelete[tenant.Attempts](ctx, t, "subject_hash = ?", a.subject(of)) //nolint:wrapcheck // says what was deleted
}

// source is what counts as one address: of IPv6 the network that one customer gets, else one machine could count as
// many.
func (v Visit) source() string {
	const customerBits = 64
	address, err := netip.ParseAddr(v.Address)
	if err != nil {
		return v.Address
	}
	address = address.Unmap()
	if address.Is4() {
		return address.String()
	}
	network, err := address.WithZone("").Prefix(customerBits)
	if err != nil {
		return address.String()
	}
	return network.String()
}
