package main

import (
	"context"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"github.com/vienkart/vienkart/internal/testkit"
	"github.com/vienkart/vienkart/internal/testkit/process"
)

// previousBudget bounds building the release before; most of it comes out of the build cache.
const previousBudget = 3 * time.Minute

// git asks the repository; ok is false where there is none, or no git.
func git(ctx context.Context, arguments ...string) (said string, ok bool) {
	out, err := exec.CommandContext(ctx, "git", append([]string{"-C", "../.."}, arguments...)...).Output()
	return strings.TrimSpace(string(out)), err == nil
}

// previousRelease names what servers of the release before run: the last tag, and before the first one the code that the newest
// migration found.
func previousRelease(t *testing.T) string {
	t.Helper()
	if testing.Short() {
		t.Skip("builds another server")
	}
	ctx := t.Context()
	if shallow, ok := git(ctx, "rev-parse", "--is-shallow-repository"); !ok || shallow != "false" {
		t.Skip("THE HISTORY IS NOT HERE (shallow clone, or no git), so the release before is not tried on this schema")
	}
	if tag, ok := git(ctx, "describe", "--tags", "--abbrev=0", "--match", "v*"); ok {
		return tag
	}
	if changed, ok := git(ctx, "status", "--porcelain", "--", "migrations"); ok && changed != "" {
		return "HEAD" // the newest migration is not committed yet
	}
	newest, ok := git(ctx, "log", "-1", "--format=%H", "--", "migrations")
	require.True(t, ok)
	return newest + "^"
}

// buildPrevious builds the server of a commit.
func buildPrevious(t *testing.T, commit string) string {
	t.Helper()
	ctx, cancel := context.WithTimeout(t.Context(), previousBudget)
	defer cancel()
	folder := t.TempDir()
	archive := filepath.Join(folder, "source.tar")
	_, ok := git(ctx, "archive", "--format=tar", "--output="+archive, commit)
	require.True(t, ok, "taking the sources of %s", commit)
	unpack := exec.CommandContext(ctx, "tar", "-xf", archive, "-C", folder)
	out, err := unpack.CombinedOutput()
	require.NoError(t, err, string(out))
	binary := filepath.Join(folder, "previous-server")
	build := exec.CommandContext(ctx, "go", "build", "-o", binary, "./cmd/server")
	build.Dir = folder
	build.Env = append(os.Environ(), "GOFLAGS=")
	out, err = build.CombinedOutput()
	require.NoError(t, err, string(out))
	return binary
}

// During an update servers of the release before work on the schema of this one. So they must get ready, book, and know the
// keys that the other release has answered.
func TestPreviousReleaseWorksOnThisSchema(t *testing.T) {
	t.Parallel()
	binary := buildPrevious(t, previousRelease(t))
	testkit.EachEngine(t, func(t *testing.T, e *testkit.Engine) {
		const issue = "/v1/sales/invoices/issue"
		old := process.StartBinary(t, binary, e)
		client, company := old.Company(t, e)
		partner := client.OK(t, "/v1/partners/create", map[string]any{"name": "UAB Pirmas"}, nil).ID(t)
		draft := func() map[string]any {
			id := client.OK(t, "/v1/sales/invoices/create", map[string]any{
				"partnerId": partner, "lines": []any{map[string]any{"description": "Paslauga", "unitPriceExclVat": "100.00"}},
			}, nil).ID(t)
			return map[string]any{"id": id}
		}
		first := draft()
		answer := client.Post(t, issue, first, process.Key("first"))
		require.Equal(t, 200, answer.Status, string(answer.Body))
		require.Equal(t, answer.Body, client.Post(t, issue, first, process.Key("first")).Body, "a replay")
		second := draft()
		old.Stop(t)

		now := process.Start(t, e)
		client = client.At(now.URL)
		require.Equal(t, answer.Body, client.Post(t, issue, first, process.Key("first")).Body, "replayed by this release")
		answer = client.Post(t, issue, second, process.Key("second"))
		require.Equal(t, 200, answer.Status, string(answer.Body))
		now.Stop(t)

		old = process.StartBinary(t, binary, e)
		require.Equal(t, answer.Body, client.At(old.URL).Post(t, issue, second, process.Key("second")).Body, "and the other way")
		old.Stop(t)
		company.RequireBalanced(t)
		process.RequireVerified(t, e)
	})
}
