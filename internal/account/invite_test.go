package account_test

import (
	"context"
	"errors"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"github.com/vienkart/vienkart/internal/account"
	"github.com/vienkart/vienkart/internal/tenant"
	"github.com/vienkart/vienkart/internal/testkit"
)

// invite makes an invitation and gives the token of its address, with the letter sent.
func (o *office) invite(t *testing.T, c *testkit.Company, email string, role tenant.Role) (*account.Invited, string) {
	t.Helper()
	var made *account.Invited
	c.Mutate(t, func(ctx context.Context, tx tenant.Tx) (err error) {
		made, err = o.desk.Invite(ctx, tx, email, role, account.English)
		return err
	})
	require.True(t, made.WillSend)
	made.Deliver()
	_, token, found := strings.Cut(made.URL, "http://books.test/invite?token=")
	require.True(t, found, made.URL)
	return made, token
}

func (o *office) accept(t *testing.T, token string) (*account.SignedIn, error) {
	t.Helper()
	return o.desk.AcceptInvite(t.Context(), o.visit(), token, "Ona", account.English)
}

func TestInvite(t *testing.T) {
	t.Parallel()
	testkit.EachEngine(t, func(t *testing.T, e *testkit.Engine) {
		o := newOffice(t, e, false)
		c := e.Company(t)
		email := freshEmail()
		made, token := o.invite(t, c, strings.ToUpper(email), tenant.RoleManager)
		offer, err := o.desk.GetInvite(t.Context(), o.visit(), token)
		require.NoError(t, err)
		require.Equal(t, account.Offer{Email: email, Role: tenant.RoleManager, CompanyName: c.Scope.Company().Name}, *offer)
		in, err := o.accept(t, token)
		require.NoError(t, err)
		require.True(t, in.IsNew)
		scope := o.caller(t, in.Token).Scope
		require.Equal(t, c.Scope.Company().ID, scope.Company().ID)
		require.Equal(t, tenant.RoleManager, scope.Role())
		for _, spent := range []string{token, o.box.Token(t, email), "x", ""} {
			_, err = o.accept(t, spent)
			require.ErrorIs(t, err, account.ErrInviteGone)
			_, err = o.desk.GetInvite(t.Context(), o.visit(), spent)
			require.ErrorIs(t, err, account.ErrInviteGone)
		}
		err = c.TryMutate(t.Context(), func(ctx context.Context, tx tenant.Tx) error {
			_, err := o.desk.Invite(ctx, tx, email, tenant.RoleAdmin, "")
			return err
		})
		require.ErrorIs(t, err, account.ErrMemberAlready)
		err = c.TryMutate(t.Context(), func(ctx context.Context, tx tenant.Tx) error { return account.RevokeInvite(ctx, tx, made.ID) })
		require.ErrorIs(t, err, account.ErrInviteGone)
	})
}

func TestInviteEnds(t *testing.T) {
	t.Parallel()
	testkit.EachEngine(t, func(t *testing.T, e *testkit.Engine) {
		o := newOffice(t, e, false)
		c := e.Company(t)
		email := freshEmail()
		_, first := o.invite(t, c, email, tenant.RoleViewer)
		made, second := o.invite(t, c, email, tenant.RoleViewer)
		_, err := o.accept(t, first)
		require.ErrorIs(t, err, account.ErrInviteGone, "a newer one took its place")
		week := o.at(t, 7*24*time.Hour+time.Minute)
		_, err = week.accept(t, second)
		require.ErrorIs(t, err, account.ErrInviteExpired)
		offer, err := week.desk.GetInvite(t.Context(), week.visit(), second)
		require.NoError(t, err)
		require.True(t, offer.Expired)
		for range 2 {
			c.Mutate(t, func(ctx context.Context, tx tenant.Tx) error { return account.RevokeInvite(ctx, tx, made.ID) })
		}
		_, err = o.accept(t, second)
		require.ErrorIs(t, err, account.ErrInviteGone)
		c.Read(t, func(ctx context.Context, r tenant.ReadTx) error {
			open, err := account.ListInvites(ctx, r)
			require.NoError(t, err)
			require.Empty(t, open)
			return nil
		})
		_, third := o.invite(t, c, email, tenant.RoleViewer)
		c.Mutate(t, func(ctx context.Context, tx tenant.Tx) error {
			_, err := account.ArchiveCompany(ctx, tx, c.Scope.Company().ID)
			return err
		})
		_, err = o.accept(t, third)
		require.ErrorIs(t, err, account.ErrInviteGone, "nobody joins an archived company")
	})
}

