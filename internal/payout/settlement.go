package payout

import (
	"context"
	"fmt"

	"github.com/vienkart/vienkart/internal/clock"
	"github.com/vienkart/vienkart/internal/date"
	"github.com/vienkart/vienkart/internal/money"
	"github.com/vienkart/vienkart/internal/payout/report"
	"github.com/vienkart/vienkart/internal/tenant"
)

// Names of settlements: in the audit log and in events, and in the journal.
const (
	entity       = "settlement"
	documentType = "settlement_batch"
)

// Provider is who pays out.
type Provider string

// Stripe is the one provider whose reports are read.
const Stripe Provider = "stripe"

// Enum lists the allowed values.
func (Provider) Enum() []any { return []any{Stripe} }

// Status is the life of a settlement.
type Status string

// The states.
const (
	StatusImported Status = "imported"
	StatusPosted   Status = "posted"
)

// Enum lists the allowed values.
func (Status) Enum() []any { return []any{StatusImported, StatusPosted} }

// MatchStatus tells how a line came to its invoice.
type MatchStatus string

// The states of a match.
const (
	Unmatched MatchStatus = "unmatched"
	Matched   MatchStatus = "matched"
	Manual    MatchStatus = "manual"
)

// Enum lists the allowed values.
func (MatchStatus) Enum() []any { return []any{Unmatched, Matched, Manual} }

// Settlement is one payout of a provider. Amounts are minor units of Currency, and the sums of its lines.
type Settlement struct {
	tenant.Row
	BankAccountID tenant.ID
	Provider      Provider
	PayoutID      string
	// PayoutDate is the day the money arrives; the zero Date where the report did not say.
	PayoutDate date.Date
	Format     report.Format
	Currency   money.Currency
	GrossMinor int64
	FeeMinor   int64
	NetMinor   int64
	CreatedAt  clock.Time
	UpdatedAt  clock.Time
}

// TableName names the table for the mapper.
func (Settlement) TableName() string { return "settlements" }

// matchState is a match as stored: a match that was taken away by hand is not made again by an import.
type matchState string

const (
	stateNone    matchState = "none"
	stateMatched matchState = "matched"
	stateManual  matchState = "manual"
	stateCleared matchState = "cleared"
)

// Line is one movement of a payout. Amounts are minor units of the settlement's currency.
type Line struct {
	tenant.Row
	SettlementID tenant.ID
	LineNo       int
	Provider     Provider
	ExternalID   string
	Category     string
	LineDate     date.Date
	GrossMinor   int64
	FeeMinor     int64
	NetMinor     int64
	Description  *string
	SourceID     *string
	ChargeID     *string
	Reference    *string
	MatchState   matchState
	InvoiceID    *tenant.ID
}

// TableName names the table for the mapper.
func (Line) TableName() string { return "settlement_lines" }

// payment is what ties a payment and its refunds together.
func (l *Line) payment() string {
	if l.ChargeID != nil {
		return *l.ChargeID
	}
	return l.ExternalID
}

// posting says that a settlement is in the books, and what it did there.
type posting struct {
	tenant.Row
	SettlementID      tenant.ID
	PostingDate       date.Date
	ExchangeRate      money.Decimal
	CommissionPercent *money.Decimal
	NetMinor          int64
	ReceivableMinor   int64
	CommissionMinor   int64
	SellerMinor       int64
	FeeMinor          int64
	SuspenseMinor     int64
	// JournalTransactionID is nil when no line has an amount.
	JournalTransactionID *tenant.ID
	CreatedAt            clock.Time
}

func (posting) TableName() string { return "settlement_postings" }

// State is a settlement with what is derived from its lines and its posting.
type State struct {
	Settlement
	Status Status
	// JournalTransactionID is nil until it is posted, and when no line had an amount.
	JournalTransactionID *tenant.ID
	LineCount            int
	MatchedCount         int
}

// Get reads a settlement with its lines in the order of the report. Error: not_found.
func Get(ctx context.Context, r tenant.Reader, id tenant.ID) (*State, []Line, error) {
	s, err := tenant.Get[Settlement](ctx, r, id)
	if err != nil {
		return nil, nil, err //nolint:wrapcheck // says what was read
	}
	state, err := stateOf(ctx, r, *s)
	if err != nil {
		return nil, nil, err
	}
	lines, err := linesOf(ctx, r, id)
	return state, lines, err
}

