package walk_test

import (
	"maps"
	"sync"
	"testing"

	"github.com/vienkart/vienkart/internal/testkit"
	"github.com/vienkart/vienkart/internal/testkit/mailbox"
	"github.com/vienkart/vienkart/internal/testkit/process"
)

func newAPIKey(t *testing.T, c *process.Client) string {
	t.Helper()
	return made(t, c, "/v1/account/api-keys/create", body{"name": unique("Key ")})
}

// ownCompany is the id of the caller's company.
func ownCompany(t *testing.T, c *process.Client) string {
	t.Helper()
	return c.OK(t, "/v1/account/companies/profile", "{}", nil).ID(t)
}

// post takes the letters of every server of the walk.
var post = sync.OnceValue(func() *mailbox.Mailbox {
	box, err := mailbox.Open()
	if err != nil {
		panic(err)
	}
	return box
})

// startServer runs a server whose letters arrive.
func startServer(t testing.TB, e *testkit.Engine) *process.Server {
	t.Helper()
	return process.Start(t, e, "VIENKART_SMTP_URL="+post().URL, "VIENKART_MAIL_FROM=books@example.com", "VIENKART_EXPORT_WORKERS=0")
}

func freshEmail() string { return unique("ona") + "@example.com" }

func invitation(*testing.T, *process.Client) body {
	return body{"email": freshEmail(), "role": "admin", "locale": "en"}
}

// invited makes an invitation and gives the token that only the mailbox gets.
func invited(t *testing.T, c *process.Client) (token, email string) {
	t.Helper()
	request := invitation(t, c)
	c.OK(t, "/v1/account/invites/create", request, nil)
	email, _ = request["email"].(string)
	return post().Token(t, email), email
}

type joined struct {
	Token string `json:"token"`
	User  struct {
		ID    string `json:"id"`
		Email string `json:"email"`
	} `json:"user"`
}

// newMember makes a user who is an admin of the caller's company and has just signed in.
func newMember(t *testing.T, c *process.Client) joined {
	t.Helper()
	token, _ := invited(t, c)
	var in joined
	c.As("").OK(t, "/v1/account/invites/accept", body{"token": token, "name": "Ona"}, &in)
	return in
}

// signIn makes the caller a user of its company.
func signIn(t *testing.T, c *process.Client) joined {
	t.Helper()
	in := newMember(t, c)
	c.Token = in.Token
	return in
}

// asUser is a scenario of a signed-in user.
func asUser(b body) scenario {
	return func(t *testing.T, c *process.Client) body {
		signIn(t, c)
		return maps.Clone(b)
	}
}

const goodPassword = "correct horse battery staple"

var accountScenarios = map[string]scenario{
	"/v1/account/login-link/request": func(t *testing.T, c *process.Client) body { return body{"email": newMember(t, c).User.Email} },
	"/v1/account/login-link/consume": func(t *testing.T, c *process.Client) body {
		email := newMember(t, c).User.Email
		c.As("").OK(t, "/v1/account/login-link/request", body{"email": email}, nil)
		return body{"token": post().Token(t, email)}
	},
	"/v1/account/password/login": func(t *testing.T, c *process.Client) body {
		in := newMember(t, c)
		c.As(in.Token).OK(t, "/v1/account/password/set", body{"password": goodPassword}, nil)
		return body{"email": in.User.Email, "password": goodPassword}
	},
	"/v1/account/password/set":  asUser(body{"password": goodPassword}),
	"/v1/account/logout":        asUser(body{}),
	"/v1/account/locale/set":    asUser(body{"locale": "en"}),
	"/v1/account/sessions/list": asUser(body{}),
	"/v1/account/sessions/revoke": func(t *testing.T, c *process.Client) body {
		signIn(t, c)
		var list struct {
			Rows []struct {
				ID string `json:"id"`
			} `json:"rows"`
		}
		c.OK(t, "/v1/account/sessions/list", body{}, &list)
		return body{"id": list.Rows[0].ID}
	},
	"/v1/account/members/list": fixed(body{}),
	"/v1/account/members/set-role": func(t *testing.T, c *process.Client) body {
		newMember(t, c)
		return body{"userId": newMember(t, c).User.ID, "role": "viewer"}
	},
	"/v1/account/members/remove": func(t *testing.T, c *process.Client) body {
		newMember(t, c)
		return body{"userId": newMember(t, c).User.ID}
	},
	"/v1/account/invites/create": invitation,
	"/v1/account/invites/list":   fixed(body{}),
	"/v1/account/invites/revoke": func(t *testing.T, c *process.Client) body {
		return body{"id": made(t, c, "/v1/account/invites/create", invitation(t, c))}
	},
	"/v1/account/invites/get": func(t *testing.T, c *process.Client) body {
		token, _ := invited(t, c)
		return body{"token": token}
	},
	"/v1/account/invites/accept": func(t *testing.T, c *process.Client) body {
		token, _ := invited(t, c)
		return body{"token": token}
	},
	"/v1/public/integration-requests": func(*testing.T, *process.Client) body {
		return body{"integration": "shop", "name": "Ona", "email": freshEmail()}
	},
	"/v1/account/me":                fixed(body{}),
	"/v1/account/companies/create":  func(*testing.T, *process.Client) body { return body{"name": unique("UAB ")} },
	"/v1/account/companies/select":  func(t *testing.T, c *process.Client) body { return body{"companyId": ownCompany(t, c)} },
	"/v1/account/companies/profile": fixed(body{}),
	"/v1/account/companies/update": func(*testing.T, *process.Client) body {
		return body{"name": unique("UAB "), "logo": body{"fileName": "logo.png", "mimeType": "image/png", "content": picture(600)}}
	},
	"/v1/account/companies/export":  fixed(body{}),
	"/v1/account/companies/archive": func(t *testing.T, c *process.Client) body { return body{"companyId": ownCompany(t, c)} },
	"/v1/account/companies/activate": func(t *testing.T, c *process.Client) body {
		own := body{"companyId": ownCompany(t, c)}
		c.OK(t, "/v1/account/companies/archive", own, nil)
		return own
	},
	"/v1/account/companies/delete": func(t *testing.T, c *process.Client) body {
		signIn(t, c)
		return body{"companyId": made(t, c, "/v1/account/companies/create", body{"name": unique("UAB "), "isSandbox": true})}
	},
	"/v1/account/api-keys/create": func(*testing.T, *process.Client) body {
		return body{"name": unique("Key "), "scopes": []string{"books:read"}}
	},
	"/v1/account/api-keys/list":   fixed(body{}),
	"/v1/account/api-keys/rotate": func(t *testing.T, c *process.Client) body { return body{"id": newAPIKey(t, c), "overlapHours": 1} },
	"/v1/account/api-keys/revoke": func(t *testing.T, c *process.Client) body { return body{"id": newAPIKey(t, c)} },
	"/v1/audit/list":              fixed(body{}),
}

