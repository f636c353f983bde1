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

func sessions(t *testing.T, c *testkit.Company) (list []tenant.Session) {
	t.Helper()
	c.Read(t, func(ctx context.Context, r tenant.ReadTx) (err error) {
		list, err = tenant.OwnSessions(ctx, r)
		return err
	})
	return list
}

func TestLogout(t *testing.T) {
	t.Parallel()
	testkit.EachEngine(t, func(t *testing.T, e *testkit.Engine) {
		o := newOffice(t, e, false)
		user, email := member(t, e.Company(t), tenant.RoleViewer)
		second := e.Company(t)
		second.Mutate(t, func(ctx context.Context, tx tenant.Tx) error {
			return tenant.Insert(ctx, tx, &tenant.Membership{UserID: user, Role: tenant.RoleViewer, CreatedAt: tx.Now()})
		})
		in, other := o.enter(t, email), o.enter(t, email)
		c := o.caller(t, in.Token)
		require.Len(t, sessions(t, c), 2)
		var chosen account.Selected
		c.Read(t, func(ctx context.Context, r tenant.ReadTx) (err error) {
			chosen, err = account.SelectCompany(ctx, r, newTokens(t, e), second.Scope.Company().ID)
			return err
		})
		require.Equal(t, c.Scope.Session(), o.caller(t, chosen.Token).Scope.Session(), "another company, the same session")
		require.WithinDuration(t, in.ExpiresAt, chosen.ExpiresAt, 2*time.Second, "choosing does not prolong it")

		logout := func(c *testkit.Company) (ended bool) {
			c.Mutate(t, func(ctx context.Context, tx tenant.Tx) (err error) {
				ended, err = account.Logout(ctx, tx)
				return err
			})
			return ended
		}
		require.True(t, logout(c))
		for _, token := range []string{in.Token, chosen.Token} {
			_, err := verify(t, e, token)
			require.ErrorIs(t, err, tenant.ErrUnauthorized)
		}
		left := o.caller(t, other.Token)
		require.Len(t, sessions(t, left), 1, "the other session goes on")
		require.False(t, logout(as(t, second, user.String(), tenant.RoleViewer)), "an operator's token has no session")
		require.False(t, logout(as(t, second, "somebody", tenant.RoleViewer)))
	})
}

func TestRevokeSession(t *testing.T) {
	t.Parallel()
	testkit.EachEngine(t, func(t *testing.T, e *testkit.Engine) {
		o := newOffice(t, e, false)
		company := e.Company(t)
		_, email := member(t, company, tenant.RoleViewer)
		_, stranger := member(t, company, tenant.RoleAdmin)
		lost, present := o.enter(t, email), o.enter(t, email)
		revoke := func(token string, id tenant.ID) error {
			return o.caller(t, token).TryMutate(t.Context(), func(ctx context.Context, tx tenant.Tx) error {
				return account.RevokeSession(ctx, tx, id)
			})
		}
		id := o.caller(t, lost.Token).Scope.Session().ID
		require.ErrorIs(t, revoke(o.enter(t, stranger).Token, id), apperr.ErrNotFound, "another user's session")
		require.NoError(t, revoke(present.Token, id))
		_, err := verify(t, e, lost.Token)
		require.ErrorIs(t, err, tenant.ErrUnauthorized)
		require.ErrorIs(t, revoke(present.Token, id), apperr.ErrNotFound, "it has ended")
	})
}

func TestASessionIsOfItsUser(t *testing.T) {
	t.Parallel()
	e := testkit.SQLite(t)
	o := newOffice(t, e, false)
	company := e.Company(t)
	_, email := member(t, company, tenant.RoleViewer)
	other, _ := member(t, company, tenant.RoleAdmin)
	session := o.caller(t, o.enter(t, email).Token).Scope.Session()
	token, _, err := newTokens(t, e).Sign(tenant.Grant{
		Company: company.Scope.Company().ID, Subject: other.String(), Role: tenant.RoleAdmin, Life: time.Hour, JTI: session.JTI,
	})
	require.NoError(t, err)
	_, err = verify(t, e, token)
	require.ErrorIs(t, err, tenant.ErrUnauthorized)
}

func TestSightings(t *testing.T) {
	t.Parallel()
	testkit.EachEngine(t, func(t *testing.T, e *testkit.Engine) {
		o := newOffice(t, e, false)
		company := e.Company(t)
		_, email := member(t, company, tenant.RoleViewer)
		in := o.enter(t, email)
		k, token, err := createKey(t, company, newTokens(t, e))
		require.NoError(t, err)
		later := o.at(t, time.Hour)
		for _, token := range []string{in.Token, token} {
			_, err := tenant.NewVerifier(newTokens(t, later.engine), later.engine.Store).Verify(t.Context(), tenant.Call{Authorization: "Bearer " + token})
			require.NoError(t, err)
		}
		used := func() (key *account.APIKey) {
			company.Read(t, func(ctx context.Context, r tenant.ReadTx) (err error) {
				key, err = tenant.Get[account.APIKey](ctx, r, k.ID)
				return err
			})
			return key
		}
		require.Nil(t, used().LastUsedAt, "a request writes nothing")
		require.NoError(t, tenant.FlushSightings(t.Context(), later.engine.System))
		require.WithinDuration(t, later.engine.Store.Clock().Now(), used().LastUsedAt.Time, time.Second)
		seen := sessions(t, o.caller(t, in.Token))[0]
		require.WithinDuration(t, later.engine.Store.Clock().Now(), seen.LastSeenAt.Time, time.Second)
	})
}

func TestSweep(t *testing.T) {
	t.Parallel()
	e := testkit.SQLite(t)
	o := newOffice(t, e, false)
	_, email := member(t, e.Company(t), tenant.RoleViewer)
	o.enter(t, email)
	rows := func() int {
		return count(t, e, "SELECT (SELECT COUNT(*) FROM sessions) + (SELECT COUNT(*) FROM login_links) + (SELECT COUNT(*) FROM sign_in_attempts)")
	}
	before := rows()
	require.NoError(t, account.Sweep(t.Context(), e.System))
	require.Equal(t, before, rows(), "what may still count stays")
	require.NoError(t, account.Sweep(t.Context(), o.at(t, 48*time.Hour).engine.System))
	require.Zero(t, rows())
}
