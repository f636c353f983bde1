package mail_test

import (
	"net/mail"
	"strings"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	letters "github.com/vienkart/vienkart/internal/mail"
	"github.com/vienkart/vienkart/internal/testkit/mailbox"
)

func newMailer(t *testing.T) (*mailbox.Mailbox, *letters.Mailer) {
	t.Helper()
	box, err := mailbox.Open()
	require.NoError(t, err)
	m, err := letters.New(box.URL, "books@example.com")
	require.NoError(t, err)
	return box, m
}

func TestDeliver(t *testing.T) {
	t.Parallel()
	box, m := newMailer(t)
	pdf := []byte("%PDF-1.4\r\n.\r\n\x00\xff")
	require.NoError(t, m.Deliver(t.Context(), letters.Letter{
		To: "ona@example.com", Subject: "Sąskaita VK1", Text: "Laba diena,\nsąskaita prisegta.\n", FromName: "UAB „Žąsis“", ReplyTo: "buhalterija@example.com",
		MessageID: "abc@example.com", Files: []letters.File{{Name: "Sąskaita VK1.pdf", MIMEType: "application/pdf", Content: pdf}},
	}))
	got := box.Messages(t, "ona@example.com")
	require.Len(t, got, 1)
	h := got[0].Header
	from, err := h.AddressList("From")
	require.NoError(t, err)
	require.Equal(t, []*mail.Address{{Name: "UAB „Žąsis“", Address: "books@example.com"}}, from)
	require.Equal(t, "<abc@example.com>", h.Get("Message-ID"))
	require.Equal(t, "<buhalterija@example.com>", h.Get("Reply-To"))
	require.Equal(t, "Laba diena,\r\nsąskaita prisegta.", strings.TrimSpace(got[0].Text))
	require.Equal(t, map[string][]byte{"Sąskaita VK1.pdf": pdf}, got[0].Files)
}

// What people typed ends no header and begins none.
func TestHeadersTakeNoOthers(t *testing.T) {
	t.Parallel()
	box, m := newMailer(t)
	const evil = "A\r\nBcc: thief@example.com\r\n\r\nbody\u2028\x00"
	require.NoError(t, m.Deliver(t.Context(), letters.Letter{
		To: "ona@example.com", Subject: evil, Text: "text", FromName: evil + `" <thief@example.com>, "`, MessageID: "x@example.com\r\nBcc: thief@example.com",
		Files: []letters.File{{Name: "a\"\r\nBcc: thief@example.com\r\n.pdf", MIMEType: "application/pdf", Content: []byte("x")}},
	}))
	got := box.Messages(t, "ona@example.com")
	require.Len(t, got, 1)
	require.Empty(t, got[0].Header["Bcc"])
	from, err := got[0].Header.AddressList("From")
	require.NoError(t, err)
	require.Len(t, from, 1)
	require.Equal(t, "books@example.com", from[0].Address)
	require.Contains(t, got[0].Text, "text")
	for _, to := range []string{"ona@example.com\r\nBcc: thief@example.com", "ona@example.com>\r\nRCPT TO:<thief@example.com", "a@example.com, thief@example.com", ""} {
		require.Error(t, m.Deliver(t.Context(), letters.Letter{To: to, Subject: "A", Text: "text"}), to)
	}
	require.Error(t, m.Deliver(t.Context(), letters.Letter{To: "ona@example.com", ReplyTo: "x\r\nBcc: thief@example.com", Text: "text"}))
	require.Zero(t, box.Count("thief@example.com"))
}

func TestTrouble(t *testing.T) {
	t.Parallel()
	box, m := newMailer(t)
	require.NoError(t, m.Hurry(300*time.Millisecond))
	for to, permanent := range map[string]bool{
		mailbox.Busy + "@example.com": false, mailbox.Unknown + "@example.com": true, mailbox.Hanging + "@example.com": false, mailbox.Cutting + "@example.com": false,
	} {
		l := letters.Letter{To: to, Subject: "A", Text: "text", MessageID: "same@example.com"}
		err := m.Deliver(t.Context(), l)
		require.Error(t, err, to)
		require.Equal(t, permanent, letters.IsPermanent(err), "%s: %v", to, err)
		reason, ok := letters.Reason(err)
		require.True(t, ok, to)
		require.NotContains(t, reason, "127.0.0.1", "where the mail server stands is nobody's business")
		box.Heal(to)
		require.NoError(t, m.Deliver(t.Context(), l), to)
		for _, got := range box.Messages(t, to) {
			require.Equal(t, "<same@example.com>", got.Header.Get("Message-ID"))
		}
	}
	require.Len(t, box.Messages(t, mailbox.Cutting+"@example.com"), 2, "what is not known to have come is sent again")
	closed, err := letters.New("smtp://127.0.0.1:1", "books@example.com")
	require.NoError(t, err)
	err = closed.Deliver(t.Context(), letters.Letter{To: "ona@example.com", Text: "text"})
	require.Error(t, err)
	require.False(t, letters.IsPermanent(err))
	var none *letters.Mailer
	require.ErrorIs(t, none.Deliver(t.Context(), letters.Letter{}), letters.ErrCannotSend)
}

// A letter that the mail server took is not sent again because the connection ends badly after that.
func TestConnectionThatEndsBadly(t *testing.T) {
	t.Parallel()
	box, m := newMailer(t)
	waited, handed := mailbox.Leaving+"1@example.com", mailbox.Leaving+"2@example.com"
	require.NoError(t, m.Deliver(t.Context(), letters.Letter{To: waited, Subject: "A", Text: "text"}))
	m.Send(letters.Letter{To: handed, Subject: "A", Text: "text"})
	m.Close(t.Context())
	require.Len(t, box.Messages(t, waited), 1)
	require.Len(t, box.Messages(t, handed), 1)
}

func TestParseAddress(t *testing.T) {
	t.Parallel()
	for given, want := range map[string]string{
		"ona@example.com": "ona@example.com", " Ona.Žuk@example.com ": "Ona.Žuk@example.com",
		"": "", "ona": "", "Ona <ona@example.com>": "", "<ona@example.com>": "", "a@example.com,b@example.com": "", "a@example.com\nBcc: b@example.com": "",
		"a@example.com\x00": "", "a b@example.com": "", "\"a b\"@example.com": "", strings.Repeat("a", 250) + "@example.com": "",
	} {
		got, err := letters.ParseAddress(given)
		require.Equal(t, want, got, given)
		require.Equal(t, want == "", err != nil, given)
	}
}
