package mail

import (
	"bytes"
	"context"
	"crypto/rand"
	"errors"
	"fmt"
	"log/slog"
	netmail "net/mail"
	"strings"
	"unicode"

	gomail "github.com/wneessen/go-mail"
)

// Letter is a message in plain text. What stands in its head is one line each, whatever is given.
type Letter struct {
	To      string
	Subject string
	Text    string
	// FromName is shown as the sender beside the server's address; empty shows the address alone.
	FromName string
	// ReplyTo is where answers go; empty is the server's address.
	ReplyTo string
	// MessageID stays the same when a letter is sent again, so that it is known for the same one; empty gets a new one.
	MessageID string
	Files     []File
}

// File is a file that goes with a letter.
type File struct {
	Name     string
	MIMEType string
	Content  []byte
}

// ErrCannotSend says that this server sends no letters at all.
var ErrCannotSend = errors.New("no mail server is configured")

// maxAddress is the longest address that mail servers pass on, RFC 5321.
const maxAddress = 254

// ParseAddress reads one address such as name@example.com, without a name and without anything that could begin another header
// or address another mailbox.
func ParseAddress(given string) (string, error) {
	address := strings.TrimSpace(given)
	parsed, err := netmail.ParseAddress(address)
	isPlain := err == nil && parsed.Address == address && len(address) <= maxAddress &&
		!strings.ContainsFunc(address, func(r rune) bool { return unicode.IsControl(r) || unicode.IsSpace(r) })
	if !isPlain {
		return "", errors.New("must be one e-mail address such as name@example.com")
	}
	return address, nil
}

// Domain is the part of an address behind the last @.
func Domain(address string) string { return address[strings.LastIndexByte(address, '@')+1:] }

func newMessageID(from string) string { return rand.Text() + "@" + Domain(from) }

// Deliver sends a letter once and waits for the mail server to take it. An error does not say that nobody got the letter: the
// connection may have broken after the server took it. Where letters are printed, it prints.
func (m *Mailer) Deliver(ctx context.Context, l Letter) error {
	switch {
	case m == nil:
		return ErrCannotSend
	case m.client == nil:
		l.print()
		return nil
	}
	return m.try(ctx, l)
}

func (m *Mailer) try(ctx context.Context, l Letter) error {
	message, err := m.compose(l)
	if err != nil {
		return err
	}
	ctx, cancel := context.WithTimeout(ctx, tryTimeout)
	defer cancel()
	err = m.client.DialAndSendWithContext(ctx, message)
	if err == nil || message.IsDelivered() { // a connection that does not close well has delivered all the same
		return nil
	}
	return fmt.Errorf("%w: %w", errSending, err)
}

func (m *Mailer) compose(l Letter) (*gomail.Msg, error) {
	message := gomail.NewMsg()
	from := netmail.Address{Name: line(l.FromName), Address: m.from}
	if err := message.From(from.String()); err != nil {
		return nil, notComposed(err)
	}
	if err := message.To(l.To); err != nil {
		return nil, notComposed(err)
	}
	if l.ReplyTo != "" {
		if err := message.ReplyTo(l.ReplyTo); err != nil {
			return nil, notComposed(err)
		}
	}
	if l.MessageID == "" {
		l.MessageID = newMessageID(m.from)
	}
	message.SetMessageIDWithValue(line(l.MessageID))
	message.Subject(line(l.Subject))
	message.SetDate()
	message.SetBodyString(gomail.TypeTextPlain, l.Text)
	for _, f := range l.Files {
		if err := message.AttachReader(line(f.Name), bytes.NewReader(f.Content), gomail.WithFileContentType(gomail.ContentType(f.MIMEType))); err != nil {
			return nil, notComposed(err)
		}
	}
	return message, nil
}

// errComposing is a letter that no try can send.
var errComposing = errors.New("the letter cannot be written")

func notComposed(err error) error { return fmt.Errorf("%w: %w", errComposing, err) }

// line makes one line of a text, without characters that could end a header.
func line(s string) string {
	s = strings.Map(func(r rune) rune {
		if unicode.IsControl(r) {
			return ' '
		}
		return r
	}, strings.ToValidUTF8(s, ""))
	return strings.Join(strings.Fields(s), " ")
}

// IsPermanent reports that sending again cannot help: the mail server refused for good, or the letter cannot be written.
func IsPermanent(err error) bool {
	if errors.Is(err, errComposing) {
		return true
	}
	const permanent, end = 500, 600
	refused, ok := errors.AsType[*gomail.SendError](err)
	return ok && refused.ErrorCode() >= permanent && refused.ErrorCode() < end
}

// print writes the letter into the log.
func (l Letter) print() {
	names := make([]string, len(l.Files))
	for i, f := range l.Files {
		names[i] = fmt.Sprintf("%s (%d bytes)", f.Name, len(f.Content))
	}
	slog.Info("NO MAIL SERVER IS CONFIGURED (VIENKART_SMTP_URL), so the letter is printed here; if it has a link, open it yourself",
		"to", l.To, "subject", l.Subject, "text", l.Text, "files", strings.Join(names, ", "))
}

var errSending = errors.New("sending a letter")

// Reason says why a letter was not sent, to whoever asked for it: the answer of the mail server, and nothing of where it stands.
// ok is false for an error that is not one of sending.
func Reason(err error) (text string, ok bool) {
	refused, isRefused := errors.AsType[*gomail.SendError](err)
	switch {
	case isRefused && refused.ErrorCode() > 0:
		return "the mail server answered: " + line(refused.Error()), true
	case errors.Is(err, errComposing):
		return "the letter cannot be written: an address or a name in it is not usable", true
	}
	return "the mail server could not be reached, or broke off", errors.Is(err, errSending)
}
