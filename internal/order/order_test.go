package order_test

import (
	"context"
	"errors"
	"sync"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"github.com/vienkart/vienkart/internal/apperr"
	"github.com/vienkart/vienkart/internal/date"
	"github.com/vienkart/vienkart/internal/fx"
	"github.com/vienkart/vienkart/internal/invoice"
	"github.com/vienkart/vienkart/internal/ledger"
	"github.com/vienkart/vienkart/internal/money"
	"github.com/vienkart/vienkart/internal/order"
	"github.com/vienkart/vienkart/internal/tenant"
	"github.com/vienkart/vienkart/internal/testkit"
)

var noon = time.Date(2026, time.March, 10, 12, 0, 0, 0, time.UTC)

// shop is a company with a chart of accounts.
func shop(t *testing.T, e *testkit.Engine) *testkit.Company {
	t.Helper()
	c := e.At(noon).Company(t)
	c.Mutate(t, func(ctx context.Context, tx tenant.Tx) error {
		_, err := ledger.ApplyTemplate(ctx, tx)
		return err
	})
	return c
}

// do runs a use case as the pipeline does: again while it loses races, and the loser of an index looks the winner up.
func do[T any](c *testkit.Company, use func(context.Context, tenant.Tx) (T, error)) (T, error) {
	var out T
	var err error
	for range 20 {
		err = c.TryMutate(context.Background(), func(ctx context.Context, tx tenant.Tx) error {
			var err error
			out, err = use(ctx, tx)
			return err
		})
		var duplicate *tenant.DuplicateError
		if errors.As(err, &duplicate) {
			if err = c.Engine.Store.Snapshot(context.Background(), c.Scope, duplicate.Resolve); err == nil {
				continue
			}
		}
		if _, again := c.Engine.DB.DuplicateIndex(err); !again {
			return out, err
		}
	}
	return out, err
}

func input(reference string) order.CreateInput {
	return order.CreateInput{
		Channel: "shop", ExternalRef: reference, Buyer: &order.Buyer{Name: "Ona Onaitė"},
		Lines: []order.LineInput{{Description: "Book", Quantity: money.DecimalFromInt(2), UnitPrice: money.MustDecimal("10.00")}},
	}
}

func create(t *testing.T, c *testkit.Company, in order.CreateInput) *order.Order {
	t.Helper()
	o, err := do(c, func(ctx context.Context, tx tenant.Tx) (*order.Order, error) { return order.Create(ctx, tx, in) })
	require.NoError(t, err)
	return o
}

func pay(c *testkit.Company, in order.PaymentInput) (*order.Payment, error) {
	return do(c, func(ctx context.Context, tx tenant.Tx) (*order.Payment, error) {
		return order.ConfirmPayment(ctx, tx, in)
	})
}

func whole(o *order.Order) order.PaymentInput {
	return order.PaymentInput{OrderID: o.ID, Amount: o.Gross().String(), Currency: o.Currency}
}

// issue is what the HTTP layer does to issue the invoice of an order.
func issue(ctx context.Context, tx tenant.Tx, o *order.Order, day date.Date) (tenant.ID, error) {
	in := invoice.CreateInput{PartnerID: o.PartnerID, Currency: o.Currency, IssueDate: day, VATScheme: o.VATScheme}
	for _, l := range o.Lines {
		in.Lines = append(in.Lines, invoice.LineInput{
			Description: l.Description, Quantity: &l.Quantity, UnitPriceExclVAT: &l.UnitPrice, VATRatePercent: &l.VATRate,
		})
	}
	draft, err := invoice.Create(ctx, tx, in)
	if err != nil {
		return tenant.ID{}, err
	}
	issued, err := invoice.Issue(ctx, tx, invoice.IssueInput{ID: draft.ID})
	if err != nil {
		return tenant.ID{}, err
	}
	return issued.ID, nil
}

func fulfill(c *testkit.Company, id tenant.ID) (*order.Order, error) {
	return do(c, func(ctx context.Context, tx tenant.Tx) (*order.Order, error) {
		return order.Fulfill(ctx, tx, id, date.Date{}, issue)
	})
}

