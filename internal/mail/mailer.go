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

// Letter is a message in plain text.
type Letter struct {
	To      string
	Subject string
	Text    string
}

// Mailer sends letters, or writes them into the log, or does neither: then it is nil.
type Mailer struct {
	client *gomail.Client
	from   string
	under  chan struct{}
	wait   sync.WaitGroup
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
func NewLog() *Mailer { return &Mailer{under: make(chan struct{}, maxUnderway)} }

// CanSend reports whether letters leave this server at all.
func (m *Mailer) CanSend() bool { return m != nil }

// Send hands a letter over and returns at once.
func (m *Mailer) Send(l Letter) {
	switch {
	case m == nil:
		return
	case m.client == nil:
		slog.Info("NO MAIL SERVER IS CONFIGURED (VIENKART_SMTP_URL), so the letter is printed here: open the link in it yourself",
			"to", l.To, "subject", l.Subject, "text", l.Text)
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
	message := gomail.NewMsg()
	if err := message.From(m.from); err != nil {
		return fmt.Errorf("writing a letter: %w", err)
	}
	if err := message.To(l.To); err != nil {
		return fmt.Errorf("writing a letter: %w", err)
	}
	message.Subject(l.Subject)
	message.SetDate()
	message.SetMessageID()
	message.SetBodyString(gomail.TypeTextPlain, l.Text)
	var err error
	for try := range tries {
		time.Sleep(tryPause * time.Duration(try))
		ctx, cancel := context.WithTimeout(context.Background(), tryTimeout)
		err = m.client.DialAndSendWithContext(ctx, message)
		cancel()
		if err == nil {
			return nil
		}
	}
	return fmt.Errorf("sending a letter: %w", err)
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
