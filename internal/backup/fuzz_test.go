package backup_test

import (
	"bytes"
	"compress/gzip"
	"crypto/sha256"
	"encoding/hex"
	"errors"
	"fmt"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/vienkart/vienkart/internal/backup"
)

const backupHead = `{"format":"vienkart-backup","version":1,"schema":7,"server":"x","engine":"SQLite","createdAt":"2026-01-05T12:00:00Z"}` + "\n"

// FuzzCheck: of a file whose end is as it must be, what lies between decides; one that is taken can be counted, and any change of a byte
// before the end makes it damaged.
func FuzzCheck(f *testing.F) {
	for _, seed := range []string{
		"", `{"table":"a","columns":[{"name":"b","kind":"text"}]}` + "\n" + `["c"]` + "\n" + `[null]` + "\n" + `{"rows":2}` + "\n",
		`{"table":"a","columns":[{"name":"b","kind":"bytes"},{"name":"n","kind":"integer"}]}` + "\n" + `["AAE=",-1]` + "\n" + `{"rows":1}` + "\n",
		`{"table":"a","columns":[]}` + "\n" + `[1]` + "\n", `{"table":"a","columns":[{"name":"b","kind":"x"}]}` + "\n" + `{"rows":0}` + "\n", "[]\n", "\n", "{\"table\":",
	} {
		f.Add([]byte(seed), int64(strings.Count(seed, `{"table"`)), int64(strings.Count(seed, "\n[")))
	}
	f.Fuzz(func(t *testing.T, middle []byte, tables, rows int64) {
		text := append([]byte(backupHead), middle...)
		digest := sha256.Sum256(text)
		end := fmt.Sprintf(`{"tables":%d,"rows":%d,"sha256":%q}`+"\n", tables, rows, hex.EncodeToString(digest[:]))
		_, totals, err := backup.Check(bytes.NewReader(zipped(t, append(text, end...))))
		if err != nil {
			require.ErrorIs(t, err, backup.ErrDamaged)
			return
		}
		require.Equal(t, backup.Totals{Tables: tables, Rows: rows, SHA256: hex.EncodeToString(digest[:])}, totals)
		text[len(text)/2] ^= 1
		_, _, err = backup.Check(bytes.NewReader(zipped(t, append(text, end...))))
		require.Error(t, err)
	})
}

func zipped(t *testing.T, text []byte) []byte {
	t.Helper()
	var b bytes.Buffer
	w := gzip.NewWriter(&b)
	_, err := w.Write(text)
	require.NoError(t, errors.Join(err, w.Close()))
	return b.Bytes()
}
