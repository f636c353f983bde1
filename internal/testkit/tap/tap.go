package tap

import (
	"bufio"
	"context"
	"encoding/binary"
	"fmt"
	"io"
	"net"
	"strings"
	"sync"
	"testing"

	"github.com/stretchr/testify/require"
)

// Tap passes connections on to one server.
type Tap struct {
	target   string
	listener net.Listener
	running  sync.WaitGroup

	mu        sync.Mutex
	kept      []string
	exchanges int
	open      map[net.Conn]bool
}

// Start listens on a free port until the test ends.
func Start(t testing.TB, target string) *Tap {
	t.Helper()
	p, err := Open(t.Context(), target)
	require.NoError(t, err)
	t.Cleanup(p.Close)
	return p
}

// Open listens on a free port until Close.
func Open(ctx context.Context, target string) (*Tap, error) {
	listener, err := new(net.ListenConfig).Listen(ctx, "tcp", "127.0.0.1:0")
	if err != nil {
		return nil, fmt.Errorf("listening for statements: %w", err)
	}
	p := &Tap{target: target, listener: listener, open: map[net.Conn]bool{}}
	p.running.Go(p.accept)
	return p, nil
}

// Close ends every connection.
func (p *Tap) Close() {
	_ = p.listener.Close()
	p.mu.Lock()
	for c := range p.open {
		_ = c.Close()
	}
	p.mu.Unlock()
	p.running.Wait()
}

// Address is where clients connect, host and port.
func (p *Tap) Address() string { return p.listener.Addr().String() }

// Take gives the statements that passed since the last call, in their order.
func (p *Tap) Take() []string {
	statements, _ := p.TakeCounted()
	return statements
}

// TakeCounted is Take that also tells how often the client waited for an answer: statements that travelled together were waited
// for once.
func (p *Tap) TakeCounted() (statements []string, exchanges int) {
	p.mu.Lock()
	defer p.mu.Unlock()
	statements, exchanges = p.kept, p.exchanges
	p.kept, p.exchanges = nil, 0
	return statements, exchanges
}

func (p *Tap) accept() {
	for {
		client, err := p.listener.Accept()
		if err != nil {
			return // closed
		}
		target, err := new(net.Dialer).Dial("tcp", p.target)
		if err != nil {
			_ = client.Close()
			continue
		}
		p.mu.Lock()
		p.open[client], p.open[target] = true, true
		p.mu.Unlock()
		p.running.Go(func() { p.requests(client, target) })
		p.running.Go(func() {
			_, _ = io.Copy(client, target)
			_, _ = client.Close(), target.Close()
		})
	}
}

// The head of a packet: three bytes of length and one that counts the packets of an exchange.
const headSize = 4

// requests passes packets to the server and keeps the statements in them.
func (p *Tap) requests(client, target net.Conn) {
	defer func() { _, _ = client.Close(), target.Close() }()
	in := bufio.NewReader(client)
	head := make([]byte, headSize)
	for {
		if _, err := io.ReadFull(in, head); err != nil {
			return
		}
		size := binary.LittleEndian.Uint32([]byte{head[0], head[1], head[2], 0})
		packet := make([]byte, headSize+size)
		copy(packet, head)
		if _, err := io.ReadFull(in, packet[headSize:]); err != nil {
			return
		}
		const first = 0 // a command begins an exchange; what follows in it is its continuation, or the client signing in
		if head[3] == first && size > 0 {
			p.keep(packet[headSize], string(packet[headSize+1:]))
		}
		if _, err := target.Write(packet); err != nil {
			return
		}
	}
}

// Commands of the protocol that carry a statement, or run one that was prepared.
const (
	commandQuery   = 0x03
	commandPrepare = 0x16
	commandExecute = 0x17
)

func (p *Tap) keep(command byte, text string) {
	switch command {
	case commandQuery:
		if strings.HasPrefix(text, "SET SESSION") || strings.HasPrefix(text, "SET NAMES") {
			return
		}
	case commandPrepare:
		text = "PREPARE " + text
	case commandExecute:
		text = "EXECUTE"
	default:
		return
	}
	p.mu.Lock()
	defer p.mu.Unlock()
	p.exchanges++
	p.kept = append(p.kept, Parted(text)...)
}

// Parted gives the statements of a text that holds several.
func Parted(text string) []string {
	var statements []string
	begin := 0
	for i := 0; i < len(text); {
		switch text[i] {
		case '\'':
			i = afterText(text, i)
			continue
		case ';':
			statements = append(statements, text[begin:i])
			begin = i + 1
		}
		i++
	}
	return append(statements, text[begin:])
}

// Shape is a statement without its values: literals are ?, a list of them is one, and of an INSERT only the columns stay.
func Shape(statement string) string {
	if head, _, found := strings.Cut(statement, ") VALUES"); found && strings.Contains(head, "INSERT INTO ") {
		return strings.Join(strings.Fields(head), " ") + ")"
	}
	var out strings.Builder
	for i := 0; i < len(statement); {
		switch c := statement[i]; {
		case c == '\'':
			i = afterText(statement, i)
			out.WriteByte('?')
		case c >= '0' && c <= '9' && (i == 0 || !inWord(statement[i-1])):
			for i < len(statement) && (inWord(statement[i]) || statement[i] == '.') {
				i++
			}
			out.WriteByte('?')
		default:
			out.WriteByte(c)
			i++
		}
	}
	shape := strings.Join(strings.Fields(strings.ReplaceAll(out.String(), "_binary?", "?")), " ")
	for _, list := range []string{"?,?", "?, ?"} {
		for strings.Contains(shape, list) {
			shape = strings.ReplaceAll(shape, list, "?")
		}
	}
	return shape
}

// afterText is the place after the text that begins at i.
func afterText(s string, i int) int {
	for i++; i < len(s); i++ {
		switch s[i] {
		case '\\':
			i++
		case '\'':
			if i+1 == len(s) || s[i+1] != '\'' {
				return i + 1
			}
			i++
		}
	}
	return i
}

func inWord(c byte) bool {
	return c == '_' || c >= '0' && c <= '9' || c >= 'a' && c <= 'z' || c >= 'A' && c <= 'Z'
}

// Shapes counts statements by shape.
func Shapes(statements []string) map[string]int {
	counts := map[string]int{}
	for _, s := range statements {
		counts[Shape(s)]++
	}
	return counts
}

// Grown lists the shapes that there are more of in the second of two runs, with both counts.
func Grown(before, after []string) map[string][2]int {
	few, many := Shapes(before), Shapes(after)
	grown := map[string][2]int{}
	for shape, n := range many {
		if n > few[shape] {
			grown[shape] = [2]int{few[shape], n}
		}
	}
	return grown
}