func linesOf(ctx context.Context, r tenant.Reader, id tenant.ID) ([]Line, error) {
	lines, err := tenant.Query[Line](ctx, r,
		"SELECT * FROM settlement_lines WHERE company_id = @company AND settlement_id = ? ORDER BY line_no", id)
	if err != nil {
		return nil, fmt.Errorf("reading the lines of a settlement: %w", err)
	}
	return lines, nil
}

func stateOf(ctx context.Context, r tenant.Reader, s Settlement) (*State, error) {
	states := []State{{Settlement: s}}
	if err := fill(ctx, r, states); err != nil {
		return nil, err
	}
	return &states[0], nil
}

// lineCounts are what the lines of a settlement number.
type lineCounts struct {
	SettlementID tenant.ID
	LineCount    int
	MatchedCount int
}

// fill derives the state of settlements, each by queries of its own: a join would count a line once per row beside it.
func fill(ctx context.Context, r tenant.Reader, states []State) error {
	if len(states) == 0 {
		return nil
	}
	ids := make([]tenant.ID, len(states))
	for i, s := range states {
		ids[i] = s.ID
	}
	counted, err := tenant.Query[lineCounts](ctx, r, `SELECT settlement_id, COUNT(*) AS line_count, COUNT(invoice_id) AS matched_count
		FROM settlement_lines WHERE company_id = @company AND settlement_id IN ? GROUP BY settlement_id`, ids)
	if err != nil {
		return fmt.Errorf("counting the lines of settlements: %w", err)
	}
	counts := make(map[tenant.ID]lineCounts, len(counted))
	for _, c := range counted {
		counts[c.SettlementID] = c
	}
	postings, err := postingsOf(ctx, r, ids)
	if err != nil {
		return err
	}
	for i := range states {
		s := &states[i]
		s.Status, s.LineCount, s.MatchedCount = StatusImported, counts[s.ID].LineCount, counts[s.ID].MatchedCount
		if p, ok := postings[s.ID]; ok {
			s.Status, s.JournalTransactionID = StatusPosted, p.JournalTransactionID
		}
	}
	return nil
}

// postingsOf reads the postings of settlements, by settlement.
func postingsOf(ctx context.Context, r tenant.Reader, ids []tenant.ID) (map[tenant.ID]posting, error) {
	postings := map[tenant.ID]posting{}
	if len(ids) == 0 {
		return postings, nil
	}
	rows, err := tenant.Find[posting](ctx, r, "settlement_id IN ?", ids)
	if err != nil {
		return nil, err //nolint:wrapcheck // says what was read
	}
	for _, p := range rows {
		postings[p.SettlementID] = p
	}
	return postings, nil
}

const statusOf = "(CASE WHEN p.id IS NULL THEN 'imported' ELSE 'posted' END)"

var listing = tenant.Listing{
	Sources: []tenant.Source{{
		From: "settlements s", As: "s",
		Joins: []tenant.Join{
			{As: "p", On: "LEFT JOIN settlement_postings p ON p.company_id = s.company_id AND p.settlement_id = s.id"},
		},
		Columns: "s.*, " + statusOf + " AS status, p.journal_transaction_id",
		Fields: map[string]tenant.Field{
			"id":                   tenant.IDField("s.id"),
			"bankAccountId":        tenant.IDField("s.bank_account_id"),
			"provider":             tenant.TextField("s.provider"),
			"payoutId":             tenant.TextField("s.payout_id"),
			"payoutDate":           tenant.DateField("s.payout_date"),
			"currency":             tenant.TextField("s.currency"),
			"status":               tenant.TextField(statusOf),
			"journalTransactionId": tenant.IDField("p.journal_transaction_id"),
			"createdAt":            tenant.TimeField("s.created_at"),
			"updatedAt":            tenant.TimeField("s.updated_at"),
		},
	}},
	Order: []tenant.Sort{{Field: "id", Dir: "desc"}},
}

// List reads a page of settlements, the latest import first unless asked otherwise. Error: validation.
func List(ctx context.Context, r tenant.ReadTx, q tenant.ListQuery) (tenant.Page[State], error) {
	page, err := tenant.ListRows[State](ctx, r, q, listing)
	if err != nil {
		return page, err //nolint:wrapcheck // names the field at fault
	}
	return page, fill(ctx, r, page.Rows)
}
