package walk_test

import (
	"crypto/sha256"
	"encoding/base64"
	"encoding/hex"
	"net/http"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/vienkart/vienkart/internal/tenant"
	"github.com/vienkart/vienkart/internal/testkit"
	"github.com/vienkart/vienkart/internal/testkit/process"
)

// A permission that was taken away is gone for replays too (R35), and a session that ended.
func TestLostRightsGetNoReplay(t *testing.T) {
	t.Parallel()
	testkit.EachEngine(t, func(t *testing.T, e *testkit.Engine) {
		server := startServer(t, e)
		admin, _ := server.Company(t, e)
		newMember(t, admin)
		in := newMember(t, admin)
		user := admin.As(in.Token)
		create := func(key string) process.Answer {
			return user.Post(t, partnersCreate, body{"name": "A"}, process.Key(key))
		}
		require.Equal(t, http.StatusOK, create("K").Status)
		admin.OK(t, "/v1/account/members/set-role", body{"userId": in.User.ID, "role": "viewer"}, nil)
		create("K").RequireRefused(t, http.StatusForbidden, "forbidden")
		admin.OK(t, "/v1/account/members/set-role", body{"userId": in.User.ID, "role": "accountant"}, nil)
		require.Equal(t, "true", create("K").Header.Get("Idempotent-Replayed"))
		admin.OK(t, "/v1/account/members/remove", body{"userId": in.User.ID}, nil)
		create("K").RequireRefused(t, http.StatusUnauthorized, "unauthorized")

		other := newMember(t, admin)
		user = admin.As(other.Token)
		require.Equal(t, http.StatusOK, create("L").Status)
		user.OK(t, "/v1/account/logout", body{}, nil)
		create("L").RequireRefused(t, http.StatusUnauthorized, "unauthorized")
	})
}

func TestArchivedCompany(t *testing.T) {
	t.Parallel()
	e := testkit.SQLite(t)
	server := startServer(t, e)
	c, _ := server.Company(t, e)
	own := body{"companyId": ownCompany(t, c)}
	key := newAPIKey(t, c)
	c.OK(t, "/v1/account/companies/archive", own, nil, process.Key("A"))
	c.Post(t, partnersCreate, body{"name": "A"}).RequireRefused(t, http.StatusConflict, "company.archived")
	c.OK(t, "/v1/account/api-keys/revoke", body{"id": key}, nil)
	c.OK(t, "/v1/account/logout", body{}, nil)
	c.OK(t, "/v1/account/companies/activate", own, nil, process.Key("B"))
	c.OK(t, partnersCreate, body{"name": "A"}, nil)
}

// The request that deleted the caller's own company is answered again, and nothing else is.
func TestDeletedCompany(t *testing.T) {
	t.Parallel()
	testkit.EachEngine(t, func(t *testing.T, e *testkit.Engine) {
		server := startServer(t, e)
		sandbox := e.Company(t, func(c *tenant.Company) { c.IsSandbox = true })
		c := process.NewClient(server.URL, process.Token(t, tenant.Grant{Company: sandbox.Scope.Company().ID}))
		own := body{"companyId": sandbox.Scope.Company().ID.String()}
		const path = "/v1/account/companies/delete"
		c.OK(t, path, own, nil, process.Key("D"))
		require.Equal(t, "true", c.OK(t, path, own, nil, process.Key("D")).Header.Get("Idempotent-Replayed"))
		c.Post(t, path, own, process.Key("E")).RequireRefused(t, http.StatusUnauthorized, "unauthorized")
		c.Post(t, "/v1/account/me", body{}).RequireRefused(t, http.StatusUnauthorized, "unauthorized")
		c.Post(t, partnersCreate, body{"name": "A"}, process.Key("D")).RequireRefused(t, http.StatusUnauthorized, "unauthorized")

		honest, _ := server.Company(t, e)
		honest.Post(t, path, body{"companyId": ownCompany(t, honest)}).RequireRefused(t, http.StatusConflict, "company.not_sandbox")
	})
}