func balance(t *testing.T, c *testkit.Company, account string) string {
	t.Helper()
	var out string
	c.Read(t, func(ctx context.Context, r tenant.ReadTx) error {
		b, err := ledger.Balance(ctx, r, account, date.MustParse("2026-12-31"))
		out = b.String()
		return err
	})
	return out
}

func TestCreate(t *testing.T) {
	t.Parallel()
	testkit.EachEngine(t, func(t *testing.T, e *testkit.Engine) {
		c, other := shop(t, e), shop(t, e)
		o := create(t, c, input("W-1"))
		require.Equal(t, "24.20", o.Gross().String())
		require.Equal(t, order.StatusNew, o.Status)
		_, err := do(c, func(ctx context.Context, tx tenant.Tx) (*order.Order, error) {
			return order.Create(ctx, tx, input("W-1"))
		})
		require.ErrorIs(t, err, order.ErrDuplicate)
		refusal, _ := errors.AsType[*apperr.Error](err)
		require.Equal(t, o.ID, refusal.Details()["existingId"])
		create(t, other, input("W-1"))
		create(t, c, input(""))
		create(t, c, input(""))
		abroad := input("W-2")
		abroad.ShipToCountryCode = "DE"
		_, err = do(c, func(ctx context.Context, tx tenant.Tx) (*order.Order, error) { return order.Create(ctx, tx, abroad) })
		require.ErrorIs(t, err, order.ErrTerms, "a sale taxed in Germany needs a rate")
		rate := money.MustDecimal("19")
		abroad.Lines[0].VATRate = &rate
		require.Equal(t, "23.80", create(t, c, abroad).Gross().String())
		exported := input("W-3")
		exported.ShipToCountryCode = "US"
		require.Equal(t, "20.00", create(t, c, exported).Gross().String())
	})
}

func TestOneOrderPerReference(t *testing.T) {
	t.Parallel()
	testkit.EachEngine(t, func(t *testing.T, e *testkit.Engine) {
		c := shop(t, e)
		const callers = 20
		errs := make([]error, callers)
		var wait sync.WaitGroup
		for i := range callers {
			wait.Go(func() {
				_, errs[i] = do(c, func(ctx context.Context, tx tenant.Tx) (*order.Order, error) {
					return order.Create(ctx, tx, input("W-1"))
				})
			})
		}
		wait.Wait()
		created := 0
		for _, err := range errs {
			if err == nil {
				created++
				continue
			}
			require.ErrorIs(t, err, order.ErrDuplicate)
		}
		require.Equal(t, 1, created)
	})
}

func TestConfirmPayment(t *testing.T) {
	t.Parallel()
	testkit.EachEngine(t, func(t *testing.T, e *testkit.Engine) {
		c, other := shop(t, e), shop(t, e)
		o := create(t, c, input("W-1"))
		_, err := pay(c, order.PaymentInput{OrderID: tenant.NewID(), Amount: "1.00", Currency: money.EUR})
		require.ErrorIs(t, err, apperr.ErrNotFound)
		_, err = pay(other, whole(o))
		require.ErrorIs(t, err, apperr.ErrNotFound)
		for _, wrong := range []order.PaymentInput{
			{OrderID: o.ID, Amount: "24.19", Currency: money.EUR},
			{OrderID: o.ID, Amount: "24.20", Currency: money.MustCurrency("USD")},
			{OrderID: o.ID, Amount: "lots", Currency: money.EUR},
		} {
			_, err := pay(c, wrong)
			require.ErrorIs(t, err, order.ErrPayment)
		}
		const confirmations = 10
		payments, errs := make([]*order.Payment, confirmations), make([]error, confirmations)
		var wait sync.WaitGroup
		for i := range confirmations {
			wait.Go(func() { payments[i], errs[i] = pay(c, whole(o)) })
		}
		wait.Wait()
		for i := range confirmations {
			require.NoError(t, errs[i])
			require.Equal(t, payments[0].ID, payments[i].ID, "one payment, whoever confirms it")
		}
		require.Equal(t, "24.20", balance(t, c, "2770"))
		_, err = do(c, func(ctx context.Context, tx tenant.Tx) (*order.Order, error) { return order.Cancel(ctx, tx, o.ID) })
		require.ErrorIs(t, err, order.ErrPaid)
		c.RequireBalanced(t)
	})
}

