package idempotency_test

import (
	"context"
	"errors"
	"fmt"
	"sync"
	"sync/atomic"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"github.com/vienkart/vienkart/internal/apperr"
	"github.com/vienkart/vienkart/internal/audit"
	"github.com/vienkart/vienkart/internal/clock"
	"github.com/vienkart/vienkart/internal/idempotency"
	"github.com/vienkart/vienkart/internal/tenant"
	"github.com/vienkart/vienkart/internal/testkit"
)

// bundle is one company with a runner whose work writes one audit line per execution.
type bundle struct {
	*testkit.Company
	runner *idempotency.Runner
	runs   atomic.Int64
}

func newBundle(t *testing.T, e *testkit.Engine, ttl time.Duration) *bundle {
	t.Helper()
	b := &bundle{Company: e.Company(t), runner: idempotency.NewRunner(e.Store, ttl)}
	t.Cleanup(b.runner.Drain)
	return b
}

func key(t *testing.T, s string) idempotency.Key {
	t.Helper()
	k, err := idempotency.NewKey(s)
	require.NoError(t, err)
	return k
}

func request(t *testing.T, route, body string) idempotency.Request {
	t.Helper()
	c, err := idempotency.Canonicalize([]byte(body), idempotency.Limits{})
	require.NoError(t, err)
	return idempotency.Request{Method: "POST", Route: route, MediaType: "application/json", Body: c}
}

// call writes an audit line, then answers with a number that differs on every execution.
func (b *bundle) call(t *testing.T, k, body string, after ...func(context.Context, tenant.Tx) error) idempotency.Call {
	t.Helper()
	return idempotency.Call{
		Scope: b.Scope, Key: key(t, k), Operation: "/v1/test", Request: request(t, "/v1/test", body),
		Work: func(ctx context.Context, tx tenant.Tx) (idempotency.Answer, error) {
			n := b.runs.Add(1)
			if err := audit.Record(ctx, tx, audit.Entry{Action: "test.done", Entity: "test"}); err != nil {
				return idempotency.Answer{}, err
			}
			for _, f := range after {
				if err := f(ctx, tx); err != nil {
					return idempotency.Answer{}, err
				}
			}
			return idempotency.Answer{Status: 200, ContentType: "application/json", Body: fmt.Appendf(nil, `{"run":%d}`, n)}, nil
		},
	}
}

func (b *bundle) effects(t *testing.T) int {
	t.Helper()
	total := 0
	b.Read(t, func(ctx context.Context, r tenant.ReadTx) error {
		page, err := audit.List(ctx, r, tenant.ListQuery{})
		total = page.Total
		return err
	})
	return total
}

func (b *bundle) rejections(t *testing.T) []idempotency.Rejection {
	t.Helper()
	b.runner.Drain()
	var rows []idempotency.Rejection
	b.Read(t, func(ctx context.Context, r tenant.ReadTx) error {
		page, err := idempotency.Rejections(ctx, r, tenant.ListQuery{})
		rows = page.Rows
		return err
	})
	return rows
}

var (
	errLocked  = apperr.Define("test.locked", apperr.Conflict, "A test refuses on purpose.")
	errExists  = apperr.Define("test.exists", apperr.Duplicate, "A test refuses on purpose.")
	errMissing = apperr.Define("test.missing", apperr.Validation, "A test refuses on purpose.")
)

