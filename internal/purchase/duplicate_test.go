package purchase_test

import (
	"context"
	"errors"
	"sync"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/vienkart/vienkart/internal/apperr"
	"github.com/vienkart/vienkart/internal/audit"
	"github.com/vienkart/vienkart/internal/date"
	"github.com/vienkart/vienkart/internal/partner"
	"github.com/vienkart/vienkart/internal/purchase"
	"github.com/vienkart/vienkart/internal/tenant"
	"github.com/vienkart/vienkart/internal/testkit"
)

func requireDuplicate(t *testing.T, err error, existing tenant.ID) {
	t.Helper()
	require.ErrorIs(t, err, purchase.ErrDuplicate)
	refusal, ok := errors.AsType[*apperr.Error](err)
	require.True(t, ok)
	require.Equal(t, map[string]any{
		"existingId": existing, "index": "one supplier invoice per supplier and document number",
	}, refusal.Details())
}

func TestDuplicate(t *testing.T) {
	t.Parallel()
	testkit.EachEngine(t, func(t *testing.T, e *testkit.Engine) {
		b := open(t, e)
		first := b.create(t, b.invoice("SF 3411"))
		for name, change := range map[string]func(*purchase.CreateInput){
			"Same":           func(*purchase.CreateInput) {},
			"TrailingBlank":  func(in *purchase.CreateInput) { in.DocumentNumber = "SF 3411 " },
			"InnerBlanks":    func(in *purchase.CreateInput) { in.DocumentNumber = "SF   3411" },
			"Case":           func(in *purchase.CreateInput) { in.DocumentNumber = "sf 3411" },
			"OtherDay":       func(in *purchase.CreateInput) { in.DocumentDate = date.MustParse("2026-01-31") },
			"OtherYear":      func(in *purchase.CreateInput) { in.DocumentDate = date.MustParse("2025-01-20") },
			"OtherAmount":    func(in *purchase.CreateInput) { in.Lines = []purchase.LineInput{line("7", "21")} },
			"OtherDocuments": func(in *purchase.CreateInput) { in.Type = purchase.TypeCreditNote },
		} {
			in := b.invoice("SF 3411")
			change(&in)
			_, err := b.tryCreate(t, in)
			require.Error(t, err, name)
			requireDuplicate(t, err, first.ID)
		}
		registered, err := b.tryRegister(t, first.ID, "")
		require.NoError(t, err)
		_, err = b.tryCreate(t, b.invoice("SF 3411"))
		requireDuplicate(t, err, registered.ID)
		require.EqualValues(t, 1, b.count(t, e, "purchase_numbers"))
		require.EqualValues(t, 0, b.count(t, e, "purchase_drafts"))
	})
}

func TestDuplicateOfAnotherSupplierOrCompanyIsNone(t *testing.T) {
	t.Parallel()
	testkit.EachEngine(t, func(t *testing.T, e *testkit.Engine) {
		b, other := open(t, e), open(t, e)
		first := b.create(t, b.invoice("3411"))
		require.NotEqual(t, first.ID, other.create(t, other.invoice("3411")).ID)
		in := b.invoice("3411")
		in.PartnerID = b.partner(t, partner.Fields{Name: new("UAB Kitas")})
		require.Empty(t, b.create(t, in).Warnings)
		_, err := b.tryCreate(t, b.invoice("3411"))
		requireDuplicate(t, err, first.ID)
	})
}

func TestSimilarNumberWarns(t *testing.T) {
	t.Parallel()
	testkit.EachEngine(t, func(t *testing.T, e *testkit.Engine) {
		b := open(t, e)
		first := b.create(t, b.invoice("3411"))
		require.Empty(t, first.Warnings)
		second := b.create(t, b.invoice("003411"))
		require.Len(t, second.Warnings, 1)
		require.Contains(t, second.Warnings[0], "3411 has a similar number")
		require.Equal(t, second, b.get(t, second.ID))
		require.Len(t, b.get(t, first.ID).Warnings, 1)
	})
}

func TestReleasedNumberIsFree(t *testing.T) {
	t.Parallel()
	testkit.EachEngine(t, func(t *testing.T, e *testkit.Engine) {
		b := open(t, e)
		deleted := b.create(t, b.invoice("A1"))
		require.NoError(t, b.tryDelete(t, deleted.ID))
		require.ErrorIs(t, b.tryDelete(t, deleted.ID), apperr.ErrNotFound)
		again := b.create(t, b.invoice("A1"))
		renumbered, err := b.tryUpdate(t, purchase.UpdateInput{ID: again.ID, DocumentNumber: new(" A2 ")})
		require.NoError(t, err)
		require.Equal(t, "A2", renumbered.DocumentNumber)
		third := b.create(t, b.invoice("A1"))
		_, err = b.tryUpdate(t, purchase.UpdateInput{ID: again.ID, DocumentNumber: new("a1")})
		requireDuplicate(t, err, third.ID)
		recased, err := b.tryUpdate(t, purchase.UpdateInput{ID: again.ID, DocumentNumber: new("a2")})
		require.NoError(t, err)
		require.Equal(t, "a2", recased.DocumentNumber)
		require.EqualValues(t, 2, b.count(t, e, "purchase_numbers"))
		require.EqualValues(t, 2, b.count(t, e, "purchase_draft_lines"))
	})
}