func TestCancelledOrderTakesNothing(t *testing.T) {
	t.Parallel()
	c := shop(t, testkit.SQLite(t))
	o := create(t, c, input("W-1"))
	cancel := func(ctx context.Context, tx tenant.Tx) (*order.Order, error) { return order.Cancel(ctx, tx, o.ID) }
	_, err := do(c, cancel)
	require.NoError(t, err)
	_, err = do(c, cancel)
	require.ErrorIs(t, err, order.ErrCancelled)
	_, err = pay(c, whole(o))
	require.ErrorIs(t, err, order.ErrCancelled)
	_, err = fulfill(c, o.ID)
	require.ErrorIs(t, err, order.ErrCancelled)
	_, err = do(c, func(ctx context.Context, tx tenant.Tx) (*order.Order, error) { return order.Reserve(ctx, tx, o.ID) })
	require.ErrorIs(t, err, order.ErrCancelled)
}

func TestFulfill(t *testing.T) {
	t.Parallel()
	for name, paidFirst := range map[string]bool{"PaidBefore": true, "PaidAfter": false} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			testkit.EachEngine(t, func(t *testing.T, e *testkit.Engine) {
				c := shop(t, e)
				o := create(t, c, input("W-1"))
				_, err := do(c, func(ctx context.Context, tx tenant.Tx) (*order.Order, error) { return order.Reserve(ctx, tx, o.ID) })
				require.NoError(t, err)
				if paidFirst {
					_, err = pay(c, whole(o))
					require.NoError(t, err)
				}
				const callers = 8
				errs := make([]error, callers)
				var wait sync.WaitGroup
				for i := range callers {
					wait.Go(func() { _, errs[i] = fulfill(c, o.ID) })
				}
				wait.Wait()
				done := 0
				for _, err := range errs {
					if err == nil {
						done++
						continue
					}
					require.ErrorIs(t, err, order.ErrFulfilled)
				}
				require.Equal(t, 1, done, "one invoice per order")
				if !paidFirst {
					_, err = pay(c, whole(o))
					require.NoError(t, err)
				}
				require.Equal(t, "24.20", balance(t, c, "2770"))
				require.Equal(t, "0.00", balance(t, c, "2410"), "the payment settles the invoice")
				require.Equal(t, "0.00", balance(t, c, "4420"), "no advance is left")
				c.Read(t, func(ctx context.Context, r tenant.ReadTx) error {
					page, err := invoice.List(ctx, r, tenant.ListQuery{})
					require.NoError(t, err)
					require.Len(t, page.Rows, 1)
					require.EqualValues(t, "paid", page.Rows[0].Summary().PaymentStatus)
					return nil
				})
				c.RequireBalanced(t)
			})
		})
	}
}

func TestForeignCurrencyMovesBetweenPaymentAndInvoice(t *testing.T) {
	t.Parallel()
	c := shop(t, testkit.SQLite(t))
	usd := money.MustCurrency("USD")
	set := func(day, rate string) {
		c.Mutate(t, func(ctx context.Context, tx tenant.Tx) error {
			_, _, err := fx.Set(ctx, tx, usd, date.MustParse(day), money.MustDecimal(rate))
			return err
		})
	}
	set("2026-03-10", "1.10")
	in := input("W-1")
	in.Currency = usd
	o := create(t, c, in)
	_, err := pay(c, whole(o))
	require.NoError(t, err)
	set("2026-03-05", "1.21")
	_, err = do(c, func(ctx context.Context, tx tenant.Tx) (*order.Order, error) {
		return order.Fulfill(ctx, tx, o.ID, date.MustParse("2026-03-05"), issue)
	})
	require.NoError(t, err)
	require.Equal(t, "22.00", balance(t, c, "2770"))
	require.Equal(t, "0.00", balance(t, c, "2410"))
	require.Equal(t, "0.00", balance(t, c, "4420"))
	c.RequireBalanced(t)
}

func TestInvariantsHold(t *testing.T) {
	t.Parallel()
	testkit.EachEngine(t, func(t *testing.T, e *testkit.Engine) {
		c := shop(t, e)
		o := create(t, c, input("W-1"))
		_, err := pay(c, whole(o))
		require.NoError(t, err)
		breaches, err := tenant.Verify(t.Context(), e.System, order.Invariants)
		require.NoError(t, err)
		require.Empty(t, breaches)
	})
}
