package httpapi

import (
	"bytes"
	"flag"
	"fmt"
	"os"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/vienkart/vienkart/internal/apperr"
)

var update = flag.Bool("update", false, "rewrite the generated documents")

const errorsDocument = "../../docs/errors.md"

// TestErrorsDocument keeps docs/errors.md the list of every code a client can meet.
func TestErrorsDocument(t *testing.T) {
	t.Parallel()
	var b bytes.Buffer
	b.WriteString("# Errors\n\nEvery error is `{\"error\":{\"code\",\"message\",\"requestId\",\"fieldErrors?\",\"details\",\"retryWith\"}}`. " +
		"`details.reason` is the code of this table; `code` is the wider one of the wire contract. `retryWith` says which\n" +
		"Idempotency-Key a retry must carry: `same_key` (send it again, corrected where fields are named), `new_key` (correct it " +
		"and use a new key), `never` (retrying cannot help, or would book twice).\n\nGenerated from the code by `make golden`.\n\n" +
		"| reason | status | code | retryWith | meaning |\n|---|---|---|---|---|\n")
	for _, c := range apperr.Codes() {
		if strings.HasPrefix(c.Name(), "test.") {
			continue
		}
		w, ok := wires[c.Kind()]
		require.True(t, ok, c.Name())
		fmt.Fprintf(&b, "| `%s` | %d | `%s` | `%s` | %s |\n", c.Name(), w.status, w.code, c.Retry(), c.Meaning())
	}
	if *update {
		require.NoError(t, os.WriteFile(errorsDocument, b.Bytes(), 0o644))
	}
	kept, err := os.ReadFile(errorsDocument)
	require.NoError(t, err)
	require.Equal(t, string(kept), b.String(), "run make golden")
}
