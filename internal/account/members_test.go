package account_test

import (
	"context"
	"sync"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"github.com/vienkart/vienkart/internal/account"
	"github.com/vienkart/vienkart/internal/apperr"
	"github.com/vienkart/vienkart/internal/tenant"
	"github.com/vienkart/vienkart/internal/testkit"
)

func setRole(t *testing.T, c *testkit.Company, user tenant.ID, role tenant.Role) error {
	t.Helper()
	return c.TryMutate(t.Context(), func(ctx context.Context, tx tenant.Tx) error {
		_, err := account.SetRole(ctx, tx, user, role)
		return err
	})
}

func removeMember(t *testing.T, c *testkit.Company, user tenant.ID) (keysRevoked int, err error) {
	t.Helper()
	err = c.TryMutate(t.Context(), func(ctx context.Context, tx tenant.Tx) (err error) {
		keysRevoked, err = account.RemoveMember(ctx, tx, user)
		return err
	})
	return keysRevoked, err
}

func TestRemovedMember(t *testing.T) {
	t.Parallel()
	testkit.EachEngine(t, func(t *testing.T, e *testkit.Engine) {
		o := newOffice(t, e, false)
		c, other := e.Company(t), e.Company(t)
		member(t, c, tenant.RoleAdmin)
		user, email := member(t, c, tenant.RoleDeveloper)
		in := o.enter(t, email)
		signed := as(t, c, user.String(), tenant.RoleDeveloper)
		_, key, err := createKey(t, signed, newTokens(t, e))
		require.NoError(t, err)
		_, err = removeMember(t, other, user)
		require.ErrorIs(t, err, apperr.ErrNotFound, "another company's member")
		revoked, err := removeMember(t, c, user)
		require.NoError(t, err)
		require.Equal(t, 1, revoked)
		_, err = verify(t, e, in.Token)
		require.ErrorIs(t, err, tenant.ErrUnauthorized, "the token of the session")
		operator, _, err := newTokens(t, e).Sign(tenant.Grant{Company: c.Scope.Company().ID, Subject: user.String(), Role: tenant.RoleAdmin, Life: time.Hour})
		require.NoError(t, err)
		_, err = verify(t, e, operator)
		require.ErrorIs(t, err, tenant.ErrUnauthorized, "any token of the user")
		_, err = verify(t, e, key)
		require.ErrorIs(t, err, tenant.ErrUnauthorized, "a key that the user made, and knows")
		as(t, c, "an operator", tenant.RoleAdmin)
		as(t, c, tenant.NewID().String(), tenant.RoleAdmin) // a subject that is no user of this server
	})
}

func TestRoleIsTheLowerOne(t *testing.T) {
	t.Parallel()
	testkit.EachEngine(t, func(t *testing.T, e *testkit.Engine) {
		c := e.Company(t)
		member(t, c, tenant.RoleAdmin)
		user, _ := member(t, c, tenant.RoleAdmin)
		for _, example := range []struct {
			token, member tenant.Role
			may, mayNot   []tenant.Permission
		}{
			{tenant.RoleAdmin, tenant.RoleViewer, []tenant.Permission{tenant.ReadBooks}, []tenant.Permission{tenant.WriteSales, tenant.ManageCompany}},
			{tenant.RoleViewer, tenant.RoleAdmin, []tenant.Permission{tenant.ReadBooks}, []tenant.Permission{tenant.WriteSales, tenant.ManageCompany}},
			{tenant.RoleAccountant, tenant.RoleDeveloper, []tenant.Permission{tenant.WriteSales}, []tenant.Permission{tenant.ManageKeys, tenant.LockPeriods}},
			{tenant.RoleDeveloper, tenant.RoleAccountant, []tenant.Permission{tenant.WriteSales}, []tenant.Permission{tenant.ManageKeys, tenant.LockPeriods}},
			{tenant.RoleDeveloper, tenant.RoleManager, []tenant.Permission{tenant.WriteBank}, []tenant.Permission{tenant.ManageKeys}},
			{tenant.RoleManager, tenant.RoleDeveloper, []tenant.Permission{tenant.WriteBank}, []tenant.Permission{tenant.ManageKeys}},
			{tenant.RoleAdmin, tenant.RoleAdmin, []tenant.Permission{tenant.ManageCompany}, nil},
		} {
			require.NoError(t, setRole(t, c, user, example.member))
			scope := as(t, c, user.String(), example.token).Scope
			for _, p := range example.may {
				require.True(t, scope.Can(p), "%v %s", example, p)
			}
			for _, p := range example.mayNot {
				require.False(t, scope.Can(p), "%v %s", example, p)
			}
		}
		require.NoError(t, setRole(t, c, user, tenant.RoleDeveloper))
		narrowed, _, err := newTokens(t, e).Sign(tenant.Grant{
			Company: c.Scope.Company().ID, Subject: user.String(), Role: tenant.RoleAccountant, Scopes: []tenant.Permission{tenant.LockPeriods}, Life: time.Hour,
		})
		require.NoError(t, err)
		_, err = verify(t, e, narrowed)
		require.ErrorIs(t, err, tenant.ErrUnauthorized, "nothing is left, which must not read as everything")
	})
}

