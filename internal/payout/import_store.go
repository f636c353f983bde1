package payout

import (
	"context"
	"fmt"
	"slices"

	"github.com/vienkart/vienkart/internal/audit"
	"github.com/vienkart/vienkart/internal/money"
	"github.com/vienkart/vienkart/internal/tenant"
	"github.com/vienkart/vienkart/internal/webhook"
)

// store writes what prepare worked out.
func (m *merger) store(ctx context.Context, tx tenant.Tx) error {
	var added []*Settlement
	for _, s := range m.settlements {
		switch {
		case m.posted[s.ID]:
			m.result.Skipped++
		case m.known[s.ID]:
			m.result.Updated++
		default:
			m.result.Imported++
			added = append(added, s)
		}
	}
	// Of two first imports of a payout the loser is run again, and then updates it.
	if err := tenant.OnDuplicate(tx, tenant.Insert(ctx, tx, added...), indexPayout, tenant.RunAgain); err != nil {
		return fmt.Errorf("importing settlements: %w", err)
	}
	for chunk := range slices.Chunk(m.lines, rowsPerStatement) {
		err := tenant.OnDuplicate(tx, tenant.Insert(ctx, tx, chunk...), indexExternal,
			func(ctx context.Context, r tenant.ReadTx) error { return m.linesAreFree(ctx, r) })
		if err != nil {
			return fmt.Errorf("importing settlements: %w", err)
		}
	}
	return m.update(ctx, tx)
}

// update writes the settlements that are imported again, all of a currency by one statement, since their sums are those of
// their lines. The day of a payout hardly ever changes.
func (m *merger) update(ctx context.Context, tx tenant.Tx) error {
	byCurrency := map[money.Currency][]tenant.ID{}
	for _, s := range m.settlements {
		if !m.known[s.ID] || m.posted[s.ID] {
			continue
		}
		byCurrency[s.Currency] = append(byCurrency[s.Currency], s.ID)
		if m.dated[s.ID] {
			if err := tenant.Update(ctx, tx, s, "payout_date"); err != nil {
				return err //nolint:wrapcheck // says what was updated
			}
		}
	}
	for c, ids := range byCurrency {
		err := tenant.ExecLists(ctx, tx, `UPDATE settlements SET bank_account_id = ?, format = ?, currency = ?, updated_at = ?,
			gross_minor = (SELECT SUM(l.gross_minor) FROM settlement_lines l WHERE l.company_id = settlements.company_id AND l.settlement_id = settlements.id),
			fee_minor = (SELECT SUM(l.fee_minor) FROM settlement_lines l WHERE l.company_id = settlements.company_id AND l.settlement_id = settlements.id),
			net_minor = (SELECT SUM(l.net_minor) FROM settlement_lines l WHERE l.company_id = settlements.company_id AND l.settlement_id = settlements.id)
			WHERE company_id = @company AND id IN ?`, m.in.BankAccountID, m.file.Format, c, tx.Now(), ids)
		if err != nil {
			return fmt.Errorf("importing settlements again: %w", err)
		}
	}
	return nil
}

// tell records and announces what was imported.
func (m *merger) tell(ctx context.Context, tx tenant.Tx) error {
	var entries []audit.Entry
	var events []webhook.Event
	for _, s := range m.result.Settlements {
		if m.posted[s.ID] {
			continue
		}
		action := "settlement.imported"
		if m.known[s.ID] {
			action = "settlement.updated"
		}
		entries = append(entries, audit.Entry{Action: action, Entity: entity, EntityID: s.ID.String(), After: s.Card()})
		events = append(events, webhook.Event{Type: action, ObjectType: entity, ObjectID: s.ID})
	}
	if err := audit.Record(ctx, tx, entries...); err != nil {
		return err //nolint:wrapcheck // says what was recorded
	}
	return webhook.Publish(ctx, tx, events...) //nolint:wrapcheck // says what failed
}

// announce writes an action into the audit log and an event of the same name into the outbox.
func announce(ctx context.Context, tx tenant.Tx, action string, s *State, before, after any) error {
	err := audit.Record(ctx, tx, audit.Entry{Action: action, Entity: entity, EntityID: s.ID.String(), Before: before, After: after})
	if err != nil {
		return err //nolint:wrapcheck // says what was recorded
	}
	return webhook.Publish(ctx, tx, webhook.Event{Type: action, ObjectType: entity, ObjectID: s.ID}) //nolint:wrapcheck // says what failed
}
