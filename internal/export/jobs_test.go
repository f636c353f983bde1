package export

import (
	"context"
	"errors"
	"fmt"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/go-json-experiment/json"
	"github.com/go-json-experiment/json/jsontext"
	"github.com/stretchr/testify/require"

	"github.com/vienkart/vienkart/internal/apperr"
	"github.com/vienkart/vienkart/internal/clock"
	"github.com/vienkart/vienkart/internal/date"
	"github.com/vienkart/vienkart/internal/ledger"
	"github.com/vienkart/vienkart/internal/money"
	"github.com/vienkart/vienkart/internal/report"
	"github.com/vienkart/vienkart/internal/tenant"
	"github.com/vienkart/vienkart/internal/testkit"
)

// bench is what a test of jobs works with.
type bench struct {
	*testkit.Engine
	worker *Worker
	// during is called by the report "held" in the middle of its rows.
	during func(ctx context.Context, w Writer) error
}

// A worker takes the jobs of all companies, so the tests of one engine run one after the other.
func TestJobs(t *testing.T) {
	t.Parallel()
	testkit.EachEngine(t, func(t *testing.T, e *testkit.Engine) {
		for name, test := range map[string]func(*testing.T, *bench){
			"Completed": testCompleted, "Refused": testRefused, "TakenOver": testTakenOver, "KilledProcess": testKilledProcess,
			"NoHalfFile": testNoHalfFile, "Cancelled": testCancelled, "Failed": testFailed, "Retried": testRetried, "GivenBack": testGivenBack,
			"ManyWorkers": testManyWorkers, "OneSnapshot": testOneSnapshot, "FinalFile": testFinalFile, "Lease": testLease,
		} {
			t.Run(name, func(t *testing.T) {
				b := &bench{Engine: e}
				b.worker = &Worker{System: e.System, Reports: b.reports(), Lease: time.Minute}
				test(t, b)
			})
		}
	})
}

// days are the parameters of the reports of these tests.
type days struct {
	report.Period
	Text string `json:"text,omitzero"`
}

func (b *bench) reports() Reports {
	prepare := func(params jsontext.Value, today date.Date) (Prepared, error) {
		in := days{Period: report.Period{FromDate: today, ToDate: today}}
		if err := json.Unmarshal(params, &in); err != nil {
			return Prepared{}, apperr.Invalid("params", "are not days")
		}
		whole, err := json.Marshal(in)
		return Prepared{whole, "Žurnalas", in.FromDate.String(), Span{From: in.FromDate, To: in.ToDate}}, err
	}
	journal := func(ctx context.Context, r tenant.ReadTx, params jsontext.Value, w Writer) error {
		var in days
		if err := json.Unmarshal(params, &in); err != nil {
			return err
		}
		begin := func(rows int64) error {
			w.Expect(rows)
			return w.Table("rows", Column{Title: "Data", Width: 3}, Column{Title: "Kas", Width: 10}, Column{Title: "Sąskaita", Width: 5},
				Column{Title: "Debetas", Width: 4, Numeric: true}, Column{Title: "Kreditas", Width: 4, Numeric: true})
		}
		return report.EachTransaction(ctx, r, in.Period, begin, func(j report.JournalTransaction) error {
			var lines [][]any
			for _, e := range j.Entries {
				lines = append(lines, []any{j.Date, j.Description, e.AccountName, e.Debit, e.Credit})
			}
			return w.Row(j, lines...)
		})
	}
	held := func(ctx context.Context, r tenant.ReadTx, params jsontext.Value, w Writer) error {
		if b.during != nil {
			if err := b.during(ctx, w); err != nil {
				return err
			}
		}
		return journal(ctx, r, params, w)
	}
	return Reports{
		"journal": {Formats: Tabular, Prepare: prepare, Produce: journal},
		"held":    {Formats: Tabular, Prepare: prepare, Produce: held},
	}
}

// books opens a company with three transactions in January.
func (b *bench) books(t *testing.T) *testkit.Company {
	t.Helper()
	c := b.Company(t)
	c.Mutate(t, func(ctx context.Context, tx tenant.Tx) error {
		_, err := ledger.ApplyTemplate(ctx, tx)
		return err
	})
	for i := range 3 {
		require.NoError(t, post(t.Context(), c, january.From.AddDays(i), fmt.Sprintf("sale %d", i)))
	}
	return c
}

