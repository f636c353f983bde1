package mail

import (
	"context"
	"fmt"
	"log/slog"
	"net/url"
	"strconv"
	"sync"
	"time"

	gomail "github.com/wneessen/go-mail"
)

// Limits of sending.
const (
	// maxUnderway bounds the letters under way; past it letters are dropped, and the log says so.
	maxUnderway = 64
	tries       = 3
	tryTimeout  = 20 * time.Second
	// tryPause grows with every try.
	tryPause = 2 * time.Second
)

// Mailer sends letters, or writes them into the log, or does neither: then it is nil.
type Mailer struct {
	client *gomail.Client
	from   string
	under  chan struct{}
	wait   sync.WaitGroup
}

// From is the address that letters are sent from; empty where none leave this server.
func (m *Mailer) From() string {
	if m == nil {
		return ""
	}
	return m.from
}

// New reads the address of the mail server, such as smtp://user:password@mail.example.com:587 (STARTTLS, or plain where
// the server has none) or smtps://mail.example.com (TLS from the start). From is the sender of every letter.
func New(address, from string) (*Mailer, error) {
	u, err := url.Parse(address)
	if err != nil || u.Hostname() == "" || (u.Scheme != "smtp" && u.Scheme != "smtps") {
		return nil, fmt.Errorf("VIENKART_SMTP_URL is not an address such as smtp://user:password@mail.example.com:587 or smtps://mail.example.com")
	}
	message := gomail.NewMsg()
	if err := message.From(from); err != nil {
		return nil, fmt.Errorf("VIENKART_MAIL_FROM is %q; it must be an e-mail address such as books@example.com", from)
	}
	options := []gomail.Option{gomail.WithTimeout(tryTimeout)}
	port := 587
	if u.Scheme == "smtps" {
		port = 465
		options = append(options, gomail.WithSSL())
	} else if u.User == nil {
		options = append(options, gomail.WithTLSPolicy(gomail.TLSOpportunistic))
	} else {
		options = append(options, gomail.WithTLSPolicy(gomail.TLSMandatory)) // a password never goes in clear
	}
	if u.Port() != "" {
		if port, err = strconv.Atoi(u.Port()); err != nil {
			return nil, fmt.Errorf("VIENKART_SMTP_URL names no usable port: %w", err)
		}
	}
	options = append(options, gomail.WithPort(port))
	if password, ok := u.User.Password(); ok {
		options = append(options, gomail.WithSMTPAuth(gomail.SMTPAuthAutoDiscover), gomail.WithUsername(u.User.Username()), gomail.WithPassword(password))
	}
	client, err := gomail.NewClient(u.Hostname(), options...)
	if err != nil {
		return nil, fmt.Errorf("reading VIENKART_SMTP_URL: %w", err)
	}
	return &Mailer{client: client, from: from, under: make(chan struct{}, maxUnderway)}, nil
}

// NewLog writes letters into the log: for a developer's machine alone, since letters hold secrets.
func NewLog() *Mailer {
	return &Mailer{from: "vienkart@localhost", under: make(chan struct{}, maxUnderway)}
}

// CanSend reports whether letters leave this server at all.
func (m *Mailer) CanSend() bool { return m != nil }

// Send hands a letter over and returns at once.
func (m *Mailer) Send(l Letter) {
	switch {
	case m == nil:
		return
	case m.client == nil:
		l.print()
		return
	}
	select {
	case m.under <- struct{}{}:
	default:
		slog.Error("a letter was dropped: too many are under way", "subject", l.Subject)
		return
	}
	m.wait.Go(func() {
		defer func() { <-m.under }()
		if err := m.deliver(l); err != nil {
			slog.Error("a letter was not sent", "error", err, "subject", l.Subject)
		}
	})
}

func (m *Mailer) deliver(l Letter) error {
	if l.MessageID == "" {
		l.MessageID = newMessageID(m.from) // one for all tries
	}
	var err error
	for try := range tries {
		time.Sleep(tryPause * time.Duration(try))
		if err = m.try(context.Background(), l); err == nil || IsPermanent(err) {
			return err
		}
	}
	return err
}

// Close waits for the letters under way, at most until ctx ends.
func (m *Mailer) Close(ctx context.Context) {
	if m == nil {
		return
	}
	done := make(chan struct{})
	go func() { m.wait.Wait(); close(done) }()
	select {
	case <-done:
	case <-ctx.Done():
		slog.Warn("letters under way were given up")
	}
}
