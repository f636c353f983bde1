package walk_test

import (
	"net/http"
	"reflect"
	"regexp"
	"slices"
	"strconv"
	"strings"
	"testing"

	"github.com/go-json-experiment/json"
	"github.com/stretchr/testify/require"

	"github.com/vienkart/vienkart/internal/httpapi"
	"github.com/vienkart/vienkart/internal/tenant"
	"github.com/vienkart/vienkart/internal/testkit"
	"github.com/vienkart/vienkart/internal/testkit/process"
)

// TestForeignReferences puts an id of every sort of object of another company into every member of every operation that takes one: by
// itself, beside an own one in a list, and as a key. It is refused, and just as an id that nobody has: not even that it exists is told.
func TestForeignReferences(t *testing.T) {
	t.Parallel()
	testkit.EachEngine(t, func(t *testing.T, e *testkit.Engine) {
		server := startServer(t, e)
		theirs := furnished(t, server, e)
		tried, known := 0, scenarios()
		for _, o := range httpapi.Operations() {
			places := idPlaces(o.Request)
			if len(places) == 0 || o.IsOpen() {
				continue
			}
			t.Run(strings.TrimPrefix(o.Path, "/v1/"), func(t *testing.T) {
				c, company := server.Company(t, e)
				request := known[o.Path](t, c)
				before := company.RowCounts(t)
				for _, at := range places {
					if at.isID {
						tried += theirs.tryAll(t, c, o, request, at)
					}
				}
				require.Empty(t, difference(before, company.RowCounts(t)), "a refused request changes nothing")
				for _, at := range places {
					if !at.isID {
						tried += theirs.tryText(t, c, o, at)
					}
				}
			})
		}
		theirs.requireUntouched(t)
		t.Logf("requests with an object of another company: %d", tried)
		require.Greater(t, tried, 2000)
		process.RequireVerified(t, e)
	})
}

// place is where a request holds an id: names of members, "[]" for an item of a list and "{}" for a key of an object.
type place struct {
	path []string
	// isID says that nothing but an id fits; other members are free text that may hold one.
	isID bool
}

func (p place) String() string { return strings.Join(p.path, ".") }

var idType = reflect.TypeFor[tenant.ID]()

// idPlaces finds the places of a request by its type.
func idPlaces(t reflect.Type) []place {
	var found []place
	var walk func(t reflect.Type, path []string)
	walk = func(t reflect.Type, path []string) {
		for t.Kind() == reflect.Pointer {
			t = t.Elem()
		}
		last := ""
		if len(path) > 0 {
			last = path[len(path)-1]
		}
		switch {
		case t == idType:
			found = append(found, place{slices.Clone(path), true})
		case t.Kind() == reflect.String && (strings.HasSuffix(last, "Id") || last == "id"):
			found = append(found, place{slices.Clone(path), false})
		case t.Kind() == reflect.Map:
			found = append(found, place{append(slices.Clone(path), "{}"), false})
		case t.Kind() == reflect.Slice:
			walk(t.Elem(), append(path, "[]"))
		case t.Kind() == reflect.Struct && t.PkgPath() != "time":
			for i := range t.NumField() {
				f := t.Field(i)
				name, options, _ := strings.Cut(f.Tag.Get("json"), ",")
				switch {
				case name == "-" || !f.IsExported() && !f.Anonymous:
				case name == "" && (f.Anonymous || options == "embed"):
					walk(f.Type, path)
				case name != "":
					walk(f.Type, append(slices.Clone(path), name))
				}
			}
		}
	}
	walk(t, nil)
	return found
}

// holding is a copy of a request with an id at a place; further items of a list stay before it.
func (p place) holding(t *testing.T, request body, id string) body {
	t.Helper()
	text, err := json.Marshal(request)
	require.NoError(t, err)
	var copied body
	require.NoError(t, json.Unmarshal(text, &copied))
	changed, ok := put(map[string]any(copied), p.path, id).(map[string]any)
	require.True(t, ok)
	return changed
}

func put(into any, path []string, id string) any {
	if len(path) == 0 {
		return id
	}
	switch path[0] {
	case "[]":
		list, _ := into.([]any)
		if len(path) == 1 {
			return append(slices.Clone(list), id)
		}
		if len(list) == 0 {
			list = []any{map[string]any{}}
		}
		list[len(list)-1] = put(list[len(list)-1], path[1:], id)
		return list
	case "{}":
		object, _ := into.(map[string]any)
		changed := map[string]any{id: "DE89370400440532013000"}
		for _, value := range object {
			changed[id] = value
		}
		return changed
	}
	object, ok := into.(map[string]any)
	if !ok {
		object = map[string]any{}
	}
	object[path[0]] = put(object[path[0]], path[1:], id)
	return object
}

// company is another company with objects of every sort.
type company struct {
	*testkit.Company
	client *process.Client
	// ids are objects by their tables.
	ids map[string][]string
	all map[string]bool
	// counts are its rows before anybody reached for them.
	counts map[string]int64
}

