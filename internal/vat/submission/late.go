package submission

import (
	"context"
	"fmt"
	"slices"

	"github.com/vienkart/vienkart/internal/tenant"
	"github.com/vienkart/vienkart/internal/vat"
	"github.com/vienkart/vienkart/internal/vat/cash"
	"github.com/vienkart/vienkart/internal/vat/register"
)

// Late is what the register has of a period beside the rows that a file was made from.
type Late struct {
	Submission Submission
	// Rows are in the order of register date, number and id; Total counts those left out too.
	Rows  []register.Row
	Total int64
	// Payments are those of documents under cash accounting that the file does not have as they are now; TotalPayments counts those
	// left out too.
	Payments      []cash.Payment
	TotalPayments int64
	// ReplacedByID is the latest submission that corrects this one, or nil.
	ReplacedByID *tenant.ID
}

// maxLate bounds the answer; whoever has more looks into the register.
const maxLate = 2000

// lateRows compares row by row: neither ids nor moments tell what a file has seen, for transactions commit out of order. Import VAT
// is never in the file, so it is no change of it.
const lateRows = `FROM vat_register r WHERE r.company_id = @company AND r.register_date BETWEEN ? AND ? AND r.direction IN ?
	AND COALESCE(r.vat_code, '') NOT IN ?
	AND NOT EXISTS (SELECT 1 FROM vat_submission_rows t
		WHERE t.company_id = @company AND t.submission_id = ? AND t.register_row_id = r.id)`

// LateChanges lists what came into the period of a submission after its file was made. Error: not_found.
func LateChanges(ctx context.Context, r tenant.Reader, id tenant.ID) (*Late, error) {
	s, err := tenant.Get[Submission](ctx, r, id)
	if err != nil {
		return nil, err //nolint:wrapcheck // a refusal as it stands
	}
	late := &Late{Submission: *s}
	total, err := tenant.QueryOne[int64](ctx, r, "SELECT COUNT(*) "+lateRows, s.PeriodFrom, s.PeriodTo, s.sides(), vat.ImportCodes(), s.ID)
	if err != nil {
		return nil, fmt.Errorf("counting late changes: %w", err)
	}
	late.Total = *total
	late.Rows, err = tenant.Query[register.Row](ctx, r, "SELECT r.* "+lateRows+" ORDER BY r.register_date, r.document_number, r.id LIMIT ?",
		s.PeriodFrom, s.PeriodTo, s.sides(), vat.ImportCodes(), s.ID, maxLate)
	if err != nil {
		return nil, fmt.Errorf("listing late changes: %w", err)
	}
	if err := late.findPayments(ctx, r); err != nil {
		return nil, err
	}
	replacement, err := tenant.QueryOne[tenant.ID](ctx, r, `SELECT id FROM vat_submissions WHERE company_id = @company AND corrects_id = ?
		ORDER BY created_at DESC, id DESC LIMIT 1`, s.ID)
	if err != nil {
		return nil, fmt.Errorf("looking for the correction of a submission: %w", err)
	}
	late.ReplacedByID = replacement
	return late, nil
}

// findPayments compares payments with those that the file was made from, allocation by allocation.
func (l *Late) findPayments(ctx context.Context, r tenant.Reader) error {
	taken, err := tenant.Query[tenant.ID](ctx, r, `SELECT allocation_id FROM vat_submission_payments
		WHERE company_id = @company AND submission_id = ?`, l.Submission.ID)
	if err != nil {
		return fmt.Errorf("reading the payments of a submission: %w", err)
	}
	inFile := make(map[tenant.ID]bool, len(taken))
	for _, id := range taken {
		inFile[id] = true
	}
	for _, side := range l.Submission.sides() {
		for payment, err := range cash.Payments(ctx, r, side, l.Submission.PeriodFrom, l.Submission.PeriodTo) {
			if err != nil {
				return err //nolint:wrapcheck // says what was read
			}
			if !slices.ContainsFunc(payment.AllocationIDs, func(id tenant.ID) bool { return !inFile[id] }) {
				continue
			}
			if l.TotalPayments++; len(l.Payments) < maxLate {
				l.Payments = append(l.Payments, payment)
			}
		}
	}
	return nil
}
