package letter

import (
	"context"
	"fmt"

	"github.com/vienkart/vienkart/internal/apperr"
	"github.com/vienkart/vienkart/internal/audit"
	"github.com/vienkart/vienkart/internal/invoice"
	"github.com/vienkart/vienkart/internal/invoice/document"
	"github.com/vienkart/vienkart/internal/mail"
	"github.com/vienkart/vienkart/internal/partner"
	"github.com/vienkart/vienkart/internal/tenant"
)

// Office is where letters are handed in. One serves all requests.
type Office struct{ mailer *mail.Mailer }

// NewOffice hands letters to a mailer; nil sends none, and the office refuses them.
func NewOffice(m *mail.Mailer) *Office { return &Office{m} }

// QueueInput says what to send.
type QueueInput struct {
	InvoiceID tenant.ID
	// To is by default the partner's address, Language that of the buyer.
	To       string
	Language document.Language
}

// Queue hands an issued document in for sending. It goes out after the commit, and by whichever server is first; the PDF is made
// once here, so that what cannot be printed is refused now.
//
// Errors: not_found, validation, invoice.no_mail_server, invoice.not_issued, invoice.cancelled, invoice.no_recipient,
// invoice.unprintable, invoice.too_many_letters.
func (o *Office) Queue(ctx context.Context, tx tenant.Tx, in QueueInput) (*Letter, error) {
	if o == nil || !o.mailer.CanSend() {
		return nil, ErrNoMailServer.New("This server sends no mail: its operator has not set VIENKART_SMTP_URL. Download the PDF and send it yourself.")
	}
	p, err := sendable(ctx, tx, in.InvoiceID)
	if err != nil {
		return nil, err
	}
	to, err := recipient(ctx, tx, in.To, p)
	if err != nil {
		return nil, err
	}
	printed, err := document.Render(p, in.Language)
	if err != nil {
		return nil, err //nolint:wrapcheck // a refusal as it stands
	}
	waiting, err := tenant.Count[Letter](ctx, tx, "status = 'queued'")
	if err != nil {
		return nil, err //nolint:wrapcheck // says what was counted
	}
	if waiting >= maxWaiting {
		return nil, ErrTooMany.New("%d letters of the company wait to be sent; try again when some are sent.", waiting)
	}
	l := &Letter{
		Row: tenant.Row{ID: tenant.NewID()}, InvoiceID: p.ID, Recipient: to, Locale: printed.Language, Status: StatusQueued,
		NextAttemptAt: tx.Now(), CreatedBy: tx.Scope().Actor().ID, CreatedAt: tx.Now(),
	}
	l.MessageID = l.ID.String() + "@" + mail.Domain(o.mailer.From())
	if err := tenant.Insert(ctx, tx, l); err != nil {
		return nil, fmt.Errorf("queueing a letter: %w", err)
	}
	return l, record(ctx, tx, "sale_invoice.send_queued", *l)
}

// sendable reads a document that may go to a customer.
func sendable(ctx context.Context, r tenant.Reader, id tenant.ID) (*invoice.Printout, error) {
	p, err := invoice.ReadPrintout(ctx, r, id)
	switch {
	case err != nil:
		return nil, err //nolint:wrapcheck // a refusal as it stands
	case p.Status != invoice.StatusIssued:
		return nil, invoice.ErrNotIssued.New("The document is a draft; issue it before you send it.")
	case !p.CancelledAt.IsZero():
		return nil, invoice.ErrCancelled.New("%s was cancelled, so it is not sent.", *p.FullNumber)
	}
	return p, nil
}

// recipient is the address asked for, else that of the partner as it stands now.
func recipient(ctx context.Context, r tenant.Reader, asked string, p *invoice.Printout) (string, error) {
	if asked != "" {
		to, err := mail.ParseAddress(asked)
		if err != nil {
			return "", apperr.Invalid("to", "%s", err.Error())
		}
		return to, nil
	}
	buyer, err := partner.Get(ctx, r, p.PartnerID)
	if err != nil {
		return "", err //nolint:wrapcheck // says what was read
	}
	if buyer.Email == nil {
		return "", ErrNoRecipient.New("%s has no e-mail address; send one as to, or give the partner one.", buyer.Name).
			Field("to", "is required: the partner has no e-mail address")
	}
	to, err := mail.ParseAddress(*buyer.Email)
	if err != nil {
		return "", ErrNoRecipient.New("The e-mail address of %s cannot be used; send one as to, or correct the partner's.", buyer.Name).
			Field("to", "is required: the partner's e-mail address is none")
	}
	return to, nil
}

func record(ctx context.Context, tx tenant.Tx, action string, l Letter) error {
	return audit.Record(ctx, tx, audit.Entry{ //nolint:wrapcheck // says what was recorded
		Action: action, Entity: entity, EntityID: l.InvoiceID.String(), After: l.line(),
	})
}
