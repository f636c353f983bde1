package scenario_test

import (
	"encoding/base64"
	"fmt"
	"net/http"
	"net/url"
	"regexp"
	"strings"
	"testing"
	"time"

	"github.com/go-json-experiment/json"
	"github.com/stretchr/testify/require"

	"github.com/vienkart/vienkart/internal/clock"
	"github.com/vienkart/vienkart/internal/httpapi"
	"github.com/vienkart/vienkart/internal/tenant"
	"github.com/vienkart/vienkart/internal/testkit"
	"github.com/vienkart/vienkart/internal/testkit/mailbox"
	"github.com/vienkart/vienkart/internal/testkit/process"
)

// hugeText is longer than any member that is stored.
var hugeText = strings.Repeat("ą", 200_000)

// hostileValues are put in the place of every member: numbers beyond every type, long and strange texts, deep and wide values.
var hostileValues = map[string]string{
	"HugeExponent": "1e1000000000", "LargestExponent": "1e999999999", "SmallestExponent": "-1e-999999999", "LongNumber": strings.Repeat("9", 100_000),
	"LongFraction": "0." + strings.Repeat("3", 100_000), "NegativeZero": "-0", "PastInt64": "9223372036854775808", "HugeText": `"` + hugeText + `"`,
	"Nul": `"\u0000"`, "LineEnds": `"a\r\nb: c"`, "Bidi": `"\u202e"`, "ManyEscapes": `"` + strings.Repeat(`\u0041`, 50_000) + `"`,
	"Deep": strings.Repeat("[", 63) + strings.Repeat("]", 63), "DeepObjects": strings.Repeat(`{"a":`, 62) + "1" + strings.Repeat("}", 62),
	"Wide": "[" + strings.Repeat("1,", 50_000) + "1]", "WideObject": wideObject(20_000), "Empty": "{}", "List": "[]", "Null": "null", "Bool": "true",
	"SQL": `"' OR 1=1; --"`, "Template": `"{{.}}${7*7}<%= 7 %>"`, "Path": `"../../../../etc/passwd"`, "Format": `"%s%n%d%x"`,
}

func wideObject(members int) string {
	var out strings.Builder
	for i := range members {
		fmt.Fprintf(&out, `,"m%d":%d`, i, i)
	}
	return "{" + out.String()[1:] + "}"
}

// TestHostileValues puts each of them in each member of every operation. None makes the server fail, take long or say much; none is
// done, save where it is a good value.
func TestHostileValues(t *testing.T) {
	t.Parallel()
	e := testkit.SQLite(t)
	server := process.Start(t, e)
	c, _ := server.Company(t, e)
	document, err := httpapi.Document()
	require.NoError(t, err)
	tried := 0
	for _, o := range httpapi.Operations() {
		for _, member := range membersIn(t, document, o.Path) {
			for name, value := range hostileValues {
				start := clock.System{}.Now()
				a := c.Post(t, o.Path, `{"`+member+`":`+value+`}`)
				tried++
				require.Less(t, a.Status, http.StatusInternalServerError, "%s %s %s: %.300s", o.Path, member, name, a.Body)
				if a.Status != http.StatusOK {
					require.Less(t, len(a.Body), 8<<10, "%s %s %s: an error that says too much", o.Path, member, name)
				}
				require.Less(t, clock.System{}.Now().Sub(start), 20*time.Second, "%s %s %s", o.Path, member, name)
			}
		}
	}
	t.Logf("bodies with a hostile value: %d", tried)
	require.Greater(t, tried, 5000)
	require.NotContains(t, server.Log(), "panic")
	process.RequireVerified(t, e)
}

