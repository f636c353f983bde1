package ledger

import (
	"context"

	"github.com/vienkart/vienkart/internal/date"
	"github.com/vienkart/vienkart/internal/tenant"
)

// Reversal asks for the mirror of a posted transaction.
type Reversal struct {
	TransactionID tenant.ID
	// Date is the day of the reversal. The zero Date means the original's day while its month is open, and today afterwards.
	Date date.Date
	// Description replaces the one made from the original's.
	Description string
	// OfDocument says that the document behind the transaction asks; without it a transaction of a document is refused.
	OfDocument bool
}

// Reverse posts the mirror of a transaction's stored lines.
func Reverse(ctx context.Context, tx tenant.Tx, in Reversal) (*Transaction, error) {
	panic("ledger: Reverse")
}
