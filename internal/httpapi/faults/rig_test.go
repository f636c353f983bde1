package faults_test

import (
	"fmt"
	"hash/fnv"
	"math/rand/v2"
	"strings"
	"sync"
	"sync/atomic"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"github.com/vienkart/vienkart/internal/clock"
	"github.com/vienkart/vienkart/internal/testkit"
	"github.com/vienkart/vienkart/internal/testkit/process"
)

// senders is how many clients send at once; with their twins it is enough to have every statement under way somewhere.
const senders = 4

// rig is a company under load, on one server or on several.
type rig struct {
	t       *testing.T
	name    string
	engine  *testkit.Engine // as the test sees it
	company *testkit.Company
	client  *process.Client
	model   *model
	random  *rand.Rand
	doors   []*door

	partner, account string // ids

	// twinOneIn says how many mutations are sent by two senders at once: one in so many.
	twinOneIn int

	injected int
	// failed counts calls that were not acknowledged; among them, unavailable those that were answered 5xx.
	failed, unavailable atomic.Int64
	stop                chan struct{}
}

// door is where one server is, one process after the other.
type door struct {
	mu          sync.Mutex
	server      *process.Server
	serving     *testkit.Engine
	environment []string
}

// newRig starts servers and makes a company. The servers see the database as serving does, which may lie behind a proxy.
func newRig(t *testing.T, e, serving *testkit.Engine, environments ...[]string) *rig {
	t.Helper()
	r := &rig{t: t, name: t.Name(), engine: e, model: newModel(), twinOneIn: twinOneIn, stop: make(chan struct{})}
	name := fnv.New64()
	_, _ = name.Write([]byte(r.name))
	r.random = rand.New(rand.NewPCG(seed, name.Sum64()))
	for _, environment := range environments {
		d := &door{serving: serving, environment: environment}
		r.doors = append(r.doors, d)
		r.open(d)
	}
	r.company = e.Company(t)
	// Without a beginning: the clocks of some servers are hours behind.
	token := process.Forge(t, map[string]any{
		"iss": "vienkart", "aud": []string{"vienkart-api"}, "sub": "tester", "role": "admin", "company_id": r.company.Scope.Company().ID.String(),
		"exp": clock.System{}.Now().Add(48 * time.Hour).Unix(),
	})
	r.client = process.NewClient(r.address(0), token).Within(callTimeout)
	setUp := process.NewClient(r.address(0), token)
	setUp.OK(t, "/v1/ledger/accounts/apply-template", "{}", nil)
	r.partner = setUp.OK(t, "/v1/partners/create", body{"name": "Buyer"}, nil).ID(t)
	r.account = setUp.OK(t, "/v1/bank/accounts/create", body{"name": "Bank", "iban": "LT121000011101001000"}, nil).ID(t)
	return r
}

// plain is a server without settings of its own.
var plain = []string{}

// fleet is as many servers as an engine serves at once: SQLite has one, the others two.
func fleet(e *testkit.Engine, settings ...string) [][]string {
	if e.Name == "SQLite" {
		return [][]string{settings}
	}
	return [][]string{settings, settings}
}

// any draws a server.
func (r *rig) any() *door { return r.doors[r.random.IntN(len(r.doors))] }

// open starts a server behind a door, which must be closed.
func (r *rig) open(d *door) {
	r.t.Helper()
	server := process.Start(r.t, d.serving, d.environment...)
	d.mu.Lock()
	defer d.mu.Unlock()
	d.server = server
}

// address is where a sender finds the server with a number; it counts on past the last one.
func (r *rig) address(i int) string {
	d := r.doors[i%len(r.doors)]
	d.mu.Lock()
	defer d.mu.Unlock()
	return d.server.URL
}

// logged is what the servers that run now logged of a request. They may do so a moment after the answer.
func (r *rig) logged(a process.Answer) string {
	time.Sleep(100 * time.Millisecond)
	var found []string
	for _, d := range r.doors {
		d.mu.Lock()
		for l := range strings.Lines(d.server.Log()) {
			if strings.Contains(l, a.Header.Get("X-Request-Id")) {
				found = append(found, strings.TrimSpace(l))
			}
		}
		d.mu.Unlock()
	}
	return strings.Join(found, "; ")
}

// sender makes a client of its own.
func (r *rig) sender(i int) *sender {
	return &sender{
		rig: r, client: r.client, at: i, random: rand.New(rand.NewPCG(r.random.Uint64(), uint64(i))),
	}
}

// underLoad injects faults while clients work, then lets them come to an end, and compares what they know with the books.
// A short run injects so many; a long one goes on for its time.
func (r *rig) underLoad(short int, inject func()) {
	r.t.Helper()
	var load sync.WaitGroup
	for i := range senders {
		s := r.sender(i)
		load.Go(func() { s.work(fmt.Sprint("sender ", i)) })
	}
	isOver := r.deadline(short)
	for !isOver() {
		r.breathe()
		inject()
		r.injected++
	}
	r.breathe()
	close(r.stop)
	load.Wait()
	r.finish()
}

// deadline tells when enough faults were injected.
func (r *rig) deadline(short int) func() bool {
	if long == 0 {
		return func() bool { return r.injected >= short }
	}
	end := clock.System{}.Now().Add(long)
	return func() bool { return !clock.System{}.Now().Before(end) }
}

// breathe lets work get done between two faults.
func (r *rig) breathe() {
	time.Sleep(200*time.Millisecond + time.Duration(r.random.Int64N(int64(400*time.Millisecond))))
}

// finish judges, sends a part of what was acknowledged once more, and notes the run for the summary.
func (r *rig) finish() {
	r.t.Helper()
	before := r.company.RowCounts(r.t)
	again := r.sender(0)
	again.isSteady = true
	const mostReplays = 200
	for _, d := range r.model.sample(mostReplays) {
		a, ok := again.send(d)
		if ok && a.Header.Get("Idempotent-Replayed") != "true" {
			r.model.complain("%q was acknowledged, and then ran again", d.key)
		}
	}
	for table, n := range r.company.RowCounts(r.t) {
		if n != before[table] && table != "webhook_deliveries" { // those the dispatcher writes in its own time
			r.model.complain("replays added %d rows to %s", n-before[table], table)
		}
	}
	v := r.model.judge(r.t, r.company)
	note(r, v)
	require.Empty(r.t, v.faults)
	require.Positive(r.t, v.acknowledged)
	r.company.RequireBalanced(r.t)
	process.RequireVerified(r.t, r.engine)
}
