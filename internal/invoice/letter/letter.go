package letter

import (
	"context"

	"github.com/vienkart/vienkart/internal/clock"
	"github.com/vienkart/vienkart/internal/invoice/document"
	"github.com/vienkart/vienkart/internal/tenant"
)

// Status is where a letter stands.
type Status string

// The states.
const (
	StatusQueued Status = "queued"
	StatusSent   Status = "sent"
	StatusFailed Status = "failed"
)

// Enum lists the allowed values.
func (Status) Enum() []any { return []any{StatusQueued, StatusSent, StatusFailed} }

// entity names letters' documents in the audit log and in events, as package invoice does.
const entity = "sale_invoice"

// Letter is one document on its way to one address.
type Letter struct {
	tenant.Row
	InvoiceID tenant.ID
	Recipient string
	Locale    document.Language
	MessageID string
	Status    Status
	// Attempts counts those begun; Failures those with a bad end.
	Attempts      int
	Failures      int
	NextAttemptAt clock.Time
	Claim         *tenant.ID
	ClaimedAt     *clock.Time
	LastError     *string
	CreatedBy     string
	CreatedAt     clock.Time
	EndedAt       *clock.Time
}

// TableName names the table for the mapper.
func (Letter) TableName() string { return "sales_letters" }

// Card is a letter as clients see it.
type Card struct {
	ID        tenant.ID         `json:"id" description:"Id of the letter."`
	To        string            `json:"to" description:"Address it goes to."`
	Locale    document.Language `json:"locale" description:"Language of the letter and its PDF."`
	Status    Status            `json:"status" description:"queued until the mail server took it (sent) or it was given up (failed)."`
	Attempts  int               `json:"attempts" description:"How often it was tried to send."`
	LastError *string           `json:"lastError,omitzero" description:"Why the last attempt failed."`
	CreatedAt clock.Time        `json:"createdAt" description:"When somebody asked for it."`
	EndedAt   *clock.Time       `json:"endedAt,omitzero" description:"When it was sent or given up."`
}

// Card shows the letter.
func (l Letter) Card() Card {
	return Card{l.ID, l.Recipient, l.Locale, l.Status, l.Attempts, l.LastError, l.CreatedAt, l.EndedAt}
}

// maxShown bounds the letters that are shown with their document.
const maxShown = 50

// OfInvoice lists the letters of a document, the latest first, up to fifty.
func OfInvoice(ctx context.Context, r tenant.Reader, invoiceID tenant.ID) ([]Letter, error) {
	return tenant.Query[Letter](ctx, r, `SELECT * FROM sales_letters WHERE company_id = @company AND invoice_id = ?
		ORDER BY created_at DESC, id DESC LIMIT ?`, invoiceID, maxShown) //nolint:wrapcheck // says what failed
}

// line is a letter as the audit log keeps it.
type line struct {
	LetterID  tenant.ID         `json:"letterId"`
	To        string            `json:"to"`
	Locale    document.Language `json:"locale"`
	Status    Status            `json:"status"`
	LastError *string           `json:"lastError,omitzero"`
}

func (l Letter) line() line { return line{l.ID, l.Recipient, l.Locale, l.Status, l.LastError} }
