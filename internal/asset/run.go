package asset

import (
	"context"
	"slices"
	"strings"

	"github.com/vienkart/vienkart/internal/date"
	"github.com/vienkart/vienkart/internal/money"
	"github.com/vienkart/vienkart/internal/tenant"
)

// PreviewRow is what a month takes from one asset.
type PreviewRow struct {
	AssetID tenant.ID
	Code    string
	Name    string
	Amount  money.Amount
	// AlreadyPosted says that the amount is in the books.
	AlreadyPosted bool
}

// Preview gives, by code, what a month takes from every asset, posted or not, and the total of all rows. It shows what
// Post will post, also for months whose turn has not come yet.
func Preview(ctx context.Context, r tenant.ReadTx, m date.Month) ([]PreviewRow, money.Amount, error) {
	total := money.Zero(r.Company().BaseCurrency)
	records, err := readAll(ctx, r)
	if err != nil {
		return nil, total, err
	}
	booked, err := bookedIn(ctx, r, m)
	if err != nil {
		return nil, total, err
	}
	rows := []PreviewRow{}
	for _, rec := range records {
		amount, isDue := rec.due(indexOf(m))
		posted, isPosted := booked[rec.ID]
		if isPosted {
			amount = posted
		}
		if !isDue && !isPosted {
			continue
		}
		row := PreviewRow{rec.ID, rec.Code, rec.Name, money.New(amount, rec.Currency), isPosted}
		rows = append(rows, row)
		total = total.Add(row.Amount)
	}
	slices.SortFunc(rows, func(a, b PreviewRow) int { return strings.Compare(a.Code, b.Code) })
	return rows, total, nil
}

// Result is what a run did.
type Result struct {
	// Posted counts the assets whose month was booked now, Skipped those whose month was booked before.
	Posted  int
	Skipped int
	// Total is what was booked now.
	Total money.Amount
	// RunID and JournalTransactionID are nil when nothing was booked; the latter also when every part rounds to nothing.
	RunID                *tenant.ID
	JournalTransactionID *tenant.ID
}

// Post books a month of every asset for which it is due and not booked yet, in one journal transaction on the last day of
// the month. It may be repeated; of runs at the same time one books and the others find everything booked, since each holds
// all assets first, and the unique index on asset and month decides where a cluster does not hold rows.
// Errors: asset.months_missing, and those of ledger.Post, such as ledger.period_locked.
func Post(ctx context.Context, tx tenant.Tx, m date.Month) (*Result, error) {
	records, err := holdAll(ctx, tx)
	if err != nil {
		return nil, err
	}
	booked, err := bookedIn(ctx, tx, m)
	if err != nil {
		return nil, err
	}
	result := &Result{Total: money.Zero(tx.Company().BaseCurrency)}
	var due []dueMonth
	var behind missing
	for i := range records {
		rec := &records[i]
		if _, isPosted := booked[rec.ID]; isPosted {
			result.Skipped++
			continue
		}
		amount, isDue := rec.due(indexOf(m))
		if !isDue {
			continue
		}
		behind.look(rec, indexOf(m))
		due = append(due, dueMonth{&rec.Asset, amount})
	}
	if err := behind.refusal(); err != nil || len(due) == 0 {
		return result, err
	}
	run, err := book(ctx, tx, m, m.Last(), due)
	if err != nil {
		return nil, err
	}
	result.Posted, result.Total = len(due), money.New(run.AmountMinor, tx.Company().BaseCurrency)
	result.RunID, result.JournalTransactionID = &run.ID, run.JournalTransactionID
	return result, nil
}

// bookedIn gives what is booked for a month, by asset.
func bookedIn(ctx context.Context, r tenant.Reader, m date.Month) (map[tenant.ID]int64, error) {
	rows, err := tenant.Find[Depreciation](ctx, r, "year = ? AND month = ?", m.Year, int(m.Month))
	if err != nil {
		return nil, err //nolint:wrapcheck // says what was read
	}
	booked := make(map[tenant.ID]int64, len(rows))
	for _, d := range rows {
		booked[d.AssetID] = d.AmountMinor
	}
	return booked, nil
}

// maxNamed bounds the assets named in a refusal.
const maxNamed = 20

// missing collects the assets with the earliest month that should have been booked before.
type missing struct {
	found bool
	month monthIndex
	codes []string
}

// look notes an asset that is behind a month.
func (b *missing) look(rec *record, m monthIndex) {
	first, isBehind := rec.firstMissing(m)
	if !isBehind || (b.found && first > b.month) {
		return
	}
	if !b.found || first < b.month {
		b.found, b.month, b.codes = true, first, nil
	}
	b.codes = append(b.codes, rec.Code)
}

// refusal names the first missing month and its assets, or is nil.
func (b *missing) refusal() error {
	if !b.found {
		return nil
	}
	slices.Sort(b.codes)
	month, more := b.month.month(), ""
	named := b.codes[:min(len(b.codes), maxNamed)]
	if len(named) < len(b.codes) {
		more = " and others"
	}
	return ErrMonthsMissing.New("The depreciation of %s is not posted for the assets %s%s; post that month first.",
		month, strings.Join(named, ", "), more).
		Detail("firstMissingMonth", month.String()).Detail("assetCodes", named).Detail("assets", len(b.codes))
}
