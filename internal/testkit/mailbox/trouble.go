package mailbox

import (
	"bytes"
	"encoding/base64"
	"io"
	"mime"
	"mime/multipart"
	"mime/quotedprintable"
	"net/mail"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"
)

// Beginnings of addresses that this mail server has trouble with, until Heal.
const (
	// Busy addresses are refused for now, and Unknown ones for good.
	Busy    = "busy"
	Unknown = "unknown"
	// Hanging addresses get no answer after their letter, which is not kept; for Cutting ones the letter is kept and the
	// connection cut before the answer. For Leaving ones it is cut right after the answer, so that it does not end well.
	Hanging = "hanging"
	Cutting = "cutting"
	Leaving = "leaving"
)

// Heal ends the trouble with an address.
func (m *Mailbox) Heal(to string) {
	m.mu.Lock()
	defer m.mu.Unlock()
	m.well[to] = true
}

func (m *Mailbox) misbehaves(trouble, to string) bool {
	m.mu.Lock()
	defer m.mu.Unlock()
	return strings.HasPrefix(to, trouble) && !m.well[to]
}

func (m *Mailbox) receive(to string) string {
	switch {
	case m.misbehaves(Busy, to):
		return "451 try again later"
	case m.misbehaves(Unknown, to):
		return "550 no such mailbox"
	}
	return "250 ok"
}

// Message is a letter taken apart.
type Message struct {
	Header mail.Header
	Text   string
	// Files are the attachments by name.
	Files map[string][]byte
}

// Messages are all letters that somebody was ever sent, in the order they came.
func (m *Mailbox) Messages(t testing.TB, to string) []Message {
	t.Helper()
	m.mu.Lock()
	whole := append([]string(nil), m.whole[to]...)
	m.mu.Unlock()
	all := make([]Message, len(whole))
	for i, data := range whole {
		all[i] = takeApart(t, data)
	}
	return all
}

func takeApart(t testing.TB, data string) Message {
	t.Helper()
	read, err := mail.ReadMessage(strings.NewReader(data))
	require.NoError(t, err)
	out := Message{Header: read.Header, Files: map[string][]byte{}}
	media, params, err := mime.ParseMediaType(read.Header.Get("Content-Type"))
	require.NoError(t, err)
	if !strings.HasPrefix(media, "multipart/") {
		out.Text = string(body(t, read.Header.Get("Content-Transfer-Encoding"), read.Body))
		return out
	}
	parts := multipart.NewReader(read.Body, params["boundary"])
	for {
		part, err := parts.NextRawPart()
		if err == io.EOF {
			return out
		}
		require.NoError(t, err)
		content := body(t, part.Header.Get("Content-Transfer-Encoding"), part)
		if name := part.FileName(); name != "" {
			decoded, err := new(mime.WordDecoder).DecodeHeader(name)
			require.NoError(t, err)
			out.Files[decoded] = content
		} else {
			out.Text = string(content)
		}
	}
}

func body(t testing.TB, encoding string, r io.Reader) []byte {
	t.Helper()
	content, err := io.ReadAll(r)
	require.NoError(t, err)
	switch strings.ToLower(encoding) {
	case "quoted-printable":
		content, err = io.ReadAll(quotedprintable.NewReader(bytes.NewReader(content)))
	case "base64":
		content, err = base64.StdEncoding.DecodeString(strings.Join(strings.Fields(string(content)), ""))
	}
	require.NoError(t, err)
	return content
}
