package ledger

import (
	"context"
	"fmt"
	"slices"

	"github.com/vienkart/vienkart/internal/clock"
	"github.com/vienkart/vienkart/internal/date"
	"github.com/vienkart/vienkart/internal/money"
	"github.com/vienkart/vienkart/internal/tenant"
)

// Sources that settle with money. All others, such as credit notes and advances that are taken off, move none.
const (
	SourcePayment      = "payment"       // a bank transaction
	SourcePayout       = "settlement"    // a line of a provider's payout
	SourceOrderPayment = "order_payment" // the confirmed payment of an order
)

// MoneySources lists the sources that settle with money.
func MoneySources() []string { return []string{SourcePayment, SourcePayout, SourceOrderPayment} }

// Sources that a document settles another with.
const (
	SourceCreditNote = "credit_note"
	SourceAdvance    = "advance"
)

// Settlement sets an amount of an open item off against what settles it.
type Settlement struct {
	// Item comes from LockItems or OpenDocument of the same transaction; its open amount is kept up to date.
	Item *OpenItem
	// Amount is positive and in the item's currency; only SettleAll takes negative ones too.
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
	row, err := s.settling(tx)
	if err != nil {
		return err
	}
	return s.allocate(ctx, tx, row)
}

// Reopen takes a settlement back and raises what is owed again. Error: ledger.over_reopened, with the detail settled.
func Reopen(ctx context.Context, tx tenant.Tx, s Settlement) error {
	row, err := s.reopening(tx)
	if err != nil {
		return err
	}
	return s.allocate(ctx, tx, row)
}

// rowsPerStatement keeps one statement far below the placeholders that an engine allows.
const rowsPerStatement = 500

// SettleAll settles in turn, and opens again where the amount is negative, by a few statements for all. Errors: those of
// Settle and Reopen.
func SettleAll(ctx context.Context, tx tenant.Tx, settlements []Settlement) error {
	rows := make([]*allocation, len(settlements))
	ids := make([]tenant.ID, len(settlements))
	for i, s := range settlements {
		apply := s.settling
		if s.Amount.IsNegative() {
			s.Amount = s.Amount.Neg()
			apply = s.reopening
		}
		row, err := apply(tx)
		if err != nil {
			return err
		}
		rows[i], ids[i] = row, s.Item.ID
	}
	for chunk := range slices.Chunk(rows, rowsPerStatement) {
		if err := tenant.Insert(ctx, tx, chunk...); err != nil {
			return fmt.Errorf("settling documents: %w", err)
		}
	}
	slices.SortFunc(ids, func(a, b tenant.ID) int { return slices.Compare(a[:], b[:]) })
	for chunk := range slices.Chunk(slices.Compact(ids), rowsPerStatement) {
		err := tenant.ExecLists(ctx, tx, `UPDATE open_items SET open_minor = amount_minor - (SELECT SUM(a.amount_minor) FROM open_item_allocations a
			WHERE a.company_id = open_items.company_id AND a.open_item_id = open_items.id) WHERE company_id = @company AND id IN ?`, chunk)
		if err != nil {
			return fmt.Errorf("settling documents: %w", err)
		}
	}
	return nil
}

// settling is the row of a settlement; from here on its item has less open.
func (s Settlement) settling(tx tenant.Tx) (*allocation, error) {
	if err := s.check(); err != nil {
		return nil, err
	}
	open := s.Item.Open()
	if s.Amount.Cmp(open) > 0 {
		return nil, ErrOverSettled.New("Of %s only %s %s is open; %s cannot be settled.", s.Item.DocumentNumber, open, open.Currency(), s.Amount).
			Detail("open", open.String()).Detail("documentId", s.Item.DocumentID)
	}
	return s.row(tx, s.Amount), nil
}

// reopening is the row that takes a settlement back; from here on its item has more open.
func (s Settlement) reopening(tx tenant.Tx) (*allocation, error) {
	if err := s.check(); err != nil {
		return nil, err
	}
	settled := s.Item.Amount().Sub(s.Item.Open())
	if s.Amount.Cmp(settled) > 0 {
		return nil, ErrOverReopened.New("Of %s only %s %s is settled; %s cannot be taken back.", s.Item.DocumentNumber, settled,
			settled.Currency(), s.Amount).
			Detail("settled", settled.String()).Detail("documentId", s.Item.DocumentID)
	}
	return s.row(tx, s.Amount.Neg()), nil
}

func (s Settlement) check() error {
	if !s.Amount.IsPositive() || s.Amount.Currency() != s.Item.Currency {
		return fmt.Errorf("settling %s: %s %s is no positive amount in %s", s.Item.DocumentNumber, s.Amount, s.Amount.Currency(), s.Item.Currency)
	}
	return nil
}

func (s Settlement) row(tx tenant.Tx, amount money.Amount) *allocation {
	s.Item.OpenMinor -= amount.Minor()
	return &allocation{
		OpenItemID: s.Item.ID, SourceType: s.SourceType, SourceID: s.SourceID, AmountMinor: amount.Minor(),
		AllocationDate: s.Date, CreatedAt: tx.Now(),
	}
}

func (s Settlement) allocate(ctx context.Context, tx tenant.Tx, row *allocation) error {
	if err := tenant.Insert(ctx, tx, row); err != nil {
		return fmt.Errorf("settling %s: %w", s.Item.DocumentNumber, err)
	}
	if err := tenant.Update(ctx, tx, s.Item, "open_minor"); err != nil {
		return fmt.Errorf("settling %s: %w", s.Item.DocumentNumber, err)
	}
	return nil
}
