package letter_test

import (
	"bytes"
	"context"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"github.com/vienkart/vienkart/internal/apperr"
	"github.com/vienkart/vienkart/internal/clock"
	"github.com/vienkart/vienkart/internal/invoice"
	"github.com/vienkart/vienkart/internal/invoice/document"
	"github.com/vienkart/vienkart/internal/invoice/letter"
	"github.com/vienkart/vienkart/internal/ledger"
	"github.com/vienkart/vienkart/internal/mail"
	"github.com/vienkart/vienkart/internal/money"
	"github.com/vienkart/vienkart/internal/partner"
	"github.com/vienkart/vienkart/internal/tenant"
	"github.com/vienkart/vienkart/internal/testkit"
	"github.com/vienkart/vienkart/internal/testkit/mailbox"
)

// shop is a company with a customer, and a mail server.
type shop struct {
	*testkit.Company
	box    *mailbox.Mailbox
	mailer *mail.Mailer
	office *letter.Office
	buyer  *partner.Partner
	// at makes addresses that only this shop uses.
	at string
}

func newShop(t *testing.T, e *testkit.Engine, change ...func(*tenant.Company)) *shop {
	t.Helper()
	box, err := mailbox.Open()
	require.NoError(t, err)
	mailer, err := mail.New(box.URL, "books@example.com")
	require.NoError(t, err)
	s := &shop{Company: e.Company(t, change...), box: box, mailer: mailer, office: letter.NewOffice(mailer), at: "@example.com"}
	s.Mutate(t, func(ctx context.Context, tx tenant.Tx) error {
		if _, err := ledger.ApplyTemplate(ctx, tx); err != nil {
			return err
		}
		s.buyer, err = partner.Create(ctx, tx, partner.Fields{Name: new("UAB Pirmas"), Email: new("ona" + s.at)})
		return err
	})
	return s
}

// issued makes and issues an invoice.
func (s *shop) issued(t *testing.T) tenant.ID {
	t.Helper()
	id := s.draft(t)
	s.Mutate(t, func(ctx context.Context, tx tenant.Tx) error {
		_, err := invoice.Issue(ctx, tx, invoice.IssueInput{ID: id})
		return err
	})
	return id
}

func (s *shop) draft(t *testing.T) tenant.ID {
	t.Helper()
	var id tenant.ID
	price := money.MustDecimal("100")
	s.Mutate(t, func(ctx context.Context, tx tenant.Tx) error {
		d, err := invoice.Create(ctx, tx, invoice.CreateInput{
			PartnerID: s.buyer.ID, Lines: []invoice.LineInput{{Description: "Darbas", UnitPriceExclVAT: &price}},
		})
		if err == nil {
			id = d.ID
		}
		return err
	})
	return id
}

func (s *shop) try(t *testing.T, in letter.QueueInput) error {
	t.Helper()
	return s.TryMutate(t.Context(), func(ctx context.Context, tx tenant.Tx) error {
		_, err := s.office.Queue(ctx, tx, in)
		return err
	})
}

func (s *shop) queue(t *testing.T, in letter.QueueInput) {
	t.Helper()
	require.NoError(t, s.try(t, in))
}

func (s *shop) letters(t *testing.T, id tenant.ID) []letter.Letter {
	t.Helper()
	var all []letter.Letter
	s.Read(t, func(ctx context.Context, r tenant.ReadTx) (err error) {
		all, err = letter.OfInvoice(ctx, r, id)
		return err
	})
	return all
}

// only waits until the one letter of a document is as it should be and no server is at it.
func (s *shop) only(t *testing.T, id tenant.ID, is func(letter.Letter) bool) letter.Letter {
	t.Helper()
	var all []letter.Letter
	require.Eventually(t, func() bool {
		all = s.letters(t, id)
		require.Len(t, all, 1)
		return all[0].Claim == nil && is(all[0])
	}, time.Minute, 20*time.Millisecond, "it stays %+v", &all)
	return all[0]
}

func status(want letter.Status) func(letter.Letter) bool {
	return func(l letter.Letter) bool { return l.Status == want }
}