// membersIn are the members of the request of an operation, by the API document.
func membersIn(t *testing.T, document []byte, path string) []string {
	t.Helper()
	var d struct {
		Paths map[string]struct {
			Post struct {
				RequestBody struct {
					Content map[string]struct {
						Schema schema `json:"schema"`
					} `json:"content"`
				} `json:"requestBody"`
			} `json:"post"`
		} `json:"paths"`
		Components struct {
			Schemas map[string]schema `json:"schemas"`
		} `json:"components"`
	}
	require.NoError(t, json.Unmarshal(document, &d))
	s := d.Paths[path].Post.RequestBody.Content["application/json"].Schema
	if name, ok := strings.CutPrefix(s.Ref, "#/components/schemas/"); ok {
		s = d.Components.Schemas[name]
	}
	var members []string
	for name := range s.Properties {
		members = append(members, name)
	}
	return members
}

type schema struct {
	Ref        string         `json:"$ref"`
	Properties map[string]any `json:"properties"`
}

// TestLogLinesAreOfTheServer puts line ends, control characters and lines of a log into all that a caller chooses. Each line of the log
// stays one that the server wrote, in both formats.
func TestLogLinesAreOfTheServer(t *testing.T) {
	t.Parallel()
	for format, line := range map[string]*regexp.Regexp{
		"text": regexp.MustCompile(`^time=\S+ level=[A-Z]+ msg=`), "json": regexp.MustCompile(`^\{"time":"[^"]+","level":"[A-Z]+","msg":"`),
	} {
		t.Run(format, func(t *testing.T) {
			t.Parallel()
			e := testkit.SQLite(t)
			server := process.Start(t, e, "VIENKART_LOG_FORMAT="+format, "VIENKART_LOG_LEVEL=debug")
			evil := "x\r\ntime=2026-01-01 level=INFO msg=forged\n\x1b[2K\u2028\u202e\x00"
			company := e.Company(t, func(c *tenant.Company) { c.Name = evil })
			c := process.NewClient(server.URL, process.Token(t, tenant.Grant{Company: company.Scope.Company().ID, Subject: evil}))
			c.Post(t, "/v1/partners/create", body{"name": evil})
			c.Post(t, "/v1/partners/"+url.PathEscape(evil), body{})
			c.Post(t, "/v1/partners/list?"+url.QueryEscape(evil)+"=1", body{})
			for _, name := range []string{"Idempotency-Key", "Traceparent", "User-Agent", "X-Request-Id", "X-Forwarded-For", "Vienkart-Simulate", "Content-Type"} {
				for _, value := range []string{"x level=INFO msg=forged", "\u2028\u202e", "\"}\t{\"time\":\"1\"", "00-4bf92f3577b34da6a3ce929d0e0e4736-00f067aa0ba902b7-01"} {
					c.Post(t, "/v1/partners/list", body{}, process.Header{name, value})
				}
			}
			c.As(evil[:1]+"\u2028").Post(t, "/v1/partners/list", body{})
			raw(t, server, "GET /\r forged HTTP/1.1\r\nHost: a\r\n b\r\nX-\x1b: c\r\n\r\n")
			raw(t, server, "BREW /\x1b[2K HTTP/1.1\r\nHost: a\r\n\r\n")
			lines := strings.Split(strings.TrimSuffix(server.Log(), "\n"), "\n")
			require.Greater(t, len(lines), 25)
			for _, l := range lines {
				require.Regexp(t, line, l)
				require.False(t, strings.ContainsFunc(l, func(r rune) bool { return r < ' ' || r == 0x7f }), "%q", l)
			}
		})
	}
}

