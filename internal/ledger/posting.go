package ledger

import (
	"context"

	"github.com/vienkart/vienkart/internal/date"
	"github.com/vienkart/vienkart/internal/money"
	"github.com/vienkart/vienkart/internal/tenant"
)

// Line is one side of a posting. Exactly one of Debit and Credit is positive; the zero Amount is an absent side, and a line
// without any amount is left out of the journal.
type Line struct {
	AccountCode string
	// Debit and Credit are in the currency of the document.
	Debit, Credit money.Amount
	// BaseDebit and BaseCredit are the same in the company's base currency. They are needed only when the currencies differ.
	BaseDebit, BaseCredit money.Amount
	Description           string
}

// Posting is what is to be written into the journal.
type Posting struct {
	Date        date.Date
	Description string
	// DocumentType and DocumentID name the document behind the posting; both are empty for a manual entry.
	DocumentType string
	DocumentID   tenant.ID
	Lines        []Line
}

// Post writes a posting into the journal.
func Post(ctx context.Context, tx tenant.Tx, p Posting) (*Transaction, error) {
	panic("ledger: Post")
}
