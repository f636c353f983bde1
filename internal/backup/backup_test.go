package backup_test

import (
	"bytes"
	"compress/gzip"
	"io"
	"math"
	"strings"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"github.com/vienkart/vienkart/internal/backup"
	"github.com/vienkart/vienkart/internal/clock"
	"github.com/vienkart/vienkart/internal/tenant"
	"github.com/vienkart/vienkart/internal/testkit"
)

var noon = clock.At(time.Date(2026, 1, 5, 12, 0, 0, 0, time.UTC))

// open gives an empty database of each engine, as the serving user has it.
func open(t *testing.T, engine string) *testkit.Engine {
	t.Helper()
	e, _ := testkit.Apart(t, engine)
	return e
}

func write(t *testing.T, e *testkit.Engine) []byte {
	t.Helper()
	var b bytes.Buffer
	_, err := backup.Write(t.Context(), e.DB, &b, "test", noon)
	require.NoError(t, err)
	return b.Bytes()
}

func unpacked(t *testing.T, file []byte) []string {
	t.Helper()
	reader, err := gzip.NewReader(bytes.NewReader(file))
	require.NoError(t, err)
	text, err := io.ReadAll(reader)
	require.NoError(t, err)
	return strings.SplitAfter(string(text), "\n")
}

func packed(t *testing.T, lines ...string) []byte {
	t.Helper()
	var b bytes.Buffer
	w := gzip.NewWriter(&b)
	_, err := io.WriteString(w, strings.Join(lines, ""))
	require.NoError(t, err)
	require.NoError(t, w.Close())
	return b.Bytes()
}

// content are the lines that the rows alone decide.
func content(t *testing.T, file []byte) []string {
	t.Helper()
	lines := unpacked(t, file)
	return lines[1 : len(lines)-2]
}

// fill stores what is easily lost on the way: bytes of every value, text beyond letters, NULL beside the empty text,
// decimals, dates, the ends of numbers.
func fill(t *testing.T, e *testkit.Engine) {
	t.Helper()
	every := make([]byte, 256)
	for i := range every {
		every[i] = byte(i)
	}
	company := e.Company(t, func(c *tenant.Company) {
		empty := ""
		c.Name, c.Code, c.VATCode = "UAB \"Ąžuolas\" 'ir' \\ 🦊\n\t\u2028\x00<b>", &empty, nil
	}).Scope.Company().ID
	insert := func(query string, args ...any) {
		_, err := e.DB.Writer().ExecContext(t.Context(), query, args...)
		require.NoError(t, err)
	}
	insert("INSERT INTO outbox_events (company_id, id, event_type, object_type, object_id, payload, created_at) VALUES (?, ?, 'a', 'b', ?, ?, ?)",
		company, tenant.NewID(), tenant.NewID(), every, clock.At(noon.Add(123456*time.Microsecond)))
	insert("INSERT INTO outbox_events (company_id, id, event_type, object_type, object_id, payload, created_at) VALUES (?, ?, 'a', 'b', ?, ?, ?)",
		company, tenant.NewID(), tenant.NewID(), []byte{}, noon)
	for i, rate := range []string{"1", "0.5", "1234567890.0000000001", "0.1000000001"} {
		insert("INSERT INTO exchange_rates (company_id, id, currency, rate_date, rate, created_at) VALUES (?, ?, 'USD', ?, ?, ?)",
			company, tenant.NewID(), noon.AddDate(0, 0, i).Format(time.DateOnly), rate, noon)
	}
	insert(`INSERT INTO idempotency_keys (company_id, idempotency_key, state, fingerprint, method, route, media_type, query, request, request_id,
		actor, attempt, replay_count, created_at, expires_at) VALUES (?, ?, 'failed', ?, 'POST', '/', '', '', ?, '', '', ?, ?, ?, ?)`,
		company, every, every[:32], bytes.Repeat(every, 4096), tenant.NewID(), int64(math.MaxInt64), noon, noon)
}

