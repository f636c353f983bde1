package proxy_test

import (
	"bufio"
	"io"
	"net"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"github.com/vienkart/vienkart/internal/clock"
	"github.com/vienkart/vienkart/internal/testkit/proxy"
)

// patience bounds the wait for an answer that must not come.
const patience = 700 * time.Millisecond

// echo answers each line with the same line, and tells which lines it got.
func echo(t *testing.T) (address string, got <-chan string) {
	t.Helper()
	listener, err := new(net.ListenConfig).Listen(t.Context(), "tcp", "127.0.0.1:0")
	require.NoError(t, err)
	t.Cleanup(func() { _ = listener.Close() })
	lines := make(chan string, 100)
	go func() {
		for {
			c, err := listener.Accept()
			if err != nil {
				return
			}
			go func() {
				defer func() { _ = c.Close() }()
				for r := bufio.NewReader(c); ; {
					line, err := r.ReadString('\n')
					if err != nil {
						return
					}
					lines <- line
					_, _ = io.WriteString(c, line)
				}
			}()
		}
	}()
	return listener.Addr().String(), lines
}

type bundle struct {
	proxy *proxy.Proxy
	got   <-chan string
}

func setup(t *testing.T) *bundle {
	t.Helper()
	address, got := echo(t)
	return &bundle{proxy.Start(t, address), got}
}

func (b *bundle) dial(t *testing.T) net.Conn {
	t.Helper()
	c, err := new(net.Dialer).DialContext(t.Context(), "tcp", b.proxy.Address())
	require.NoError(t, err)
	t.Cleanup(func() { _ = c.Close() })
	return c
}

// ask sends a line and reads what comes back of it.
func ask(t *testing.T, c net.Conn, line string) (string, error) {
	t.Helper()
	require.NoError(t, c.SetReadDeadline(clock.System{}.Now().Add(patience)))
	if _, err := io.WriteString(c, line); err != nil {
		return "", err
	}
	answer := make([]byte, len(line))
	n, err := io.ReadFull(c, answer)
	return string(answer[:n]), err
}

func TestProxy(t *testing.T) {
	t.Parallel()
	t.Run("PassesOn", func(t *testing.T) {
		t.Parallel()
		b := setup(t)
		answer, err := ask(t, b.dial(t), "a\n")
		require.NoError(t, err)
		require.Equal(t, "a\n", answer)
	})
	t.Run("CutsRepliesAfterSoManyBytes", func(t *testing.T) {
		t.Parallel()
		b := setup(t)
		c := b.dial(t)
		_, err := ask(t, c, "before\n")
		require.NoError(t, err)
		b.proxy.Set(proxy.CutRepliesAfter(3))
		answer, err := ask(t, c, "after\n")
		require.ErrorIs(t, err, io.ErrUnexpectedEOF)
		require.Equal(t, "aft", answer)
		<-b.got
		require.Equal(t, "after\n", <-b.got, "the target got the whole request")
	})
	t.Run("CutsTheAnswerToAText", func(t *testing.T) {
		t.Parallel()
		b := setup(t)
		c := b.dial(t)
		b.proxy.Set(proxy.CutAnswerTo("COMMIT"))
		answer, err := ask(t, c, "BEGIN\n")
		require.NoError(t, err)
		require.Equal(t, "BEGIN\n", answer)
		answer, err = ask(t, c, "COMMIT\n")
		require.ErrorIs(t, err, io.EOF)
		require.Empty(t, answer)
	})
	t.Run("CutsRequestsAfterSoManyBytes", func(t *testing.T) {
		t.Parallel()
		b := setup(t)
		c := b.dial(t)
		b.proxy.Set(proxy.CutRequestsAfter(10))
		answer, err := ask(t, c, "before\n")
		require.NoError(t, err)
		require.Equal(t, "before\n", answer)
		_, err = ask(t, c, "after\n")
		require.Error(t, err)
		require.Equal(t, "before\n", <-b.got)
		select {
		case line := <-b.got:
			t.Fatalf("the target got %q", line)
		case <-time.After(patience):
		}
	})
	t.Run("CutsBeforeAText", func(t *testing.T) {
		t.Parallel()
		b := setup(t)
		c := b.dial(t)
		b.proxy.Set(proxy.CutBefore("COMMIT").Then(proxy.Pass()))
		_, err := ask(t, c, "BEGIN\n")
		require.NoError(t, err)
		_, err = ask(t, c, "COMMIT\n")
		require.Error(t, err)
		_, err = ask(t, b.dial(t), "COMMIT again\n")
		require.NoError(t, err)
		require.Equal(t, "BEGIN\n", <-b.got)
		require.Equal(t, "COMMIT again\n", <-b.got)
	})
	t.Run("OneRuleFollowsTheOther", func(t *testing.T) {
		t.Parallel()
		b := setup(t)
		first, second := b.dial(t), b.dial(t)
		b.proxy.Set(proxy.CutAnswerTo("COMMIT").Then(proxy.Pass()))
		_, err := ask(t, first, "COMMIT\n")
		require.Error(t, err)
		answer, err := ask(t, second, "COMMIT\n")
		require.NoError(t, err)
		require.Equal(t, "COMMIT\n", answer)
	})
	t.Run("BlackHoleKeepsTheConnection", func(t *testing.T) {
		t.Parallel()
		b := setup(t)
		c := b.dial(t)
		b.proxy.Set(proxy.BlackHole())
		_, err := ask(t, c, "lost\n")
		timeout, ok := err.(net.Error) //nolint:errorlint // as the reader returned it
		require.True(t, ok && timeout.Timeout(), "%v", err)
		b.proxy.Set(proxy.Pass())
		answer, err := ask(t, c, "back\n")
		require.NoError(t, err)
		require.Equal(t, "back\n", answer)
	})
	t.Run("LosesTheAnswerToAText", func(t *testing.T) {
		t.Parallel()
		b := setup(t)
		c := b.dial(t)
		b.proxy.Set(proxy.LoseAnswerTo("COMMIT").Then(proxy.Pass()))
		_, err := ask(t, c, "COMMIT\n")
		timeout, ok := err.(net.Error) //nolint:errorlint // as the reader returned it
		require.True(t, ok && timeout.Timeout(), "%v", err)
		_, err = ask(t, c, "SELECT\n")
		require.Error(t, err, "what follows a lost reply would come in its place")
		answer, err := ask(t, b.dial(t), "SELECT\n")
		require.NoError(t, err)
		require.Equal(t, "SELECT\n", answer)
	})
	t.Run("RefusesNewConnections", func(t *testing.T) {
		t.Parallel()
		b := setup(t)
		b.proxy.Set(proxy.Refuse())
		_, err := ask(t, b.dial(t), "a\n")
		require.Error(t, err)
	})
	t.Run("ResetBreaksOpenConnections", func(t *testing.T) {
		t.Parallel()
		b := setup(t)
		c := b.dial(t)
		_, err := ask(t, c, "a\n")
		require.NoError(t, err)
		b.proxy.Reset()
		_, err = ask(t, c, "b\n")
		require.Error(t, err)
		_, err = ask(t, b.dial(t), "c\n")
		require.NoError(t, err)
	})
}
