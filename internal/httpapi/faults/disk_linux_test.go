package faults_test

import (
	"os"
	"path/filepath"
	"syscall"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"github.com/vienkart/vienkart/internal/testkit"
	"github.com/vienkart/vienkart/internal/testkit/mysqltest"
)

// fullFor is how long the disk stays full.
const fullFor = time.Second

// TestFullDisk fills the disk of the database while clients work, and makes room again: until then mutations are refused as
// retryable, and nothing of them is kept.
func TestFullDisk(t *testing.T) {
	t.Parallel()
	t.Run("SQLite", func(t *testing.T) {
		t.Parallel()
		folder := smallDisk(t, "32M")
		e := testkit.SQLiteIn(t, folder)
		fillUnderLoad(t, e, folder, func() {})
	})
	t.Run("MySQL", func(t *testing.T) {
		t.Parallel()
		folder := smallDisk(t, "192M")
		database := mysqltest.Crash(t, folder)
		e := testkit.OnServer(t, database.Server)
		fillUnderLoad(t, e, folder, func() {
			ended, err := database.Revive(t.Context())
			require.NoError(t, err)
			if ended {
				t.Log("the database did not outlive the full disk, and was started again")
			}
		})
	})
}

func fillUnderLoad(t *testing.T, e *testkit.Engine, folder string, revive func()) {
	t.Helper()
	r := newRig(t, e, e, fleet(e)...)
	r.underLoad(2, func() {
		empty := fill(t, folder)
		time.Sleep(fullFor)
		empty()
		revive()
	})
	require.Positive(t, r.unavailable.Load(), "nobody noticed")
}

// smallDisk mounts a file system of a size in memory until the test ends.
func smallDisk(t *testing.T, size string) string {
	t.Helper()
	folder := filepath.Join(t.TempDir(), "disk")
	require.NoError(t, os.Mkdir(folder, 0o700))
	if err := syscall.Mount("tmpfs", folder, "tmpfs", 0, "size="+size); err != nil {
		t.Skipf("NOT TESTED WITH A FULL DISK: mounting a small file system needs root: %v", err)
	}
	t.Cleanup(func() { require.NoError(t, syscall.Unmount(folder, syscall.MNT_DETACH)) })
	return folder
}

// fill takes all the room there is, and gives it back when told.
func fill(t *testing.T, folder string) (empty func()) {
	t.Helper()
	path := filepath.Join(folder, "ballast")
	ballast, err := os.Create(path)
	require.NoError(t, err)
	piece := make([]byte, 1<<16)
	for size := len(piece); size > 0; {
		if _, err = ballast.Write(piece[:size]); err != nil {
			require.ErrorIs(t, err, syscall.ENOSPC)
			size /= 2
		}
	}
	require.NoError(t, ballast.Close())
	return func() { require.NoError(t, os.Remove(path)) }
}
