package payout

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"slices"

	"github.com/vienkart/vienkart/internal/money"
	"github.com/vienkart/vienkart/internal/payout/report"
	"github.com/vienkart/vienkart/internal/tenant"
)

// rowsPerStatement keeps one statement far below the placeholders that an engine allows.
const rowsPerStatement = 500

// Unique indexes.
const (
	indexPayout   = "settlements_payout"
	indexExternal = "settlement_lines_external_id"
	indexPosting  = "settlement_postings_settlement"
)

// ImportInput is a report with the bank account that its payouts went to.
type ImportInput struct {
	BankAccountID tenant.ID
	Provider      Provider
	// Content is the file as text, or in base64.
	Content string
}

// ImportResult says what an import did. Settlements stand in the order of the report, skipped ones too.
type ImportResult struct {
	Format report.Format
	// Imported, Updated and Skipped count settlements: new, replaced, and posted before.
	Imported, Updated, Skipped int
	// The rest counts rows that are no lines of a settlement.
	SkippedUnassigned, SkippedPayoutRows, SkippedNotSettled int
	Settlements                                             []State
}

// Import stores the payouts of a report: all of them, or nothing. A payout that was imported before gets the lines of this
// report; its lines keep their ids, and matches made by hand stay. A posted one stays as it is. Lines of payments are matched
// with the invoice that they name.
// Errors: settlement.unreadable, settlement.sums_differ, settlement.line_exists.
func Import(ctx context.Context, tx tenant.Tx, in ImportInput) (*ImportResult, error) {
	file, err := report.Parse(in.Content)
	if err != nil {
		return nil, refusal(err)
	}
	m := &merger{in: in, file: file, result: &ImportResult{
		Format: file.Format, SkippedUnassigned: file.SkippedUnassigned, SkippedPayoutRows: file.SkippedPayoutRows,
		SkippedNotSettled: file.SkippedNotSettled, Settlements: []State{},
	}}
	if len(file.Payouts) == 0 {
		return m.result, nil
	}
	if err := m.hold(ctx, tx); err != nil {
		return nil, err
	}
	if err := m.prepare(ctx, tx); err != nil {
		return nil, err
	}
	if err := m.store(ctx, tx); err != nil {
		return nil, err
	}
	for _, s := range m.settlements {
		m.result.Settlements = append(m.result.Settlements, State{Settlement: *s})
	}
	if err := fill(ctx, tx, m.result.Settlements); err != nil {
		return nil, err
	}
	return m.result, m.tell(ctx, tx)
}

// refusal turns a fault of the file into an answer.
func refusal(err error) error {
	if fault, ok := errors.AsType[*report.Fault](err); ok {
		refused := ErrUnreadable.New("The file cannot be read: %s. Nothing was imported.", fault).Field("content", "%s", fault.Error())
		if fault.Line > 0 {
			refused.Detail("line", fault.Line)
		}
		if fault.Column != "" {
			refused.Detail("column", fault.Column)
		}
		return refused
	}
	if m, ok := errors.AsType[*report.Mismatch](err); ok {
		return ErrMismatch.New("The lines of the payout %s come to %s %s, but its own row says %s. Export the report again, with all categories.",
			m.PayoutID, m.Found, m.Found.Currency(), m.Expected).
			Field("content", "does not add up for the payout %s", m.PayoutID).
			Detail("payoutId", m.PayoutID).Detail("expected", m.Expected.String()).Detail("found", m.Found.String())
	}
	return fmt.Errorf("reading the report: %w", err)
}

// merger brings a report together with what was imported before.
type merger struct {
	in     ImportInput
	file   *report.File
	result *ImportResult
	// settlements has one for each payout of the file; known are those that were there before, posted those that stay.
	settlements   []*Settlement
	known, posted map[tenant.ID]bool
	// dated are those for which the report names another day than was known.
	dated map[tenant.ID]bool
	// before are the lines that are replaced, by external id.
	before map[string]Line
	lines  []*Line
}

// hold finds the settlements of the payouts and holds those that are not new, by id. It looks for postings after that: from then on
// none can be added.
func (m *merger) hold(ctx context.Context, tx tenant.Tx) error {
	payouts := make([]string, len(m.file.Payouts))
	for i, p := range m.file.Payouts {
		payouts[i] = p.ID
	}
	seen, err := tenant.Find[Settlement](ctx, tx, "provider = ? AND payout_id IN ?", m.in.Provider, payouts)
	if err != nil {
		return err //nolint:wrapcheck // says what was read
	}
	byPayout := map[string]*Settlement{}
	m.known, m.posted, m.dated, m.before = map[tenant.ID]bool{}, map[tenant.ID]bool{}, map[tenant.ID]bool{}, map[string]Line{}
	if len(seen) > 0 {
		ids := make([]tenant.ID, len(seen))
		for i, s := range seen {
			ids[i] = s.ID
		}
		slices.SortFunc(ids, func(a, b tenant.ID) int { return bytes.Compare(a[:], b[:]) })
		held, err := tenant.LockWhere[Settlement](ctx, tx, "SELECT * FROM settlements WHERE company_id = @company AND id IN ? ORDER BY id @forupdate", ids)
		if err != nil {
			return fmt.Errorf("holding settlements: %w", err)
		}
		for i := range held {
			byPayout[held[i].PayoutID] = &held[i]
			m.known[held[i].ID] = true
		}
		postings, err := postingsOf(ctx, tx, ids)
		if err != nil {
			return err
		}
		for id := range postings {
			m.posted[id] = true
		}
	}
	for _, p := range m.file.Payouts {
		s := byPayout[p.ID]
		if s == nil {
			s = &Settlement{Row: tenant.Row{ID: tenant.NewID()}, Provider: m.in.Provider, PayoutID: p.ID, CreatedAt: tx.Now()}
		}
		m.settlements = append(m.settlements, s)
	}
	return nil
}

