package account

import (
	"context"

	"github.com/vienkart/vienkart/internal/tenant"
)

// revokeKeysOf ends the API keys that a member made and that give more than the member may do now, with the keys that were made
// by those: the member knows their secrets. A key that is to go on without its maker is rotated by somebody else before; it is
// that one's then. It gives how many keys it ended. The caller holds the memberships of the company.
func revokeKeysOf(ctx context.Context, tx tenant.Tx, user tenant.ID, gives func(APIKey) bool) (int, error) {
	keys, err := tenant.LockWhere[APIKey](ctx, tx, `SELECT * FROM api_keys WHERE company_id = @company
		AND (revoked_at IS NULL OR revoked_at > ?) ORDER BY id @forupdate`, tx.Now())
	if err != nil {
		return 0, err //nolint:wrapcheck // says what failed
	}
	makers, revoked := map[string]bool{user.String(): true}, 0
	for i := range keys { // ids grow with time, so a key comes after the key that made it
		k := &keys[i]
		if !makers[k.CreatedBy] || !gives(*k) {
			continue
		}
		makers[k.ID.String()] = true
		before, now := k.line(), tx.Now()
		k.RevokedAt = &now
		if err := tenant.Update(ctx, tx, k, "revoked_at"); err != nil {
			return 0, err //nolint:wrapcheck // says what was updated
		}
		if err := k.record(ctx, tx, "api_key.revoked", before); err != nil {
			return 0, err
		}
		revoked++
	}
	return revoked, nil
}

// everything is what a member may not have who is one no more.
func everything(APIKey) bool { return true }

// beyond reports keys that carry what a role does not allow.
func beyond(role tenant.Role) func(APIKey) bool {
	return func(k APIKey) bool {
		for _, p := range k.carried() {
			if !role.Has(p) {
				return true
			}
		}
		return false
	}
}

// carried is what a key may do.
func (k APIKey) carried() []tenant.Permission {
	scopes := k.Permissions()
	if len(scopes) == 0 {
		scopes = tenant.Permissions()
	}
	var carried []tenant.Permission
	for _, p := range scopes {
		if k.Role.Has(p) {
			carried = append(carried, p)
		}
	}
	return carried
}

// holdMaker makes sure that the caller who makes a key still may: a member who is being removed, or a key that is being revoked,
// makes none behind the back of that. Error: unauthorized.
func holdMaker(ctx context.Context, tx tenant.Tx) error {
	scope := tx.Scope()
	held := true
	switch {
	case !scope.UserID().IsZero():
		members, err := tenant.LockWhere[tenant.Membership](ctx, tx,
			"SELECT * FROM memberships WHERE company_id = @company AND user_id = ? @forupdate", scope.UserID())
		if err != nil {
			return err //nolint:wrapcheck // says what failed
		}
		held = len(members) == 1 && members[0].Role.Has(tenant.ManageKeys)
	case scope.Actor().Type == tenant.ActorAPIKey:
		id, err := tenant.ParseID(scope.Actor().ID)
		if err != nil {
			return err //nolint:wrapcheck // the verifier read it before
		}
		keys, err := tenant.LockWhere[APIKey](ctx, tx, "SELECT * FROM api_keys WHERE company_id = @company AND id = ? @forupdate", id)
		if err != nil {
			return err //nolint:wrapcheck // says what failed
		}
		held = len(keys) == 1 && !keys[0].isRevoked(tx.Now())
	}
	if !held {
		return tenant.ErrUnauthorized.New("The caller was removed, or its key revoked, while it asked for a key.")
	}
	return nil
}
