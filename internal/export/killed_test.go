package export

import (
	"bufio"
	"context"
	"fmt"
	"os"
	"os/exec"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"github.com/vienkart/vienkart/internal/clock"
	"github.com/vienkart/vienkart/internal/database"
	"github.com/vienkart/vienkart/internal/tenant"
	"github.com/vienkart/vienkart/internal/testkit"
)

// childDatabase tells a run of this test binary that it is the worker to be killed, and on which database.
const childDatabase = "VIENKART_TEST_EXPORT_WORKER"

func TestMain(m *testing.M) {
	if url := os.Getenv(childDatabase); url != "" {
		if err := workToTheMiddle(url); err != nil {
			fmt.Fprintln(os.Stderr, err)
			os.Exit(1)
		}
		return
	}
	os.Exit(m.Run())
}

// workToTheMiddle works as a server does, says when it is in the middle of a file, and never gets further.
func workToTheMiddle(url string) error {
	db, err := database.Open(context.Background(), url, database.Options{})
	if err != nil {
		return err
	}
	b := &bench{Engine: &testkit.Engine{}}
	b.during = func(ctx context.Context, w Writer) error {
		if err := w.Table("rows", Column{Title: "A", Width: 1}); err != nil {
			return err
		}
		if err := w.Row("half", []any{"half"}); err != nil {
			return err
		}
		_, _ = fmt.Fprintln(os.Stdout, "half")
		<-ctx.Done()
		return ctx.Err()
	}
	w := &Worker{
		System: tenant.NewSystem(tenant.NewStore(db, clock.System{})), Reports: b.reports(), Lease: time.Second, Poll: 10 * time.Millisecond,
	}
	w.Run(context.Background())
	return nil
}

// The process that makes a file is killed in the middle. Another one takes over when the lease has passed.
func testKilledProcess(t *testing.T, b *bench) {
	c := b.books(t)
	id := order(t, b, c, "held", CSV)
	command := exec.Command(os.Args[0])
	command.Env = append(os.Environ(), childDatabase+"="+b.URL)
	command.Stderr = os.Stderr
	output, err := command.StdoutPipe()
	require.NoError(t, err)
	require.NoError(t, command.Start())
	line, err := bufio.NewReader(output).ReadString('\n')
	require.NoError(t, err)
	require.Equal(t, "half\n", line)
	require.Equal(t, ShownStatus(Running), card(t, c, id).Status)
	require.False(t, b.run(t), "it is with the other process")
	require.NoError(t, command.Process.Kill())
	_ = command.Wait()
	require.Zero(t, files(t, c), "no half file")

	deadline := time.After(20 * time.Second)
	for !b.run(t) {
		select {
		case <-deadline:
			t.Fatal("nobody takes over")
		case <-time.After(50 * time.Millisecond):
		}
	}
	require.Equal(t, ShownStatus(Completed), card(t, c, id).Status)
	require.NotContains(t, content(t, c, id), "half")
	events, _ := told(t, c, id)
	require.Equal(t, []string{"report.completed"}, events)
}