// prepare works out the settlements and lines that will be stored, and takes the old lines away.
func (m *merger) prepare(ctx context.Context, tx tenant.Tx) error {
	if err := m.clear(ctx, tx); err != nil {
		return err
	}
	byCurrency := map[money.Currency][]*Line{}
	for i, p := range m.file.Payouts {
		s := m.settlements[i]
		if m.posted[s.ID] {
			continue
		}
		sameCurrency := !m.known[s.ID] || s.Currency == p.Currency
		s.BankAccountID, s.Currency, s.Format, s.UpdatedAt = m.in.BankAccountID, p.Currency, m.file.Format, tx.Now()
		if !p.Date.IsZero() {
			m.dated[s.ID] = p.Date != s.PayoutDate
			s.PayoutDate = p.Date
		}
		s.GrossMinor, s.FeeMinor, s.NetMinor = 0, 0, 0
		for j, l := range p.Lines {
			row := m.line(s, j+1, l, sameCurrency)
			m.lines = append(m.lines, row)
			byCurrency[p.Currency] = append(byCurrency[p.Currency], row)
			s.GrossMinor += l.Gross.Minor()
			s.FeeMinor += l.Fee.Minor()
			s.NetMinor += l.Net.Minor()
		}
	}
	for c, lines := range byCurrency {
		if err := match(ctx, tx, c, lines); err != nil {
			return err
		}
	}
	return m.linesAreFree(ctx, tx)
}

// clear reads and deletes the lines of settlements that are imported again.
func (m *merger) clear(ctx context.Context, tx tenant.Tx) error {
	replaced := m.replaced()
	if len(replaced) == 0 {
		return nil
	}
	lines, err := tenant.Find[Line](ctx, tx, "settlement_id IN ?", replaced)
	if err != nil {
		return err //nolint:wrapcheck // says what was read
	}
	for _, l := range lines {
		m.before[l.ExternalID] = l
	}
	_, err = tenant.DeleteWhere[Line](ctx, tx, "settlement_id IN ?", replaced)
	return err //nolint:wrapcheck // says what was deleted
}

// replaced are the settlements that are imported again.
func (m *merger) replaced() []tenant.ID {
	var ids []tenant.ID
	for _, s := range m.settlements {
		if m.known[s.ID] && !m.posted[s.ID] {
			ids = append(ids, s.ID)
		}
	}
	return ids
}

// line makes the row of a line. It keeps the id of the row before, and what was decided about it by hand.
func (m *merger) line(s *Settlement, number int, l report.Line, sameCurrency bool) *Line {
	row := &Line{
		Row: tenant.Row{ID: tenant.NewID()}, SettlementID: s.ID, LineNo: number, Provider: s.Provider, ExternalID: l.ExternalID,
		Category: l.Category, LineDate: l.Date, GrossMinor: l.Gross.Minor(), FeeMinor: l.Fee.Minor(), NetMinor: l.Net.Minor(),
		Description: optional(l.Description), SourceID: optional(l.SourceID), ChargeID: optional(l.ChargeID),
		Reference: optional(l.Reference), MatchState: stateNone,
	}
	before, ok := m.before[l.ExternalID]
	if !ok || before.SettlementID != s.ID {
		return row
	}
	row.ID = before.ID
	if sameCurrency && (before.MatchState == stateManual || before.MatchState == stateCleared) {
		row.MatchState, row.InvoiceID = before.MatchState, before.InvoiceID
	}
	return row
}

func optional(s string) *string {
	if s == "" {
		return nil
	}
	return &s
}

// placedLine is a line with the payout that it is in.
type placedLine struct {
	ExternalID   string
	SettlementID tenant.ID
	PayoutID     string
}

// linesAreFree refuses movements that another settlement has.
func (m *merger) linesAreFree(ctx context.Context, r tenant.Reader) error {
	payouts := make(map[tenant.ID]string, len(m.settlements))
	for _, s := range m.settlements {
		payouts[s.ID] = s.PayoutID
	}
	home := make(map[string]string, len(m.lines))
	ids := make([]string, len(m.lines))
	for i, l := range m.lines {
		ids[i], home[l.ExternalID] = l.ExternalID, payouts[l.SettlementID]
	}
	for chunk := range slices.Chunk(ids, rowsPerStatement) {
		placed, err := tenant.Query[placedLine](ctx, r, `SELECT l.external_id, l.settlement_id, s.payout_id FROM settlement_lines l
			JOIN settlements s ON s.company_id = l.company_id AND s.id = l.settlement_id
			WHERE l.company_id = @company AND l.provider = ? AND l.external_id IN ? ORDER BY s.payout_id, l.line_no`, m.in.Provider, chunk)
		if err != nil {
			return fmt.Errorf("looking for movements: %w", err)
		}
		for _, l := range placed {
			// In the same payout it is that of a first import which has just won the race.
			if l.PayoutID != home[l.ExternalID] {
				return elsewhere(l)
			}
		}
	}
	return nil
}

func elsewhere(l placedLine) error {
	return ErrLineElsewhere.New("The movement %s is in the settlement of the payout %s already; it cannot be paid out twice.", l.ExternalID, l.PayoutID).
		Field("content", "has the movement %s of the payout %s", l.ExternalID, l.PayoutID).
		Detail("existingId", l.SettlementID).Detail("index", "one line per movement of a provider").
		Detail("externalId", l.ExternalID).Detail("payoutId", l.PayoutID)
}

// amount is an amount of the settlement.
func (s *Settlement) amount(minor int64) money.Amount { return money.New(minor, s.Currency) }