// Secrets are stored nowhere: no password, no token of a link or an invitation.
func TestSecretsAreNotStored(t *testing.T) {
	t.Parallel()
	e := testkit.SQLite(t)
	server := startServer(t, e)
	c, _ := server.Company(t, e)
	var made struct {
		InviteURL string `json:"inviteUrl"`
	}
	request := invitation(t, c)
	c.OK(t, "/v1/account/invites/create", request, &made, process.Key("I"))
	_, token, _ := strings.Cut(made.InviteURL, "token=")
	require.NotEmpty(t, token)
	replay := c.OK(t, "/v1/account/invites/create", request, nil, process.Key("I"))
	require.NotContains(t, string(replay.Body), token)
	email, _ := request["email"].(string)
	mailed := post().Token(t, email)
	var in joined
	c.As("").OK(t, "/v1/account/invites/accept", body{"token": mailed}, &in)
	c.As(in.Token).OK(t, "/v1/account/password/set", body{"password": goodPassword}, nil, process.Key("P"))
	c.As("").OK(t, "/v1/account/login-link/request", body{"email": email}, nil)
	linked := post().Token(t, email)

	stored := dump(t, e)
	require.Contains(t, stored, strings.ToUpper(hex.EncodeToString([]byte(email))), "the dump sees what is stored")
	for _, secret := range []string{token, mailed, linked, goodPassword} {
		require.NotContains(t, stored, strings.ToUpper(hex.EncodeToString([]byte(secret))))
		require.NotContains(t, server.Log(), secret)
	}
}

// dump is every value of the database, in hexadecimal.
func dump(t *testing.T, e *testkit.Engine) string {
	t.Helper()
	tables, err := e.Admin.Tables(t.Context())
	require.NoError(t, err)
	var out strings.Builder
	for table, columns := range tables {
		for _, column := range columns {
			rows, err := e.Admin.Reader().QueryContext(t.Context(), "SELECT hex("+column+") FROM "+table)
			require.NoError(t, err)
			for rows.Next() {
				var value string
				require.NoError(t, rows.Scan(&value))
				out.WriteString(value + "\n")
			}
			require.NoError(t, rows.Err())
			require.NoError(t, rows.Close())
		}
	}
	return out.String()
}

// A file of the largest size goes in once and comes out as it was, and its content is not stored a second time with the
// key.
func TestLargestFile(t *testing.T) {
	t.Parallel()
	testkit.EachEngine(t, func(t *testing.T, e *testkit.Engine) {
		server := startServer(t, e)
		c, company := server.Company(t, e)
		content := []byte(strings.Repeat("0123456789abcde\n", 10<<20/16))
		request := body{"entity": "note", "entityId": "1", "fileName": "a.txt", "mimeType": "text/plain", "content": content}
		first := c.OK(t, "/v1/files/upload", request, nil, process.Key("F"))
		again := c.OK(t, "/v1/files/upload", request, nil, process.Key("F"))
		require.Equal(t, string(first.Body), string(again.Body))
		content[0]++
		refusal := c.Post(t, "/v1/files/upload", request, process.Key("F")).RequireRefused(t, http.StatusUnprocessableEntity, "idempotency_key_reuse")
		require.Equal(t, []any{"/content/sha256"}, refusal.Details["differences"])
		content[0]--
		var got struct {
			Content   string `json:"content"`
			SizeBytes int    `json:"sizeBytes"`
		}
		c.OK(t, "/v1/files/get", body{"id": first.ID(t)}, &got)
		require.Equal(t, 10<<20, got.SizeBytes)
		require.Equal(t, sha256.Sum256([]byte(base64.StdEncoding.EncodeToString(content))), sha256.Sum256([]byte(got.Content)))
		var kept int
		require.NoError(t, e.Admin.Reader().QueryRowContext(t.Context(),
			"SELECT MAX(LENGTH(request)) FROM idempotency_keys WHERE company_id = ?", company.Scope.Company().ID).Scan(&kept))
		require.Less(t, kept, 1000)
		request["content"] = append(content, 'x')
		c.Post(t, "/v1/files/upload", request).RequireRefused(t, http.StatusRequestEntityTooLarge, "file.too_large")
	})
}
