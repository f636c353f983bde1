package account_test

import (
	"context"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"github.com/vienkart/vienkart/internal/account"
	"github.com/vienkart/vienkart/internal/apperr"
	"github.com/vienkart/vienkart/internal/mail"
	"github.com/vienkart/vienkart/internal/tenant"
	"github.com/vienkart/vienkart/internal/testkit"
	"github.com/vienkart/vienkart/internal/testkit/mailbox"
)

// office is a desk with its mailbox on one engine.
type office struct {
	engine *testkit.Engine
	desk   *account.Desk
	box    *mailbox.Mailbox
	mailer *mail.Mailer
}

func newOffice(t *testing.T, e *testkit.Engine, signUp bool) *office {
	t.Helper()
	box, err := mailbox.Open()
	require.NoError(t, err)
	mailer, err := mail.New(box.URL, "books@example.com")
	require.NoError(t, err)
	return &office{e, account.NewDesk(newTokens(t, e), account.DeskOptions{Mail: mailer, PublicURL: "http://books.test", SignUp: signUp}), box, mailer}
}

// at is the office at another time.
func (o *office) at(t *testing.T, later time.Duration) *office {
	t.Helper()
	moved := *o
	moved.engine = o.engine.At(o.engine.Store.Clock().Now().Add(later))
	moved.desk = account.NewDesk(newTokens(t, moved.engine), account.DeskOptions{Mail: o.mailer, PublicURL: "http://books.test"})
	return &moved
}

// visit comes from an address of its own, so that tests do not count for each other.
func (o *office) visit() account.Visit {
	return o.visitAs(tenant.NewID().String(), tenant.ID{})
}

func (o *office) visitAs(address string, caller tenant.ID) account.Visit {
	return account.Visit{
		Visitor: tenant.Visitor{RequestID: "r", Address: address}, Door: o.engine.Store.Door(),
		Caller: func(context.Context) tenant.ID { return caller },
	}
}

func freshEmail() string { return "ona-" + tenant.NewID().String() + "@example.com" }

// member makes a user of a role with an e-mail.
func member(t *testing.T, c *testkit.Company, role tenant.Role) (tenant.ID, string) {
	t.Helper()
	user, email := tenant.NewID(), freshEmail()
	c.Mutate(t, func(ctx context.Context, tx tenant.Tx) error {
		require.NoError(t, tenant.CreateUser(ctx, tx, tenant.User{ID: user, Email: email, Locale: "lt", CreatedAt: tx.Now()}))
		return tenant.Insert(ctx, tx, &tenant.Membership{UserID: user, Role: role, CreatedAt: tx.Now()})
	})
	return user, email
}

// link asks for a login link and takes its token from the mailbox.
func (o *office) link(t *testing.T, email string) string {
	t.Helper()
	sent, err := o.desk.RequestLink(t.Context(), o.visit(), " "+strings.ToUpper(email)+" ", "")
	require.NoError(t, err)
	require.True(t, sent)
	return o.box.Token(t, email)
}

// enter signs in by a login link.
func (o *office) enter(t *testing.T, email string) *account.SignedIn {
	t.Helper()
	in, err := o.desk.ConsumeLink(t.Context(), o.visit(), o.link(t, email))
	require.NoError(t, err)
	return in
}

// caller is the company through the eyes of a token.
func (o *office) caller(t *testing.T, token string) *testkit.Company {
	t.Helper()
	scope, err := verify(t, o.engine, token)
	require.NoError(t, err)
	return &testkit.Company{Scope: scope, Engine: o.engine}
}

