//go:build unix

package galera_test

import (
	"fmt"
	"net/http"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/vienkart/vienkart/internal/testkit/process"
)

// A lock of a row holds on its node alone. What the tests of this file promise rests on what a lock writes down (tenant/hold.go).

// No posting is in a locked month that its turnovers do not hold; the verification at the end looks at those.
func monthLocked(t *testing.T, w *world) {
	c := w.company(t)
	posted := 0
	for round := range 8 {
		date, month := fmt.Sprintf("2025-%02d-10", round+1), body{"year": 2025, "month": round + 1}
		c[0].OK(t, postEntry, entry(date, "5.00"), nil)
		answers := atOnce(
			func() process.Answer {
				return c[0].Insist(t, postEntry, entry(date, "1.00"), process.Key(fmt.Sprint("P", round)), meeting)
			},
			func() process.Answer {
				return c[1].Insist(t, lockMonth, month, process.Key(fmt.Sprint("L", round)), meeting)
			},
		)
		require.Equal(t, http.StatusOK, answers[1].Status, "%s", answers[1].Body)
		posted++
		if answers[0].Status == http.StatusOK {
			posted++
		} else {
			answers[0].RequireRefused(t, http.StatusConflict, "ledger.period_locked")
		}
		require.Equal(t, posted, total(t, c[round%2], listEntries))
		for _, client := range c {
			client.Post(t, postEntry, entry(date, "1.00")).RequireRefused(t, http.StatusConflict, "ledger.period_locked")
		}
	}
	process.RequireVerified(t, w.engines[2])
}

// Holding a month open keeps nobody out but who locks it.
func postings(t *testing.T, w *world) {
	c := w.company(t)
	c[0].OK(t, postEntry, entry("2026-03-01", "1.00"), nil)
	const each = 20
	senders := make([]func() process.Answer, 2)
	for i := range senders {
		senders[i] = func() (last process.Answer) {
			for n := range each {
				last = c[i].Insist(t, postEntry, entry("2026-03-01", "1.00"), process.Key(fmt.Sprint("K", i, "-", n)))
				require.Equal(t, http.StatusOK, last.Status, "%s", last.Body)
			}
			return last
		}
	}
	atOnce(senders...)
	require.Equal(t, 1+2*each, total(t, c[0], listEntries))
}

func credits(t *testing.T, w *world) {
	c := w.company(t)
	supplier := c[0].OK(t, "/v1/partners/create", body{"name": "Supplier"}, nil).ID(t)
	draft := func(number string, more body) string {
		b := body{
			"partnerId": supplier, "documentNumber": number, "documentDate": "2026-02-10",
			"lines": []body{{"description": "x", "unitPriceExclVat": "100.00", "vatRatePercent": "21"}},
		}
		for name, value := range more {
			b[name] = value
		}
		return c[0].OK(t, "/v1/purchases/invoices/create", b, nil).ID(t)
	}
	const register = "/v1/purchases/invoices/register"
	for round := range 4 {
		invoice := draft(fmt.Sprint("A", round+1), nil)
		c[0].OK(t, register, body{"id": invoice}, nil)
		credit := body{"type": "credit_note", "creditedInvoiceId": invoice}
		notes := []string{draft(fmt.Sprint("B", round+1), credit), draft(fmt.Sprint("C", round+1), credit)}
		answers := atOnce(
			func() process.Answer {
				return c[0].Insist(t, register, body{"id": notes[0]}, process.Key(notes[0]), meeting)
			},
			func() process.Answer {
				return c[1].Insist(t, register, body{"id": notes[1]}, process.Key(notes[1]), meeting)
			},
		)
		requireOneOf(t, answers, "purchase.over_credited")
	}
}

// Two admins take each other's role; one of them must fail, or nobody is left to let anybody in.
func lastAdmin(t *testing.T, w *world) {
	for range 3 {
		c := w.company(t)
		users := make([]string, 2)
		for i := range users {
			var invite struct {
				InviteURL string `json:"inviteUrl"`
			}
			email := fmt.Sprintf("admin%d-%s@example.com", i, strings.ToLower(t.Name()[:5])+fmt.Sprint(len(w.servers))+uniqueText(t, c[0]))
			c[0].OK(t, "/v1/account/invites/create", body{"email": email, "role": "admin"}, &invite)
			var in struct {
				User struct {
					ID string `json:"id"`
				} `json:"user"`
			}
			c[0].As("").OK(t, "/v1/account/invites/accept", body{"token": invite.InviteURL[strings.LastIndexAny(invite.InviteURL, "=/#")+1:]}, &in)
			users[i] = in.User.ID
		}
		const setRole = "/v1/account/members/set-role"
		answers := atOnce(
			func() process.Answer {
				return c[0].Insist(t, setRole, body{"userId": users[0], "role": "viewer"}, process.Key("K0"), meeting)
			},
			func() process.Answer {
				return c[1].Insist(t, setRole, body{"userId": users[1], "role": "viewer"}, process.Key("K1"), meeting)
			},
		)
		requireOneOf(t, answers, "account.last_admin")
	}
}

// uniqueText is an id that no other company has.
func uniqueText(t *testing.T, c *process.Client) string {
	t.Helper()
	return c.OK(t, "/v1/partners/create", body{"name": "Somebody"}, nil).ID(t)
}

// requireOneOf checks that one of two requests had its effect and the other was refused for it.
func requireOneOf(t *testing.T, answers []process.Answer, reason string) {
	t.Helper()
	done := 0
	for _, a := range answers {
		if a.Status == http.StatusOK {
			done++
			continue
		}
		require.Equal(t, reason, a.Refusal(t).Details["reason"], "%s", a.Body)
	}
	require.Equal(t, 1, done, "%s\n%s", answers[0].Body, answers[1].Body)
}