// TestHostLeadsNowhere sends requests that name another host in every way. No letter, link, redirect or header of the server leads there.
func TestHostLeadsNowhere(t *testing.T) {
	t.Parallel()
	box, err := mailbox.Open()
	require.NoError(t, err)
	e := testkit.SQLite(t)
	server := process.Start(t, e, "VIENKART_SMTP_URL="+box.URL, "VIENKART_MAIL_FROM=books@example.com", "VIENKART_PUBLIC_URL=https://books.example", "VIENKART_SIGNUP=true")
	send := func(method, path, text string) string {
		return fmt.Sprintf("%s %s HTTP/1.1\r\nHost: evil.example\r\nX-Forwarded-Host: evil.example\r\nForwarded: host=evil.example\r\nX-Forwarded-Proto: https\r\n"+
			"X-Original-URL: //evil.example\r\nReferer: https://evil.example/\r\nContent-Type: application/json\r\nContent-Length: %d\r\nConnection: close\r\n\r\n%s",
			method, path, len(text), text)
	}
	answers := raw(t, server, send("POST", "/v1/account/login-link/request", `{"email":"ona@example.com"}`))
	require.Len(t, answers, 1)
	require.Equal(t, http.StatusOK, answers[0].status)
	letter := box.Letter(t, "ona@example.com")
	require.Contains(t, letter, "https://books.example/login?token=")
	require.NotContains(t, letter, "evil.example")
	for _, path := range []string{
		"/", "/ui", "/ui/", "/login?token=a", "/invite?token=a", "/docs", "//evil.example/", "//evil.example/%2e%2e/ui", "/ui/..//evil.example/", "/ui//evil.example",
		"/\\evil.example", "/ui/static", "/ui/sign-in?next=//evil.example", "/docs//evil.example/..", "/openapi.json/", "/v1/partners/list/", "http://evil.example/ui",
	} {
		answers := raw(t, server, send("GET", path, ""))
		require.Len(t, answers, 1, path)
		require.NotEqual(t, http.StatusInternalServerError, answers[0].status, path)
		to, err := url.Parse(answers[0].header.Get("Location"))
		require.NoError(t, err)
		require.Empty(t, to.Host, "%s leads to %s", path, to)
		require.Empty(t, to.Scheme, "%s leads to %s", path, to)
		require.False(t, strings.HasPrefix(to.String(), "//"), "%s leads to %s", path, to)
	}
}

// TestSecurityHeaders looks at the headers of answers of every sort.
func TestSecurityHeaders(t *testing.T) {
	t.Parallel()
	e := testkit.SQLite(t)
	server := process.Start(t, e, "VIENKART_RATE_LIMIT=1000")
	c, _ := server.Company(t, e)
	auth := process.Header{"Authorization", "Bearer " + c.Token}
	for _, x := range []struct{ method, path, body string }{
		{"POST", "/v1/partners/list", "{}"},
		{"POST", "/v1/partners/list", "{"},
		{"POST", "/v1/nothing", "{}"},
		{"GET", "/v1/partners/list", ""},
		{"GET", "/openapi.json", ""},
		{"GET", "/healthz", ""},
		{"GET", "/readyz", ""},
		{"GET", "/docs/", ""},
		{"GET", "/docs/swagger-ui.css", ""},
		{"GET", "/ui/sign-in", ""},
		{"GET", "/ui/static/app.css", ""},
		{"GET", "/ui/nothing", ""},
	} {
		_, h, _ := fetch(t, x.method, server.URL+x.path, x.body, auth, process.Header{"Content-Type", "application/json"}, process.Header{"Origin", "https://evil.example"})
		at := x.method + " " + x.path
		require.Equal(t, "nosniff", h.Get("X-Content-Type-Options"), at)
		require.Contains(t, h.Get("Content-Security-Policy"), "frame-ancestors 'none'", at)
		require.Contains(t, h.Get("Content-Security-Policy"), "default-src 'none'", at)
		require.NotEmpty(t, h.Get("Referrer-Policy"), at)
		require.NotEmpty(t, h.Get("Cache-Control"), at)
		require.Empty(t, h.Get("Access-Control-Allow-Origin"), "%s: no other origin reads answers", at)
		require.Empty(t, h.Get("Server"), at)
		require.Empty(t, h.Get("X-Powered-By"), at)
	}
	_, h, _ := fetch(t, "POST", server.URL+"/v1/partners/list", "{}", auth, process.Header{"Content-Type", "application/json"})
	require.Equal(t, "no-store", h.Get("Cache-Control"))
	require.Equal(t, "2000", h.Get("X-Ratelimit-Limit"))
	require.NotEmpty(t, h.Get("X-Ratelimit-Remaining"))
}

