package webui

import (
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"net/http"
	"time"
)

// refusal is an answer of the API that is not a success.
type refusal struct {
	Status    int
	Code      string
	Message   string
	RequestID string
	RetryWith string
	Reason    string
	Operation string
	Fields    map[string][]string
	Details   record
}

func (e *refusal) Error() string {
	return fmt.Sprintf("the API refused (%d %s): %s", e.Status, e.Code, e.Message)
}

// ExistingID is the object that a duplicate was refused for.
func (e *refusal) ExistingID() string { return e.Details.text("existingId") }

// errNotServed is the answer of a page whose operation this server does not have.
var errNotServed = errors.New("the server does not have this operation")

// answerBuffer keeps an answer of the API in memory: a page never goes over the network for it.
type answerBuffer struct {
	header http.Header
	status int
	body   bytes.Buffer
}

func (b *answerBuffer) Header() http.Header { return b.header }

func (b *answerBuffer) WriteHeader(status int) {
	if b.status == 0 {
		b.status = status
	}
}

func (b *answerBuffer) Write(p []byte) (int, error) {
	b.WriteHeader(http.StatusOK)
	return b.body.Write(p) //nolint:wrapcheck // never fails
}

// send calls an operation in process, as the signed-in user.
func (v *visit) send(path, key string, in any) (*answerBuffer, error) {
	if !v.ui.serves(path) {
		return nil, fmt.Errorf("%s: %w", path, errNotServed)
	}
	if in == nil {
		in = struct{}{}
	}
	body, err := json.Marshal(in)
	if err != nil {
		return nil, fmt.Errorf("encoding a request: %w", err)
	}
	r, err := http.NewRequestWithContext(v.r.Context(), http.MethodPost, path, bytes.NewReader(body))
	if err != nil {
		return nil, fmt.Errorf("making a request: %w", err)
	}
	r.RemoteAddr = v.r.RemoteAddr
	// What a proxy says about the client belongs to the record of a refusal.
	for _, name := range []string{"X-Forwarded-For", "X-Real-Ip"} {
		if values := v.r.Header.Values(name); len(values) > 0 {
			r.Header[name] = values
		}
	}
	r.Header.Set("Content-Type", "application/json")
	if v.token != "" {
		r.Header.Set("Authorization", "Bearer "+v.token)
	}
	if key != "" {
		r.Header.Set("Idempotency-Key", key)
	}
	out := &answerBuffer{header: http.Header{}}
	v.ui.api.ServeHTTP(out, r)
	return out, nil
}

// query reads.
func (v *visit) query(path string, in any) (record, error) {
	out, err := v.send(path, "", in)
	if err != nil {
		return nil, err
	}
	return out.read(path)
}

// Limits of the wait for a twin: the first click of a double click is answered within seconds or not at all.
const (
	twinAttempts = 100
	twinPause    = 100 * time.Millisecond
)

// mutate changes something under the key of its form. While the first of two clicks runs, the second waits for its
// answer, so that both see the same page. The second result says that the answer is that of an earlier click.
func (v *visit) mutate(path, key string, in any) (record, bool, error) {
	for attempt := 1; ; attempt++ {
		out, err := v.send(path, key, in)
		if err != nil {
			return nil, false, err
		}
		answer, err := out.read(path)
		if r, ok := errors.AsType[*refusal](err); !ok || r.Code != "idempotency_in_progress" || attempt == twinAttempts {
			return answer, out.header.Get("Idempotent-Replayed") != "", err
		}
		if err := pause(v.r.Context(), twinPause); err != nil {
			return nil, false, err
		}
	}
}

func pause(ctx context.Context, d time.Duration) error {
	timer := time.NewTimer(d)
	defer timer.Stop()
	select {
	case <-timer.C:
		return nil
	case <-ctx.Done():
		return ctx.Err() //nolint:wrapcheck // nobody waits for the answer
	}
}

func (b *answerBuffer) read(operation string) (record, error) {
	answer, err := decodeRecord(b.body.Bytes())
	if err != nil {
		return nil, err
	}
	if b.status == http.StatusOK {
		return answer, nil
	}
	e := answer.record("error")
	refused := &refusal{
		Status: b.status, Code: e.text("code"), Message: e.text("message"), RequestID: e.text("requestId"),
		RetryWith: e.text("retryWith"), Operation: operation, Details: e.record("details"), Fields: map[string][]string{},
	}
	refused.Reason = refused.Details.text("reason")
	for member, faults := range e.record("fieldErrors") { // members have dots in them
		refused.Fields[member] = texts(faults)
	}
	return nil, refused
}
