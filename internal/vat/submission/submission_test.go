package submission

import (
	"context"
	"crypto/sha256"
	"errors"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"github.com/vienkart/vienkart/internal/apperr"
	"github.com/vienkart/vienkart/internal/date"
	"github.com/vienkart/vienkart/internal/files"
	"github.com/vienkart/vienkart/internal/tenant"
	"github.com/vienkart/vienkart/internal/testkit"
	"github.com/vienkart/vienkart/internal/testkit/vatmonth"
	"github.com/vienkart/vienkart/internal/vat/register"
)

var first, last = date.MustParse("2026-01-01"), date.MustParse("2026-01-31")

// sale records a sale of one row.
func sale(ctx context.Context, t *testing.T, tx tenant.Tx, number string, day date.Date) error {
	t.Helper()
	return register.Record(ctx, tx, register.Document{
		Direction: register.Sales, RegisterDate: day, Type: "test_invoice", ID: tenant.NewID(), Number: number, Date: day,
		InvoiceType: register.Invoice, Event: register.Recorded,
		Partner: register.Partner{ID: vatmonth.Partner(ctx, t, tx, "Partner "+number), Name: "Partner"},
		Groups:  []register.Group{vatmonth.Group(t, "PVM1", "21", "10", "2.10")},
	})
}

func record(t *testing.T, c *testkit.Company, number string, day date.Date) {
	t.Helper()
	c.Mutate(t, func(ctx context.Context, tx tenant.Tx) error { return sale(ctx, t, tx, number, day) })
}

// submit keeps a file of a text that stands for its content.
func submit(ctx context.Context, tx tenant.Tx, text string) (*Submission, error) {
	rows, err := Take(ctx, tx, first, last, []register.Direction{register.Purchases, register.Sales})
	if err != nil {
		return nil, err
	}
	return Create(ctx, tx, files.Depot{}, rows, CreateInput{
		Obligation: ISAF, Variant: whole, PartNumber: whole, FileName: "isaf.xml", MIMEType: "application/xml", File: []byte(text),
		ContentSHA256: sha256.Sum256([]byte(text)),
	})
}

func lateNumbers(t *testing.T, c *testkit.Company, id tenant.ID) (numbers []string) {
	t.Helper()
	c.Read(t, func(ctx context.Context, r tenant.ReadTx) error {
		late, err := LateChanges(ctx, r, id)
		if err != nil {
			return err
		}
		require.Len(t, late.Rows, int(late.Total))
		for _, row := range late.Rows {
			numbers = append(numbers, row.DocumentNumber)
		}
		return nil
	})
	return numbers
}

func TestLateChanges(t *testing.T) {
	t.Parallel()
	testkit.EachEngine(t, func(t *testing.T, e *testkit.Engine) {
		c := e.Company(t)
		record(t, c, "A1", first)
		record(t, c, "A2", last)
		record(t, c, "B1", last.AddDays(1))
		var s *Submission
		c.Mutate(t, func(ctx context.Context, tx tenant.Tx) (err error) {
			s, err = submit(ctx, tx, "<a/>")
			return err
		})
		require.Equal(t, 2, s.RowCount)
		require.Equal(t, []int64{2000, 420}, []int64{s.BaseNetMinor, s.BaseVATMinor})
		require.Empty(t, lateNumbers(t, c, s.ID))
		record(t, c, "A3", last)
		record(t, c, "B2", last.AddDays(1))
		require.Equal(t, []string{"A3"}, lateNumbers(t, c, s.ID))
		var document tenant.ID
		c.Read(t, func(ctx context.Context, r tenant.ReadTx) error {
			row, err := tenant.First[register.Row](ctx, r, "document_number = ?", "A1")
			document = row.DocumentID
			return err
		})
		c.Mutate(t, func(ctx context.Context, tx tenant.Tx) error { return register.Revoke(ctx, tx, document) })
		require.Equal(t, []string{"A1", "A3"}, lateNumbers(t, c, s.ID), "a cancellation of what was sent is a change too")
	})
}

// What began before the file was made and commits after it is late, though its ids and moments are earlier.
func TestRowsInFlightAreLate(t *testing.T) {
	t.Parallel()
	e := testkit.MySQL(t)
	c := e.Company(t)
	slow, err := e.Store.Begin(t.Context(), c.Scope)
	require.NoError(t, err)
	require.NoError(t, sale(t.Context(), t, slow.Tx, "SLOW", first))
	require.NoError(t, tenant.Flush(t.Context(), slow.Tx))
	record(t, c, "FAST", last)
	var s *Submission
	c.Mutate(t, func(ctx context.Context, tx tenant.Tx) (err error) {
		s, err = submit(ctx, tx, "<a/>")
		return err
	})
	require.Equal(t, 1, s.RowCount)
	require.NoError(t, slow.Commit(t.Context()))
	require.Equal(t, []string{"SLOW"}, lateNumbers(t, c, s.ID))
}

// Whoever loses a race for the same content is told of the winner, as whoever comes later.
func TestTwinsKeepOneSubmission(t *testing.T) {
	t.Parallel()
	e := testkit.MySQL(t)
	c := e.Company(t)
	winner, err := e.Store.Begin(t.Context(), c.Scope)
	require.NoError(t, err)
	kept, err := submit(t.Context(), winner.Tx, "<a/>")
	require.NoError(t, err)
	require.NoError(t, tenant.Flush(t.Context(), winner.Tx))
	loser := make(chan error, 1)
	go func() {
		loser <- c.TryMutate(context.WithoutCancel(t.Context()), func(ctx context.Context, tx tenant.Tx) error {
			_, err := submit(ctx, tx, "<a/>")
			return err
		})
	}()
	select {
	case err := <-loser:
		t.Fatalf("it must wait for the winner, not end with %v", err)
	case <-time.After(200 * time.Millisecond):
	}
	require.NoError(t, winner.Commit(t.Context()))
	lost, ok := errors.AsType[*tenant.DuplicateError](<-loser)
	require.True(t, ok)
	c.Read(t, func(ctx context.Context, r tenant.ReadTx) error {
		refusal, ok := errors.AsType[*apperr.Error](lost.Resolve(ctx, r))
		require.True(t, ok)
		require.ErrorIs(t, refusal, ErrDuplicate)
		require.Equal(t, kept.ID, refusal.Details()["existingId"])
		return nil
	})
}
