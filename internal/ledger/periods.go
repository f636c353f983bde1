package ledger

import (
	"context"

	"github.com/vienkart/vienkart/internal/clock"
	"github.com/vienkart/vienkart/internal/date"
	"github.com/vienkart/vienkart/internal/tenant"
)

// PeriodStatus says whether a month takes postings.
type PeriodStatus string

// The states.
const (
	PeriodOpen   PeriodStatus = "open"
	PeriodLocked PeriodStatus = "locked"
)

// Enum lists the allowed values.
func (PeriodStatus) Enum() []any { return []any{PeriodOpen, PeriodLocked} }

// Period is a month of the books. A month without a row is open.
type Period struct {
	tenant.Row
	Year     int
	Month    int
	Status   PeriodStatus
	LockedAt clock.Time
}

// TableName names the table for the mapper.
func (Period) TableName() string { return "ledger_periods" }

// Lock closes a month to postings.
func Lock(ctx context.Context, tx tenant.Tx, m date.Month) (*Period, error) { panic("ledger: Lock") }

// Unlock opens a month again.
func Unlock(ctx context.Context, tx tenant.Tx, m date.Month, reason string) (*Period, error) {
	panic("ledger: Unlock")
}
