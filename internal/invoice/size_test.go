package invoice_test

import (
	"strings"
	"testing"

	"github.com/go-json-experiment/json"
	"github.com/stretchr/testify/require"

	"github.com/vienkart/vienkart/internal/idempotency"
	"github.com/vienkart/vienkart/internal/invoice"
	"github.com/vienkart/vienkart/internal/testkit"
)

// TestR37LargestDocument: the answer of the largest document that is accepted can be stored for replays.
func TestR37LargestDocument(t *testing.T) {
	t.Parallel()
	testkit.EachEngine(t, func(t *testing.T, e *testkit.Engine) {
		b := open(t, e)
		in := invoice.CreateInput{Notes: strings.Repeat("ž", 2000)}
		for range 500 {
			l := times("-98765432.1234567891", net("-123.1234567891"))
			l.Description, l.Unit = strings.Repeat(`"`, 42), "vnt."
			in.Lines = append(in.Lines, l)
		}
		sold := b.issue(t, in)
		answer, err := json.Marshal(b.get(t, sold.ID).Card())
		require.NoError(t, err)
		require.LessOrEqual(t, len(answer), idempotency.MaxAnswer)
		require.Greater(t, len(answer), idempotency.MaxAnswer*3/4, "the limit is not wastefully low")
		_, err = b.credit(t.Context(), sold.ID)
		require.NoError(t, err)
		require.True(t, strings.HasPrefix(b.owed(t, sold.ID), "0"))

		for i := range in.Lines {
			in.Lines[i].Description = strings.Repeat("x", 100)
		}
		_, err = b.tryCreate(t.Context(), in)
		require.ErrorIs(t, err, invoice.ErrTooLong)
	})
}
