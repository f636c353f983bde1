package export

import (
	"bytes"
	"context"
	"errors"
	"io"
	"strings"
	"sync"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/vienkart/vienkart/internal/database"
	"github.com/vienkart/vienkart/internal/date"
	"github.com/vienkart/vienkart/internal/ledger"
	"github.com/vienkart/vienkart/internal/tenant"
	"github.com/vienkart/vienkart/internal/testkit"
)

// While a file is made, others post without pause. It has what was committed when its snapshot began, and nothing else.
func testOneSnapshot(t *testing.T, b *bench) {
	c := b.books(t)
	rolledBack := errors.New("rolled back")
	undo := func(ctx context.Context, text string) {
		err := c.TryMutate(ctx, func(ctx context.Context, tx tenant.Tx) error {
			if err := postIn(ctx, tx, january.From, text); err != nil {
				return err
			}
			return rolledBack
		})
		if ctx.Err() == nil && !errors.Is(err, rolledBack) && !database.IsTransient(err) {
			t.Error(err)
		}
	}
	undo(t.Context(), "rolled back before")
	id := order(t, b, c, "held", JSON, CSV)

	ctx, stop := context.WithCancel(t.Context())
	var writers sync.WaitGroup
	t.Cleanup(writers.Wait)
	t.Cleanup(stop)
	b.during = func(context.Context, Writer) error {
		// The snapshot has begun: the months were read in it.
		require.NoError(t, post(t.Context(), c, january.From, "committed after"))
		undo(t.Context(), "rolled back after")
		for i := range 2 {
			writers.Go(func() {
				for ctx.Err() == nil {
					if i == 0 {
						_ = post(ctx, c, january.From.AddDays(3), "committed meanwhile")
					} else {
						undo(t.Context(), "rolled back meanwhile")
					}
				}
			})
		}
		return nil
	}
	require.True(t, b.run(t))
	stop()
	writers.Wait()

	text := content(t, c, id)
	require.Equal(t, 3, strings.Count(text, `"description":"sale `), text)
	require.Equal(t, 3, strings.Count(text, `"description"`), "nothing but what was committed before")
	c.RequireBalanced(t)
	b.during = nil
	again := order(t, b, c, "held", JSON)
	require.True(t, b.run(t))
	later := content(t, c, again)
	require.Contains(t, later, "committed after", "the next file has it")
	require.NotContains(t, later, "rolled back")
}

// An uncommitted posting is in no file, not even when it commits while the file is made.
func TestUncommittedRowsAreInNoFile(t *testing.T) {
	t.Parallel()
	e := testkit.MySQL(t)
	b := &bench{Engine: e}
	b.worker = &Worker{System: e.System, Reports: b.reports()}
	c := b.books(t)
	begun, err := e.Store.Begin(t.Context(), c.Scope)
	require.NoError(t, err)
	require.NoError(t, postIn(t.Context(), begun.Tx, january.From, "uncommitted"))
	require.NoError(t, tenant.Flush(t.Context(), begun.Tx))
	require.NotContains(t, made(t, b, c), "uncommitted")
	b.during = func(ctx context.Context, _ Writer) error { return begun.Commit(ctx) }
	require.NotContains(t, made(t, b, c), "uncommitted", "it committed after the snapshot began")
	b.during = nil
	require.Contains(t, made(t, b, c), "uncommitted")
}

// made makes a file without a job, for tests beside those of jobs.
func made(t *testing.T, b *bench, c *testkit.Company) string {
	t.Helper()
	job := Job{ReportType: "held", Params: januaryParams, Formats: "csv"}
	products, err := b.worker.produce(t.Context(), &claimed{scope: c.Scope}, job, &fan{ctx: t.Context()})
	require.NoError(t, err)
	held, err := io.ReadAll(products.products[0].content.open())
	require.NoError(t, err)
	return string(held)
}

func lock(t *testing.T, c *testkit.Company, m date.Month) {
	t.Helper()
	c.Mutate(t, func(ctx context.Context, tx tenant.Tx) error {
		_, err := ledger.Lock(ctx, tx, m)
		return err
	})
}

func rename(t *testing.T, c *testkit.Company, name string) {
	t.Helper()
	_, err := c.Engine.Admin.Writer().ExecContext(t.Context(), "UPDATE ledger_accounts SET name = ? WHERE company_id = ? AND code = '2410'",
		name, c.Scope.Company().ID)
	require.NoError(t, err)
}

// Once a month is locked, its file has the same bytes whenever it is made.
func testFinalFile(t *testing.T, b *bench) {
	c := b.books(t)
	make4 := func() [][]byte {
		id := order(t, b, c, "journal", JSON, CSV, XLSX, PDF)
		require.True(t, b.run(t))
		var contents [][]byte
		for _, output := range card(t, c, id).Outputs {
			c.Read(t, func(ctx context.Context, r tenant.ReadTx) error {
				f, content, err := ReadFile(ctx, r, output.FileID)
				contents = append(contents, content)
				require.Equal(t, output.IsFinal, f.FinalKey != nil)
				return err
			})
		}
		require.Len(t, contents, 4)
		return contents
	}
	open := make4()
	lock(t, c, date.MonthOf(january.From))
	final := make4()
	require.Equal(t, open, final, "made again from the same rows, byte for byte, on another occasion")
	chunks := files(t, c)
	require.NoError(t, post(t.Context(), c, january.To.AddDays(1), "another month"))
	rename(t, c, "Renamed")
	require.Equal(t, final, make4(), "a name that changed later is not in what was handed over")
	require.Equal(t, chunks+4, files(t, c), "the bytes are stored once")

	c.Mutate(t, func(ctx context.Context, tx tenant.Tx) error {
		_, err := ledger.Unlock(ctx, tx, date.MonthOf(january.From), "A bill came late.")
		return err
	})
	require.NoError(t, post(t.Context(), c, january.From, "late"))
	lock(t, c, date.MonthOf(january.From))
	again := make4()
	require.NotEqual(t, final, again, "the books of the month are others now")
	require.True(t, bytes.Contains(again[0], []byte("late")))
	require.Equal(t, again, make4())
	require.Zero(t, breaches(t, b, c))
}

// What tells of the time before is final only when all of that time is.
func TestLocksOf(t *testing.T) {
	t.Parallel()
	testkit.EachEngine(t, func(t *testing.T, e *testkit.Engine) {
		b := &bench{Engine: e}
		c := b.books(t)
		require.NoError(t, post(t.Context(), c, date.MustParse("2025-11-15"), "earlier"))
		months := func(span Span) (names []string, final bool) {
			c.Read(t, func(ctx context.Context, r tenant.ReadTx) error {
				locks, allLocked, err := locksOf(ctx, r, span)
				for _, l := range locks {
					names = append(names, l.Month)
				}
				final = allLocked
				return err
			})
			return names, final
		}
		since := Span{From: january.From, To: january.To, Openings: true}
		_, final := months(january)
		require.False(t, final)
		lock(t, c, date.MonthOf(january.From))
		names, final := months(january)
		require.True(t, final)
		require.Equal(t, []string{"2026-01"}, names)
		_, final = months(since)
		require.False(t, final, "November is open")
		_, final = months(Span{From: january.From, To: january.To.AddDays(1)})
		require.False(t, final, "nobody has locked February")
		lock(t, c, date.Month{Year: 2025, Month: 11})
		names, final = months(since)
		require.True(t, final, "nothing was posted into December")
		require.Equal(t, []string{"2025-11", "2026-01"}, names)
		_, final = months(Span{From: date.MustParse("2025-11-01"), To: january.To})
		require.False(t, final, "December could still be posted into")
	})
}