func TestLoginLink(t *testing.T) {
	t.Parallel()
	testkit.EachEngine(t, func(t *testing.T, e *testkit.Engine) {
		o := newOffice(t, e, false)
		c := e.Company(t)
		user, email := member(t, c, tenant.RoleAccountant)

		token := o.link(t, email)
		in, err := o.desk.ConsumeLink(t.Context(), o.visit(), token)
		require.NoError(t, err)
		require.Equal(t, user, in.User.ID)
		require.False(t, in.IsNew)
		scope := o.caller(t, in.Token).Scope
		require.Equal(t, c.Scope.Company().ID, scope.Company().ID)
		require.Equal(t, tenant.RoleAccountant, scope.Role())
		require.Equal(t, user, scope.UserID())
		require.Equal(t, tenant.ProofLink, scope.Session().Proof)

		_, err = o.desk.ConsumeLink(t.Context(), o.visit(), token)
		require.ErrorIs(t, err, account.ErrLink, "a link works once")
		late := o.link(t, email)
		_, err = o.at(t, 16*time.Minute).desk.ConsumeLink(t.Context(), o.at(t, 16*time.Minute).visit(), late)
		require.ErrorIs(t, err, account.ErrLink, "a link lives 15 minutes")
		for _, wrong := range []string{"", "x", late[:len(late)-1] + "~", late + "A", "' OR '1'='1"} {
			_, err = o.desk.ConsumeLink(t.Context(), o.visit(), wrong)
			require.ErrorIs(t, err, account.ErrLink, wrong)
		}
		_, err = o.desk.ConsumeLink(t.Context(), o.visit(), late)
		require.NoError(t, err, "guesses leave the link as it was")
	})
}

func TestLoginLinkIsUsedOnce(t *testing.T) {
	t.Parallel()
	testkit.EachEngine(t, func(t *testing.T, e *testkit.Engine) {
		o := newOffice(t, e, true)
		token := o.link(t, freshEmail())
		const twins = 12
		errs := make([]error, twins)
		var wait sync.WaitGroup
		for i := range twins {
			wait.Go(func() { _, errs[i] = o.desk.ConsumeLink(t.Context(), o.visit(), token) })
		}
		wait.Wait()
		signedIn := 0
		for _, err := range errs {
			if err == nil {
				signedIn++
				continue
			}
			require.ErrorIs(t, err, account.ErrLink)
		}
		require.Equal(t, 1, signedIn)
	})
}

func count(t *testing.T, e *testkit.Engine, query string, args ...any) (n int) {
	t.Helper()
	require.NoError(t, e.Admin.Reader().QueryRowContext(t.Context(), query, args...).Scan(&n))
	return n
}

func TestLoginLinkTellsNothingOfAnEmail(t *testing.T) {
	t.Parallel()
	testkit.EachEngine(t, func(t *testing.T, e *testkit.Engine) {
		o := newOffice(t, e, false)
		_, known := member(t, e.Company(t), tenant.RoleViewer)
		unknown := freshEmail()
		for range 3 {
			for _, email := range []string{known, unknown} {
				sent, err := o.desk.RequestLink(t.Context(), o.visit(), email, account.English)
				require.NoError(t, err)
				require.True(t, sent)
			}
		}
		for _, email := range []string{known, unknown} {
			require.Equal(t, 3, count(t, e, "SELECT COUNT(*) FROM login_links WHERE email = ?", email), "the work is the same")
			_, err := o.desk.RequestLink(t.Context(), o.visit(), email, "")
			require.NoError(t, err)
			_, err = o.desk.RequestLink(t.Context(), o.visit(), email, "")
			require.ErrorIs(t, err, account.ErrTooManyAttempts, "the limit is the same")
		}
		o.mailer.Close(t.Context())
		require.Equal(t, 4, o.box.Count(known))
		require.Zero(t, o.box.Count(unknown))

		silent := account.NewDesk(newTokens(t, e), account.DeskOptions{})
		for _, email := range []string{freshEmail(), known} {
			if email == known {
				_, email = member(t, e.Company(t), tenant.RoleViewer)
			}
			sent, err := silent.RequestLink(t.Context(), o.visit(), email, "")
			require.NoError(t, err)
			require.False(t, sent, "a server without mail says so to everybody")
		}
	})
}

func TestSignUp(t *testing.T) {
	t.Parallel()
	testkit.EachEngine(t, func(t *testing.T, e *testkit.Engine) {
		o := newOffice(t, e, true)
		email := freshEmail()
		in := o.enter(t, email)
		require.True(t, in.IsNew)
		c := o.caller(t, in.Token)
		require.True(t, c.Scope.Company().IsSandbox)
		require.Equal(t, tenant.RoleAdmin, c.Scope.Role())
		again := o.enter(t, email)
		require.False(t, again.IsNew)
		require.Equal(t, in.User.ID, again.User.ID)
		require.Equal(t, c.Scope.Company().ID, o.caller(t, again.Token).Scope.Company().ID)
	})
}

