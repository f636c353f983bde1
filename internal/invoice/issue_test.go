package invoice_test

import (
	"context"
	"fmt"
	"slices"
	"sync"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"github.com/vienkart/vienkart/internal/apperr"
	"github.com/vienkart/vienkart/internal/audit"
	"github.com/vienkart/vienkart/internal/date"
	"github.com/vienkart/vienkart/internal/invoice"
	"github.com/vienkart/vienkart/internal/ledger"
	"github.com/vienkart/vienkart/internal/money"
	"github.com/vienkart/vienkart/internal/numbering"
	"github.com/vienkart/vienkart/internal/partner"
	"github.com/vienkart/vienkart/internal/tenant"
	"github.com/vienkart/vienkart/internal/testkit"
	"github.com/vienkart/vienkart/internal/vat"
)

func TestIssue(t *testing.T) {
	t.Parallel()
	testkit.EachEngine(t, func(t *testing.T, e *testkit.Engine) {
		b := open(t, e)
		draft := b.create(t, sale(net("100"), at("5", net("10"))))
		sold, err := b.tryIssue(t.Context(), invoice.IssueInput{ID: draft.ID})
		require.NoError(t, err)
		require.Equal(t, sold, b.get(t, draft.ID))
		require.Equal(t, draft.ID, sold.ID)
		require.Equal(t, draft.Lines, sold.Lines)
		require.Equal(t, "SF260000001", *sold.FullNumber)
		require.Equal(t, "2026-01-31", sold.IssueDate.String())
		require.Equal(t, "2026-02-14", sold.DueDate.String(), "14 days unless the partner has a term")
		require.Equal(t, []string{"Dr 2410 131.50", "Cr 5000 110.00", "Cr 4492 21.50"}, b.journal(t, sold.JournalTransactionID))
		require.Equal(t, []string{"SF PVM1 21 100.00 21.00", "SF PVM3 5 10.00 0.50"}, b.register(t, sold.ID))
		item, ok := b.item(t, sold.ID)
		require.True(t, ok)
		require.Equal(t, ledger.ItemReceivable, item.Kind)
		require.Equal(t, "131.50", item.Open().String())
		require.Equal(t, *sold.FullNumber, item.DocumentNumber)
		require.Equal(t, sold.DueDate, item.DueDate)

		b.Read(t, func(ctx context.Context, r tenant.ReadTx) error {
			posted, err := ledger.GetTransaction(ctx, r, *sold.JournalTransactionID)
			require.NoError(t, err)
			require.Equal(t, "Invoice SF260000001, UAB Pirmas", *posted.Description)
			lines, err := audit.List(ctx, r, tenant.ListQuery{})
			require.NoError(t, err)
			require.Equal(t, "sale_invoice.issued", lines.Rows[0].Action)
			events, err := tenant.Query[string](ctx, r, "SELECT event_type FROM outbox_events WHERE company_id = @company AND object_id = ?", sold.ID)
			require.NoError(t, err)
			require.Equal(t, []string{"sale_invoice.issued"}, events)
			return nil
		})

		b.pay(t, sold.ID, "31.50")
		require.Equal(t, invoice.PaymentPartial, b.get(t, sold.ID).PaymentStatus())
		b.pay(t, sold.ID, "100.00")
		require.Equal(t, invoice.PaymentPaid, b.get(t, sold.ID).PaymentStatus())
		b.RequireBalanced(t)
	})
}