func newPartner(t *testing.T, c *process.Client) string {
	t.Helper()
	return made(t, c, "/v1/partners/create", body{"name": unique("Partner "), "isCustomer": true, "isSupplier": true})
}

var partnerScenarios = map[string]scenario{
	"/v1/partners/create":         func(*testing.T, *process.Client) body { return body{"name": unique("Partner ")} },
	"/v1/partners/find-or-create": func(*testing.T, *process.Client) body { return body{"name": unique("Partner ")} },
	"/v1/partners/update": func(t *testing.T, c *process.Client) body {
		return body{"id": newPartner(t, c), "name": unique("Renamed ")}
	},
	"/v1/partners/delete": func(t *testing.T, c *process.Client) body { return body{"id": newPartner(t, c)} },
	"/v1/partners/redact": func(t *testing.T, c *process.Client) body {
		return body{"id": made(t, c, "/v1/partners/create", body{"name": unique("Jonas "), "type": "person", "email": freshEmail()})}
	},
	"/v1/partners/get":          func(t *testing.T, c *process.Client) body { return body{"id": newPartner(t, c)} },
	"/v1/partners/list":         fixed(body{}),
	"/v1/partners/validate-vat": fixed(body{"vatCode": "LT999000017"}),
	"/v1/partners/credit-check": func(t *testing.T, c *process.Client) body { return body{"partnerId": newPartner(t, c)} },
}

func setRate(t *testing.T, c *process.Client) body {
	t.Helper()
	c.OK(t, "/v1/reference/exchange-rates/set", body{"currency": "USD", "date": "2026-03-02", "rate": "1.08"}, nil)
	return body{"currency": "USD", "date": "2026-03-02"}
}

var referenceScenarios = map[string]scenario{
	"/v1/reference/currencies/list":                 fixed(body{}),
	"/v1/reference/countries/list":                  fixed(body{}),
	"/v1/reference/units/list":                      fixed(body{}),
	"/v1/reference/exchange-rates/list":             fixed(body{}),
	"/v1/reference/exchange-rates/set":              fixed(body{"currency": "USD", "date": "2026-03-02", "rate": "1.08"}),
	"/v1/reference/exchange-rates/overrides/list":   fixed(body{}),
	"/v1/reference/exchange-rates/overrides/delete": func(t *testing.T, c *process.Client) body { return setRate(t, c) },
	"/v1/reference/series/create": func(*testing.T, *process.Client) body {
		return body{"documentType": "sale_invoice", "prefix": unique("T"), "year": 2026}
	},
	"/v1/reference/series/list":            fixed(body{}),
	"/v1/reference/vat-classifiers/list":   fixed(body{}),
	"/v1/reference/vat-classifiers/upsert": fixed(body{"rows": []body{{"code": "PVM1", "name": "Ours"}}}),
	"/v1/reference/exchange-rates/sync":    fixed(body{}),
	"/v1/reference/eu-vat-rates/list":      fixed(body{"date": "2026-03-01"}),
	"/v1/reference/eu-vat-rates/set-overrides": fixed(body{
		"countryCode": "DE", "rates": []body{{"category": "standard", "ratePercent": "19.5"}},
	}),
	"/v1/reference/vat/resolve": fixed(body{"customerCountryCode": "DE", "supplyType": "digital"}),
}