// work runs a postman until the test ends, as one more server would. On MySQL the tests share a database, and each postman serves
// the others too: so a letter for an address goes to the mail server of whoever claims it. Tests that look at a mailbox use one
// company on an engine of its own.
func (s *shop) work(t *testing.T, e *testkit.Engine) {
	t.Helper()
	ctx, stop := context.WithCancel(context.Background())
	var wait sync.WaitGroup
	m := letter.NewPostman(e.System, s.mailer)
	wait.Go(func() { m.Run(ctx) })
	t.Cleanup(func() { stop(); wait.Wait() })
}

// due brings the next attempts forward, as if time had passed.
func (s *shop) due(t *testing.T) {
	t.Helper()
	s.Mutate(t, func(ctx context.Context, tx tenant.Tx) error {
		_, err := tenant.Exec(ctx, tx, "UPDATE sales_letters SET next_attempt_at = @now WHERE company_id = @company AND status = 'queued'")
		return err
	})
}

// shared holds back all but one test on the shared database: see work.
var shared sync.Mutex

func eachEngine(t *testing.T, test func(t *testing.T, e *testkit.Engine)) {
	t.Helper()
	testkit.EachEngine(t, func(t *testing.T, e *testkit.Engine) {
		if e.Name == "MySQL" {
			shared.Lock()
			t.Cleanup(shared.Unlock)
		}
		test(t, e)
	})
}

func (s *shop) traces(t *testing.T) (audits, events []string) {
	t.Helper()
	s.Read(t, func(ctx context.Context, r tenant.ReadTx) (err error) {
		audits, err = tenant.Query[string](ctx, r, "SELECT action FROM audit_log WHERE company_id = @company AND action LIKE 'sale_invoice.sen%' ORDER BY id")
		require.NoError(t, err)
		events, err = tenant.Query[string](ctx, r, "SELECT event_type FROM outbox_events WHERE company_id = @company AND event_type LIKE 'sale_invoice.s%' ORDER BY id")
		return err
	})
	return audits, events
}

func TestLetterIsSentOnce(t *testing.T) {
	t.Parallel()
	eachEngine(t, func(t *testing.T, e *testkit.Engine) {
		s := newShop(t, e, func(c *tenant.Company) {
			c.Name, c.Email = "UAB „Žąsis“\r\nBcc: thief@example.com", new("buhalterija@example.com")
		})
		id := s.issued(t)
		s.queue(t, letter.QueueInput{InvoiceID: id})
		require.Equal(t, letter.StatusQueued, s.letters(t, id)[0].Status, "nothing goes out before a postman comes")
		require.Empty(t, s.box.Messages(t, "ona"+s.at))
		s.work(t, e)
		s.work(t, e)
		l := s.only(t, id, status(letter.StatusSent))
		require.Equal(t, []int{1, 0}, []int{l.Attempts, l.Failures})
		require.NotNil(t, l.EndedAt)
		got := s.box.Messages(t, "ona"+s.at)
		require.Len(t, got, 1)
		require.Equal(t, "<"+l.MessageID+">", got[0].Header.Get("Message-ID"))
		require.Equal(t, l.ID.String()+"@example.com", l.MessageID)
		require.Equal(t, "<buhalterija@example.com>", got[0].Header.Get("Reply-To"))
		require.Empty(t, got[0].Header["Bcc"])
		require.Contains(t, got[0].Text, "121.00 EUR")
		require.Len(t, got[0].Files, 1)
		for name, pdf := range got[0].Files {
			require.True(t, strings.HasSuffix(name, ".pdf"), name)
			require.True(t, bytes.HasPrefix(pdf, []byte("%PDF-")))
			s.Read(t, func(ctx context.Context, r tenant.ReadTx) error {
				again, err := document.Make(ctx, r, id, document.Lithuanian)
				require.NoError(t, err)
				require.Equal(t, again.Content, pdf, "what was mailed is what is downloaded")
				return nil
			})
		}
		audits, events := s.traces(t)
		require.Equal(t, []string{"sale_invoice.send_queued", "sale_invoice.sent"}, audits)
		require.Equal(t, []string{"sale_invoice.sent"}, events)
		require.Empty(t, s.box.Messages(t, "thief@example.com"))
	})
}