func post(ctx context.Context, c *testkit.Company, day date.Date, text string) error {
	return c.TryMutate(ctx, func(ctx context.Context, tx tenant.Tx) error { return postIn(ctx, tx, day, text) })
}

func postIn(ctx context.Context, tx tenant.Tx, day date.Date, text string) error {
	amount := money.New(100, money.EUR)
	_, err := ledger.Post(ctx, tx, ledger.Posting{
		Date: day, Description: text, Lines: []ledger.Line{{AccountCode: "2410", Debit: amount}, {AccountCode: "5000", Credit: amount}},
	})
	return err
}

const januaryParams = `{"fromDate":"2026-01-01","toDate":"2026-01-31"}`

func order(t *testing.T, b *bench, c *testkit.Company, reportType string, formats ...Format) tenant.ID {
	t.Helper()
	var id tenant.ID
	c.Mutate(t, func(ctx context.Context, tx tenant.Tx) error {
		job, err := Create(ctx, tx, b.worker.Reports, CreateInput{reportType, jsontext.Value(januaryParams), formats})
		if err == nil {
			id = job.ID
		}
		return err
	})
	return id
}

func (b *bench) run(t *testing.T) bool {
	t.Helper()
	worked, err := b.worker.RunOnce(t.Context())
	require.NoError(t, err)
	return worked
}

func card(t *testing.T, c *testkit.Company, id tenant.ID) Card {
	t.Helper()
	var shown Card
	c.Read(t, func(ctx context.Context, r tenant.ReadTx) (err error) {
		shown, err = Get(ctx, r, id)
		return err
	})
	return shown
}

// content reads the first file of a job.
func content(t *testing.T, c *testkit.Company, id tenant.ID) string {
	t.Helper()
	var text string
	shown := card(t, c, id)
	require.NotEmpty(t, shown.Outputs, "%+v", shown)
	c.Read(t, func(ctx context.Context, r tenant.ReadTx) error {
		f, content, err := ReadFile(ctx, r, shown.Outputs[0].FileID)
		require.NoError(t, err)
		require.Len(t, content, int(f.SizeBytes))
		text = string(content)
		return nil
	})
	return text
}

// told lists the events and the audited actions about a job.
func told(t *testing.T, c *testkit.Company, id tenant.ID) (events, actions []string) {
	t.Helper()
	c.Read(t, func(ctx context.Context, r tenant.ReadTx) (err error) {
		events, err = tenant.Query[string](ctx, r, "SELECT event_type FROM outbox_events WHERE company_id = @company AND object_id = ? ORDER BY id", id)
		require.NoError(t, err)
		actions, err = tenant.Query[string](ctx, r,
			"SELECT action FROM audit_log WHERE company_id = @company AND entity = 'report_job' AND entity_id = ? ORDER BY id", id.String())
		return err
	})
	return events, actions
}

// files counts the files and chunks of a company, whether or not a job names them.
func files(t *testing.T, c *testkit.Company) int {
	t.Helper()
	var n int
	c.Read(t, func(ctx context.Context, r tenant.ReadTx) error {
		rows, err := tenant.Query[tenant.ID](ctx, r,
			"SELECT id FROM export_files WHERE company_id = @company UNION ALL SELECT id FROM export_file_chunks WHERE company_id = @company")
		n = len(rows)
		return err
	})
	return n
}

