package walk_test

import (
	"maps"
	"net/http"
	"reflect"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/vienkart/vienkart/internal/httpapi"
	"github.com/vienkart/vienkart/internal/tenant"
	"github.com/vienkart/vienkart/internal/testkit"
	"github.com/vienkart/vienkart/internal/testkit/process"
)

// TestRightsDecideFirst calls every operation as every role, and as an admin whose token is narrowed to each single right: who lacks
// the right is refused before anything of the request is looked at, and nobody else is.
func TestRightsDecideFirst(t *testing.T) {
	t.Parallel()
	e := testkit.SQLite(t)
	server := startServer(t, e)
	c, company := server.Company(t, e)
	callers := map[string]tenant.Grant{}
	rights := map[tenant.Permission]bool{}
	for _, o := range httpapi.Operations() {
		rights[o.Permission] = true
	}
	for _, role := range tenant.Roles {
		callers[string(role)] = tenant.Grant{Role: role}
	}
	for right := range rights {
		if right != "" {
			callers["admin with "+string(right)] = tenant.Grant{Role: tenant.RoleAdmin, Scopes: []tenant.Permission{right}}
			callers["viewer with "+string(right)] = tenant.Grant{Role: tenant.RoleViewer, Scopes: []tenant.Permission{right}}
		}
	}
	before := company.RowCounts(t)
	tried, refused := 0, 0
	for name, grant := range callers {
		grant.Company = company.Scope.Company().ID
		caller := c.As(process.Token(t, grant))
		for _, o := range httpapi.Operations() {
			if o.IsOpen() {
				continue
			}
			may := grant.Role.Has(o.Permission) && (len(grant.Scopes) == 0 || grant.Scopes[0] == o.Permission)
			// No operation takes this member, so that none is done.
			a := caller.Post(t, o.Path, body{"noSuchMember": 1})
			tried++
			if !may {
				refused++
				a.RequireRefused(t, http.StatusForbidden, "forbidden")
				continue
			}
			require.Equal(t, http.StatusBadRequest, a.Status, "%s by %s: %s", o.Path, name, a.Body)
		}
	}
	require.Empty(t, difference(before, company.RowCounts(t)))
	t.Logf("operations called by roles and narrowed tokens: %d, of which refused: %d", tried, refused)
	require.Greater(t, refused, 500)
}

// serverMembers are what a server knows of its objects, and what callers like to set.
var serverMembers = body{
	"companyId": "0198c0de-0000-7000-8000-000000000000", "company_id": 1, "tenantId": 1, "id": "0198c0de-0000-7000-8000-000000000000", "status": "issued", "number": "SF-1",
	"role": "admin", "isAdmin": true, "createdBy": "me", "createdAt": "2020-01-01T00:00:00Z", "updatedAt": "2020-01-01T00:00:00Z", "deletedAt": nil, "scope": "all",
	"balance": "1.00", "isLocked": false, "issuedAt": "2020-01-01T00:00:00Z", "journalTransactionId": "0198c0de-0000-7000-8000-000000000000", "isPaid": true,
	"__proto__": body{}, "constructor": body{}, "$where": "1",
}

// TestMembersOfTheServerAreRefused adds each of them to a good request of each operation that does not take it: nothing is done.
func TestMembersOfTheServerAreRefused(t *testing.T) {
	t.Parallel()
	e := testkit.SQLite(t)
	server := startServer(t, e)
	known := scenarios()
	tried := 0
	for _, o := range httpapi.Operations() {
		c, company := server.BareCompany(t, e)
		if o.Path != applyTemplate {
			c.OK(t, applyTemplate, "{}", nil)
		}
		request := known[o.Path](t, c)
		own := membersOf(o.Request)
		before := company.RowCounts(t)
		for name, value := range serverMembers {
			if own[name] || value == nil {
				continue
			}
			more := maps.Clone(request)
			more[name] = value
			a := c.Post(t, o.Path, more)
			tried++
			require.Equal(t, http.StatusBadRequest, a.Status, "%s with %s: %s", o.Path, name, a.Body)
		}
		after := company.RowCounts(t)
		delete(before, "webhook_deliveries")
		delete(after, "webhook_deliveries") // written by the dispatcher meanwhile
		require.Empty(t, difference(before, after), o.Path)
	}
	t.Logf("requests with a member of the server: %d", tried)
	require.Greater(t, tried, 1500)
}

// membersOf are the names of the members of a request.
func membersOf(t reflect.Type) map[string]bool {
	found := map[string]bool{}
	for i := range t.NumField() {
		f := t.Field(i)
		name, options, _ := strings.Cut(f.Tag.Get("json"), ",")
		if name == "" && (f.Anonymous || options == "embed") {
			inner := f.Type
			for inner.Kind() == reflect.Pointer {
				inner = inner.Elem()
			}
			maps.Copy(found, membersOf(inner))
		} else if name != "" {
			found[name] = true
		}
	}
	return found
}
