package mailbox

import (
	"bufio"
	"fmt"
	"io"
	"mime/quotedprintable"
	"net"
	"net/mail"
	"regexp"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/stretchr/testify/require"
)

// patience bounds the wait for a letter.
const patience = 10 * time.Second

// Mailbox takes letters for everybody.
type Mailbox struct {
	// URL is its address for VIENKART_SMTP_URL.
	URL string

	mu      sync.Mutex
	arrived *sync.Cond
	letters map[string][]string
	whole   map[string][]string
	well    map[string]bool
}

// Open listens until the process ends.
func Open() (*Mailbox, error) {
	listener, err := net.Listen("tcp", "127.0.0.1:0")
	if err != nil {
		return nil, fmt.Errorf("opening a mailbox: %w", err)
	}
	m := &Mailbox{URL: "smtp://" + listener.Addr().String(), letters: map[string][]string{}, whole: map[string][]string{}, well: map[string]bool{}}
	m.arrived = sync.NewCond(&m.mu)
	go func() {
		for {
			connection, err := listener.Accept()
			if err != nil {
				return
			}
			go m.serve(connection)
		}
	}()
	return m, nil
}

func (m *Mailbox) serve(connection net.Conn) {
	defer func() { _ = connection.Close() }()
	lines := bufio.NewReader(connection)
	answer := func(text string) { _, _ = io.WriteString(connection, text+"\r\n") }
	answer("220 mailbox")
	to := ""
	for {
		line, err := lines.ReadString('\n')
		if err != nil {
			return
		}
		switch verb := strings.ToUpper(line); {
		case strings.HasPrefix(verb, "QUIT"):
			answer("221 bye")
			return
		case strings.HasPrefix(verb, "RCPT TO:"):
			to = strings.Trim(strings.TrimSpace(line[len("RCPT TO:"):]), "<>")
			answer(m.receive(to))
		case strings.HasPrefix(verb, "DATA"):
			answer("354 go on")
			data := readData(lines)
			if m.misbehaves(Hanging, to) {
				_, _ = lines.ReadString('\n') // until the sender gives up
				return
			}
			m.keep(to, data)
			if m.misbehaves(Cutting, to) {
				return
			}
			answer("250 ok")
			if m.misbehaves(Leaving, to) {
				return
			}
		default:
			answer("250 ok")
		}
	}
}

func readData(lines *bufio.Reader) string {
	var data strings.Builder
	for {
		line, err := lines.ReadString('\n')
		if err != nil || line == ".\r\n" {
			return data.String()
		}
		data.WriteString(strings.TrimPrefix(line, "."))
	}
}

func (m *Mailbox) keep(to, data string) {
	text := data
	if message, err := mail.ReadMessage(strings.NewReader(data)); err == nil {
		body := message.Body
		if strings.EqualFold(message.Header.Get("Content-Transfer-Encoding"), "quoted-printable") {
			body = quotedprintable.NewReader(body)
		}
		if b, err := io.ReadAll(body); err == nil {
			text = string(b)
		}
	}
	m.mu.Lock()
	defer m.mu.Unlock()
	m.letters[to] = append(m.letters[to], text)
	m.whole[to] = append(m.whole[to], data)
	m.arrived.Broadcast()
}

// Letter waits for a letter to somebody and takes it out of the box.
func (m *Mailbox) Letter(t testing.TB, to string) string {
	t.Helper()
	timer := time.AfterFunc(patience, m.arrived.Broadcast)
	defer timer.Stop()
	deadline := time.NewTimer(patience)
	defer deadline.Stop()
	m.mu.Lock()
	defer m.mu.Unlock()
	for len(m.letters[to]) == 0 {
		select {
		case <-deadline.C:
			require.Fail(t, "no letter came to "+to)
		default:
		}
		m.arrived.Wait()
	}
	letter := m.letters[to][0]
	m.letters[to] = m.letters[to][1:]
	return letter
}

// Count is how many letters to somebody lie in the box.
func (m *Mailbox) Count(to string) int {
	m.mu.Lock()
	defer m.mu.Unlock()
	return len(m.letters[to])
}

var link = regexp.MustCompile(`https?://\S+[?&]token=([A-Za-z0-9_-]+)`)

// Token waits for a letter and gives the token of the link in it.
func (m *Mailbox) Token(t testing.TB, to string) string {
	t.Helper()
	letter := m.Letter(t, to)
	found := link.FindStringSubmatch(letter)
	require.NotNil(t, found, "no link in:\n%s", letter)
	return found[1]
}
