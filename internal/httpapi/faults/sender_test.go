package faults_test

import (
	"fmt"
	"math/rand/v2"
	"net/http"
	"sync"
	"time"

	"github.com/vienkart/vienkart/internal/clock"
	"github.com/vienkart/vienkart/internal/testkit/process"
)

// How a sender behaves.
const (
	// patience is how long a mutation may stay without an acknowledgement while things break and heal.
	patience = 2 * time.Minute
	// callTimeout is how long a sender waits for one answer before it sends the same again.
	callTimeout = 4 * time.Second
	// pause is how long it waits before that; real clients wait longer, which is kinder.
	pause = 30 * time.Millisecond
	// Unless a fault asks for more, one mutation in so many is sent by two senders at once; and after one failed call in so many
	// the sender gives up.
	twinOneIn   = 8
	giveUpOneIn = 10
	// entries is how many journal transactions a story begins with.
	entries = 3
)

// sender is a client that does what retryWith says and nothing else.
type sender struct {
	rig    *rig
	client *process.Client
	random *rand.Rand
	at     int // the server it talks to
	// isSteady is set for one that never gives up.
	isSteady bool
}

// do sends a mutation until it is acknowledged, and reports whether it was.
func (s *sender) do(d *deed) (process.Answer, bool) {
	s.rig.model.ask(d)
	if s.random.IntN(s.rig.twinOneIn) != 0 {
		return s.send(d)
	}
	twin := *s
	twin.at++
	twin.random = rand.New(rand.NewPCG(s.random.Uint64(), 0))
	var both sync.WaitGroup
	both.Go(func() { twin.send(d) })
	a, ok := s.send(d)
	both.Wait()
	return a, ok
}

func (s *sender) send(d *deed) (process.Answer, bool) {
	for end := (clock.System{}).Now().Add(patience); (clock.System{}).Now().Before(end); time.Sleep(s.wait()) {
		a, err := s.call(paths[d.kind], d.request, process.Key(d.key))
		switch {
		case err != nil: // nobody knows, so the same key; maybe another server answers
			s.at++
		case a.Status == http.StatusOK:
			s.rig.model.acknowledge(d, string(a.Body))
			return a, true
		case a.Refusal(s.rig.t).RetryWith != "same_key":
			s.rig.model.complain("%q was refused: %d %s", d.key, a.Status, a.Body)
			return a, false
		}
		s.rig.failed.Add(1)
		if a.Status >= http.StatusInternalServerError {
			if a.Status != http.StatusServiceUnavailable || a.Header.Get("Retry-After") == "" {
				s.rig.model.complain("%q: a fault of what the server stands on was answered %d %s: %s", d.key, a.Status, a.Body, s.rig.logged(a))
			}
			s.rig.unavailable.Add(1)
			s.at++
		}
		if !s.isSteady && s.random.IntN(giveUpOneIn) == 0 {
			return process.Answer{}, false
		}
	}
	s.rig.model.complain("%q was not acknowledged within %s", d.key, patience)
	return process.Answer{}, false
}

func (s *sender) call(path string, request body, headers ...process.Header) (process.Answer, error) {
	return s.client.At(s.rig.address(s.at)).Try(s.rig.t, path, request, headers...)
}

func (s *sender) wait() time.Duration { return pause + time.Duration(s.random.Int64N(int64(pause))) }

// ask sends a query until it is answered.
func (s *sender) ask(path string, request body) (process.Answer, bool) {
	for end := (clock.System{}).Now().Add(patience); (clock.System{}).Now().Before(end); time.Sleep(s.wait()) {
		a, err := s.call(path, request)
		if err == nil && a.Status == http.StatusOK {
			return a, true
		}
		if err == nil && a.Status != http.StatusServiceUnavailable {
			s.rig.model.complain("%s was refused: %d %s", path, a.Status, a.Body)
			return a, false
		}
		s.at++
	}
	s.rig.model.complain("%s was not answered within %s", path, patience)
	return process.Answer{}, false
}

// tell does all that a story has, as far as it gets.
func (s *sender) tell(st story) {
	for i := range entries {
		s.do(st.post(i))
	}
	drafted, ok := s.do(st.draft())
	if !ok {
		return
	}
	invoice := drafted.ID(s.rig.t)
	if _, ok := s.do(st.issue(invoice)); !ok {
		return
	}
	if _, ok := s.do(st.importLine()); !ok {
		return
	}
	if line := s.line(st.mark); line != "" {
		s.do(st.match(line, invoice))
	}
}

// line finds the bank transaction with a mark, which is there once.
func (s *sender) line(mark string) string {
	a, ok := s.ask("/v1/bank/transactions/list", body{"pageSize": 2, "filter": []body{{"field": "description", "op": "eq", "value": mark}}})
	if !ok {
		return ""
	}
	var page struct {
		Rows []struct {
			ID string `json:"id"`
		} `json:"rows"`
	}
	a.Read(s.rig.t, &page)
	if len(page.Rows) != 1 {
		s.rig.model.complain("the bank transaction %q was acknowledged and is listed %d times", mark, len(page.Rows))
		return ""
	}
	return page.Rows[0].ID
}

// work tells story after story until the load is to end.
func (s *sender) work(name string) {
	for i := 0; ; i++ {
		select {
		case <-s.rig.stop:
			return
		default:
		}
		s.tell(story{mark: fmt.Sprintf("%s story %d", name, i), partner: s.rig.partner, account: s.rig.account})
	}
}