func TestWhatIsNotQueued(t *testing.T) {
	t.Parallel()
	eachEngine(t, func(t *testing.T, e *testkit.Engine) {
		s := newShop(t, e)
		id, draft := s.issued(t), s.draft(t)
		require.ErrorIs(t, s.try(t, letter.QueueInput{InvoiceID: draft}), invoice.ErrNotIssued)
		require.ErrorIs(t, s.try(t, letter.QueueInput{InvoiceID: tenant.NewID()}), apperr.ErrNotFound)
		for _, to := range []string{"ona", "ona@example.com\r\nBcc: thief@example.com", "a@example.com,b@example.com", "Ona <ona@example.com>"} {
			require.ErrorIs(t, s.try(t, letter.QueueInput{InvoiceID: id, To: to}), apperr.ErrValidation, to)
		}
		other := *s
		other.office = letter.NewOffice(nil)
		err := other.try(t, letter.QueueInput{InvoiceID: id})
		require.ErrorIs(t, err, letter.ErrNoMailServer)
		require.ErrorContains(t, err, "VIENKART_SMTP_URL")
		for _, email := range []string{"", "ona at example@"} {
			s.Mutate(t, func(ctx context.Context, tx tenant.Tx) error {
				_, err := tenant.Exec(ctx, tx, "UPDATE partners SET email = NULLIF(?, '') WHERE company_id = @company", email)
				return err
			})
			require.ErrorIs(t, s.try(t, letter.QueueInput{InvoiceID: id}), letter.ErrNoRecipient, email)
		}
		s.queue(t, letter.QueueInput{InvoiceID: id, To: "petras" + s.at, Language: document.English})
		require.Len(t, s.letters(t, id), 1)
		s.Mutate(t, func(ctx context.Context, tx tenant.Tx) error {
			_, err := invoice.Cancel(ctx, tx, invoice.CancelInput{ID: id, Reason: "x"})
			return err
		})
		require.ErrorIs(t, s.try(t, letter.QueueInput{InvoiceID: id, To: "petras" + s.at}), invoice.ErrCancelled)
		// What was queued before goes out no more.
		s.work(t, e)
		l := s.only(t, id, status(letter.StatusFailed))
		require.Contains(t, *l.LastError, "cancelled")
		require.Empty(t, s.box.Messages(t, "petras"+s.at))
		stranger := newShop(t, e)
		require.ErrorIs(t, stranger.try(t, letter.QueueInput{InvoiceID: id, To: "a@example.com"}), apperr.ErrNotFound, "of another company")
	})
}

func TestTooManyLettersWait(t *testing.T) {
	t.Parallel()
	e := testkit.SQLite(t)
	s := newShop(t, e)
	id := s.issued(t)
	s.queue(t, letter.QueueInput{InvoiceID: id})
	s.Mutate(t, func(ctx context.Context, tx tenant.Tx) error {
		for range letter.MaxWaiting - 1 {
			if err := tenant.Insert(ctx, tx, &letter.Letter{InvoiceID: id, Recipient: "x@example.com", Locale: "lt", MessageID: "x", Status: letter.StatusQueued, NextAttemptAt: tx.Now(), CreatedBy: "x", CreatedAt: tx.Now()}); err != nil {
				return err
			}
		}
		return nil
	})
	require.ErrorIs(t, s.try(t, letter.QueueInput{InvoiceID: id}), letter.ErrTooMany)
}

