package webui_test

import (
	"net/http"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/vienkart/vienkart/internal/testkit"
	"github.com/vienkart/vienkart/internal/testkit/process"
)

// TestServerServesThePages asks the real process: that the pages are mounted is the business of cmd/server.
func TestServerServesThePages(t *testing.T) {
	t.Parallel()
	if testing.Short() {
		t.Skip("building the server takes seconds")
	}
	server := process.Start(t, testkit.SQLite(t))
	for _, at := range []string{"/", "/ui/sign-in", "/healthz"} {
		r, err := http.NewRequestWithContext(t.Context(), http.MethodGet, server.URL+at, http.NoBody)
		require.NoError(t, err)
		w, err := http.DefaultClient.Do(r)
		require.NoError(t, err)
		require.NoError(t, w.Body.Close())
		require.Equal(t, http.StatusOK, w.StatusCode, at)
	}
}
