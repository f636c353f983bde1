package mail_test

import (
	"bytes"
	"context"
	"log/slog"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/vienkart/vienkart/internal/mail"
	"github.com/vienkart/vienkart/internal/testkit/mailbox"
)

func TestSend(t *testing.T) {
	t.Parallel()
	box, err := mailbox.Open()
	require.NoError(t, err)
	m, err := mail.New(box.URL, "books@example.com")
	require.NoError(t, err)
	require.True(t, m.CanSend())
	m.Send(mail.Letter{To: "ona@example.com", Subject: "Sąskaita", Text: "Ačiū!\r\n.\r\nhttp://x/login?token=abc-_1"})
	m.Close(context.Background())
	require.Equal(t, 1, box.Count("ona@example.com"))
	require.Contains(t, box.Letter(t, "ona@example.com"), "Ačiū!")
}

func TestSubjectsAddNoHeaders(t *testing.T) {
	t.Parallel()
	box, err := mailbox.Open()
	require.NoError(t, err)
	m, err := mail.New(box.URL, "books@example.com")
	require.NoError(t, err)
	m.Send(mail.Letter{To: "ona@example.com", Subject: "A\r\nBcc: thief@example.com", Text: "text"})
	m.Send(mail.Letter{To: "ona@example.com>\r\nRCPT TO:<thief@example.com", Subject: "A", Text: "text"})
	m.Close(context.Background())
	require.Zero(t, box.Count("thief@example.com"))
}

func TestNobodySends(t *testing.T) {
	t.Parallel()
	var m *mail.Mailer
	require.False(t, m.CanSend())
	m.Send(mail.Letter{})
	m.Close(context.Background())
}

func TestNew(t *testing.T) {
	t.Parallel()
	for address, fault := range map[string]string{
		"smtps://mail.example.com":                     "",
		"smtp://user:password@mail.example.com:2525":   "",
		"mail.example.com":                             "VIENKART_SMTP_URL",
		"http://mail.example.com":                      "VIENKART_SMTP_URL",
		"smtp://":                                      "VIENKART_SMTP_URL",
		"smtp://user:secret-password@mail.example:x25": "VIENKART_SMTP_URL",
	} {
		_, err := mail.New(address, "books@example.com")
		if fault == "" {
			require.NoError(t, err, address)
			continue
		}
		require.ErrorContains(t, err, fault, address)
		require.NotContains(t, err.Error(), "secret-password", "an error shows no password")
	}
	_, err := mail.New("smtp://mail.example.com", "nobody")
	require.ErrorContains(t, err, "VIENKART_MAIL_FROM")
}

func TestLog(t *testing.T) { //nolint:paralleltest // it takes the log of the process
	var log bytes.Buffer
	before := slog.Default()
	slog.SetDefault(slog.New(slog.NewTextHandler(&log, nil)))
	defer slog.SetDefault(before)
	mail.NewLog().Send(mail.Letter{To: "ona@example.com", Text: "http://x?token=1"})
	require.Contains(t, log.String(), "NO MAIL SERVER IS CONFIGURED")
	require.Contains(t, log.String(), "http://x?token=1")
}
