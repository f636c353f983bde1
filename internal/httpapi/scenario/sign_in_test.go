package scenario_test

import (
	"fmt"
	"net/http"
	"regexp"
	"strconv"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/vienkart/vienkart/internal/tenant"
	"github.com/vienkart/vienkart/internal/testkit"
	"github.com/vienkart/vienkart/internal/testkit/mailbox"
	"github.com/vienkart/vienkart/internal/testkit/process"
)

var ids = regexp.MustCompile(`[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}`)

// TestSignInTellsNothing: whoever asks cannot find out who is a user, and guesses soon have to wait, at the door of passwords and at
// that of links, whatever address they say they come from.
func TestSignInTellsNothing(t *testing.T) {
	t.Parallel()
	box, err := mailbox.Open()
	require.NoError(t, err)
	e := testkit.SQLite(t)
	server := process.Start(t, e, "VIENKART_SMTP_URL="+box.URL, "VIENKART_MAIL_FROM=books@example.com")
	admin, _ := server.Company(t, e)
	admin.OK(t, "/v1/account/invites/create", body{"email": "ona@example.com", "role": "viewer", "locale": "en"}, nil)
	admin.As("").OK(t, "/v1/account/invites/accept", body{"token": box.Token(t, "ona@example.com"), "name": "Ona"}, nil)
	nobody := admin.As("")
	shape := func(a process.Answer) string {
		return fmt.Sprint(a.Status, a.Header.Values("Set-Cookie"), a.Header.Values("Retry-After"), ids.ReplaceAllString(string(a.Body), ""))
	}
	t.Run("KnownAndUnknownAreAnsweredAlike", func(t *testing.T) { //nolint:paralleltest // attempts are counted by address
		for _, path := range []string{"/v1/account/login-link/request", "/v1/account/password/login"} {
			request := body{"email": "ona@example.com"}
			if path == "/v1/account/password/login" {
				request["password"] = "some wrong password"
			}
			known := nobody.Post(t, path, request)
			request["email"] = "never@example.com"
			require.Equal(t, shape(known), shape(nobody.Post(t, path, request)), path)
		}
		require.Zero(t, box.Count("never@example.com"))
	})
	guess := func(path string, request func(i int) body) (admitted int) {
		for i := range 200 {
			a := nobody.Post(t, path, request(i), process.Header{"X-Forwarded-For", fmt.Sprint("10.0.0.", i)}, process.Header{"X-Real-Ip", fmt.Sprint("10.0.1.", i)})
			if a.Status == http.StatusTooManyRequests {
				a.RequireRefused(t, http.StatusTooManyRequests, "account.too_many_attempts")
				require.NotEmpty(t, a.Header.Get("Retry-After"))
				return i
			}
			require.Equal(t, http.StatusUnauthorized, a.Status, "%s", a.Body)
		}
		return 200
	}
	t.Run("OnePersonsPasswordIsGuessedFiveTimes", func(t *testing.T) { //nolint:paralleltest // as above
		require.LessOrEqual(t, guess("/v1/account/password/login", func(i int) body {
			return body{"email": "Ona@Example.com", "password": "wrong password number " + strconv.Itoa(i)}
		}), 6)
	})
	t.Run("PasswordsOfManyAreGuessedThirtyTimes", func(t *testing.T) { //nolint:paralleltest // as above
		require.LessOrEqual(t, guess("/v1/account/password/login", func(i int) body {
			return body{"email": fmt.Sprintf("user%d@example.com", i), "password": "Spring in Vilnius 2026"}
		}), 30)
	})
	t.Run("LinksAreGuessedSixtyTimes", func(t *testing.T) { //nolint:paralleltest // as above
		require.LessOrEqual(t, guess("/v1/account/login-link/consume", func(i int) body { return body{"token": fmt.Sprintf("%043d", i)} }), 61)
	})
}

// TestACompanyIsLimitedByItself: one that sends too much waits, and no other notices.
func TestACompanyIsLimitedByItself(t *testing.T) {
	t.Parallel()
	e := testkit.SQLite(t)
	server := process.Start(t, e, "VIENKART_RATE_LIMIT=1")
	client := func() *process.Client {
		return process.NewClient(server.URL, process.Token(t, tenant.Grant{Company: e.Company(t).Scope.Company().ID}))
	}
	loud, quiet := client(), client()
	last := process.Answer{Status: http.StatusOK}
	for i := 0; i < 500 && last.Status == http.StatusOK; i++ {
		last = loud.Post(t, "/v1/partners/list", body{})
		require.Equal(t, "2", last.Header.Get("X-Ratelimit-Limit"))
	}
	last.RequireRefused(t, http.StatusTooManyRequests, "rate_limited")
	require.Equal(t, "0", last.Header.Get("X-Ratelimit-Remaining"))
	require.Equal(t, "1", last.Header.Get("Retry-After"))
	require.Equal(t, "1", quiet.OK(t, "/v1/partners/list", body{}, nil).Header.Get("X-Ratelimit-Remaining"))
}