func testCompleted(t *testing.T, b *bench) {
	c, other := b.books(t), b.books(t)
	id := order(t, b, c, "journal", JSON, CSV, XLSX, PDF, CSV)
	queued := card(t, c, id)
	require.Equal(t, ShownStatus(Queued), queued.Status)
	require.Equal(t, []Format{JSON, CSV, XLSX, PDF}, queued.Formats)
	require.Empty(t, queued.Outputs)
	require.True(t, b.run(t))
	require.False(t, b.run(t), "one job is done once")

	done := card(t, c, id)
	require.Equal(t, ShownStatus(Completed), done.Status)
	require.Equal(t, 100, done.Progress)
	require.False(t, done.FinishedAt.IsZero())
	require.Len(t, done.Outputs, 4)
	require.Equal(t, "journal_2026-01-01.csv", done.Outputs[1].FileName)
	require.False(t, done.Outputs[0].IsFinal, "the month is open")
	require.Equal(t, 3, strings.Count(content(t, c, id), `"description":"sale `))
	events, actions := told(t, c, id)
	require.Equal(t, []string{"report.completed"}, events)
	require.Equal(t, []string{"report_job.created", "report_job.completed"}, actions)

	other.Read(t, func(ctx context.Context, r tenant.ReadTx) error {
		_, err := Get(ctx, r, id)
		require.ErrorIs(t, err, apperr.ErrNotFound)
		_, _, err = ReadFile(ctx, r, done.Outputs[0].FileID)
		require.ErrorIs(t, err, apperr.ErrNotFound)
		page, err := List(ctx, r, tenant.ListQuery{})
		require.Empty(t, page.Rows)
		return err
	})
	c.Read(t, func(ctx context.Context, r tenant.ReadTx) error {
		page, err := List(ctx, r, tenant.ListQuery{Filter: []tenant.Filter{{Field: "status", Op: "eq", Value: jsontext.Value(`"completed"`)}}})
		require.NoError(t, err)
		require.Equal(t, []Card{done}, page.Rows)
		f, _, err := ReadFile(ctx, r, done.Outputs[0].FileID)
		require.NoError(t, err)
		require.Contains(t, f.Watermark, `"rows":3`)
		require.Contains(t, f.Watermark, `"isFinal":false`)
		require.Contains(t, f.Watermark, `{"column":"Debetas","sum":"3.00"}`)
		return nil
	})
	require.Zero(t, breaches(t, b, c))
	_, err := b.Admin.Writer().ExecContext(t.Context(), "UPDATE export_jobs SET formats = 'json' WHERE id = ?", id)
	require.NoError(t, err)
	require.Equal(t, 1, breaches(t, b, c), "a job with more files than formats")
	_, err = b.DB.Writer().ExecContext(t.Context(), "UPDATE export_files SET size_bytes = 0")
	require.Error(t, err, "a stored file is never changed")
}

// breaches counts where the rows of a company break an invariant.
func breaches(t *testing.T, b *bench, c *testkit.Company) int {
	t.Helper()
	n := 0
	for _, invariant := range Invariants {
		found, err := tenant.SystemQuery[tenant.Breach](t.Context(), b.System, invariant.Broken)
		require.NoError(t, err)
		for _, breach := range found {
			if breach.CompanyID == c.Scope.Company().ID {
				n++
			}
		}
	}
	return n
}

func testRefused(t *testing.T, b *bench) {
	c := b.books(t)
	try := func(in CreateInput) error {
		return c.TryMutate(t.Context(), func(ctx context.Context, tx tenant.Tx) error {
			_, err := Create(ctx, tx, b.worker.Reports, in)
			return err
		})
	}
	require.ErrorIs(t, try(CreateInput{ReportType: "tea-leaves"}), ErrUnknownReport)
	require.ErrorIs(t, try(CreateInput{"journal", jsontext.Value(januaryParams), []Format{XML}}), ErrUnknownFormat)
	require.ErrorIs(t, try(CreateInput{"journal", jsontext.Value(`[]`), nil}), apperr.ErrValidation)
	require.ErrorIs(t, try(CreateInput{"journal", jsontext.Value(`{"text":"` + strings.Repeat("x", maxParams) + `"}`), nil}), apperr.ErrValidation)
	var last tenant.ID
	for range maxOpenJobs {
		last = order(t, b, c, "journal")
	}
	require.ErrorIs(t, try(CreateInput{"journal", jsontext.Value(januaryParams), nil}), ErrTooManyJobs)
	cancel(t, c, last)
	require.NoError(t, try(CreateInput{"journal", jsontext.Value(januaryParams), nil}))
	for b.run(t) {
	}
}

func cancel(t *testing.T, c *testkit.Company, id tenant.ID) {
	t.Helper()
	c.Mutate(t, func(ctx context.Context, tx tenant.Tx) error {
		_, err := Cancel(ctx, tx, id)
		return err
	})
}

// lapse lets the lease of a job pass.
func (b *bench) lapse(t *testing.T, id tenant.ID) {
	t.Helper()
	_, err := b.Admin.Writer().ExecContext(t.Context(), "UPDATE export_jobs SET lease_until = '2026-01-01 00:00:00.000000' WHERE id = ?", id)
	require.NoError(t, err)
}

