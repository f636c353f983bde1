package tenant

import (
	"bytes"
	"context"
	"fmt"
	"math/rand/v2"
	"slices"
	"strings"
)

// A lock on a row keeps other transactions of its node out. Where several nodes write, those of other nodes never see it: they
// meet this one at commit, and there only what was written counts. So a lock also writes down what it holds, by inserting and
// deleting a row whose key says so. Two transactions that did so under one key never both commit: the node that applies the
// first one's rows ends the second one there, and if it was already on its way, certification does.
//
// The key is one of idempotency_keys, beginning with a character that no client may send. Such a row is never committed.
//
// The statements go ahead of whatever the transaction reads next, so what it reads under the lock is what it relies on.

// sharedSlots is how many may hold a row together with little chance of meeting; one that keeps them all out takes every slot.
const sharedSlots byte = 64

// aloneSlot is the key of a holder that nobody holds the row together with.
const aloneSlot = sharedSlots

// holdsAtOnce bounds the rows of one statement.
const holdsAtOnce = 200

// HoldShared goes with a query of rows by @forshare: until the transaction ends no HoldAgainstShared of theirs can commit on
// another node either.
func HoldShared(ctx context.Context, tx Tx, table string, ids ...ID) error {
	h := tx.handle()
	if !h.db.LocksStayOnNode() {
		return nil
	}
	keys := make([][]byte, len(ids))
	for i, id := range ids {
		keys[i] = holdKey(table, id, rand.N(sharedSlots)) //nolint:gosec // spreads, nothing secret
	}
	return h.hold(ctx, keys)
}

// HoldAgainstShared goes with a Lock of a row that others hold by HoldShared.
func HoldAgainstShared(ctx context.Context, tx Tx, table string, id ID) error {
	h := tx.handle()
	if !h.db.LocksStayOnNode() {
		return nil
	}
	keys := make([][]byte, sharedSlots)
	for slot := range sharedSlots {
		keys[slot] = holdKey(table, id, slot)
	}
	return h.hold(ctx, keys)
}

// holdAlone goes with an exclusive lock on rows.
func (h *handle) holdAlone(ctx context.Context, table string, ids ...ID) error {
	if !h.db.LocksStayOnNode() {
		return nil
	}
	keys := make([][]byte, len(ids))
	for i, id := range ids {
		keys[i] = holdKey(table, id, aloneSlot)
	}
	return h.hold(ctx, keys)
}

func holdKey(table string, id ID, slot byte) []byte {
	return slices.Concat([]byte("\x00hold\x00"), []byte(table), []byte{0}, id[:], []byte{slot})
}

func (h *handle) hold(ctx context.Context, keys [][]byte) error {
	slices.SortFunc(keys, bytes.Compare)
	for batch := range slices.Chunk(slices.CompactFunc(keys, bytes.Equal), holdsAtOnce) {
		inserted := make([]any, 0, 2*len(batch))
		deleted := append(make([]any, 0, 1+len(batch)), h.scope.s.company.ID)
		for _, key := range batch {
			inserted, deleted = append(inserted, h.scope.s.company.ID, key), append(deleted, key)
		}
		const row = "(?, ?, 'running', '', '', '', '', '', '', '', '', '', 0, UTC_TIMESTAMP(6), UTC_TIMESTAMP(6)), "
		insertion := `INSERT INTO idempotency_keys (company_id, idempotency_key, state, fingerprint, method, route, query, media_type,
			request, request_id, actor, attempt, replay_count, created_at, expires_at) VALUES ` + strings.Repeat(row, len(batch))
		deletion := "DELETE FROM idempotency_keys WHERE company_id = ? AND idempotency_key IN (" + strings.Repeat("?, ", len(batch))
		if err := h.sql.Later(ctx, strings.TrimSuffix(insertion, ", "), inserted...); err != nil {
			return fmt.Errorf("holding rows: %w", err)
		}
		if err := h.sql.Later(ctx, strings.TrimSuffix(deletion, ", ")+")", deleted...); err != nil {
			return fmt.Errorf("holding rows: %w", err)
		}
	}
	return nil
}