func TestIdempotency(t *testing.T) {
	t.Parallel()
	for name, test := range map[string]func(*testing.T, *testkit.Engine){
		"R06_CompaniesShareNoKeys":                testCompaniesShareNoKeys,
		"R07_WithoutKeyEachRequestRuns":           testWithoutKey,
		"R13_OtherPayloadIsRefused":               testReuse,
		"R13_OtherPayloadIsRefusedWhileRunning":   testReuseWhileRunning,
		"R20_TwinIsRefusedAtOnce":                 testInProgress,
		"R21_TwoServersBehaveAsOne":               testTwoServers,
		"R21_AClaimThatIsSentFirstIsSeen":         testClaimFirst,
		"R21_TwinsThatFoundTheKeyFree":            testTwinsAtOnce,
		"R22_RollbackLeavesNothing":               testRollback,
		"R23_HangUpDoesNotStopTheWork":            testHangUp,
		"R24_ConflictIsRunAgain":                  testConflict,
		"R30_ReplayIsByteEqual":                   testReplay,
		"R32_ValidationKeepsTheKeyFree":           testValidation,
		"R33_RefusalKeepsTheKeyForTheSameRequest": testRefusal,
		"R34_PanicLeavesNoClaim":                  testPanic,
		"R37_LargeAnswerIsRefused":                testLargeAnswer,
		"R38_SecretIsMaskedInReplay":              testMasked,
		"R41_ExpiredKeyIsNew":                     testExpired,
		"R42_SweeperDeletesExpiredAlone":          testSweep,
		"R43_StatusTellsWhatHappened":             testStatus,
		"R60_DuplicateIsShownBesideItsFirst":      testDuplicateBesideFirst,
		"R60_RepeatedRefusalRaisesACounter":       testCounter,
		"R20_FiftyTwinsHaveOneEffect":             testTwins,
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			testkit.EachEngine(t, test)
		})
	}
}

func testCompaniesShareNoKeys(t *testing.T, e *testkit.Engine) {
	a, b := newBundle(t, e, time.Hour), newBundle(t, e, time.Hour)
	for _, c := range []*bundle{a, b} {
		outcome, err := c.runner.Run(t.Context(), c.call(t, "K1", `{"a":1}`))
		require.NoError(t, err)
		require.False(t, outcome.Replayed)
		require.Equal(t, 1, c.effects(t))
	}
}

func testWithoutKey(t *testing.T, e *testkit.Engine) {
	b := newBundle(t, e, time.Hour)
	c := b.call(t, "unused", `{}`)
	c.Key = idempotency.Key{}
	for range 2 {
		_, err := b.runner.Run(t.Context(), c)
		require.NoError(t, err)
	}
	require.Equal(t, 2, b.effects(t))
}

func testReuse(t *testing.T, e *testkit.Engine) {
	b := newBundle(t, e, time.Hour)
	_, err := b.runner.Run(t.Context(), b.call(t, "K1", `{"amount":"100.00","lines":[{"quantity":1}]}`))
	require.NoError(t, err)
	_, err = b.runner.Run(t.Context(), b.call(t, "K1", `{"amount":"200.00","lines":[{"quantity":2}]}`))
	require.ErrorIs(t, err, idempotency.ErrReuse)
	refused, _ := errors.AsType[*apperr.Error](err)
	require.Equal(t, []string{"/amount", "/lines/0/quantity"}, refused.Details()["differences"])
	require.NotContains(t, err.Error(), "100.00", "the stored values are never told")
	other := b.call(t, "K1", `{"amount":"100.00","lines":[{"quantity":1}]}`)
	other.Request.Route = "/v1/other"
	_, err = b.runner.Run(t.Context(), other)
	require.ErrorIs(t, err, idempotency.ErrReuse)
	refused, _ = errors.AsType[*apperr.Error](err)
	require.Equal(t, []string{"path"}, refused.Details()["differences"])
	require.Equal(t, 1, b.effects(t))
	rows := b.rejections(t)
	require.Len(t, rows, 2)
	b.Read(t, func(ctx context.Context, r tenant.ReadTx) error {
		c, err := idempotency.Compare(ctx, r, rows[1].ID)
		require.NoError(t, err)
		require.JSONEq(t, `{"amount":"100.00","lines":[{"quantity":1}]}`, c.First.Body.String())
		require.JSONEq(t, `{"amount":"200.00","lines":[{"quantity":2}]}`, c.Refused.Body.String())
		require.Len(t, c.Differences, 2)
		return nil
	})
}