func testTakenOver(t *testing.T, b *bench) {
	c := b.books(t)
	id := order(t, b, c, "journal")
	first, err := b.worker.claim(t.Context())
	require.NoError(t, err)
	require.Equal(t, id, first.ID)
	first.scope = c.Scope
	require.Equal(t, ShownStatus(Running), card(t, c, id).Status)
	require.False(t, b.run(t), "its lease has not passed")
	b.lapse(t, id)
	require.True(t, b.run(t), "somebody else takes over")
	text := content(t, c, id)

	// The first one wakes up again, with everything it had made.
	require.ErrorIs(t, b.worker.renew(t.Context(), first, 50), errLost)
	late := product{file: File{JobID: id, Format: JSON, FileName: "late", MimeType: "x", Watermark: "{}"}, content: spooled(t, []byte("late"))}
	require.NoError(t, b.worker.complete(t.Context(), first, production{products: []product{late}}))
	require.NoError(t, b.worker.fail(t.Context(), first, ErrTimeout.New("late")))
	b.worker.release(t.Context(), first)
	require.Equal(t, text, content(t, c, id))
	require.Len(t, card(t, c, id).Outputs, 1)
	events, _ := told(t, c, id)
	require.Equal(t, []string{"report.completed"}, events)
}

// spooled is a file that was made.
func spooled(t *testing.T, content []byte) *spool {
	t.Helper()
	s := newSpool()
	_, err := s.Write(content)
	require.NoError(t, err)
	require.NoError(t, s.close())
	return s
}

func testNoHalfFile(t *testing.T, b *bench) {
	c := b.books(t)
	id := order(t, b, c, "journal")
	large := make([]byte, 2*chunkBytes+1)
	stop := errors.New("power cut")
	err := c.TryMutate(t.Context(), func(ctx context.Context, tx tenant.Tx) error {
		f := &File{JobID: id, Format: JSON, FileName: "x", MimeType: "x", Watermark: "{}", CreatedAt: tx.Now()}
		require.NoError(t, f.store(ctx, tx, spooled(t, large)))
		require.Zero(t, files(t, c), "nothing is seen before the commit")
		c.Read(t, func(ctx context.Context, r tenant.ReadTx) error {
			_, _, err := ReadFile(ctx, r, f.ID)
			require.ErrorIs(t, err, apperr.ErrNotFound)
			return nil
		})
		return stop
	})
	require.ErrorIs(t, err, stop)
	require.Zero(t, files(t, c))
	var stored tenant.ID
	c.Mutate(t, func(ctx context.Context, tx tenant.Tx) error {
		f := &File{JobID: id, Format: PDF, FileName: "x", MimeType: "x", Watermark: "{}", CreatedAt: tx.Now()}
		defer func() { stored = f.ID }()
		return f.store(ctx, tx, spooled(t, large))
	})
	require.Equal(t, 4, files(t, c), "a file and three chunks")
	c.Read(t, func(ctx context.Context, r tenant.ReadTx) error {
		_, content, err := ReadFile(ctx, r, stored)
		require.Equal(t, large, content)
		return err
	})
	require.True(t, b.run(t))
}

func testCancelled(t *testing.T, b *bench) {
	c := b.books(t)
	id := order(t, b, c, "journal")
	cancel(t, c, id)
	require.False(t, b.run(t), "a cancelled job waits for nobody")
	shown := card(t, c, id)
	require.Equal(t, ShownStatus(Failed), shown.Status, "the contract has no word for cancelled")
	require.Equal(t, "export.cancelled", shown.ErrorCode)
	err := c.TryMutate(t.Context(), func(ctx context.Context, tx tenant.Tx) error {
		_, err := Cancel(ctx, tx, id)
		return err
	})
	require.ErrorIs(t, err, ErrFinished)

	running := order(t, b, c, "held", CSV)
	b.worker.Lease = 200 * time.Millisecond
	rows := 0
	b.during = func(ctx context.Context, w Writer) error {
		require.NoError(t, w.Table("rows", Column{Title: "A", Width: 1}))
		for {
			if err := w.Row(rows, []any{"x"}); err != nil {
				return fmt.Errorf("writing a row: %w", err)
			}
			rows++
			if rows == 1 {
				cancel(t, c, running)
			}
			select {
			case <-ctx.Done():
			case <-time.After(time.Millisecond):
			}
		}
	}
	require.True(t, b.run(t))
	require.Equal(t, "export.cancelled", card(t, c, running).ErrorCode)
	require.Zero(t, files(t, c))
	events, _ := told(t, c, running)
	require.Empty(t, events)
}

