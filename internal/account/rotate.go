package account

import (
	"context"
	"time"

	"github.com/vienkart/vienkart/internal/apperr"
	"github.com/vienkart/vienkart/internal/clock"
	"github.com/vienkart/vienkart/internal/tenant"
)

// ErrKeyRevoked says that a key is past rotating.
var ErrKeyRevoked = apperr.Define("account.key_revoked", apperr.Conflict, "The key has been revoked; create another one.")

// RotateAPIKey makes a key that carries what an older one does, and lets the older one work for the overlap, so that a
// program can be given the new key without a moment in which neither works. The caller must have every right of the key.
// Errors: not_found, account.key_revoked, account.scope_not_held, account.cannot_sign.
func RotateAPIKey(ctx context.Context, tx tenant.Tx, tokens *tenant.Tokens, id tenant.ID, overlap time.Duration) (made, old *APIKey, token string, err error) {
	old, err = tenant.Lock[APIKey](ctx, tx, id)
	if err != nil {
		return nil, nil, "", err //nolint:wrapcheck // says what was read
	}
	if old.RevokedAt != nil {
		return nil, nil, "", ErrKeyRevoked.New("The key %s has been revoked, or rotated before; create another one.", old.Name)
	}
	if err := old.mayBeCarriedBy(tx.Scope()); err != nil {
		return nil, nil, "", err
	}
	if !tokens.CanSign() {
		return nil, nil, "", cannotSign()
	}
	made, token, err = storeKey(ctx, tx, tokens, old.Name, old.Role, old.Permissions())
	if err != nil {
		return nil, nil, "", err
	}
	before, ends := old.line(), clock.At(tx.Now().Add(overlap))
	old.RevokedAt = &ends
	if err := tenant.Update(ctx, tx, old, "revoked_at"); err != nil {
		return nil, nil, "", err //nolint:wrapcheck // says what was updated
	}
	return made, old, token, old.record(ctx, tx, "api_key.rotated", before)
}

// mayBeCarriedBy refuses to hand a key to a caller that it would give more rights.
func (k APIKey) mayBeCarriedBy(scope tenant.Scope) error {
	for _, p := range k.carried() {
		if !scope.Can(p) {
			return ErrScopeNotHeld.New("You cannot rotate the key %s: it may do %s, and you may not.", k.Name, p)
		}
	}
	return nil
}