// The inviter holds the address of the invitation: it must not open the account of who is invited.
func TestInviterGetsIntoNoAccount(t *testing.T) {
	t.Parallel()
	testkit.EachEngine(t, func(t *testing.T, e *testkit.Engine) {
		o := newOffice(t, e, false)
		bank, thief := e.Company(t), e.Company(t)
		victim, email := member(t, bank, tenant.RoleAdmin)
		_, token := o.invite(t, thief, email, tenant.RoleViewer)
		_, err := o.accept(t, token)
		require.ErrorIs(t, err, account.ErrSignInFirst)
		stranger, _ := member(t, thief, tenant.RoleAdmin)
		_, err = o.desk.AcceptInvite(t.Context(), o.visitAs("a", stranger), token, "", "")
		require.ErrorIs(t, err, account.ErrSignInFirst, "the token of another user")
		in, err := o.accept(t, o.box.Token(t, email))
		require.NoError(t, err, "the token of the letter")
		require.Equal(t, victim, in.User.ID)

		other := e.Company(t)
		_, token = o.invite(t, other, email, tenant.RoleViewer)
		in, err = o.desk.AcceptInvite(t.Context(), o.visitAs("b", victim), token, "", "")
		require.NoError(t, err, "the user's own token")
		require.Equal(t, other.Scope.Company().ID, o.caller(t, in.Token).Scope.Company().ID)
	})
}

// An account made by the address of an invitation proves no mailbox: it gets no password, and its session ends when the
// owner of the mailbox comes.
func TestUnprovenAccount(t *testing.T) {
	t.Parallel()
	testkit.EachEngine(t, func(t *testing.T, e *testkit.Engine) {
		o := newOffice(t, e, false)
		email := freshEmail()
		_, token := o.invite(t, e.Company(t), email, tenant.RoleViewer)
		squatter, err := o.accept(t, token)
		require.NoError(t, err)
		require.ErrorIs(t, trySetPassword(t, o, o.caller(t, squatter.Token), goodPassword, ""), account.ErrUnproven)
		o.box.Token(t, email)
		owner := o.enter(t, email)
		require.Equal(t, squatter.User.ID, owner.User.ID)
		_, err = verify(t, e, squatter.Token)
		require.ErrorIs(t, err, tenant.ErrUnauthorized)
		setPassword(t, o, o.caller(t, owner.Token), goodPassword, "")
	})
}

func TestInviteIsAcceptedOnce(t *testing.T) {
	t.Parallel()
	testkit.EachEngine(t, func(t *testing.T, e *testkit.Engine) {
		o := newOffice(t, e, false)
		c := e.Company(t)
		email := freshEmail()
		_, token := o.invite(t, c, email, tenant.RoleViewer)
		mailed := o.box.Token(t, email)
		const twins = 10
		errs := make([]error, twins)
		var wait sync.WaitGroup
		for i := range twins {
			wait.Go(func() { _, errs[i] = o.accept(t, []string{token, mailed}[i%2]) })
		}
		wait.Wait()
		accepted := 0
		for _, err := range errs {
			if err == nil {
				accepted++
				continue
			}
			require.True(t, isOneOf(err, account.ErrInviteGone, account.ErrMemberAlready, account.ErrSignInFirst), err)
		}
		require.Equal(t, 1, accepted)
		require.Equal(t, 1, count(t, e, "SELECT COUNT(*) FROM memberships WHERE company_id = ?", c.Scope.Company().ID))
	})
}

func isOneOf(err error, targets ...error) bool {
	for _, target := range targets {
		if errors.Is(err, target) {
			return true
		}
	}
	return false
}
