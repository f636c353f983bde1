package asset

import (
	"context"
	"fmt"
	"strings"

	"github.com/vienkart/vienkart/internal/apperr"
	"github.com/vienkart/vienkart/internal/clock"
	"github.com/vienkart/vienkart/internal/date"
	"github.com/vienkart/vienkart/internal/ledger"
	"github.com/vienkart/vienkart/internal/money"
	"github.com/vienkart/vienkart/internal/tenant"
)

// Disposal takes an asset out of the books. CostMinor and AccumulatedMinor are what was taken out of its accounts.
type Disposal struct {
	tenant.Row
	AssetID              tenant.ID
	DisposalDate         date.Date
	Reason               string
	ExpenseAccountCode   string
	CostMinor            int64
	AccumulatedMinor     int64
	JournalTransactionID tenant.ID
	CreatedAt            clock.Time
}

// TableName names the table for the mapper.
func (Disposal) TableName() string { return "asset_disposals" }

// DisposeInput takes an asset out of use.
type DisposeInput struct {
	AssetID tenant.ID
	Date    date.Date
	// Reason is kept with the disposal and in the audit log.
	Reason string
	// ExpenseAccountCode takes the net book value; empty for the expense account of the group.
	ExpenseAccountCode string
}

// Dispose books the month of the disposal, if it is due and not booked yet, and takes cost and accumulated depreciation out
// of their accounts; the net book value is charged to the expense account. The months before must be booked, and none after.
// It gives the asset and the journal transaction of the disposal. Errors: validation, not_found, asset.disposed,
// asset.invalid_terms, asset.months_missing, asset.month_posted, asset.wrong_account, and those of ledger.Post.
func Dispose(ctx context.Context, tx tenant.Tx, in DisposeInput) (*State, tenant.ID, error) {
	if strings.TrimSpace(in.Reason) == "" {
		return nil, tenant.ID{}, apperr.Invalid("reason", "is required")
	}
	rec, err := hold(ctx, tx, in.AssetID)
	if err != nil {
		return nil, tenant.ID{}, err
	}
	before, err := Get(ctx, tx, rec.ID)
	if err != nil {
		return nil, tenant.ID{}, err
	}
	if err := rec.canLeave(in.Date); err != nil {
		return nil, tenant.ID{}, err
	}
	disposal := &Disposal{
		Row: tenant.Row{ID: tenant.NewID()}, AssetID: rec.ID, DisposalDate: in.Date, Reason: strings.TrimSpace(in.Reason),
		ExpenseAccountCode: in.ExpenseAccountCode, CostMinor: before.TotalCostMinor, AccumulatedMinor: before.AccumulatedMinor,
		CreatedAt: tx.Now(),
	}
	booked, err := rec.bookLast(ctx, tx, in.Date)
	if err != nil {
		return nil, tenant.ID{}, err
	}
	disposal.AccumulatedMinor += booked
	if err := disposal.post(ctx, tx, rec); err != nil {
		return nil, tenant.ID{}, err
	}
	err = tenant.OnDuplicate(tx, tenant.Insert(ctx, tx, disposal), "asset_disposals_asset", tenant.RunAgain)
	if err != nil {
		return nil, tenant.ID{}, fmt.Errorf("disposing of the asset: %w", err)
	}
	after, err := recordChange(ctx, tx, "asset.disposed", before, rec.ID)
	return after, disposal.JournalTransactionID, err
}

// canLeave refuses a day on which the asset cannot leave.
func (rec *record) canLeave(day date.Date) error {
	if err := rec.inUse(); err != nil {
		return err
	}
	from := rec.AcquisitionDate
	for _, m := range rec.modernizations {
		if m.ModernizationDate.After(from) {
			from = m.ModernizationDate
		}
	}
	if day.Before(from) {
		return ErrInvalidTerms.New("The asset %s was acquired or modernised on %s; it cannot leave before.", rec.Code, from).
			Field("date", "must be %s or later", from)
	}
	if last, ok := rec.lastBooked(); ok && last > monthOf(day) {
		return ErrMonthPosted.New("The depreciation of the asset %s is posted up to %s; date the disposal %s or later.",
			rec.Code, last.month(), last.month().First()).
			Field("date", "must be %s or later", last.month().First()).Detail("lastPostedMonth", last.month().String())
	}
	var behind missing
	behind.look(rec, monthOf(day))
	return behind.refusal()
}

// bookLast books the month of the disposal when it is due and not booked, and gives its amount.
func (rec *record) bookLast(ctx context.Context, tx tenant.Tx, day date.Date) (int64, error) {
	amount, number, isDue := rec.schedule.at(monthOf(day))
	if !isDue || number < rec.booked {
		return 0, nil
	}
	if _, err := book(ctx, tx, date.MonthOf(day), day, []dueMonth{{&rec.Asset, amount}}); err != nil {
		return 0, err
	}
	return amount, nil
}

// post takes the asset out of its accounts.
func (d *Disposal) post(ctx context.Context, tx tenant.Tx, rec *record) error {
	group, err := tenant.Get[Group](ctx, tx, rec.GroupID)
	if err != nil {
		return err //nolint:wrapcheck // says what was read
	}
	if d.ExpenseAccountCode == "" {
		d.ExpenseAccountCode = group.ExpenseAccountCode
	} else if err := checkAccounts(ctx, tx, []accountUse{{"expenseAccountCode", d.ExpenseAccountCode, ledger.AccountExpense}}); err != nil {
		return err
	}
	cost, accumulated := money.New(d.CostMinor, rec.Currency), money.New(d.AccumulatedMinor, rec.Currency)
	posted, err := ledger.Post(ctx, tx, ledger.Posting{
		Date: d.DisposalDate, Description: "Disposal of " + rec.Code + " " + rec.Name, DocumentType: documentDisposal, DocumentID: d.ID,
		Lines: []ledger.Line{
			{AccountCode: group.DepreciationAccountCode, Debit: accumulated},
			{AccountCode: d.ExpenseAccountCode, Debit: cost.Sub(accumulated), Description: d.Reason},
			{AccountCode: group.AssetAccountCode, Credit: cost},
		},
	})
	if err != nil {
		return fmt.Errorf("posting the disposal of %s: %w", rec.Code, err)
	}
	d.JournalTransactionID = posted.ID
	return nil
}
