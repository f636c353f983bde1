package ledger

import (
	"context"

	"github.com/vienkart/vienkart/internal/date"
	"github.com/vienkart/vienkart/internal/money"
	"github.com/vienkart/vienkart/internal/tenant"
)

// Settlement sets an amount of an open item off against what settles it.
type Settlement struct {
	// Item comes from LockItems or OpenDocument of the same transaction.
	Item *OpenItem
	// Amount is positive and in the item's currency.
	Amount money.Amount
	// SourceType and SourceID name what settles: a payment, a credit note, an advance, a settlement.
	SourceType string
	SourceID   tenant.ID
	Date       date.Date
}

// Settle lowers what is owed.
func Settle(ctx context.Context, tx tenant.Tx, s Settlement) error { panic("ledger: Settle") }

// Reopen raises what is owed again.
func Reopen(ctx context.Context, tx tenant.Tx, s Settlement) error { panic("ledger: Reopen") }