// held starts a call that waits inside its transaction, and returns when it is there.
func (b *bundle) held(t *testing.T, k, body string) (release func() (idempotency.Outcome, error)) {
	t.Helper()
	inside, open := make(chan struct{}), make(chan struct{})
	type result struct {
		outcome idempotency.Outcome
		err     error
	}
	done := make(chan result, 1)
	c := b.call(t, k, body, func(ctx context.Context, tx tenant.Tx) error {
		defer func() { close(inside); <-open }()
		return tenant.Flush(ctx, tx) //nolint:wrapcheck // of a test
	})
	go func() {
		outcome, err := b.runner.Run(context.Background(), c)
		done <- result{outcome, err}
	}()
	<-inside
	return func() (idempotency.Outcome, error) {
		close(open)
		r := <-done
		return r.outcome, r.err
	}
}

func testReuseWhileRunning(t *testing.T, e *testkit.Engine) {
	b := newBundle(t, e, time.Hour)
	release := b.held(t, "K1", `{"amount":"100.00"}`)
	_, err := b.runner.Run(t.Context(), b.call(t, "K1", `{"amount":"200.00"}`))
	require.ErrorIs(t, err, idempotency.ErrReuse)
	_, err = release()
	require.NoError(t, err)
	require.Equal(t, 1, b.effects(t))
}

// atOnce is R20's limit.
const atOnce = 100 * time.Millisecond

func testInProgress(t *testing.T, e *testkit.Engine) {
	b := newBundle(t, e, time.Hour)
	release := b.held(t, "K1", `{}`)
	start := clock.System{}.Now()
	_, err := b.runner.Run(t.Context(), b.call(t, "K1", `{}`))
	took := clock.System{}.Now().Sub(start)
	require.ErrorIs(t, err, idempotency.ErrInProgress)
	require.Less(t, took, 10*atOnce, "answers without waiting for the first; bench/ measures the promise itself")
	_, err = release()
	require.NoError(t, err)
	outcome, err := b.runner.Run(t.Context(), b.call(t, "K1", `{}`))
	require.NoError(t, err)
	require.True(t, outcome.Replayed)
	require.Equal(t, 1, b.effects(t))
}

func testRollback(t *testing.T, e *testkit.Engine) {
	b := newBundle(t, e, time.Hour)
	_, err := b.runner.Run(t.Context(), b.call(t, "K1", `{}`, func(context.Context, tenant.Tx) error { return errors.New("a fault of ours") }))
	require.ErrorContains(t, err, "a fault of ours")
	require.Equal(t, 0, b.effects(t))
	outcome, err := b.runner.Run(t.Context(), b.call(t, "K1", `{"other":"payload"}`))
	require.NoError(t, err, "the key is free at once, even for another request")
	require.False(t, outcome.Replayed)
	require.Equal(t, 1, b.effects(t))
}

func testHangUp(t *testing.T, e *testkit.Engine) {
	b := newBundle(t, e, time.Hour)
	ctx, hangUp := context.WithCancel(t.Context())
	_, err := b.runner.Run(ctx, b.call(t, "K1", `{}`, func(context.Context, tenant.Tx) error { hangUp(); return nil }))
	require.NoError(t, err)
	outcome, err := b.runner.Run(t.Context(), b.call(t, "K1", `{}`))
	require.NoError(t, err)
	require.True(t, outcome.Replayed)
	require.Equal(t, 1, b.effects(t))
}

func testConflict(t *testing.T, e *testkit.Engine) {
	b := newBundle(t, e, time.Hour)
	failures := 2
	c := b.call(t, "K1", `{}`, func(ctx context.Context, tx tenant.Tx) error {
		if failures == 0 {
			return nil
		}
		failures--
		// A duplicate that no rule names, as when two first documents of a year make one series.
		_, err := tenant.Exec(ctx, tx, `INSERT INTO audit_log (company_id, id, actor_type, actor_id, action, entity, request_id, created_at)
			SELECT company_id, id, actor_type, actor_id, action, entity, request_id, created_at FROM audit_log WHERE company_id = @company`)
		require.Error(t, err)
		return err
	})
	outcome, err := b.runner.Run(t.Context(), c)
	require.NoError(t, err)
	require.JSONEq(t, `{"run":3}`, string(outcome.Body))
	require.Equal(t, 1, b.effects(t))
	failures = 100
	c.Key = key(t, "K2")
	_, err = b.runner.Run(t.Context(), c)
	require.ErrorIs(t, err, idempotency.ErrConflictPersists)
	failures = 0
	_, err = b.runner.Run(t.Context(), c)
	require.NoError(t, err, "nothing was kept, so the key still works")
}

