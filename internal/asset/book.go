package asset

import (
	"context"
	"fmt"
	"slices"
	"strings"

	"github.com/vienkart/vienkart/internal/audit"
	"github.com/vienkart/vienkart/internal/clock"
	"github.com/vienkart/vienkart/internal/date"
	"github.com/vienkart/vienkart/internal/ledger"
	"github.com/vienkart/vienkart/internal/money"
	"github.com/vienkart/vienkart/internal/tenant"
)

// Run is one posting of depreciation: the document behind its journal transaction.
type Run struct {
	tenant.Row
	Year        int
	Month       int
	AmountMinor int64
	// JournalTransactionID is nil when the parts of all assets round to nothing.
	JournalTransactionID *tenant.ID
	CreatedAt            clock.Time
}

// TableName names the table for the mapper.
func (Run) TableName() string { return "asset_depreciation_runs" }

// Depreciation is one month of one asset as booked by a run.
type Depreciation struct {
	tenant.Row
	AssetID     tenant.ID
	RunID       tenant.ID
	Year        int
	Month       int
	AmountMinor int64
	CreatedAt   clock.Time
}

// TableName names the table for the mapper.
func (Depreciation) TableName() string { return "asset_depreciations" }

// dueMonth is what one asset gives to a run.
type dueMonth struct {
	asset  *Asset
	amount int64
}

// runView is a run in the audit log.
type runView struct {
	ID                   tenant.ID    `json:"id"`
	Month                string       `json:"month"`
	Assets               int          `json:"assets"`
	Total                money.Amount `json:"total"`
	JournalTransactionID *tenant.ID   `json:"journalTransactionId,omitzero"`
}

// rowsPerInsert keeps one statement far below the placeholders that an engine allows.
const rowsPerInsert = 500

// book posts one month of the given assets in one journal transaction and notes each of them.
func book(ctx context.Context, tx tenant.Tx, m date.Month, day date.Date, due []dueMonth) (*Run, error) {
	run := &Run{Row: tenant.Row{ID: tenant.NewID()}, Year: m.Year, Month: int(m.Month), CreatedAt: tx.Now()}
	total := money.Zero(tx.Company().BaseCurrency)
	for _, d := range due {
		total = total.Add(money.New(d.amount, d.asset.Currency))
	}
	run.AmountMinor = total.Minor()
	if total.IsPositive() {
		lines, err := runLines(ctx, tx, due)
		if err != nil {
			return nil, err
		}
		posted, err := ledger.Post(ctx, tx, ledger.Posting{
			Date: day, Description: "Depreciation " + m.String(), DocumentType: documentRun, DocumentID: run.ID, Lines: lines,
		})
		if err != nil {
			return nil, fmt.Errorf("posting the depreciation of %s: %w", m, err)
		}
		run.JournalTransactionID = &posted.ID
	}
	if err := tenant.Insert(ctx, tx, run); err != nil {
		return nil, err //nolint:wrapcheck // says what was stored
	}
	if err := run.note(ctx, tx, due); err != nil {
		return nil, err
	}
	return run, audit.Record(ctx, tx, audit.Entry{ //nolint:wrapcheck // says what was recorded
		Action: "depreciation_run.posted", Entity: documentRun, EntityID: run.ID.String(),
		After: runView{run.ID, m.String(), len(due), total, run.JournalTransactionID},
	})
}

// note stores the month of each asset. The loser of a race against a run elsewhere is run again and finds it booked.
func (run *Run) note(ctx context.Context, tx tenant.Tx, due []dueMonth) error {
	rows := make([]*Depreciation, len(due))
	for i, d := range due {
		rows[i] = &Depreciation{
			AssetID: d.asset.ID, RunID: run.ID, Year: run.Year, Month: run.Month, AmountMinor: d.amount, CreatedAt: tx.Now(),
		}
	}
	for chunk := range slices.Chunk(rows, rowsPerInsert) {
		err := tenant.OnDuplicate(tx, tenant.Insert(ctx, tx, chunk...), "asset_depreciations_month", tenant.RunAgain)
		if err != nil {
			return fmt.Errorf("booking the depreciation: %w", err)
		}
	}
	return nil
}

// runLines charges the expense of each group to its accumulated depreciation, by the code of the group.
func runLines(ctx context.Context, r tenant.Reader, due []dueMonth) ([]ledger.Line, error) {
	sums := map[tenant.ID]money.Amount{}
	for _, d := range due {
		amount := money.New(d.amount, d.asset.Currency)
		if sum, ok := sums[d.asset.GroupID]; ok {
			amount = amount.Add(sum)
		}
		sums[d.asset.GroupID] = amount
	}
	groups, err := tenant.Find[Group](ctx, r, "")
	if err != nil {
		return nil, err //nolint:wrapcheck // says what was read
	}
	slices.SortFunc(groups, func(a, b Group) int { return strings.Compare(a.Code, b.Code) })
	lines := make([]ledger.Line, 0, 2*len(sums))
	for _, g := range groups {
		sum, ok := sums[g.ID]
		if !ok {
			continue
		}
		lines = append(lines,
			ledger.Line{AccountCode: g.ExpenseAccountCode, Debit: sum, Description: g.Name},
			ledger.Line{AccountCode: g.DepreciationAccountCode, Credit: sum, Description: g.Name})
	}
	return lines, nil
}
