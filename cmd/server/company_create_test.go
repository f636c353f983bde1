package main

import (
	"regexp"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/vienkart/vienkart/internal/tenant"
	"github.com/vienkart/vienkart/internal/testkit"
	"github.com/vienkart/vienkart/internal/testkit/process"
)

var (
	printedCompany = regexp.MustCompile(`(?m)^company  (\S+)$`)
	printedToken   = regexp.MustCompile(`(?m)^token    (\S+)$`)
)

// The first company of a server is opened by a command: nobody can sign in before there is one.
func TestCompanyCreate(t *testing.T) {
	t.Parallel()
	testkit.EachEngine(t, func(t *testing.T, e *testkit.Engine) {
		email := tenant.NewID().String() + "@example.com"
		out, code := process.Run(t, e, "company", "create", "--name", "UAB Pirmoji", "--admin", email, "--vat-code", "lt999000017")
		require.Zero(t, code, out)
		id, token := printedCompany.FindStringSubmatch(out), printedToken.FindStringSubmatch(out)
		require.True(t, id != nil && token != nil, out)
		server := process.Start(t, e)
		c := process.NewClient(server.URL, token[1])
		var me struct {
			User struct {
				Email string `json:"email"`
			} `json:"user"`
			ActiveCompanyID string `json:"activeCompanyId"`
			Companies       []struct {
				Name string `json:"name"`
			} `json:"companies"`
		}
		c.OK(t, "/v1/account/me", "{}", &me)
		require.Equal(t, email, me.User.Email)
		require.Equal(t, id[1], me.ActiveCompanyID)
		require.Len(t, me.Companies, 1)
		require.Equal(t, "UAB Pirmoji", me.Companies[0].Name)
		c.OK(t, "/v1/ledger/journal/transactions/create", `{"date":"2026-02-10","entries":[
			{"accountCode":"2710","debit":"1.00"},{"accountCode":"3011","credit":"1.00"}]}`, nil, process.Key("K"))

		again, code := process.Run(t, e, "company", "create", "--name", "UAB Antroji", "--admin", email)
		require.Zero(t, code, "a user may be the admin of two companies: %s", again)
		for _, wrong := range [][]string{
			{"--name", " ", "--admin", email}, {"--name", "A", "--admin", "nobody"}, {"--name", "A", "--admin", email, "--vat-code", "LT1"}, {"--name", "A"},
		} {
			out, code := process.Run(t, e, append([]string{"company", "create"}, wrong...)...)
			require.NotZero(t, code, out)
			require.NotRegexp(t, printedCompany, out)
		}
		process.RequireVerified(t, e)
	})
}