func testReplay(t *testing.T, e *testkit.Engine) {
	b := newBundle(t, e, time.Hour)
	first, err := b.runner.Run(t.Context(), b.call(t, "K1", `{"a":1,"b":[1.0]}`))
	require.NoError(t, err)
	require.False(t, first.Expires.IsZero())
	for range 3 {
		again, err := b.runner.Run(t.Context(), b.call(t, "K1", `{"b":[1e0], "a":1}`))
		require.NoError(t, err)
		require.True(t, again.Replayed)
		require.Equal(t, first.Body, again.Body)
		require.Equal(t, first.Status, again.Status)
		require.Equal(t, first.ContentType, again.ContentType)
		require.Equal(t, first.Expires, again.Expires)
		require.Equal(t, b.Scope.RequestID(), again.FirstRequestID)
	}
	require.Equal(t, 1, b.effects(t))
}

func testValidation(t *testing.T, e *testkit.Engine) {
	b := newBundle(t, e, time.Hour)
	_, err := b.runner.Run(t.Context(), b.call(t, "K1", `{"vat":"x"}`, func(context.Context, tenant.Tx) error { return errMissing.New("bad") }))
	require.ErrorIs(t, err, errMissing)
	outcome, err := b.runner.Run(t.Context(), b.call(t, "K1", `{"vat":"LT"}`))
	require.NoError(t, err, "the corrected request may have the key")
	require.False(t, outcome.Replayed)
	require.Equal(t, 1, b.effects(t))
}

func testRefusal(t *testing.T, e *testkit.Engine) {
	b := newBundle(t, e, time.Hour)
	locked := true
	refuse := func(context.Context, tenant.Tx) error {
		if locked {
			return errLocked.New("locked")
		}
		return nil
	}
	for range 2 {
		_, err := b.runner.Run(t.Context(), b.call(t, "K1", `{"a":1}`, refuse))
		require.ErrorIs(t, err, errLocked)
	}
	require.Equal(t, 0, b.effects(t))
	_, err := b.runner.Run(t.Context(), b.call(t, "K1", `{"a":2}`))
	require.ErrorIs(t, err, idempotency.ErrReuse)
	locked = false
	outcome, err := b.runner.Run(t.Context(), b.call(t, "K1", `{"a":1}`, refuse))
	require.NoError(t, err, "the cause is gone, so the same request succeeds")
	require.False(t, outcome.Replayed)
	again, err := b.runner.Run(t.Context(), b.call(t, "K1", `{"a":1}`, refuse))
	require.NoError(t, err)
	require.True(t, again.Replayed)
	require.Equal(t, 1, b.effects(t))
}

func testPanic(t *testing.T, e *testkit.Engine) {
	b := newBundle(t, e, time.Hour)
	_, err := b.runner.Run(t.Context(), b.call(t, "K1", `{}`, func(context.Context, tenant.Tx) error { panic("boom") }))
	require.ErrorContains(t, err, "boom")
	require.Equal(t, apperr.Internal, apperr.KindOf(err))
	_, err = b.runner.Run(t.Context(), b.call(t, "K1", `{"x":1}`))
	require.NoError(t, err)
	require.Equal(t, 1, b.effects(t))
}

func testLargeAnswer(t *testing.T, e *testkit.Engine) {
	b := newBundle(t, e, time.Hour)
	c := b.call(t, "K1", `{}`)
	work := c.Work
	c.Work = func(ctx context.Context, tx tenant.Tx) (idempotency.Answer, error) {
		a, err := work(ctx, tx)
		a.Body = make([]byte, idempotency.MaxAnswer+1)
		return a, err
	}
	_, err := b.runner.Run(t.Context(), c)
	require.ErrorIs(t, err, idempotency.ErrAnswerTooLarge)
	require.Equal(t, 0, b.effects(t))
}