func TestIssueDates(t *testing.T) {
	t.Parallel()
	b := open(t, testkit.SQLite(t))
	issue := func(in invoice.CreateInput, day string) (*invoice.Document, error) {
		return b.tryIssue(t.Context(), invoice.IssueInput{ID: b.create(t, in).ID, IssueDate: date.MustParse(day)})
	}

	t.Run("TomorrowIsRefused", func(t *testing.T) {
		t.Parallel()
		_, err := issue(sale(net("1")), "2026-02-01")
		require.ErrorIs(t, err, invoice.ErrDates)
	})
	t.Run("LockedMonthIsRefused", func(t *testing.T) {
		t.Parallel()
		b.Mutate(t, func(ctx context.Context, tx tenant.Tx) error {
			_, err := ledger.Lock(ctx, tx, date.MonthOf(date.MustParse("2025-11-30")))
			return err
		})
		_, err := issue(sale(net("1")), "2025-11-30")
		require.ErrorIs(t, err, ledger.ErrPeriodLocked)
	})
	t.Run("CodeOfTheYearBeforeIsRefusedOnTheNewDate", func(t *testing.T) {
		t.Parallel()
		in := sale(at("9", net("100")))
		in.IssueDate = date.MustParse("2025-12-31")
		_, err := issue(in, "2026-01-02")
		require.ErrorIs(t, err, invoice.ErrVATTerms)
	})
	t.Run("SupplyDateDecidesTheCode", func(t *testing.T) {
		t.Parallel()
		in := sale(at("9", net("100")))
		in.SupplyDate = date.MustParse("2025-12-31")
		sold, err := issue(in, "2026-01-02")
		require.NoError(t, err)
		require.Equal(t, []string{"SF PVM2 9 100.00 9.00"}, b.register(t, sold.ID))
		credit, err := b.credit(t.Context(), sold.ID)
		require.NoError(t, err)
		require.Equal(t, []string{"KS PVM2 9 -100.00 -9.00"}, b.register(t, credit.ID))
	})
	t.Run("PaymentTermOfThePartner", func(t *testing.T) {
		t.Parallel()
		in := sale(net("1"))
		in.PartnerID = b.partner(t, partner.Fields{Name: new("UAB Antras"), PaymentTermDays: new(60)}).ID
		sold, err := issue(in, "2026-01-01")
		require.NoError(t, err)
		require.Equal(t, "2026-03-02", sold.DueDate.String())
	})
	t.Run("DueDateBeforeTheIssueIsRefused", func(t *testing.T) {
		t.Parallel()
		in := sale(net("1"))
		in.DueDate = date.MustParse("2026-01-15")
		_, err := issue(in, "2026-01-16")
		require.ErrorIs(t, err, invoice.ErrDates)
	})
	t.Run("DocumentOfNothingIsRefused", func(t *testing.T) {
		t.Parallel()
		_, err := issue(sale(net("5"), net("-5")), "2026-01-16")
		require.ErrorIs(t, err, invoice.ErrNoAmount)
	})
	t.Run("UnknownSeriesIsRefused", func(t *testing.T) {
		t.Parallel()
		_, err := b.tryIssue(t.Context(), invoice.IssueInput{ID: b.create(t, sale(net("1"))).ID, Series: "ZZ"})
		require.ErrorIs(t, err, numbering.ErrUnknownSeries)
	})
}

// TestB130DocumentDate: a document bears the date of the company, not that of the server (B-130, B-132).
func TestB130DocumentDate(t *testing.T) {
	t.Parallel()
	e := testkit.SQLite(t)
	for zone, utc := range map[string]string{
		"Europe/Vilnius":   "2026-03-31T21:16:00Z",
		"Pacific/Honolulu": "2026-04-01T10:16:00Z",
		"Pacific/Auckland": "2026-03-31T11:16:00Z",
	} {
		t.Run(zone, func(t *testing.T) {
			t.Parallel()
			now, err := time.Parse(time.RFC3339, utc)
			require.NoError(t, err)
			b := openAt(t, e, now, func(c *tenant.Company) { c.TimeZone = zone })
			sold := b.issue(t, sale(net("100")))
			require.Equal(t, "2026-04-01", sold.IssueDate.String())
		})
	}
}

// TestB212Currencies: amounts have the decimals of their currency, and base amounts balance.
func TestB212Currencies(t *testing.T) {
	t.Parallel()
	testkit.EachEngine(t, func(t *testing.T, e *testkit.Engine) {
		b := open(t, e)
		b.rate(t, "JPY", "2026-01-30", "161.73")
		b.rate(t, "KWD", "2026-01-30", "0.3345")
		in := sale(net("1935"), at("5", net("333")))
		in.Currency = money.MustCurrency("JPY")
		yen := b.issue(t, in)
		require.Equal(t, []string{"2268", "423", "2691"}, sums(b.get(t, yen.ID)))
		// 1935 = 11.96, 333 = 2.06, VAT 406 = 2.51 and 17 = 0.11.
		require.Equal(t, []string{"Dr 2410 2691 JPY = 16.64", "Cr 5000 2268 JPY = 14.02", "Cr 4492 423 JPY = 2.62"}, b.journal(t, yen.JournalTransactionID))
		require.Equal(t, []string{"SF PVM1 21 11.96 2.51", "SF PVM3 5 2.06 0.11"}, b.register(t, yen.ID))

		in = sale(times("3", net("0.3335")))
		in.Currency = money.MustCurrency("KWD")
		dinar := b.issue(t, in)
		require.Equal(t, []string{"1.001", "0.210", "1.211"}, sums(b.get(t, dinar.ID)))
		_, err := b.credit(t.Context(), dinar.ID, times("1", net("0.3335")))
		require.NoError(t, err)
		_, err = b.credit(t.Context(), dinar.ID)
		require.NoError(t, err)
		require.Equal(t, "0.000", b.owed(t, dinar.ID))
		_, err = b.credit(t.Context(), yen.ID)
		require.NoError(t, err)
		require.Equal(t, "0.00", b.balance(t, "2410"), "credits take back the base amounts too")
		require.Equal(t, "0.00", b.balance(t, "4492"))
		b.RequireBalanced(t)
	})
}

