package proxy

import (
	"net"
	"sync"
	"sync/atomic"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"github.com/vienkart/vienkart/internal/clock"
)

// Proxy passes connections on to one target.
type Proxy struct {
	target   string
	listener net.Listener
	rule     atomic.Pointer[Rule]
	running  sync.WaitGroup

	mu   sync.Mutex
	open map[*connection]bool
}

// Start listens on a free port until the test ends, and passes everything on until another rule is set.
func Start(t testing.TB, target string) *Proxy {
	t.Helper()
	listener, err := new(net.ListenConfig).Listen(t.Context(), "tcp", "127.0.0.1:0")
	require.NoError(t, err)
	p := &Proxy{target: target, listener: listener, open: map[*connection]bool{}}
	p.Set(Pass())
	p.running.Go(p.accept)
	t.Cleanup(func() {
		_ = listener.Close()
		p.Reset()
		p.running.Wait()
	})
	return p
}

// Address is where clients connect, host and port.
func (p *Proxy) Address() string { return p.listener.Addr().String() }

// Set makes a rule hold from now on.
func (p *Proxy) Set(r Rule) { p.rule.Store(&r) }

// Reset breaks every open connection as a crash of the network does.
func (p *Proxy) Reset() {
	p.mu.Lock()
	defer p.mu.Unlock()
	for c := range p.open {
		c.reset()
	}
}

func (p *Proxy) accept() {
	for {
		client, err := p.listener.Accept()
		if err != nil {
			return // the test ends
		}
		p.running.Go(func() { p.serve(client) })
	}
}

// connection is one client with its own connection to the target.
type connection struct {
	client, target net.Conn
	request        atomic.Value // what the client sent last, as []byte
	rule           *Rule        // the one that passed counts under
	passed         int64
	silent         bool  // a reply was lost, and what follows it with it
	sendRule       *Rule // the one that sent counts under
	sent           int64
}

func (p *Proxy) serve(client net.Conn) {
	target, err := new(net.Dialer).Dial("tcp", p.target)
	if err != nil || p.rule.Load().refuse {
		_ = client.Close()
		if err == nil {
			_ = target.Close()
		}
		return
	}
	c := &connection{client: client, target: target}
	p.mu.Lock()
	p.open[c] = true
	p.mu.Unlock()
	p.running.Go(func() { p.requests(c) })
	p.replies(c)
	c.close()
	p.mu.Lock()
	delete(p.open, c)
	p.mu.Unlock()
}

// pieceSize is the most that one read passes on.
const pieceSize = 64 << 10

func (p *Proxy) requests(c *connection) {
	defer c.close()
	piece := make([]byte, pieceSize)
	for {
		n, err := c.client.Read(piece)
		if n > 0 {
			c.request.Store(append([]byte(nil), piece[:n]...))
			rule := p.rule.Load()
			if rule != c.sendRule {
				c.sendRule, c.sent = rule, 0
			}
			request, stops := rule.stops(c, piece[:n])
			c.sent += int64(len(request))
			if stops && rule.then != nil {
				p.rule.CompareAndSwap(rule, rule.then)
			}
			if _, err := c.target.Write(request); err != nil || stops {
				return
			}
		}
		if err != nil {
			return
		}
	}
}

func (p *Proxy) replies(c *connection) {
	piece := make([]byte, pieceSize)
	for {
		n, err := c.target.Read(piece)
		if err != nil {
			return
		}
		rule := p.rule.Load()
		if rule != c.rule {
			c.rule, c.passed = rule, 0
		}
		if c.silent || rule.loses(c) {
			c.silent = c.silent || rule.loseAnswer != nil
			if rule.then != nil {
				p.rule.CompareAndSwap(rule, rule.then)
			}
			continue
		}
		time.Sleep(rule.delay)
		reply, ends := rule.ends(c, piece[:n])
		c.passed += int64(len(reply))
		if ends && rule.then != nil {
			p.rule.CompareAndSwap(rule, rule.then)
		}
		if _, err := c.client.Write(reply); err != nil || ends {
			if rule.cutAnswer != nil {
				c.finish()
			}
			return
		}
	}
}

// quiet is how long the target says nothing when it has done all that it was asked.
const quiet = 300 * time.Millisecond

// finish lets the target do the rest of what it was asked: several replies come to several statements.
func (c *connection) finish() {
	piece := make([]byte, pieceSize)
	for {
		_ = c.target.SetReadDeadline(clock.System{}.Now().Add(quiet))
		if _, err := c.target.Read(piece); err != nil {
			return
		}
	}
}

func (c *connection) close() {
	_ = c.client.Close()
	_ = c.target.Close()
}

func (c *connection) reset() {
	for _, side := range []net.Conn{c.client, c.target} {
		if tcp, ok := side.(*net.TCPConn); ok {
			_ = tcp.SetLinger(0)
		}
	}
	c.close()
}
