package ledger

import (
	"context"
	"fmt"

	"github.com/vienkart/vienkart/internal/clock"
	"github.com/vienkart/vienkart/internal/date"
	"github.com/vienkart/vienkart/internal/money"
	"github.com/vienkart/vienkart/internal/tenant"
)

// Settlement sets an amount of an open item off against what settles it.
type Settlement struct {
	// Item comes from LockItems or OpenDocument of the same transaction; its open amount is kept up to date.
	Item *OpenItem
	// Amount is positive and in the item's currency.
	Amount money.Amount
	// SourceType and SourceID name what settles: a payment, a credit note, an advance, a reversal, a settlement.
	SourceType string
	SourceID   tenant.ID
	Date       date.Date
}

// allocation is one settlement, or with a negative amount the taking back of one.
type allocation struct {
	tenant.Row
	OpenItemID     tenant.ID
	SourceType     string
	SourceID       tenant.ID
	AmountMinor    int64
	AllocationDate date.Date
	CreatedAt      clock.Time
}

func (allocation) TableName() string { return "open_item_allocations" }

// Settle lowers what is owed. It posts nothing. Error: ledger.over_settled, with the detail open.
func Settle(ctx context.Context, tx tenant.Tx, s Settlement) error {
	if err := s.check(); err != nil {
		return err
	}
	open := s.Item.Open()
	if s.Amount.Cmp(open) > 0 {
		return ErrOverSettled.New("Of %s only %s %s is open; %s cannot be settled.", s.Item.DocumentNumber, open, open.Currency(), s.Amount).
			Detail("open", open.String()).Detail("documentId", s.Item.DocumentID)
	}
	return s.allocate(ctx, tx, s.Amount)
}

// Reopen takes a settlement back and raises what is owed again. Error: ledger.over_reopened, with the detail settled.
func Reopen(ctx context.Context, tx tenant.Tx, s Settlement) error {
	if err := s.check(); err != nil {
		return err
	}
	settled := s.Item.Amount().Sub(s.Item.Open())
	if s.Amount.Cmp(settled) > 0 {
		return ErrOverReopened.New("Of %s only %s %s is settled; %s cannot be taken back.", s.Item.DocumentNumber, settled,
			settled.Currency(), s.Amount).
			Detail("settled", settled.String()).Detail("documentId", s.Item.DocumentID)
	}
	return s.allocate(ctx, tx, s.Amount.Neg())
}

func (s Settlement) check() error {
	if !s.Amount.IsPositive() || s.Amount.Currency() != s.Item.Currency {
		return fmt.Errorf("settling %s: %s %s is no positive amount in %s", s.Item.DocumentNumber, s.Amount, s.Amount.Currency(), s.Item.Currency)
	}
	return nil
}

func (s Settlement) allocate(ctx context.Context, tx tenant.Tx, amount money.Amount) error {
	row := &allocation{
		OpenItemID: s.Item.ID, SourceType: s.SourceType, SourceID: s.SourceID, AmountMinor: amount.Minor(),
		AllocationDate: s.Date, CreatedAt: tx.Now(),
	}
	if err := tenant.Insert(ctx, tx, row); err != nil {
		return fmt.Errorf("settling %s: %w", s.Item.DocumentNumber, err)
	}
	s.Item.OpenMinor -= amount.Minor()
	if err := tenant.Update(ctx, tx, s.Item, "open_minor"); err != nil {
		return fmt.Errorf("settling %s: %w", s.Item.DocumentNumber, err)
	}
	return nil
}
