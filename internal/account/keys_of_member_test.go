package account_test

import (
	"context"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"github.com/vienkart/vienkart/internal/account"
	"github.com/vienkart/vienkart/internal/tenant"
	"github.com/vienkart/vienkart/internal/testkit"
)

// withToken is a company as the holder of a token sees it.
func withToken(t *testing.T, c *testkit.Company, token string) *testkit.Company {
	t.Helper()
	scope, err := verify(t, c.Engine, token)
	require.NoError(t, err)
	return &testkit.Company{Scope: scope, Engine: c.Engine}
}

// A removed member keeps no key that they know: not their own, not those made by these, not one in its overlap.
func TestRemovedMemberKeepsNoKey(t *testing.T) {
	t.Parallel()
	testkit.EachEngine(t, func(t *testing.T, e *testkit.Engine) {
		c, tokens := e.Company(t), newTokens(t, e)
		boss, _ := member(t, c, tenant.RoleAdmin)
		user, _ := member(t, c, tenant.RoleDeveloper)
		admin, developer := as(t, c, boss.String(), tenant.RoleAdmin), as(t, c, user.String(), tenant.RoleDeveloper)
		keyOf := func(by *testkit.Company) string {
			_, token, err := createKey(t, by, tokens)
			require.NoError(t, err)
			return token
		}
		ofAdmin, own := keyOf(admin), keyOf(developer)
		child := keyOf(withToken(t, c, own))
		grandchild := keyOf(withToken(t, c, child))
		rotated, _, err := createKey(t, developer, tokens)
		require.NoError(t, err)
		var kept string
		rotate := func(by *testkit.Company) (token string) {
			by.Mutate(t, func(ctx context.Context, tx tenant.Tx) (err error) {
				_, _, token, err = account.RotateAPIKey(ctx, tx, tokens, rotated.ID, 24*time.Hour)
				return err
			})
			return token
		}
		kept = rotate(admin)

		before := count(t, e, "SELECT COUNT(*) FROM audit_log WHERE company_id = ? AND action = 'api_key.revoked'", c.Scope.Company().ID)
		revoked, err := removeMember(t, c, user)
		require.NoError(t, err)
		require.Equal(t, 4, revoked, "own, child, grandchild, and the one in its overlap")
		for name, token := range map[string]string{"own": own, "child": child, "grandchild": grandchild} {
			_, err := verify(t, e, token)
			require.ErrorIs(t, err, tenant.ErrUnauthorized, name)
		}
		for name, token := range map[string]string{"of the admin": ofAdmin, "rotated by the admin": kept} {
			_, err := verify(t, e, token)
			require.NoError(t, err, name)
		}
		require.Equal(t, before+4, count(t, e, "SELECT COUNT(*) FROM audit_log WHERE company_id = ? AND action = 'api_key.revoked'", c.Scope.Company().ID))
	})
}

// A demoted member keeps the keys that the new role allows.
func TestDemotedMemberKeepsNoWiderKey(t *testing.T) {
	t.Parallel()
	testkit.EachEngine(t, func(t *testing.T, e *testkit.Engine) {
		c, tokens := e.Company(t), newTokens(t, e)
		member(t, c, tenant.RoleAdmin)
		user, _ := member(t, c, tenant.RoleAdmin)
		maker := as(t, c, user.String(), tenant.RoleAdmin)
		_, wide, err := createKey(t, maker, tokens)
		require.NoError(t, err)
		_, reader, err := createKey(t, maker, tokens, tenant.ReadBooks)
		require.NoError(t, err)
		require.NoError(t, setRole(t, c, user, tenant.RoleViewer))
		_, err = verify(t, e, wide)
		require.ErrorIs(t, err, tenant.ErrUnauthorized)
		_, err = verify(t, e, reader)
		require.NoError(t, err, "it does what a viewer may")
	})
}

// Who was removed, or whose key was revoked, after the request had begun makes no key any more.
func TestNoKeyIsMadeBehindARemoval(t *testing.T) {
	t.Parallel()
	testkit.EachEngine(t, func(t *testing.T, e *testkit.Engine) {
		c, tokens := e.Company(t), newTokens(t, e)
		member(t, c, tenant.RoleAdmin)
		user, _ := member(t, c, tenant.RoleDeveloper)
		developer := as(t, c, user.String(), tenant.RoleDeveloper)
		_, token, err := createKey(t, developer, tokens)
		require.NoError(t, err)
		program := withToken(t, c, token)
		_, err = removeMember(t, c, user)
		require.NoError(t, err)
		for name, late := range map[string]*testkit.Company{"the member": developer, "the key": program} {
			_, _, err := createKey(t, late, tokens)
			require.ErrorIs(t, err, tenant.ErrUnauthorized, name)
		}
		require.Zero(t, count(t, e, "SELECT COUNT(*) FROM api_keys WHERE company_id = ? AND revoked_at IS NULL", c.Scope.Company().ID))
	})
}