func TestRestoreGivesTheSame(t *testing.T) {
	t.Parallel()
	for _, from := range []string{"SQLite", "MySQL"} {
		t.Run("From"+from, func(t *testing.T) {
			t.Parallel()
			source := open(t, from)
			fill(t, source)
			file := write(t, source)
			for _, to := range []string{"SQLite", "MySQL"} {
				t.Run("To"+to, func(t *testing.T) {
					t.Parallel()
					target := open(t, to)
					header, totals, err := backup.Restore(t.Context(), target.DB, bytes.NewReader(file))
					require.NoError(t, err)
					require.Equal(t, noon, header.CreatedAt)
					require.Equal(t, int64(8), totals.Rows)
					require.Equal(t, content(t, file), content(t, write(t, target)), "the same rows are the same lines on every engine")
					_, _, err = backup.Restore(t.Context(), target.DB, bytes.NewReader(file))
					require.ErrorIs(t, err, backup.ErrNotEmpty)
				})
			}
		})
	}
}

func TestManyRowsAreRestored(t *testing.T) {
	t.Parallel()
	source, target := testkit.SQLite(t), testkit.SQLite(t)
	const companies = 1234 // several statements
	for range companies {
		source.Company(t)
	}
	_, totals, err := backup.Restore(t.Context(), target.DB, bytes.NewReader(write(t, source)))
	require.NoError(t, err)
	require.Equal(t, int64(companies), totals.Rows)
	require.Equal(t, content(t, write(t, source)), content(t, write(t, target)))
}

func TestDamageIsFoundBeforeAnythingIsStored(t *testing.T) {
	t.Parallel()
	source := testkit.SQLite(t)
	fill(t, source)
	whole := write(t, source)
	lines := unpacked(t, whole)
	row := 0
	for !strings.HasPrefix(lines[row], "[") {
		row++
	}
	flipped := bytes.Clone(whole)
	flipped[len(flipped)/2] ^= 1
	without := append(append([]string{}, lines[:row]...), lines[row+1:]...)
	changed := append([]string{}, lines...)
	changed[row] = strings.Replace(changed[row], "a", "b", 1)
	later := append([]string{}, lines...)
	later[0] = strings.Replace(later[0], `"version":1`, `"version":2`, 1)
	for name, example := range map[string]struct {
		file  []byte
		fault string
	}{
		"EmptyFile":       {nil, "damaged"},
		"SomethingElse":   {[]byte("hello"), "damaged"},
		"CutOff":          {whole[:len(whole)-20], "damaged"},
		"CutOffAtALine":   {packed(t, lines[:len(lines)-2]...), "damaged"},
		"OneBitOther":     {flipped, "damaged"},
		"RowMissing":      {packed(t, without...), "damaged"},
		"RowChanged":      {packed(t, changed...), "damaged"},
		"SomethingBehind": {packed(t, append(append([]string{}, lines...), "x\n")...), "damaged"},
		"LaterVersion":    {packed(t, later...), "of version 2; this server reads"},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			target := testkit.SQLite(t)
			before := content(t, write(t, target))
			_, _, err := backup.Restore(t.Context(), target.DB, bytes.NewReader(example.file))
			require.ErrorContains(t, err, example.fault)
			require.Equal(t, before, content(t, write(t, target)))
		})
	}
}

func TestOtherSchemaIsRefused(t *testing.T) {
	t.Parallel()
	source, target := testkit.SQLite(t), testkit.SQLite(t)
	file := write(t, source)
	_, err := target.DB.Writer().ExecContext(t.Context(), "INSERT INTO goose_db_version (version_id, is_applied) VALUES (99999, 1)")
	require.NoError(t, err)
	_, _, err = backup.Restore(t.Context(), target.DB, bytes.NewReader(file))
	require.ErrorContains(t, err, "restore with server test, which wrote it, and migrate then")
}
