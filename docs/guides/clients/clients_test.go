// Package clients_test runs the clients of the guide against the real server, over a network that loses answers.
package clients_test

import (
	"bytes"
	"io"
	"net/http"
	"net/http/httptest"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strings"
	"sync"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/vienkart/vienkart/internal/tenant"
	"github.com/vienkart/vienkart/internal/testkit"
	"github.com/vienkart/vienkart/internal/testkit/process"
)

// client is how one of the programs is run.
type client struct {
	interpreter string
	arguments   []string
	// installed says that the tests need the interpreter anyway, so that under CI it must be there.
	installed bool
}

var clients = map[string]client{
	"Bash":       {"bash", []string{"bash/client.sh"}, true},
	"Go":         {"go", nil, true},
	"TypeScript": {"node", []string{"typescript/client.mjs"}, false},
	"Python":     {"python3", []string{"python/client.py"}, false},
}

// relay loses the first answers of each operation in the ways a network does.
type relay struct {
	target string
	mu     sync.Mutex
	keys   map[string][]string // of every try, by path
}

const (
	createPath = "/v1/sales/invoices/create"
	issuePath  = "/v1/sales/invoices/issue"
	// tries is how often a client must send a request through the relay until it has the answer.
	tries = 5
)

// start listens until the test ends.
func (l *relay) start(t *testing.T) (address string) {
	t.Helper()
	server := httptest.NewServer(l)
	t.Cleanup(server.Close)
	return server.URL
}

func (l *relay) ServeHTTP(w http.ResponseWriter, r *http.Request) {
	l.mu.Lock()
	l.keys[r.URL.Path] = append(l.keys[r.URL.Path], r.Header.Get("Idempotency-Key"))
	try := len(l.keys[r.URL.Path])
	l.mu.Unlock()
	if try == 1 {
		// A load balancer without a server: nothing was done, and the answer is not the server's.
		http.Error(w, "<html>502 Bad Gateway</html>", http.StatusBadGateway)
		return
	}
	if try == 2 {
		r.Header.Set("Vienkart-Simulate", "in-progress")
	}
	status, header, answer := l.pass(r)
	switch try {
	case 3: // done, and not a byte of the answer arrives
		panic(http.ErrAbortHandler)
	case 4: // half of it arrives
		w.Header().Set("Content-Length", header.Get("Content-Length"))
		w.WriteHeader(status)
		_, _ = w.Write(answer[:len(answer)/2])
		_ = http.NewResponseController(w).Flush()
		panic(http.ErrAbortHandler)
	}
	for _, name := range []string{"Content-Type", "Retry-After"} {
		w.Header().Set(name, header.Get(name))
	}
	w.WriteHeader(status)
	_, _ = w.Write(answer)
}

// pass asks the server. A server that cannot be reached is an answer without a status, which fails the client.
func (l *relay) pass(r *http.Request) (status int, header http.Header, answer []byte) {
	body, err := io.ReadAll(r.Body)
	if err != nil {
		return http.StatusBadRequest, http.Header{}, nil
	}
	request, err := http.NewRequestWithContext(r.Context(), r.Method, l.target+r.URL.Path, bytes.NewReader(body))
	if err != nil {
		return http.StatusBadRequest, http.Header{}, nil
	}
	request.Header = r.Header.Clone()
	response, err := http.DefaultClient.Do(request)
	if err != nil {
		return http.StatusBadGateway, http.Header{}, nil
	}
	defer func() { _ = response.Body.Close() }()
	answer, err = io.ReadAll(response.Body)
	if err != nil {
		return http.StatusBadGateway, http.Header{}, nil
	}
	return response.StatusCode, response.Header, answer
}

