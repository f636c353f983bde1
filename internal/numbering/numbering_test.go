package numbering_test

import (
	"context"
	"sync"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/vienkart/vienkart/internal/numbering"
	"github.com/vienkart/vienkart/internal/tenant"
	"github.com/vienkart/vienkart/internal/testkit"
)

func create(t *testing.T, c *testkit.Company, in numbering.CreateInput) (*numbering.Series, error) {
	t.Helper()
	var s *numbering.Series
	err := c.TryMutate(t.Context(), func(ctx context.Context, tx tenant.Tx) error {
		var err error
		s, err = numbering.Create(ctx, tx, in)
		return err
	})
	return s, err
}

func TestCreate(t *testing.T) {
	t.Parallel()
	testkit.EachEngine(t, func(t *testing.T, e *testkit.Engine) {
		c, other := e.Company(t), e.Company(t)
		aaa := numbering.CreateInput{DocumentType: numbering.SaleInvoice, Prefix: "AAA", Year: 2026, StartAt: 101}
		first, err := create(t, c, aaa)
		require.NoError(t, err)
		require.EqualValues(t, 101, first.NextNumber)
		_, err = create(t, c, aaa)
		require.ErrorIs(t, err, numbering.ErrSeriesExists)
		_, err = create(t, other, aaa)
		require.NoError(t, err, "another company's series is its own")

		next := aaa
		next.Year, next.StartAt = 2027, 1
		_, err = create(t, c, next)
		require.ErrorIs(t, err, numbering.ErrOverlap, "a full number would come twice")
		next.StartAt = 0
		second, err := create(t, c, next)
		require.NoError(t, err)
		require.EqualValues(t, 101, second.FirstNumber, "a series without a start continues after the others of its prefix")

		credit := numbering.CreateInput{DocumentType: numbering.CreditNote, Prefix: "AAA", Year: 2026}
		_, err = create(t, c, credit)
		require.ErrorIs(t, err, numbering.ErrPrefixTaken)
	})
}

func TestTake(t *testing.T) {
	t.Parallel()
	testkit.EachEngine(t, func(t *testing.T, e *testkit.Engine) {
		c := e.Company(t)
		take := func(fail error) (int64, error) {
			var number int64
			err := c.TryMutate(context.Background(), func(ctx context.Context, tx tenant.Tx) error {
				s, err := numbering.Find(ctx, tx, numbering.SaleInvoice, "", 2026)
				if err != nil {
					return err
				}
				if number, err = numbering.Take(ctx, tx, s); err != nil {
					return err
				}
				return fail
			})
			return number, err
		}
		_, err := take(nil)
		require.NoError(t, err)
		_, err = take(context.Canceled)
		require.ErrorIs(t, err, context.Canceled)
		const takers = 30
		numbers, errs := make([]int64, takers), make([]error, takers)
		var wait sync.WaitGroup
		for i := range takers {
			wait.Go(func() { numbers[i], errs[i] = take(nil) })
		}
		wait.Wait()
		seen := map[int64]bool{}
		for i := range takers {
			require.NoError(t, errs[i])
			require.False(t, seen[numbers[i]])
			seen[numbers[i]] = true
		}
		for n := int64(2); n < 2+takers; n++ {
			require.True(t, seen[n], "%d is missing: a rollback gives its number back", n)
		}
		_, err = create(t, c, numbering.CreateInput{DocumentType: numbering.Advance, Prefix: "SF26", Year: 2026})
		require.ErrorIs(t, err, numbering.ErrPrefixTaken)
		err = c.TryMutate(t.Context(), func(ctx context.Context, tx tenant.Tx) error {
			_, err := numbering.Find(ctx, tx, numbering.SaleInvoice, "NONE", 2026)
			return err
		})
		require.ErrorIs(t, err, numbering.ErrUnknownSeries)
	})
}

func TestFullNumber(t *testing.T) {
	t.Parallel()
	require.Equal(t, "AAA0000101", numbering.FullNumber("AAA", 101))
	require.Equal(t, "A12345678", numbering.FullNumber("A", 12345678))
}
