package letter_test

import (
	"context"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"github.com/vienkart/vienkart/internal/invoice/letter"
	"github.com/vienkart/vienkart/internal/tenant"
	"github.com/vienkart/vienkart/internal/testkit"
	"github.com/vienkart/vienkart/internal/testkit/mailbox"
	"github.com/vienkart/vienkart/internal/testkit/process"
)

// crashes is how often the server is killed between the mail server's taking of a letter and writing that down.
const crashes = 5

const (
	patience = time.Minute
	glance   = 20 * time.Millisecond
)

// claimsRunOut is the time that a dead server's claims take to run out.
func (s *shop) claimsRunOut(t *testing.T) {
	t.Helper()
	s.Mutate(t, func(ctx context.Context, tx tenant.Tx) error {
		_, err := tenant.Exec(ctx, tx, "UPDATE sales_letters SET claimed_at = '2026-01-01 00:00:00.000000' WHERE company_id = @company AND claim IS NOT NULL")
		return err
	})
}

// The server is killed as kill -9 does: no letter is lost, and those that come twice bear the same Message-ID.
func TestKilledBetweenSendAndMark(t *testing.T) {
	t.Parallel()
	eachEngine(t, func(t *testing.T, e *testkit.Engine) {
		s := newShop(t, e)
		environment := []string{"VIENKART_SMTP_URL=" + s.box.URL, "VIENKART_MAIL_FROM=books@example.com"}
		id := s.issued(t)
		s.queue(t, letter.QueueInput{InvoiceID: id})
		for range crashes {
			server := process.Start(t, e, append(environment, "VIENKART_FAULT=kill-letter-after-send:1")...)
			server.WaitEnd(t)
			require.Equal(t, letter.StatusQueued, s.letters(t, id)[0].Status)
			s.claimsRunOut(t)
		}
		server := process.Start(t, e, environment...)
		l := s.only(t, id, status(letter.StatusSent))
		server.Stop(t)
		require.Equal(t, crashes+1, l.Attempts)
		got := s.box.Messages(t, "ona"+s.at)
		require.Len(t, got, crashes+1)
		for _, m := range got {
			require.Equal(t, "<"+l.MessageID+">", m.Header.Get("Message-ID"))
			require.Equal(t, got[0].Files, m.Files, "the same PDF each time")
		}
		_, events := s.traces(t)
		require.Len(t, events, 1)
		process.RequireVerified(t, e)
	})
}

// A mail server that hangs holds nothing up but its own letter, and a server killed while it hangs loses none.
func TestKilledWhileTheMailServerHangs(t *testing.T) {
	t.Parallel()
	eachEngine(t, func(t *testing.T, e *testkit.Engine) {
		s := newShop(t, e)
		hanging := mailbox.Hanging + s.at
		id, other := s.issued(t), s.issued(t)
		s.queue(t, letter.QueueInput{InvoiceID: id, To: hanging})
		server := process.Start(t, e, "VIENKART_SMTP_URL="+s.box.URL, "VIENKART_MAIL_FROM=books@example.com")
		require.Eventually(t, func() bool { return s.letters(t, id)[0].Claim != nil }, patience, glance)
		s.queue(t, letter.QueueInput{InvoiceID: other})
		server.Kill()
		require.NotNil(t, s.letters(t, id)[0].Claim, "nobody wrote down how it ended")
		s.box.Heal(hanging)
		s.claimsRunOut(t)
		s.work(t, e)
		s.only(t, other, status(letter.StatusSent))
		l := s.only(t, id, status(letter.StatusSent))
		got := s.box.Messages(t, hanging)
		require.Len(t, got, 1)
		require.Equal(t, "<"+l.MessageID+">", got[0].Header.Get("Message-ID"))
	})
}
