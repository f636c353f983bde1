package account_test

import (
	"context"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"github.com/vienkart/vienkart/internal/account"
	"github.com/vienkart/vienkart/internal/apperr"
	"github.com/vienkart/vienkart/internal/tenant"
	"github.com/vienkart/vienkart/internal/testkit"
)

func TestActivateCompany(t *testing.T) {
	t.Parallel()
	testkit.EachEngine(t, func(t *testing.T, e *testkit.Engine) {
		c := e.Company(t)
		for _, step := range []struct {
			do   func(context.Context, tenant.Tx, tenant.ID) (tenant.Company, error)
			want tenant.CompanyStatus
		}{
			{account.ArchiveCompany, tenant.CompanyArchived},
			{account.ActivateCompany, tenant.CompanyActive},
			{account.ActivateCompany, tenant.CompanyActive},
		} {
			c.Mutate(t, func(ctx context.Context, tx tenant.Tx) error {
				_, err := step.do(ctx, tx, c.Scope.Company().ID)
				return err
			})
			require.Equal(t, step.want, scopeOf(t, e, c.Scope.Company().ID).Company().Status)
		}
	})
}

func TestDeleteCompany(t *testing.T) {
	t.Parallel()
	testkit.EachEngine(t, func(t *testing.T, e *testkit.Engine) {
		kept, foreign := e.Company(t), e.Company(t)
		sandbox := e.Company(t, func(c *tenant.Company) { c.IsSandbox = true })
		remove := func(c *testkit.Company, id tenant.ID) (got tenant.Company, err error) {
			err = c.TryMutate(t.Context(), func(ctx context.Context, tx tenant.Tx) (err error) {
				got, err = account.DeleteCompany(ctx, tx, id)
				return err
			})
			return got, err
		}
		_, err := remove(kept, kept.Scope.Company().ID)
		require.ErrorIs(t, err, account.ErrNotSandbox)
		_, err = remove(foreign, sandbox.Scope.Company().ID)
		require.ErrorIs(t, err, apperr.ErrNotFound)
		c := as(t, sandbox, "somebody", tenant.RoleAdmin)
		token, _, err := newTokens(t, e).Sign(tenant.Grant{Company: sandbox.Scope.Company().ID, Subject: "x", Role: tenant.RoleAdmin, Life: time.Hour})
		require.NoError(t, err)
		got, err := remove(c, sandbox.Scope.Company().ID)
		require.NoError(t, err)
		require.Equal(t, tenant.CompanyDeleted, got.Status)
		require.Equal(t, 30*24*time.Hour, got.PurgeAfter.Sub(got.DeletedAt.Time))
		_, err = verify(t, e, token)
		require.ErrorIs(t, err, tenant.ErrUnauthorized)
	})
}

func TestRotateAPIKey(t *testing.T) {
	t.Parallel()
	testkit.EachEngine(t, func(t *testing.T, e *testkit.Engine) {
		c, tokens := e.Company(t), newTokens(t, e)
		k, first, err := createKey(t, c, tokens, tenant.ReadBooks)
		require.NoError(t, err)
		rotate := func(c *testkit.Company, id tenant.ID, overlap time.Duration) (made, old *account.APIKey, token string, err error) {
			err = c.TryMutate(t.Context(), func(ctx context.Context, tx tenant.Tx) (err error) {
				made, old, token, err = account.RotateAPIKey(ctx, tx, tokens, id, overlap)
				return err
			})
			return made, old, token, err
		}
		made, _, second, err := rotate(c, k.ID, time.Hour)
		require.NoError(t, err)
		require.Equal(t, k.Permissions(), made.Permissions())
		for _, token := range []string{first, second} {
			_, err := verify(t, e, token)
			require.NoError(t, err, "both work during the overlap")
		}
		later := e.At(e.Store.Clock().Now().Add(time.Hour))
		_, err = verify(t, later, first)
		require.ErrorIs(t, err, tenant.ErrUnauthorized)
		_, err = verify(t, later, second)
		require.NoError(t, err)
		_, _, _, err = rotate(c, k.ID, time.Hour)
		require.ErrorIs(t, err, account.ErrKeyRevoked, "once")
		_, _, _, err = rotate(e.Company(t), made.ID, 0)
		require.ErrorIs(t, err, apperr.ErrNotFound)
		c.Mutate(t, func(ctx context.Context, tx tenant.Tx) error { return account.RevokeAPIKey(ctx, tx, k.ID) })
		_, err = verify(t, e, first)
		require.ErrorIs(t, err, tenant.ErrUnauthorized, "revoking cuts the overlap short")
		_, _, _, err = rotate(c, made.ID, 0)
		require.NoError(t, err)
		_, err = verify(t, e, second)
		require.ErrorIs(t, err, tenant.ErrUnauthorized, "no overlap")

		wide, _, err := createKey(t, c, tokens)
		require.NoError(t, err)
		_, _, _, err = rotate(as(t, c, "dev", tenant.RoleDeveloper), wide.ID, 0)
		require.ErrorIs(t, err, account.ErrScopeNotHeld, "a developer gets no admin's key")
	})
}