func testMasked(t *testing.T, e *testkit.Engine) {
	b := newBundle(t, e, time.Hour)
	c := b.call(t, "K1", `{}`)
	c.Work = func(context.Context, tenant.Tx) (idempotency.Answer, error) {
		return idempotency.Answer{Status: 200, ContentType: "application/json", Body: []byte(`{"key":"secret"}`), Masked: []byte(`{"key":"shown once"}`)}, nil
	}
	first, err := b.runner.Run(t.Context(), c)
	require.NoError(t, err)
	require.JSONEq(t, `{"key":"secret"}`, string(first.Body))
	again, err := b.runner.Run(t.Context(), c)
	require.NoError(t, err)
	require.JSONEq(t, `{"key":"shown once"}`, string(again.Body))
}

func (b *bundle) expire(t *testing.T, k string) {
	t.Helper()
	b.Mutate(t, func(ctx context.Context, tx tenant.Tx) error {
		result, err := tenant.Exec(ctx, tx, "UPDATE idempotency_keys SET expires_at = ? WHERE company_id = @company AND idempotency_key = ?",
			clock.At(tx.Now().Add(-time.Minute)), []byte(k))
		require.NoError(t, err)
		n, err := result.RowsAffected()
		require.Equal(t, int64(1), n)
		return err
	})
}

func testExpired(t *testing.T, e *testkit.Engine) {
	b := newBundle(t, e, time.Hour)
	_, err := b.runner.Run(t.Context(), b.call(t, "K1", `{"a":1}`))
	require.NoError(t, err)
	b.expire(t, "K1")
	outcome, err := b.runner.Run(t.Context(), b.call(t, "K1", `{"a":2}`))
	require.NoError(t, err, "an expired key is a new key, swept or not")
	require.False(t, outcome.Replayed)
	outcome, err = b.runner.Run(t.Context(), b.call(t, "K1", `{"a":2}`))
	require.NoError(t, err)
	require.True(t, outcome.Replayed)
	require.Equal(t, 2, b.effects(t))
}

func testSweep(t *testing.T, e *testkit.Engine) {
	b := newBundle(t, e, time.Hour)
	for _, k := range []string{"K1", "K2", "K3"} {
		_, err := b.runner.Run(t.Context(), b.call(t, k, `{}`))
		require.NoError(t, err)
	}
	b.expire(t, "K1")
	b.expire(t, "K3")
	lag, err := idempotency.SweepLag(t.Context(), e.System)
	require.NoError(t, err)
	require.Greater(t, lag, 50*time.Second)
	for n := int64(1); n > 0; {
		n, err = idempotency.Sweep(t.Context(), e.System)
		require.NoError(t, err)
	}
	b.Read(t, func(ctx context.Context, r tenant.ReadTx) error {
		left, err := tenant.Query[string](ctx, r, "SELECT idempotency_key FROM idempotency_keys WHERE company_id = @company")
		require.Equal(t, []string{"K2"}, left)
		return err
	})
}