func TestRetries(t *testing.T) {
	t.Parallel()
	eachEngine(t, func(t *testing.T, e *testkit.Engine) {
		s := newShop(t, e)
		busy, unknown := mailbox.Busy+s.at, mailbox.Unknown+s.at
		refused := s.issued(t)
		s.queue(t, letter.QueueInput{InvoiceID: refused, To: unknown})
		id := s.issued(t)
		s.queue(t, letter.QueueInput{InvoiceID: id, To: busy})
		s.work(t, e)
		l := s.only(t, refused, status(letter.StatusFailed))
		require.Equal(t, 1, l.Attempts, "what is refused for good is not tried again")
		require.Contains(t, *l.LastError, "no such mailbox")
		for n := 1; n < letter.MaxAttempts; n++ {
			l = s.only(t, id, func(l letter.Letter) bool { return l.Failures == n })
			require.Equal(t, letter.StatusQueued, l.Status)
			require.Contains(t, *l.LastError, "451")
			require.True(t, l.NextAttemptAt.After(l.CreatedAt.Time))
			if n == 2 && e.Name == "SQLite" { // healed half-way, it arrives
				break
			}
			s.due(t)
		}
		if e.Name == "SQLite" {
			s.box.Heal(busy)
			s.due(t)
			l = s.only(t, id, status(letter.StatusSent))
			require.Nil(t, l.LastError)
			require.Len(t, s.box.Messages(t, busy), 1)
			return
		}
		l = s.only(t, id, status(letter.StatusFailed))
		require.Equal(t, letter.MaxAttempts, l.Attempts)
		audits, events := s.traces(t)
		require.Equal(t, []string{"sale_invoice.send_queued", "sale_invoice.send_queued", "sale_invoice.send_failed", "sale_invoice.send_failed"}, audits)
		require.Empty(t, events)
	})
}

// What a server that died had claimed is sent by another, under the same Message-ID, and not before the claim ran out.
func TestClaimOfADeadServerRunsOut(t *testing.T) {
	t.Parallel()
	eachEngine(t, func(t *testing.T, e *testkit.Engine) {
		s := newShop(t, e)
		id := s.issued(t)
		s.queue(t, letter.QueueInput{InvoiceID: id})
		claimed := func(ago time.Duration) {
			s.Mutate(t, func(ctx context.Context, tx tenant.Tx) error {
				_, err := tenant.Exec(ctx, tx, "UPDATE sales_letters SET claim = ?, claimed_at = ?, attempts = 1 WHERE company_id = @company",
					tenant.NewID(), clock.At(tx.Now().Add(-ago)))
				return err
			})
		}
		claimed(letter.ClaimLife / 2)
		m := letter.NewPostman(e.System, s.mailer)
		require.NoError(t, m.Round(t.Context()))
		require.Empty(t, s.box.Messages(t, "ona"+s.at))
		claimed(letter.ClaimLife + time.Second)
		require.NoError(t, m.Round(t.Context()))
		l := s.only(t, id, status(letter.StatusSent))
		require.Equal(t, 2, l.Attempts)
		require.Len(t, s.box.Messages(t, "ona"+s.at), 1)
	})
}

// Many servers at once send each letter once.
func TestManyPostmen(t *testing.T) {
	t.Parallel()
	eachEngine(t, func(t *testing.T, e *testkit.Engine) {
		s := newShop(t, e)
		ids := make([]tenant.ID, 12)
		for i := range ids {
			ids[i] = s.issued(t)
			s.queue(t, letter.QueueInput{InvoiceID: ids[i]})
		}
		for range 4 {
			s.work(t, e)
		}
		for _, id := range ids {
			require.Equal(t, 1, s.only(t, id, status(letter.StatusSent)).Attempts)
		}
		require.Len(t, s.box.Messages(t, "ona"+s.at), len(ids))
	})
}

func TestDeletedCompanySendsNothing(t *testing.T) {
	t.Parallel()
	eachEngine(t, func(t *testing.T, e *testkit.Engine) {
		s := newShop(t, e, func(c *tenant.Company) { c.IsSandbox = true })
		id := s.issued(t)
		s.queue(t, letter.QueueInput{InvoiceID: id})
		_, err := e.Admin.Writer().ExecContext(t.Context(), "UPDATE companies SET status = 'deleted', deleted_at = created_at, purge_after = created_at WHERE id = ?", s.Scope.Company().ID)
		require.NoError(t, err)
		require.NoError(t, letter.NewPostman(e.System, s.mailer).Round(t.Context()))
		require.Equal(t, []any{letter.StatusQueued, 0}, []any{s.letters(t, id)[0].Status, s.letters(t, id)[0].Attempts})
	})
}

func TestSchedule(t *testing.T) {
	t.Parallel()
	for n, pause := range letter.Schedule() {
		got, again := letter.PauseAfter(n + 1)
		require.True(t, again)
		require.GreaterOrEqual(t, got, pause)
		require.Less(t, got, pause+pause/4)
	}
	_, again := letter.PauseAfter(letter.MaxAttempts)
	require.False(t, again)
}
