package tap_test

import (
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/vienkart/vienkart/internal/testkit/tap"
)

func TestShape(t *testing.T) {
	t.Parallel()
	for name, test := range map[string]struct{ statement, want string }{
		"Literals":       {`SELECT a1 FROM t2 WHERE b = 'it''s \' x' AND c = -12.50`, `SELECT a1 FROM t2 WHERE b = ? AND c = -?`},
		"Lists":          {`SELECT * FROM t WHERE a IN (1,2, 3)`, `SELECT * FROM t WHERE a IN (?)`},
		"Bytes":          {"UPDATE t SET a=_binary'\x00\\'' WHERE b=_binary'x'", `UPDATE t SET a=? WHERE b=?`},
		"ManyRows":       {`INSERT INTO t (a,b) VALUES (1,NULL),(NULL,'x'),(3,'y')`, `INSERT INTO t (a,b)`},
		"UnfinishedText": {`SELECT 'a`, `SELECT ?`},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			require.Equal(t, test.want, tap.Shape(test.statement))
		})
	}
}

func TestParted(t *testing.T) {
	t.Parallel()
	require.Equal(t, []string{"START TRANSACTION", `INSERT INTO t VALUES ('a;''b\';')`, "SELECT ';'"},
		tap.Parted(`START TRANSACTION;INSERT INTO t VALUES ('a;''b\';');SELECT ';'`))
}

func TestGrown(t *testing.T) {
	t.Parallel()
	few := []string{"SELECT 1", "INSERT INTO t (a) VALUES (1)"}
	many := []string{"SELECT 2", "SELECT 3", "INSERT INTO t (a) VALUES (1),(2)"}
	require.Equal(t, map[string][2]int{"SELECT ?": {1, 2}}, tap.Grown(few, many))
	require.Empty(t, tap.Grown(many, few))
}
