package account_test

import (
	"context"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/vienkart/vienkart/internal/account"
	"github.com/vienkart/vienkart/internal/apperr"
	"github.com/vienkart/vienkart/internal/tenant"
	"github.com/vienkart/vienkart/internal/testkit"
)

func createKey(t *testing.T, c *testkit.Company, tokens *tenant.Tokens, scopes ...tenant.Permission) (k *account.APIKey, token string, err error) {
	t.Helper()
	err = c.TryMutate(t.Context(), func(ctx context.Context, tx tenant.Tx) (err error) {
		k, token, err = account.CreateAPIKey(ctx, tx, tokens, "Parduotuvė", scopes)
		return err
	})
	return k, token, err
}

func TestCreateAPIKey(t *testing.T) {
	t.Parallel()
	testkit.EachEngine(t, func(t *testing.T, e *testkit.Engine) {
		c := e.Company(t)
		tokens := newTokens(t, e)

		t.Run("TheTokenWorksUntilItIsRevoked", func(t *testing.T) {
			t.Parallel()
			k, token, err := createKey(t, as(t, c, "dev", tenant.RoleDeveloper), tokens, tenant.WriteSales, tenant.ReadBooks, tenant.WriteSales)
			require.NoError(t, err)
			scope, err := verify(t, e, token)
			require.NoError(t, err)
			require.Equal(t, tenant.Actor{Type: tenant.ActorAPIKey, ID: k.ID.String()}, scope.Actor())
			require.Equal(t, tenant.RoleDeveloper, scope.Role())
			require.Equal(t, []tenant.Permission{tenant.ReadBooks, tenant.WriteSales}, scope.Scopes())

			revoke := func(c *testkit.Company) error {
				return c.TryMutate(t.Context(), func(ctx context.Context, tx tenant.Tx) error { return account.RevokeAPIKey(ctx, tx, k.ID) })
			}
			require.ErrorIs(t, revoke(e.Company(t)), apperr.ErrNotFound, "another company's key")
			_, err = verify(t, e, token)
			require.NoError(t, err)
			require.NoError(t, revoke(c))
			_, err = verify(t, e, token)
			require.ErrorIs(t, err, tenant.ErrUnauthorized)
			c.Read(t, func(ctx context.Context, r tenant.ReadTx) error {
				first, err := tenant.Get[account.APIKey](ctx, r, k.ID)
				require.NoError(t, err)
				require.NoError(t, revoke(c), "again")
				again, err := tenant.Get[account.APIKey](ctx, r, k.ID)
				require.NoError(t, err)
				require.Equal(t, first.RevokedAt, again.RevokedAt)
				return nil
			})
		})

		t.Run("WithoutScopesItCarriesTheRole", func(t *testing.T) {
			t.Parallel()
			k, token, err := createKey(t, as(t, c, "dev", tenant.RoleDeveloper), tokens)
			require.NoError(t, err)
			require.Equal(t, []tenant.Permission{}, k.Permissions())
			scope, err := verify(t, e, token)
			require.NoError(t, err)
			require.True(t, scope.Can(tenant.WriteBank))
			require.False(t, scope.Can(tenant.WriteLedger))
		})

		t.Run("ANarrowTokenMakesNoWideKey", func(t *testing.T) {
			t.Parallel()
			narrow := as(t, c, "dev", tenant.RoleAdmin, tenant.ManageKeys, tenant.ReadBooks)
			k, _, err := createKey(t, narrow, tokens)
			require.NoError(t, err)
			require.ElementsMatch(t, narrow.Scope.Scopes(), k.Permissions())
			_, _, err = createKey(t, narrow, tokens, tenant.WriteSales)
			require.ErrorIs(t, err, account.ErrScopeNotHeld)
		})

		t.Run("ScopesBeyondTheRoleAreRefused", func(t *testing.T) {
			t.Parallel()
			_, _, err := createKey(t, as(t, c, "dev", tenant.RoleDeveloper), tokens, tenant.LockPeriods)
			require.ErrorIs(t, err, account.ErrScopeNotHeld)
		})

		t.Run("UnknownScopesAreMalformed", func(t *testing.T) {
			t.Parallel()
			_, _, err := createKey(t, c, tokens, "sales:everything")
			require.ErrorIs(t, err, apperr.ErrValidation)
		})

		t.Run("AnOutsideIssuerSignsItsOwn", func(t *testing.T) {
			t.Parallel()
			_, _, err := createKey(t, c, outsideTokens(t))
			require.ErrorIs(t, err, account.ErrCannotSign)
		})
	})
}

func TestListAPIKeys(t *testing.T) {
	t.Parallel()
	e := testkit.SQLite(t)
	c, other := e.Company(t), e.Company(t)
	k, _, err := createKey(t, c, newTokens(t, e), tenant.ReadBooks)
	require.NoError(t, err)
	for company, want := range map[*testkit.Company][]account.APIKey{c: {*k}, other: {}} {
		company.Read(t, func(ctx context.Context, r tenant.ReadTx) error {
			keys, err := account.ListAPIKeys(ctx, r)
			require.NoError(t, err)
			require.Equal(t, want, keys)
			return nil
		})
	}
}
