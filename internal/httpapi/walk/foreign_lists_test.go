package walk_test

import (
	"fmt"
	"io"
	"net/http"
	"regexp"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/vienkart/vienkart/internal/httpapi"
	"github.com/vienkart/vienkart/internal/tenant"
	"github.com/vienkart/vienkart/internal/testkit"
	"github.com/vienkart/vienkart/internal/testkit/process"
)

// injections are what people put where a value, a member or an order belongs.
var injections = []string{
	"' OR '1'='1", "1) OR (1=1", "x' UNION SELECT id FROM companies --", "%", "_", "!", "\\", "company_id", "id) --", "a\x00b", "\"; DROP TABLE partners", "ąčę' OR 1 -- ", "0x00",
}

// TestForeignRowsInLists asks every list with every member that it can be filtered by, for objects of another company by id, by more
// than one id, by everything but a value, and by texts that are SQL: no answer has a row of another company, or more rows than there are.
func TestForeignRowsInLists(t *testing.T) {
	t.Parallel()
	testkit.EachEngine(t, func(t *testing.T, e *testkit.Engine) {
		server := startServer(t, e)
		theirs := furnished(t, server, e)
		c := furnished(t, server, e).client
		tried, lists := 0, 0
		for _, o := range httpapi.Operations() {
			if o.Request.String() != "tenant.ListQuery" {
				continue
			}
			lists++
			t.Run(strings.TrimPrefix(o.Path, "/v1/"), func(t *testing.T) {
				tried += theirs.tryList(t, c, o)
			})
		}
		require.Greater(t, lists, 15)
		require.Greater(t, tried, 2000)
		t.Logf("lists: %d; requests with filters of another company's or of SQL: %d", lists, tried)
	})
}

var fieldsOffered = regexp.MustCompile(`use one of ([A-Za-z, ]+)`)

func (c *company) tryList(t *testing.T, stranger *process.Client, o httpapi.Operation) int {
	t.Helper()
	refused := stranger.Post(t, o.Path, body{"filter": []body{{"field": "nothing", "op": "eq", "value": "1"}}})
	require.Equal(t, http.StatusBadRequest, refused.Status, "%s", refused.Body)
	offered := fieldsOffered.FindStringSubmatch(string(refused.Body))
	if offered == nil {
		return 0 // a list without filters
	}
	whole := c.own(t, stranger, o, body{"pageSize": 200})
	tried := 0
	ask := func(field, op string, value any, sent ...string) {
		tried++
		a := stranger.Post(t, o.Path, body{"pageSize": 200, "filter": []body{{"field": field, "op": op, "value": value}}})
		require.Less(t, a.Status, http.StatusInternalServerError, "%s %s %s %q: %s", o.Path, field, op, value, a.Body)
		require.Empty(t, c.shown(a.Body, sent...), "%s %s %s %q", o.Path, field, op, value)
		if a.Status == http.StatusOK {
			require.LessOrEqual(t, total(t, a), whole, "%s %s %s %q", o.Path, field, op, value)
		}
	}
	for field := range strings.SplitSeq(offered[1], ", ") {
		var one []string // of each table
		for _, ids := range c.ids {
			one = append(one, ids[len(ids)-1])
		}
		ask(field, "in", append(one, tenant.NewID().String()), one...)
		for _, id := range one[:5] {
			ask(field, "eq", id, id)
			ask(field, "gte", id, id)
		}
		for _, text := range injections {
			for _, op := range []string{"eq", "contains", "lte"} {
				ask(field, op, text)
			}
		}
		ask(field, "ne", tenant.NewID().String())
		for _, value := range []any{nil, true, -1, 1 << 60, body{}, []any{}, []any{[]any{}}, ""} {
			ask(field, "eq", value)
			ask(field, "in", value)
		}
	}
	for _, text := range injections {
		ask(text, "eq", "1")
		ask("id", text, "1")
		for _, sort := range []body{{"field": text}, {"field": "id", "dir": text}} {
			tried++
			a := stranger.Post(t, o.Path, body{"sort": []body{sort}})
			require.Equal(t, http.StatusBadRequest, a.Status, "%s %q: %s", o.Path, text, a.Body)
		}
	}
	return tried
}

// own is how many rows a list has for its company.
func (c *company) own(t *testing.T, of *process.Client, o httpapi.Operation, request body) int {
	t.Helper()
	a := of.OK(t, o.Path, request, nil)
	require.Empty(t, c.shown(a.Body))
	return total(t, a)
}

func total(t *testing.T, a process.Answer) int {
	t.Helper()
	var page struct {
		Total int `json:"total"`
	}
	a.Read(t, &page)
	return page.Total
}

// TestForeignObjectsOnPages opens every page of an object with the ids of another company's, in a browser that is signed in.
func TestForeignObjectsOnPages(t *testing.T) {
	t.Parallel()
	e := testkit.SQLite(t)
	server := startServer(t, e)
	theirs := furnished(t, server, e)
	stranger, _ := server.Company(t, e)
	tried := 0
	for _, page := range []string{
		"/ui/invoices/%s", "/ui/invoices/%s/edit", "/ui/invoices/%s/pdf", "/ui/purchases/%s", "/ui/purchases/%s/edit", "/ui/partners/%s", "/ui/partners/%s/edit",
		"/ui/journal/%s", "/ui/refusals/%s", "/ui/documents/%s", "/ui/exports/%s", "/ui/files/%s", "/ui/assets/%s", "/ui/bank/transactions/%s", "/ui/settlements/%s",
		"/ui/bank?bankAccountId=%s", "/ui/journal?documentId=%s",
	} {
		for table, ids := range theirs.ids {
			id := ids[len(ids)-1]
			status, _, text := browse(t, server.URL+fmt.Sprintf(page, id), stranger.Token)
			require.NotEqual(t, http.StatusInternalServerError, status, "%s of %s", page, table)
			require.Empty(t, theirs.shown([]byte(text), id), "%s of %s", page, table)
			tried++
		}
	}
	t.Logf("pages opened with an object of another company: %d", tried)
}

// browse opens a page as a browser that is signed in, and follows no redirect.
func browse(t *testing.T, url, token string) (int, http.Header, string) {
	t.Helper()
	r, err := http.NewRequestWithContext(t.Context(), http.MethodGet, url, http.NoBody)
	require.NoError(t, err)
	r.AddCookie(&http.Cookie{Name: "vienkart_session", Value: token})
	client := &http.Client{CheckRedirect: func(*http.Request, []*http.Request) error { return http.ErrUseLastResponse }}
	w, err := client.Do(r)
	require.NoError(t, err)
	defer func() { _ = w.Body.Close() }()
	var text strings.Builder
	_, err = io.Copy(&text, w.Body)
	require.NoError(t, err)
	return w.StatusCode, w.Header, text.String()
}
