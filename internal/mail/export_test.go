package mail

import (
	"time"

	gomail "github.com/wneessen/go-mail"
)

// Hurry makes the mailer give up early on a mail server that does not answer.
func (m *Mailer) Hurry(d time.Duration) error { return gomail.WithTimeout(d)(m.client) }
