package ledger

import (
	"context"
	"fmt"
	"strings"
	"time"

	"github.com/vienkart/vienkart/internal/audit"
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
	Year   int
	Month  int
	Status PeriodStatus
	// LockedAt is the zero Time while the month is open.
	LockedAt clock.Time
}

// TableName names the table for the mapper.
func (Period) TableName() string { return "ledger_periods" }

// Lock closes a month to postings. It waits for the postings into the month that are under way, so once it commits none
// is. Locking a locked month confirms it: the audit log tells who did, and the lock keeps its first instant.
func Lock(ctx context.Context, tx tenant.Tx, m date.Month) (*Period, error) {
	p, err := holdExclusively(ctx, tx, m)
	if err != nil {
		return nil, err
	}
	return p, p.change(ctx, tx, PeriodLocked, "")
}

// Unlock opens a locked month again. The reason goes into the audit log.
// Error: ledger.reason_missing.
func Unlock(ctx context.Context, tx tenant.Tx, m date.Month, reason string) (*Period, error) {
	reason = strings.TrimSpace(reason)
	if reason == "" {
		return nil, ErrReasonMissing.New("Send reason: why the month %s must be opened again.", m).
			Field("reason", "is required to unlock a month")
	}
	p, err := holdExclusively(ctx, tx, m)
	if err != nil {
		return nil, err
	}
	return p, p.change(ctx, tx, PeriodOpen, reason)
}

func (p *Period) change(ctx context.Context, tx tenant.Tx, to PeriodStatus, reason string) error {
	before := p.view("")
	action := "ledger_period.unlocked"
	if to == PeriodLocked {
		action = "ledger_period.locked"
	}
	if p.Status != to {
		p.Status, p.LockedAt = to, clock.Time{}
		if to == PeriodLocked {
			p.LockedAt = tx.Now()
		}
		if err := tenant.Update(ctx, tx, p, "status", "locked_at"); err != nil {
			return err //nolint:wrapcheck // says what was updated
		}
		if err := p.keepTurnovers(ctx, tx); err != nil {
			return err
		}
	}
	return audit.Record(ctx, tx, audit.Entry{ //nolint:wrapcheck // says what was recorded
		Action: action, Entity: "ledger_period", EntityID: p.ID.String(), Before: before, After: p.view(reason),
	})
}

// keepTurnovers makes the stored turnovers of the month follow its state. The caller holds the month exclusively.
func (p *Period) keepTurnovers(ctx context.Context, tx tenant.Tx) error {
	m := date.Month{Year: p.Year, Month: time.Month(p.Month)}
	if p.Status == PeriodLocked {
		return rollUp(ctx, tx, m)
	}
	return dropRollUp(ctx, tx, m)
}

// HoldOpen holds the month of a day against being locked until the transaction ends, and refuses a locked one. Post does so by
// itself; a document that must hold open items before it can work out its posting calls this first, to keep the lock order.
// Error: ledger.period_locked.
func HoldOpen(ctx context.Context, tx tenant.Tx, day date.Date) error {
	return holdOpen(ctx, tx, date.MonthOf(day))
}

// holdOpen holds a month against being locked until the transaction ends, and refuses a locked one.
func holdOpen(ctx context.Context, tx tenant.Tx, m date.Month) error {
	key := monthKey{tx.Company().ID, m}
	if tenant.Held(tx, key) {
		return nil
	}
	id, ok := months.Get(key)
	if !ok {
		p, isNew, err := findOrOpen(ctx, tx, m)
		if err != nil || isNew {
			return err
		}
		id = p.ID
	}
	var status PeriodStatus
	found, err := tenant.QueryRow(ctx, tx,
		"SELECT status FROM ledger_periods WHERE company_id = @company AND id = ? @forshare", []any{id}, &status)
	if err != nil {
		return fmt.Errorf("holding the month %s open: %w", m, err)
	}
	if !found {
		// Remembered from a transaction that was rolled back after all.
		months.Forget(key)
		return holdOpen(ctx, tx, m)
	}
	if err := tenant.HoldShared(ctx, tx, Period{}.TableName(), id); err != nil {
		return fmt.Errorf("holding the month %s open: %w", m, err)
	}
	months.Put(key, id)
	if status == PeriodLocked {
		return ErrPeriodLocked.New("The month %s is locked. An accountant can unlock it, or use a date in an open month.", m).
			Detail("period", m.String())
	}
	tenant.Hold(tx, key)
	return nil
}

func holdExclusively(ctx context.Context, tx tenant.Tx, m date.Month) (*Period, error) {
	p, isNew, err := findOrOpen(ctx, tx, m)
	if err != nil || isNew {
		return p, err
	}
	if p, err = tenant.Lock[Period](ctx, tx, p.ID); err != nil {
		return nil, err //nolint:wrapcheck // says what was read
	}
	return p, tenant.HoldAgainstShared(ctx, tx, p.TableName(), p.ID) //nolint:wrapcheck // says what failed
}

// findOrOpen reads a month's row, and makes an open one when it is missing. The read takes no lock: a probe for a missing row
// would block strangers. A row just made is held exclusively by having been inserted.
func findOrOpen(ctx context.Context, tx tenant.Tx, m date.Month) (p *Period, isNew bool, err error) {
	p, err = tenant.First[Period](ctx, tx, "year = ? AND month = ?", m.Year, int(m.Month))
	if err != nil || p != nil {
		return p, false, err //nolint:wrapcheck // says what was read
	}
	p = &Period{Year: m.Year, Month: int(m.Month), Status: PeriodOpen}
	err = tenant.OnDuplicate(tx, tenant.Insert(ctx, tx, p), "ledger_periods_month", tenant.RunAgain)
	return p, true, err
}

var periodListing = tenant.Listing{
	Sources: []tenant.Source{{
		From: "ledger_periods",
		Fields: map[string]tenant.Field{
			"id":     tenant.IDField("id"),
			"year":   tenant.IntField("year"),
			"month":  tenant.IntField("month"),
			"status": tenant.TextField("status"),
		},
	}},
	Order: []tenant.Sort{{Field: "year", Dir: "desc"}, {Field: "month", Dir: "desc"}},
}

// ListPeriods reads a page of the months that were posted into or locked, the latest first unless asked otherwise.
func ListPeriods(ctx context.Context, r tenant.ReadTx, q tenant.ListQuery) (tenant.Page[Period], error) {
	return tenant.ListRows[Period](ctx, r, q, periodListing) //nolint:wrapcheck // names the field at fault
}

// periodView is a month in the audit log.
type periodView struct {
	ID     tenant.ID    `json:"id"`
	Year   int          `json:"year"`
	Month  int          `json:"month"`
	Status PeriodStatus `json:"status"`
	Reason string       `json:"reason,omitzero"`
}

func (p *Period) view(reason string) periodView {
	return periodView{p.ID, p.Year, p.Month, p.Status, reason}
}