func testFailed(t *testing.T, b *bench) {
	c := b.books(t)
	id := order(t, b, c, "held")
	b.during = func(context.Context, Writer) error {
		return ledger.ErrUnknownAccount.New("There is no account 9999.").Field("accountCode", "is not in the chart")
	}
	require.True(t, b.run(t))
	shown := card(t, c, id)
	require.Equal(t, ShownStatus(Failed), shown.Status)
	require.Equal(t, "ledger.unknown_account", shown.ErrorCode)
	require.Equal(t, "There is no account 9999. accountCode: is not in the chart.", shown.Error)
	require.Zero(t, files(t, c))
	events, actions := told(t, c, id)
	require.Equal(t, []string{"report.failed"}, events)
	require.Equal(t, []string{"report_job.created", "report_job.failed"}, actions)
}

func testRetried(t *testing.T, b *bench) {
	c := b.books(t)
	id := order(t, b, c, "held")
	broken := errors.New("disk on fire")
	for attempt := range maxAttempts {
		b.during = func(context.Context, Writer) error {
			if attempt == 1 {
				panic("disk on fire")
			}
			return broken
		}
		worked, err := b.worker.RunOnce(t.Context())
		require.True(t, worked)
		require.ErrorContains(t, err, "disk on fire")
		require.False(t, b.run(t), "it is tried again when its lease has passed")
		require.Equal(t, ShownStatus(Running), card(t, c, id).Status)
		b.lapse(t, id)
	}
	require.True(t, b.run(t))
	require.Equal(t, "export.attempts_exhausted", card(t, c, id).ErrorCode)
	require.Zero(t, files(t, c))
}

func testGivenBack(t *testing.T, b *bench) {
	c := b.books(t)
	id := order(t, b, c, "held")
	ctx, stop := context.WithCancel(t.Context())
	b.during = func(ctx context.Context, _ Writer) error {
		stop()
		return ctx.Err()
	}
	b.worker.Run(ctx)
	require.Equal(t, ShownStatus(Queued), card(t, c, id).Status, "a server that stops gives its job back")
	b.during = nil
	require.True(t, b.run(t), "without waiting for a lease")
	require.Equal(t, ShownStatus(Completed), card(t, c, id).Status)
}

func testManyWorkers(t *testing.T, b *bench) {
	c := b.books(t)
	ids := make([]tenant.ID, 8)
	for i := range ids {
		ids[i] = order(t, b, c, "journal")
	}
	var working sync.WaitGroup
	for range 4 {
		working.Go(func() {
			w := *b.worker
			for range 10 {
				if _, err := w.RunOnce(t.Context()); err != nil {
					t.Error(err)
				}
			}
		})
	}
	working.Wait()
	for _, id := range ids {
		events, _ := told(t, c, id)
		require.Equal(t, []string{"report.completed"}, events, "each job is done once")
		require.Len(t, card(t, c, id).Outputs, 1)
	}
}

func testLease(t *testing.T, b *bench) {
	c := b.books(t)
	id := order(t, b, c, "held")
	b.worker.Lease = 300 * time.Millisecond
	b.during = func(_ context.Context, w Writer) error {
		w.Expect(4)
		// Much longer than the lease: it is renewed meanwhile, with the progress.
		deadline := time.After(time.Second)
		for {
			select {
			case <-deadline:
				other, err := b.worker.claim(t.Context())
				require.NoError(t, err)
				require.Nil(t, other, "the job is with a worker that lives")
				return nil
			case <-time.After(20 * time.Millisecond):
			}
		}
	}
	require.True(t, b.run(t))
	require.Equal(t, ShownStatus(Completed), card(t, c, id).Status)
	require.Equal(t, clock.At(card(t, c, id).StartedAt.Time), card(t, c, id).StartedAt)
}