func TestLastAdmin(t *testing.T) {
	t.Parallel()
	testkit.EachEngine(t, func(t *testing.T, e *testkit.Engine) {
		c := e.Company(t)
		admin, _ := member(t, c, tenant.RoleAdmin)
		user, _ := member(t, c, tenant.RoleViewer)
		require.ErrorIs(t, setRole(t, c, admin, tenant.RoleViewer), account.ErrLastAdmin)
		_, err := removeMember(t, c, admin)
		require.ErrorIs(t, err, account.ErrLastAdmin)
		require.NoError(t, setRole(t, c, admin, tenant.RoleAdmin), "no change is no demotion")
		require.NoError(t, setRole(t, c, user, tenant.RoleAdmin))
		require.NoError(t, setRole(t, c, admin, tenant.RoleViewer))
		_, err = removeMember(t, c, user)
		require.ErrorIs(t, err, account.ErrLastAdmin)
		require.ErrorIs(t, setRole(t, c, tenant.NewID(), tenant.RoleViewer), apperr.ErrNotFound)
	})
}

func TestAdminsCannotRemoveEachOtherAtOnce(t *testing.T) {
	t.Parallel()
	testkit.EachEngine(t, func(t *testing.T, e *testkit.Engine) {
		for range 10 {
			c := e.Company(t)
			one, _ := member(t, c, tenant.RoleAdmin)
			two, _ := member(t, c, tenant.RoleAdmin)
			errs := make([]error, 2)
			var wait sync.WaitGroup
			wait.Go(func() { errs[0] = setRole(t, c, one, tenant.RoleViewer) })
			wait.Go(func() { _, errs[1] = removeMember(t, c, two) })
			wait.Wait()
			require.NotEqual(t, errs[0] == nil, errs[1] == nil, "%v", errs)
			require.Equal(t, 1, count(t, e, "SELECT COUNT(*) FROM memberships WHERE company_id = ? AND role = 'admin'", c.Scope.Company().ID))
		}
	})
}

func TestListMembers(t *testing.T) {
	t.Parallel()
	e := testkit.SQLite(t)
	c, other := e.Company(t), e.Company(t)
	user, email := member(t, c, tenant.RoleManager)
	for company, want := range map[*testkit.Company]int{c: 1, other: 0} {
		company.Read(t, func(ctx context.Context, r tenant.ReadTx) error {
			list, err := account.ListMembers(ctx, r)
			require.NoError(t, err)
			require.Len(t, list, want)
			if want == 1 {
				require.Equal(t, []any{user, email, tenant.RoleManager}, []any{list[0].UserID, list[0].Email, list[0].Role})
			}
			return nil
		})
	}
}

func TestLocale(t *testing.T) {
	t.Parallel()
	testkit.EachEngine(t, func(t *testing.T, e *testkit.Engine) {
		c := e.Company(t)
		user, _ := member(t, c, tenant.RoleViewer)
		self := as(t, c, user.String(), tenant.RoleViewer)
		set := func(c *testkit.Company, locale account.Locale, where account.LocaleScope) (got account.LocaleScope, err error) {
			err = c.TryMutate(t.Context(), func(ctx context.Context, tx tenant.Tx) (err error) {
				got, err = account.SetLocale(ctx, tx, locale, where)
				return err
			})
			return got, err
		}
		got, err := set(self, account.Russian, "")
		require.NoError(t, err)
		require.Equal(t, account.LocaleOfMembership, got)
		got, err = set(self, account.English, account.LocaleOfUser)
		require.NoError(t, err)
		require.Equal(t, account.LocaleOfUser, got)
		self.Read(t, func(ctx context.Context, r tenant.ReadTx) error {
			me, err := account.Me(ctx, r)
			require.NoError(t, err)
			require.Equal(t, "ru", me.Locale)
			require.Equal(t, "en", me.User.Locale)
			return nil
		})
		_, err = set(as(t, c, "somebody", tenant.RoleViewer), account.English, "")
		require.ErrorIs(t, err, account.ErrNoUser)
	})
}