func TestDuplicateReason(t *testing.T) {
	t.Parallel()
	testkit.EachEngine(t, func(t *testing.T, e *testkit.Engine) {
		b := open(t, e)
		first := b.book(t, b.invoice("7"))
		in := b.invoice("7")
		in.DuplicateReason = " Du dokumentai tuo pačiu numeriu "
		second := b.create(t, in)
		require.Equal(t, &first.ID, second.DuplicateOfID)
		require.Equal(t, new("Du dokumentai tuo pačiu numeriu"), second.DuplicateReason)
		require.Equal(t, second, b.get(t, second.ID))
		require.Equal(t, []tenant.ID{second.ID}, b.get(t, first.ID).DuplicateIDs)
		kept, err := b.tryUpdate(t, purchase.UpdateInput{ID: second.ID, DocumentNumber: new(" 7"), DuplicateReason: " "})
		require.NoError(t, err)
		require.Equal(t, second, kept)
		third := b.create(t, in)
		require.Equal(t, &first.ID, third.DuplicateOfID)
		_, err = b.tryRegister(t, second.ID, "")
		require.NoError(t, err)
		_, err = b.tryCreate(t, b.invoice("7"))
		requireDuplicate(t, err, first.ID)

		in = b.invoice("8")
		in.DuplicateReason = "Nėra ko dubliuoti"
		_, err = b.tryCreate(t, in)
		require.ErrorIs(t, err, purchase.ErrNoDuplicate)
		b.Read(t, func(ctx context.Context, r tenant.ReadTx) error {
			page, err := audit.List(ctx, r, tenant.ListQuery{})
			accepted := 0
			for _, l := range page.Rows {
				if l.Action == "purchase_invoice.duplicate_accepted" {
					require.Equal(t, first.ID.String(), *l.EntityID)
					accepted++
				}
			}
			require.Equal(t, 2, accepted)
			return err
		})
	})
}

func TestDuplicateKeepsTheFirstNumber(t *testing.T) {
	t.Parallel()
	testkit.EachEngine(t, func(t *testing.T, e *testkit.Engine) {
		b := open(t, e)
		first := b.create(t, b.invoice("7"))
		in := b.invoice("7")
		in.DuplicateReason = "Kitas dokumentas"
		second := b.create(t, in)
		require.ErrorIs(t, b.tryDelete(t, first.ID), purchase.ErrHasDuplicate)
		_, err := b.tryUpdate(t, purchase.UpdateInput{ID: first.ID, DocumentNumber: new("9")})
		require.ErrorIs(t, err, purchase.ErrHasDuplicate)
		moved, err := b.tryUpdate(t, purchase.UpdateInput{ID: second.ID, DocumentNumber: new("9")})
		require.NoError(t, err)
		require.Nil(t, moved.DuplicateOfID)
		require.NoError(t, b.tryDelete(t, first.ID))
	})
}

// TestDuplicateTwins lets fifty callers enter the same document at once: one succeeds, and the others learn which.
func TestDuplicateTwins(t *testing.T) {
	t.Parallel()
	testkit.EachEngine(t, func(t *testing.T, e *testkit.Engine) {
		b := open(t, e)
		const twins = 50
		made, errs := make([]*purchase.Invoice, twins), make([]error, twins)
		var wait sync.WaitGroup
		for i := range twins {
			wait.Go(func() { made[i], errs[i] = b.tryCreate(t, b.invoice("SF 3411")) })
		}
		wait.Wait()
		var winner *purchase.Invoice
		for i := range twins {
			if errs[i] == nil {
				require.Nil(t, winner, "two documents with one number")
				winner = made[i]
			}
		}
		require.NotNil(t, winner)
		for i := range twins {
			if errs[i] != nil {
				requireDuplicate(t, errs[i], winner.ID)
			}
		}
		for table, want := range map[string]int64{
			"purchase_numbers": 1, "purchase_drafts": 1, "purchase_draft_lines": 1, "purchase_invoices": 0, "journal_transactions": 0,
		} {
			require.Equal(t, want, b.count(t, e, table), table)
		}
		b.Read(t, func(ctx context.Context, r tenant.ReadTx) error {
			page, err := audit.List(ctx, r, tenant.ListQuery{Filter: []tenant.Filter{
				{Field: "action", Op: "eq", Value: []byte(`"purchase_invoice.created"`)},
			}})
			require.Equal(t, 1, page.Total)
			return err
		})
	})
}