// TestBombs sends files that are small and would grow: entities in XML, packed XML, and deep nesting.
func TestBombs(t *testing.T) {
	t.Parallel()
	e := testkit.SQLite(t)
	server := process.Start(t, e)
	c, company := server.Company(t, e)
	account := c.OK(t, "/v1/bank/accounts/create", body{"name": "Bank"}, nil).ID(t)
	laughs := `<?xml version="1.0"?><!DOCTYPE lolz [<!ENTITY a "ha">`
	for i := range 30 {
		laughs += fmt.Sprintf(`<!ENTITY %c%d "%s">`, 'b', i, strings.Repeat("&a;", 10))
	}
	laughs += `]><Document xmlns="urn:iso:std:iso:20022:tech:xsd:camt.053.001.02"><BkToCstmrStmt><Stmt><Id>&b29;</Id></Stmt></BkToCstmrStmt></Document>`
	external := `<!DOCTYPE a [<!ENTITY x SYSTEM "file:///etc/passwd">]><Document xmlns="urn:iso:std:iso:20022:tech:xsd:camt.053.001.02"><BkToCstmrStmt><Stmt><Id>&x;</Id></Stmt></BkToCstmrStmt></Document>`
	before := company.RowCounts(t)
	for name, content := range map[string]string{
		"Entities": laughs, "External": external, "Parameter": strings.Replace(external, "<!ENTITY x SYSTEM", "<!ENTITY % x PUBLIC 'a'", 1),
		"Deep": strings.Repeat("<a>", 200_000), "Attributes": "<a" + strings.Repeat(` b="c"`, 100_000) + "/>", "LongName": "<" + strings.Repeat("a", 500_000) + "/>",
		"Packed": "H4sIAAAAAAAAA+3BMQEAAADCoPVPbQwfoAAAAAAAAAAAAAAAAAAAAIC3AYbSVKsAQAAA", "Archive": base64.StdEncoding.EncodeToString([]byte("PK\x03\x04" + strings.Repeat("\x00", 1000))),
		"UTF16": base64.StdEncoding.EncodeToString(utf16(laughs)), "UTF7": `<?xml version="1.0" encoding="UTF-7"?>+ADw-a+AD4-`, "Quotes": strings.Repeat(`"`, 500_000),
		"Commas": strings.Repeat(",", 500_000), "Tags86": ":20:x\n" + strings.Repeat(":86:x\n", 50_000),
	} {
		for _, format := range []string{"camt053", "mt940", "stripe-csv"} {
			start := clock.System{}.Now()
			a := c.Post(t, "/v1/bank/statements/import", body{"bankAccountId": account, "format": format, "content": content})
			require.True(t, a.Status >= 400 && a.Status < 500, "%s as %s: %d %.300s", name, format, a.Status, a.Body)
			require.NotContains(t, string(a.Body), "root:", name)
			require.Less(t, len(a.Body), 8<<10, name)
			require.Less(t, clock.System{}.Now().Sub(start), 20*time.Second, "%s as %s", name, format)
		}
		a := c.Post(t, "/v1/bank/settlements/import", body{"bankAccountId": account, "content": content})
		require.True(t, a.Status >= 400 && a.Status < 500, "%s: %d %.300s", name, a.Status, a.Body)
	}
	require.Equal(t, before, company.RowCounts(t))
}

// utf16 is a text in UTF-16, little-endian, with its mark.
func utf16(s string) []byte {
	out := []byte{0xff, 0xfe}
	for _, r := range s {
		out = append(out, byte(r), byte(r>>8))
	}
	return out
}
