package httpapi

import (
	"context"
	"time"

	"github.com/vienkart/vienkart/internal/date"
	"github.com/vienkart/vienkart/internal/ledger"
	"github.com/vienkart/vienkart/internal/tenant"
)

func ledgerPeriodOperations() []Operation {
	return []Operation{
		query("/v1/ledger/periods/list", tenant.ReadBooks, "List the months of the books", listLedgerPeriods,
			described("Lists the months that were posted into or locked. A month that is not listed is open.")),
		mutation("/v1/ledger/periods/lock", tenant.LockPeriods, "Lock a month", lockLedgerPeriod, about("ledger_period"),
			described("Waits for the postings under way, then refuses new ones. Locking a locked month gives the same answer.")),
		mutation("/v1/ledger/periods/unlock", tenant.LockPeriods, "Unlock a month", unlockLedgerPeriod, about("ledger_period"),
			described("Needs the member reason, which is kept in the audit log.")),
	}
}

type ledgerPeriodResponse struct {
	ID     tenant.ID           `json:"id" description:"Id of the month."`
	Year   int                 `json:"year" description:"Year."`
	Month  int                 `json:"month" description:"Month, 1 to 12."`
	Status ledger.PeriodStatus `json:"status" description:"Whether the month takes postings."`
}

func toLedgerPeriod(p ledger.Period) ledgerPeriodResponse {
	return ledgerPeriodResponse{p.ID, p.Year, p.Month, p.Status}
}

func listLedgerPeriods(ctx context.Context, r tenant.ReadTx, q tenant.ListQuery) (tenant.Page[ledgerPeriodResponse], error) {
	page, err := ledger.ListPeriods(ctx, r, q)
	return tenant.MapPage(page, toLedgerPeriod), err
}

type ledgerMonth struct {
	Year  int `json:"year" minimum:"1900" maximum:"2199" description:"Year."`
	Month int `json:"month" minimum:"1" maximum:"12" description:"Month, 1 to 12."`
}

func (m ledgerMonth) month() date.Month { return date.Month{Year: m.Year, Month: time.Month(m.Month)} }

type lockLedgerPeriodRequest struct{ ledgerMonth }

func lockLedgerPeriod(ctx context.Context, tx tenant.Tx, in lockLedgerPeriodRequest) (ledgerPeriodResponse, error) {
	p, err := ledger.Lock(ctx, tx, in.month())
	if err != nil {
		return ledgerPeriodResponse{}, err //nolint:wrapcheck // a refusal of the domain is the answer
	}
	return toLedgerPeriod(*p), nil
}

type unlockLedgerPeriodRequest struct {
	ledgerMonth
	// The contract has no reason, so that its absence is for the domain to refuse.
	Reason string `json:"reason,omitzero" maxLength:"500" description:"Why the month is opened again; the server refuses to unlock without it."`
}

func unlockLedgerPeriod(ctx context.Context, tx tenant.Tx, in unlockLedgerPeriodRequest) (ledgerPeriodResponse, error) {
	p, err := ledger.Unlock(ctx, tx, in.month(), in.Reason)
	if err != nil {
		return ledgerPeriodResponse{}, err //nolint:wrapcheck // a refusal of the domain is the answer
	}
	return toLedgerPeriod(*p), nil
}
