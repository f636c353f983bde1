package files_test

import (
	"context"
	"errors"
	"io/fs"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"github.com/vienkart/vienkart/internal/files"
	"github.com/vienkart/vienkart/internal/tenant"
	"github.com/vienkart/vienkart/internal/testkit"
	"github.com/vienkart/vienkart/internal/testkit/process"
)

var note = files.New{Entity: "note", EntityID: "1", FileName: "a.txt", MIMEType: "text/plain", Content: []byte("text")}

// lying are the regular files of a folder.
func lying(t *testing.T, folder string) []string {
	t.Helper()
	var paths []string
	require.NoError(t, filepath.WalkDir(folder, func(path string, item fs.DirEntry, err error) error {
		if err == nil && item.Type().IsRegular() {
			paths = append(paths, path)
		}
		return err
	}))
	slices.Sort(paths)
	return paths
}

// aged makes files look as old as that.
func aged(t *testing.T, e *testkit.Engine, age time.Duration, paths ...string) {
	t.Helper()
	at := e.Store.Clock().Now().Add(-age)
	for _, path := range paths {
		require.NoError(t, os.Chtimes(path, at, at))
	}
}

// orphaned writes a content whose transaction is never committed, and gives its path.
func orphaned(t *testing.T, folder string, c *testkit.Company) string {
	t.Helper()
	before := lying(t, folder)
	given := errors.New("rolled back")
	require.ErrorIs(t, c.TryMutate(t.Context(), func(ctx context.Context, tx tenant.Tx) error {
		_, err := files.NewDepot(folder).Upload(ctx, tx, note)
		require.NoError(t, err)
		return given
	}), given)
	after := slices.DeleteFunc(lying(t, folder), func(path string) bool { return slices.Contains(before, path) })
	require.Len(t, after, 1)
	return after[0]
}

const old = 25 * time.Hour

func TestSweepRemovesOrphansAlone(t *testing.T) {
	t.Parallel()
	testkit.EachEngine(t, func(t *testing.T, e *testkit.Engine) {
		folder := t.TempDir()
		d, c, other := files.NewDepot(folder), e.Company(t), e.Company(t)
		kept := map[string]*testkit.Company{}
		for _, owner := range []*testkit.Company{c, c, other} {
			before := lying(t, folder)
			_, err := upload(t, d, owner, note)
			require.NoError(t, err)
			for _, path := range lying(t, folder) {
				if !slices.Contains(before, path) {
					kept[path] = owner
				}
			}
		}
		require.Len(t, kept, 3)
		orphan, young := orphaned(t, folder, c), orphaned(t, folder, c)
		place := filepath.Dir(orphan)
		put := func(path string) string {
			require.NoError(t, os.MkdirAll(filepath.Dir(path), 0o750))
			require.NoError(t, os.WriteFile(path, []byte("x"), 0o600))
			return path
		}
		part, youngPart := put(filepath.Join(place, ".part-1")), put(filepath.Join(place, ".part-2"))
		foreign := put(filepath.Join(place, "notes.txt"))
		top := put(filepath.Join(folder, "README"))
		stranger := put(filepath.Join(folder, tenant.NewID().String(), "ab", strings.Repeat("ab", 32)+"."+tenant.NewID().String()))
		// A content under the id of another company's file belongs to no row either.
		var taken string
		for path, owner := range kept {
			if owner == other {
				taken = put(filepath.Join(place, filepath.Base(path)))
			}
		}
		aged(t, e, old, orphan, part, foreign, top, stranger, taken)
		for path := range kept {
			aged(t, e, old, path)
		}
		aged(t, e, old-2*time.Hour, young, youngPart)

		removed, err := d.Sweep(t.Context(), e.System)
		require.NoError(t, err)
		require.Equal(t, 3, removed)
		for _, path := range []string{orphan, part, taken} {
			require.NoFileExists(t, path)
		}
		for _, path := range []string{young, youngPart, foreign, top, stranger} {
			require.FileExists(t, path)
		}
		for path := range kept {
			require.FileExists(t, path)
		}
		again, err := d.Sweep(t.Context(), e.System)
		require.NoError(t, err)
		require.Zero(t, again)
		for _, empty := range []files.Depot{{}, files.NewDepot(filepath.Join(folder, "missing"))} {
			removed, err := empty.Sweep(t.Context(), e.System)
			require.NoError(t, err)
			require.Zero(t, removed)
		}
	})
}

func TestSweepOfManyOrphans(t *testing.T) {
	t.Parallel()
	e := testkit.SQLite(t)
	folder := t.TempDir()
	d, c := files.NewDepot(folder), e.Company(t)
	place := filepath.Join(folder, c.Scope.Company().ID.String(), "ab")
	require.NoError(t, os.MkdirAll(place, 0o750))
	const many = 450 // more than are looked up at once
	for range many {
		path := filepath.Join(place, strings.Repeat("ab", 32)+"."+tenant.NewID().String())
		require.NoError(t, os.WriteFile(path, nil, 0o600))
		aged(t, e, old, path)
	}
	f, err := upload(t, d, c, note)
	require.NoError(t, err)
	aged(t, e, old, lying(t, folder)...)
	removed, err := d.Sweep(t.Context(), e.System)
	require.NoError(t, err)
	require.Equal(t, many, removed)
	_, err = content(t, d, c, f.ID)
	require.NoError(t, err)
}

// A server that is killed between the writing of a content and the commit leaves garbage; one that starts a day later removes it,
// and the retry of the request keeps the file.
func TestKilledBetweenContentAndCommit(t *testing.T) {
	t.Parallel()
	testkit.EachEngine(t, func(t *testing.T, e *testkit.Engine) {
		folder := t.TempDir()
		server := process.Start(t, e, "VIENKART_FILES_DIR="+folder)
		c, _ := server.Company(t, e)
		request := map[string]any{"entity": "note", "entityId": "1", "fileName": "a.txt", "mimeType": "text/plain", "content": "YWJj"}
		_, err := c.Try(t, "/v1/files/upload", request, process.Key("K"), process.Fault("kill-before-commit"))
		require.Error(t, err)
		server.WaitEnd(t)
		garbage := lying(t, folder)
		require.Len(t, garbage, 1, "its row is not there, and the key is free")

		server = process.Start(t, e, "VIENKART_FILES_DIR="+folder)
		c = c.At(server.URL)
		id := c.OK(t, "/v1/files/upload", request, nil, process.Key("K")).ID(t)
		require.Len(t, lying(t, folder), 2, "the garbage is not a day old")
		server.Stop(t)
		aged(t, e, old, lying(t, folder)...)
		server = process.Start(t, e, "VIENKART_FILES_DIR="+folder)
		require.Eventually(t, func() bool { return len(lying(t, folder)) == 1 }, 30*time.Second, 20*time.Millisecond)
		c.At(server.URL).OK(t, "/v1/files/get", map[string]any{"id": id}, nil)
		server.Stop(t)
		process.RequireVerified(t, e)
	})
}