func TestUserWithoutACompany(t *testing.T) {
	t.Parallel()
	e := testkit.SQLite(t)
	o := newOffice(t, e, false)
	c := e.Company(t)
	member(t, c, tenant.RoleAdmin)
	user, email := member(t, c, tenant.RoleViewer)
	token := o.link(t, email)
	c.Mutate(t, func(ctx context.Context, tx tenant.Tx) error {
		_, err := account.RemoveMember(ctx, tx, user)
		return err
	})
	_, err := o.desk.ConsumeLink(t.Context(), o.visit(), token)
	require.ErrorIs(t, err, account.ErrNoCompany)
}

func TestAttempts(t *testing.T) {
	t.Parallel()
	testkit.EachEngine(t, func(t *testing.T, e *testkit.Engine) {
		o := newOffice(t, e, false)
		c := e.Company(t)
		_, email := member(t, c, tenant.RoleViewer)
		setPassword(t, o, o.caller(t, o.enter(t, email).Token), goodPassword, "")
		guess := func(o *office, email, password string) error {
			_, err := o.desk.LoginByPassword(t.Context(), o.visit(), email, password)
			return err
		}
		now := o.at(t, 0)
		for range 6 {
			require.ErrorIs(t, guess(now, email, "wrong password"), account.ErrCredentials)
		}
		require.ErrorIs(t, guess(now, email, goodPassword), account.ErrTooManyAttempts, "the right one waits too")
		_, other := member(t, c, tenant.RoleViewer)
		require.ErrorIs(t, guess(now, other, "wrong password"), account.ErrCredentials, "another user is not held up")
		soon := o.at(t, 2*time.Second)
		require.ErrorIs(t, guess(soon, email, "wrong password"), account.ErrCredentials)
		require.ErrorIs(t, guess(o.at(t, 3*time.Second), email, goodPassword), account.ErrTooManyAttempts, "the wait doubles")
		require.NoError(t, guess(o.at(t, 5*time.Second), email, goodPassword))
		require.ErrorIs(t, guess(o.at(t, 5*time.Second), email, "wrong password"), account.ErrCredentials, "the owner's coming is a new start")
	})
}

func TestAttemptsAtOnceAreAllCounted(t *testing.T) {
	t.Parallel()
	testkit.EachEngine(t, func(t *testing.T, e *testkit.Engine) {
		o := newOffice(t, e, false).at(t, 0)
		email := freshEmail()
		const guesses = 20
		errs := make([]error, guesses)
		var wait sync.WaitGroup
		for i := range guesses {
			wait.Go(func() { _, errs[i] = o.desk.LoginByPassword(t.Context(), o.visit(), email, "wrong password") })
		}
		wait.Wait()
		tried := 0
		for _, err := range errs {
			if apperr.KindOf(err) == apperr.Unauthorized {
				tried++
			}
		}
		require.LessOrEqual(t, tried, 6)
	})
}

func TestAddressesAreCounted(t *testing.T) {
	t.Parallel()
	e := testkit.SQLite(t)
	o := newOffice(t, e, false).at(t, 0)
	guess := func(address string) error {
		_, err := o.desk.ConsumeLink(t.Context(), o.visitAs(address, tenant.ID{}), "x")
		return err
	}
	for range 61 {
		require.ErrorIs(t, guess("2001:db8:1:2::1"), account.ErrLink)
	}
	require.ErrorIs(t, guess("2001:db8:1:2:ffff::1"), account.ErrTooManyAttempts, "one customer's network is one address")
	require.ErrorIs(t, guess("2001:db8:1:3::1"), account.ErrLink)
	require.ErrorIs(t, guess("192.0.2.1"), account.ErrLink)
}

func TestNormalizeEmail(t *testing.T) {
	t.Parallel()
	for given, want := range map[string]string{
		" Ona@Example.COM ": "ona@example.com", "a.b+c@example.com": "a.b+c@example.com", "ona": "", "": "", "a@b@c": "", "Ona <ona@example.com>": "",
		"ona@example.com\nBcc: x@y.z": "", "a@example.com, b@example.com": "", "@example.com": "", "ona @example.com": "",
	} {
		got, err := account.NormalizeEmail(given)
		if want == "" {
			require.ErrorIs(t, err, apperr.ErrValidation, given)
			continue
		}
		require.NoError(t, err, given)
		require.Equal(t, want, got)
	}
}
