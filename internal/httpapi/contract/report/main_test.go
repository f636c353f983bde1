package main

import (
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"
)

func TestRun(t *testing.T) {
	t.Parallel()
	write := func(t *testing.T, content string) string {
		t.Helper()
		file := filepath.Join(t.TempDir(), "contract.json")
		require.NoError(t, os.WriteFile(file, []byte(content), 0o600))
		return file
	}
	t.Run("NothingServedDoesNotDeviate", func(t *testing.T) {
		t.Parallel()
		var out strings.Builder
		require.NoError(t, run(&out, write(t, `{"paths":{"/v1/none/such/get":{"post":{}}}}`)))
		require.True(t, strings.HasPrefix(out.String(), "0 of 1 operations served, 0 deviate\n"))
	})
	t.Run("DeviationFails", func(t *testing.T) {
		t.Parallel()
		var out strings.Builder
		file := write(t, `{"paths":{"/v1/idempotency/keys/get":{"post":{"responses":{"200":{"content":{"application/json":
			{"schema":{"type":"object","properties":{"none":{"type":"string"}}}}}}}}}}}`)
		require.ErrorIs(t, run(&out, file), errDeviates)
		require.Contains(t, out.String(), "/v1/idempotency/keys/get answer.none: the contract has it, our answer does not")
	})
	t.Run("MissingFileIsAnError", func(t *testing.T) {
		t.Parallel()
		require.Error(t, run(&strings.Builder{}, filepath.Join(t.TempDir(), "none")))
	})
}