// command prepares the client; a language that is missing skips.
func (c client) command(t *testing.T, arguments ...string) func(server, token string) *exec.Cmd {
	t.Helper()
	if _, err := exec.LookPath(c.interpreter); err != nil {
		if c.installed && os.Getenv("CI") != "" {
			t.Fatalf("%s is missing: install it", c.interpreter)
		}
		t.Skipf("THE CLIENT IS NOT TESTED: %s is missing here", c.interpreter)
	}
	name, before := c.interpreter, c.arguments
	if name == "go" {
		name, before = filepath.Join(t.TempDir(), "client"), nil
		out, err := exec.CommandContext(t.Context(), "go", "build", "-o", name, "./go").CombinedOutput()
		require.NoError(t, err, string(out))
	}
	return func(server, token string) *exec.Cmd {
		command := exec.CommandContext(t.Context(), name, append(before[:len(before):len(before)], arguments...)...)
		command.Env = []string{"PATH=" + os.Getenv("PATH"), "HOME=" + os.Getenv("HOME"), "SERVER=" + server, "TOKEN=" + token}
		return command
	}
}

// run gives what the client printed, which must be the number of the invoice.
func run(t *testing.T, command *exec.Cmd) string {
	t.Helper()
	var out, errors strings.Builder
	command.Stdout, command.Stderr = &out, &errors
	require.NoError(t, command.Run(), errors.String())
	return strings.TrimSpace(out.String())
}

// newCompany is a sandbox company, since only such a one says that a request still runs when it is asked to.
func newCompany(t *testing.T, e *testkit.Engine, server *process.Server) (admin *process.Client, partner string) {
	t.Helper()
	company := e.Company(t, func(c *tenant.Company) { c.IsSandbox = true })
	admin = process.NewClient(server.URL, process.Token(t, tenant.Grant{Company: company.Scope.Company().ID}))
	admin.OK(t, "/v1/ledger/accounts/apply-template", "{}", nil)
	return admin, admin.OK(t, "/v1/partners/create", map[string]any{"name": "UAB Antras"}, nil).ID(t)
}

// requireOne checks that the company has one document, which is the issued invoice of that number.
func requireOne(t *testing.T, admin *process.Client, number string) {
	t.Helper()
	var page struct {
		Rows []struct {
			Status     string `json:"status"`
			FullNumber string `json:"fullNumber"`
			GrossTotal string `json:"grossTotal"`
		} `json:"rows"`
	}
	admin.OK(t, "/v1/sales/invoices/list", "{}", &page)
	require.Len(t, page.Rows, 1)
	require.Equal(t, "issued", page.Rows[0].Status)
	require.Equal(t, "121.00", page.Rows[0].GrossTotal)
	require.NotEmpty(t, number)
	require.Equal(t, page.Rows[0].FullNumber, number)
}

func TestClientsBookOnceThoughAnswersAreLost(t *testing.T) {
	t.Parallel()
	e := testkit.SQLite(t)
	server := process.Start(t, e)
	t.Run("Client", func(t *testing.T) {
		for name, c := range clients {
			t.Run(name, func(t *testing.T) {
				t.Parallel()
				admin, partner := newCompany(t, e, server)
				command := c.command(t, "order-1001", partner)
				network := &relay{target: server.URL, keys: map[string][]string{}}

				number := run(t, command(network.start(t), admin.Token))
				requireOne(t, admin, number)
				create, issue := network.keys[createPath], network.keys[issuePath]
				require.Equal(t, slices.Repeat(create[:1], tries), create, "every try has the key of its operation")
				require.Equal(t, slices.Repeat(issue[:1], tries), issue)
				require.NotEqual(t, create[0], issue[0], "and no other operation has it")

				require.Equal(t, number, run(t, command(server.URL, admin.Token)), "a client that died and is run again finds its invoice")
				requireOne(t, admin, number)
			})
		}
	})
	process.RequireVerified(t, e)
}

func TestClientsDoNotRepeatWhatIsRefused(t *testing.T) {
	t.Parallel()
	e := testkit.SQLite(t)
	server := process.Start(t, e)
	for name, c := range clients {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			admin, _ := newCompany(t, e, server)
			command := c.command(t, "order-1001", tenant.NewID().String())
			network := &relay{target: server.URL, keys: map[string][]string{createPath: make([]string, tries-1)}} // it works
			out, err := command(network.start(t), admin.Token).CombinedOutput()
			require.Error(t, err)
			require.Contains(t, string(out), "invoice.unknown_partner")
			require.Len(t, network.keys[createPath], tries)
			require.NotContains(t, network.keys, issuePath)
		})
	}
}
