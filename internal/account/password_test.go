package account_test

import (
	"context"
	"strings"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"github.com/vienkart/vienkart/internal/account"
	"github.com/vienkart/vienkart/internal/tenant"
	"github.com/vienkart/vienkart/internal/testkit"
)

const goodPassword = "teisingas arklys baterija"

func trySetPassword(t *testing.T, o *office, c *testkit.Company, password, current string) error {
	t.Helper()
	return o.engine.Store.Mutate(t.Context(), c.Scope, func(ctx context.Context, tx tenant.Tx) error {
		return o.desk.SetPassword(ctx, tx, password, current)
	})
}

func setPassword(t *testing.T, o *office, c *testkit.Company, password, current string) {
	t.Helper()
	require.NoError(t, trySetPassword(t, o, c, password, current))
}

func TestPassword(t *testing.T) {
	t.Parallel()
	testkit.EachEngine(t, func(t *testing.T, e *testkit.Engine) {
		o := newOffice(t, e, false)
		_, email := member(t, e.Company(t), tenant.RoleViewer)
		login := func(email, password string) (*account.SignedIn, error) {
			return o.desk.LoginByPassword(t.Context(), o.visit(), email, password)
		}
		_, err := login(email, goodPassword)
		require.ErrorIs(t, err, account.ErrCredentials, "a user without a password")
		byLink := o.caller(t, o.enter(t, email).Token)
		setPassword(t, o, byLink, goodPassword, "")
		in, err := login(strings.ToUpper(email), goodPassword)
		require.NoError(t, err)
		_, unknown := login(freshEmail(), goodPassword)
		_, wrong := login(email, goodPassword+"!")
		require.ErrorIs(t, unknown, account.ErrCredentials)
		require.EqualError(t, wrong, unknown.Error(), "nothing tells an unknown e-mail from a wrong password")

		byPassword := o.caller(t, in.Token)
		require.ErrorIs(t, trySetPassword(t, o, byPassword, "another good password", ""), account.ErrPasswordOld)
		require.ErrorIs(t, trySetPassword(t, o, byPassword, "another good password", "wrong one"), account.ErrPasswordOld)
		stale := o.enter(t, email).Token
		later := o.at(t, 16*time.Minute)
		scope, err := tenant.NewVerifier(newTokens(t, later.engine), later.engine.Store).Verify(t.Context(), tenant.Call{Authorization: "Bearer " + stale})
		require.NoError(t, err)
		require.ErrorIs(t, trySetPassword(t, later, &testkit.Company{Scope: scope, Engine: later.engine}, "another good password", ""),
			account.ErrPasswordOld, "the mail was long ago")

		setPassword(t, o, byPassword, "another good password", goodPassword)
		_, err = verify(t, e, stale)
		require.ErrorIs(t, err, tenant.ErrUnauthorized, "other sessions end")
		_, err = verify(t, e, in.Token)
		require.NoError(t, err, "the present one goes on")
		_, err = login(email, goodPassword)
		require.ErrorIs(t, err, account.ErrCredentials)
		setPassword(t, o, o.caller(t, o.enter(t, email).Token), "forgotten and replaced", "")
		_, err = login(email, "forgotten and replaced")
		require.NoError(t, err)
	})
}

func TestPasswordIsStoredAsArgon2id(t *testing.T) {
	t.Parallel()
	e := testkit.SQLite(t)
	o := newOffice(t, e, false)
	hashes := map[string]bool{}
	for range 2 {
		user, _ := member(t, e.Company(t), tenant.RoleViewer)
		c := e.Company(t)
		c.Mutate(t, func(ctx context.Context, tx tenant.Tx) error {
			return tenant.Insert(ctx, tx, &tenant.Membership{UserID: user, Role: tenant.RoleViewer, CreatedAt: tx.Now()})
		})
		setPassword(t, o, as(t, c, user.String(), tenant.RoleViewer), goodPassword, "")
		var hash string
		require.NoError(t, e.Admin.Reader().QueryRowContext(t.Context(), "SELECT hash FROM user_passwords WHERE user_id = ?", user).Scan(&hash))
		require.True(t, strings.HasPrefix(hash, "$argon2id$v=19$m=19456,t=2,p=1$"), hash)
		hashes[hash] = true
	}
	require.Len(t, hashes, 2, "each has a salt of its own")
}

func TestWeakPasswords(t *testing.T) {
	t.Parallel()
	e := testkit.SQLite(t)
	o := newOffice(t, e, false)
	user, email := member(t, e.Company(t), tenant.RoleViewer)
	c := o.caller(t, o.enter(t, email).Token)
	require.Equal(t, user, c.Scope.UserID())
	for _, password := range []string{"short", "elevenchars", strings.Repeat("a", 129), email} {
		require.ErrorIs(t, trySetPassword(t, o, c, password, ""), account.ErrPasswordWeak, password)
	}
	require.ErrorIs(t, trySetPassword(t, o, as(t, e.Company(t), "somebody", tenant.RoleAdmin), goodPassword, ""), account.ErrNoUser)
}