func testStatus(t *testing.T, e *testkit.Engine) {
	b := newBundle(t, e, time.Hour)
	status, err := b.runner.Status(t.Context(), b.Scope, key(t, "K1"))
	require.NoError(t, err)
	require.Nil(t, status)
	release := b.held(t, "K1", `{}`)
	status, err = b.runner.Status(t.Context(), b.Scope, key(t, "K1"))
	require.NoError(t, err)
	require.Equal(t, "running", status.State)
	_, err = release()
	require.NoError(t, err)
	_, err = b.runner.Run(t.Context(), b.call(t, "K1", `{}`))
	require.NoError(t, err)
	for range 2 { // the second look finds the counted replay in the database
		status, err = b.runner.Status(t.Context(), b.Scope, key(t, "K1"))
		require.NoError(t, err)
		require.Equal(t, "done", status.State)
		require.Equal(t, "/v1/test", status.Operation)
		require.Equal(t, int64(1), status.ReplayCount)
		require.NoError(t, b.runner.FlushReplays(t.Context(), e.System))
	}
	_, err = b.runner.Run(t.Context(), b.call(t, "K2", `{}`, func(context.Context, tenant.Tx) error { return errLocked.New("locked") }))
	require.ErrorIs(t, err, errLocked)
	status, err = b.runner.Status(t.Context(), b.Scope, key(t, "K2"))
	require.NoError(t, err)
	require.Equal(t, "failed", status.State)
	require.Equal(t, "test.locked", *status.ErrorCode)
}

func testCounter(t *testing.T, e *testkit.Engine) {
	b := newBundle(t, e, time.Hour)
	_, err := b.runner.Run(t.Context(), b.call(t, "K1", `{"a":1}`))
	require.NoError(t, err)
	for range 3 {
		_, err = b.runner.Run(t.Context(), b.call(t, "K1", `{"a":2}`))
		require.ErrorIs(t, err, idempotency.ErrReuse)
		b.runner.Drain()
	}
	rows := b.rejections(t)
	require.Len(t, rows, 1)
	require.Equal(t, int64(3), rows[0].Occurrences)
	b.Mutate(t, func(ctx context.Context, tx tenant.Tx) error {
		reviewed, err := idempotency.Review(ctx, tx, idempotency.ReviewInput{ID: rows[0].ID, Decision: idempotency.DecisionClientBug, Note: "seen"})
		require.NoError(t, err)
		require.NotNil(t, reviewed.ReviewedAt)
		return nil
	})
}

func testDuplicateBesideFirst(t *testing.T, e *testkit.Engine) {
	b := newBundle(t, e, time.Hour)
	document := tenant.NewID().String()
	first := b.call(t, "K1", `{"number":"A-17"}`)
	work := first.Work
	first.Work = func(ctx context.Context, tx tenant.Tx) (idempotency.Answer, error) {
		a, err := work(ctx, tx)
		a.ResourceType, a.ResourceID = "test", document
		return a, err
	}
	_, err := b.runner.Run(t.Context(), first)
	require.NoError(t, err)
	again := b.call(t, "K2", `{"number":"a-17 "}`, func(context.Context, tenant.Tx) error {
		return errExists.New("exists").Detail("existingId", document).Detail("index", "one test per number")
	})
	_, err = b.runner.Run(t.Context(), again)
	require.ErrorIs(t, err, errExists)
	rows := b.rejections(t)
	require.Len(t, rows, 1)
	require.Equal(t, document, *rows[0].ExistingID)
	b.Read(t, func(ctx context.Context, r tenant.ReadTx) error {
		c, err := idempotency.Compare(ctx, r, rows[0].ID)
		require.NoError(t, err)
		require.JSONEq(t, `{"number":"A-17"}`, c.First.Body.String())
		require.JSONEq(t, `{"number":"a-17 "}`, c.Refused.Body.String())
		require.Len(t, c.Differences, 1)
		return nil
	})
}

func testTwins(t *testing.T, e *testkit.Engine) {
	b := newBundle(t, e, time.Hour)
	const twins = 50
	var wait sync.WaitGroup
	errs, outcomes := make([]error, twins), make([]idempotency.Outcome, twins)
	for i := range twins {
		wait.Go(func() { outcomes[i], errs[i] = b.runner.Run(context.Background(), b.call(t, "K1", `{"a":1}`)) })
	}
	wait.Wait()
	var body []byte
	for i, err := range errs {
		if err != nil {
			require.ErrorIs(t, err, idempotency.ErrInProgress)
			continue
		}
		if body == nil {
			body = outcomes[i].Body
		}
		require.Equal(t, body, outcomes[i].Body)
	}
	require.NotNil(t, body)
	require.Equal(t, 1, b.effects(t))
}