// TestB080TwoIssuers: of two issuers of one draft one is answered with the document of the other (B-080, B-188).
func TestB080TwoIssuers(t *testing.T) {
	t.Parallel()
	testkit.EachEngine(t, func(t *testing.T, e *testkit.Engine) {
		b := open(t, e)
		draft := b.create(t, sale(net("2935.64")))
		errs := b.together(t, 4, func(ctx context.Context, _ int) error {
			_, err := b.tryIssue(ctx, invoice.IssueInput{ID: draft.ID})
			return err
		})
		issued := 0
		for _, err := range errs {
			if err == nil {
				issued++
				continue
			}
			require.ErrorIs(t, err, invoice.ErrAlreadyIssued)
			refusal := new(apperr.Error)
			require.ErrorAs(t, err, &refusal)
			require.Equal(t, draft.ID, refusal.Details()["existingId"])
		}
		require.Equal(t, 1, issued)
		require.Equal(t, []string{"SF PVM1 21 2935.64 616.48"}, b.register(t, draft.ID))
	})
}

// together runs n calls at once.
func (b *books) together(t *testing.T, n int, call func(context.Context, int) error) []error {
	t.Helper()
	errs := make([]error, n)
	var all sync.WaitGroup
	for i := range n {
		all.Go(func() { errs[i] = call(t.Context(), i) })
	}
	all.Wait()
	return errs
}

func TestNumbersHaveNoGap(t *testing.T) {
	t.Parallel()
	testkit.EachEngine(t, func(t *testing.T, e *testkit.Engine) {
		const n = 30
		b := open(t, e)
		drafts := make([]tenant.ID, n)
		for i := range drafts {
			drafts[i] = b.create(t, sale(net(fmt.Sprintf("%d", i+1)))).ID
		}
		fault := fmt.Errorf("the server fails after the number was taken")
		errs := b.together(t, n, func(ctx context.Context, i int) error {
			_, err := b.do(ctx, func(ctx context.Context, tx tenant.Tx) (*invoice.Document, error) {
				doc, err := invoice.Issue(ctx, tx, invoice.IssueInput{ID: drafts[i]})
				if err == nil && i%5 == 0 {
					err = fault
				}
				return doc, err
			})
			return err
		})
		var numbers []int64
		for i, err := range errs {
			doc := b.get(t, drafts[i])
			if i%5 == 0 {
				require.ErrorIs(t, err, fault)
				require.Nil(t, doc.Number)
				continue
			}
			require.NoError(t, err)
			numbers = append(numbers, *doc.Number)
		}
		slices.Sort(numbers)
		for i, number := range numbers {
			require.EqualValues(t, i+1, number)
		}
		require.Len(t, numbers, 24)
		b.RequireBalanced(t)
	})
}

func TestProforma(t *testing.T) {
	t.Parallel()
	testkit.EachEngine(t, func(t *testing.T, e *testkit.Engine) {
		b := open(t, e)
		offer := b.issue(t, invoice.CreateInput{Type: invoice.TypeProforma, Currency: money.MustCurrency("USD"), Lines: []invoice.LineInput{net("100")}})
		require.Equal(t, offer, b.get(t, offer.ID))
		require.Equal(t, "IS260000001", *offer.FullNumber)
		require.Nil(t, offer.JournalTransactionID)
		require.Empty(t, b.register(t, offer.ID))
		_, owed := b.item(t, offer.ID)
		require.False(t, owed)
		require.Equal(t, invoice.PaymentUnpaid, offer.PaymentStatus())
		_, err := b.tryCancel(t.Context(), offer.ID)
		require.NoError(t, err)
		_, err = b.tryCancel(t.Context(), offer.ID)
		require.ErrorIs(t, err, invoice.ErrCancelled)
	})
}

// A series that goes on after the next year's began meets its numbers.
func TestTwoSeriesOfOnePrefix(t *testing.T) {
	t.Parallel()
	testkit.EachEngine(t, func(t *testing.T, e *testkit.Engine) {
		b := open(t, e)
		b.seriesOf(t, numbering.CreateInput{DocumentType: numbering.SaleInvoice, Prefix: "A", Year: 2025})
		b.seriesOf(t, numbering.CreateInput{DocumentType: numbering.SaleInvoice, Prefix: "A", Year: 2026})
		late := invoice.IssueInput{ID: b.create(t, sale(net("1"))).ID, Series: "A", IssueDate: date.MustParse("2025-12-31")}
		first, err := b.tryIssue(t.Context(), late)
		require.NoError(t, err)
		_, err = b.tryIssue(t.Context(), invoice.IssueInput{ID: b.create(t, sale(net("1"))).ID, Series: "A"})
		require.ErrorIs(t, err, invoice.ErrNumberTaken)
		refusal := new(apperr.Error)
		require.ErrorAs(t, err, &refusal)
		require.Equal(t, first.ID, refusal.Details()["existingId"])
	})
}

func TestReverseChargeShowsNoVAT(t *testing.T) {
	t.Parallel()
	b := open(t, testkit.SQLite(t))
	sold := b.issue(t, invoice.CreateInput{VATScheme: vat.SchemeReverseCharge, Lines: []invoice.LineInput{net("15000")}})
	require.Equal(t, []string{"15000.00", "0.00", "15000.00"}, sums(sold))
	require.Equal(t, []string{"SF PVM25 21 15000.00 0.00"}, b.register(t, sold.ID))
	require.Equal(t, []string{"Dr 2410 15000.00", "Cr 5000 15000.00"}, b.journal(t, sold.JournalTransactionID))
}