// endsCompany are operations after which a company does nothing more.
var endsCompany = []string{"/v1/account/companies/archive", "/v1/account/companies/delete", "/v1/account/companies/activate"}

// furnished runs every mutation of the route table in one company, twice those that make something.
func furnished(t *testing.T, server *process.Server, e *testkit.Engine) *company {
	t.Helper()
	client, made := server.Company(t, e)
	known := scenarios()
	for _, o := range httpapi.Operations() {
		if o.Mutation && !slices.Contains(endsCompany, o.Path) && o.Path != applyTemplate && refusals[o.Path] == "" {
			client.OK(t, o.Path, known[o.Path](t, client.As(client.Token)), nil, process.Key(unique("furnish ")))
		}
	}
	client.OK(t, "/v1/reference/exchange-rates/set", body{"currency": "USD", "date": "2026-03-02", "rate": "1.08"}, nil)
	newMember(t, client)
	c := &company{Company: made, client: client, ids: map[string][]string{}, all: map[string]bool{}}
	c.collect(t)
	c.counts = made.RowCounts(t)
	return c
}

// collect finds the ids of all that the company has.
func (c *company) collect(t *testing.T) {
	t.Helper()
	own := c.Scope.Company().ID
	c.ids["companies"] = []string{own.String()}
	tables, err := c.Engine.Admin.Tables(t.Context())
	require.NoError(t, err)
	for table, columns := range tables {
		if !slices.Contains(columns, "company_id") {
			continue
		}
		for _, column := range []string{"id", "user_id"} {
			if !slices.Contains(columns, column) || table == "audit_log" {
				continue
			}
			rows, err := c.Engine.Admin.Reader().QueryContext(t.Context(), "SELECT "+column+" FROM "+table+" WHERE company_id = ? ORDER BY "+column, own)
			require.NoError(t, err)
			for rows.Next() {
				var id tenant.ID
				require.NoError(t, rows.Scan(&id), table)
				c.ids[table] = append(c.ids[table], id.String())
				c.all[id.String()] = true
			}
			require.NoError(t, rows.Err())
			require.NoError(t, rows.Close())
		}
	}
	require.Greater(t, len(c.ids), 30, "objects of every sort")
}

// tryAll tries the newest object of every sort at a place, as another company, and gives how many requests that were.
func (c *company) tryAll(t *testing.T, stranger *process.Client, o httpapi.Operation, request body, at place) int {
	t.Helper()
	nobody := tenant.NewID().String()
	unknown := stranger.Post(t, o.Path, at.holding(t, request, nobody))
	require.True(t, unknown.Status >= http.StatusBadRequest && unknown.Status < http.StatusInternalServerError,
		"%s %s: an id that nobody has: %s", o.Path, at, unknown.Body)
	tried := 0
	for table, ids := range c.ids {
		id := ids[len(ids)-1]
		a := stranger.Post(t, o.Path, at.holding(t, request, id))
		require.Equal(t, anonymous(unknown, nobody), anonymous(a, id), "%s %s: an id of %s", o.Path, at, table)
		require.Empty(t, c.shown(a.Body, id), "%s %s", o.Path, at)
		tried++
	}
	return tried
}

// tryText tries ids in a member that takes any text: whatever it does with one that nobody has, it does with theirs.
func (c *company) tryText(t *testing.T, stranger *process.Client, o httpapi.Operation, at place) int {
	t.Helper()
	fresh := scenarios()[o.Path]
	tried := 0
	for _, table := range []string{"partners", "sales_invoices", "files"} {
		id := c.ids[table][0]
		unknown := stranger.As(stranger.Token).Post(t, o.Path, at.holding(t, fresh(t, stranger), tenant.NewID().String()))
		a := stranger.Post(t, o.Path, at.holding(t, fresh(t, stranger), id))
		require.Equal(t, unknown.Status, a.Status, "%s %s: an id of %s: %s", o.Path, at, table, a.Body)
		require.Empty(t, c.shown(a.Body, id), "%s %s", o.Path, at)
		tried++
	}
	return tried
}

var (
	uuid      = regexp.MustCompile(`[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}`)
	requestID = regexp.MustCompile(`"requestId":"[^"]*"`)
)

// anonymous is an answer without what differs between two requests that are refused alike.
func anonymous(a process.Answer, id string) string {
	text := strings.ReplaceAll(string(a.Body), id, "ID")
	return strconv.Itoa(a.Status) + " " + requestID.ReplaceAllString(text, "")
}

// shown are ids of the company in the answer of another, save the one that the other sent.
func (c *company) shown(answer []byte, sent ...string) []string {
	var found []string
	for _, id := range uuid.FindAllString(string(answer), -1) {
		if c.all[id] && !slices.Contains(sent, id) {
			found = append(found, id)
		}
	}
	return found
}

// requireUntouched says that nothing of the company came or went.
func (c *company) requireUntouched(t *testing.T) {
	t.Helper()
	require.Empty(t, difference(c.counts, c.RowCounts(t)))
}
