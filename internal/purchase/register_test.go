package purchase_test

import (
	"context"
	"errors"
	"sync"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/vienkart/vienkart/internal/apperr"
	"github.com/vienkart/vienkart/internal/date"
	"github.com/vienkart/vienkart/internal/fx"
	"github.com/vienkart/vienkart/internal/ledger"
	"github.com/vienkart/vienkart/internal/money"
	"github.com/vienkart/vienkart/internal/partner"
	"github.com/vienkart/vienkart/internal/purchase"
	"github.com/vienkart/vienkart/internal/tenant"
	"github.com/vienkart/vienkart/internal/testkit"
)

var usd = money.MustCurrency("USD")

// notPayer makes a company that is no VAT payer.
func notPayer(c *tenant.Company) { c.IsVATPayer = false }

func account(code string, l purchase.LineInput) purchase.LineInput {
	l.AccountCode = code
	return l
}

func TestRegisterPosts(t *testing.T) {
	t.Parallel()
	suppliers := map[string]partner.Fields{
		"":       {Name: new("UAB Vietinis"), VATCode: new("LT999000050119")},
		"person": {Name: new("Jonas Jonaitis"), Type: new(partner.TypePerson)},
		"DE":     {Name: new("GmbH"), VATCode: new("DE999999999")},
		"XI":     {Name: new("Belfast Ltd"), VATCode: new("XI999999999")},
		"US":     {Name: new("Inc."), Address: &partner.Address{CountryCode: "US"}},
		"LV":     {Name: new("SIA bez PVN"), Address: &partner.Address{CountryCode: "LV"}},
	}
	gross := line("121", "21")
	gross.UnitPriceExclVAT, gross.UnitPriceInclVAT = nil, gross.UnitPriceExclVAT
	unnamed := line("100", "21")
	unnamed.VATRatePercent = nil
	type lines = []purchase.LineInput
	for name, example := range map[string]struct {
		supplier string
		supply   purchase.SupplyType
		change   func(*tenant.Company)
		lines    lines
		posted   string
		register []string
	}{
		"Domestic": {
			lines:    lines{line("100", "21"), account("2040", line("50", "21")), line("10", "5")},
			posted:   "Dr 6300 100.00 / Dr 2040 50.00 / Dr 6300 10.00 / Dr 2441 32.00 / Cr 4430 192.00",
			register: []string{"SF nil 10.00 5% 0.50", "SF nil 150.00 21% 31.50"},
		},
		"PriceWithVAT": {
			lines: lines{gross}, posted: "Dr 6300 100.00 / Dr 2441 21.00 / Cr 4430 121.00", register: []string{"SF nil 100.00 21% 21.00"},
		},
		"RateOfAPayerByDefault": {
			lines: lines{unnamed}, posted: "Dr 6300 100.00 / Dr 2441 21.00 / Cr 4430 121.00", register: []string{"SF nil 100.00 21% 21.00"},
		},
		"DiscountLine": {
			lines:  lines{line("100", "21"), line("-10", "21")},
			posted: "Dr 6300 100.00 / Cr 6300 10.00 / Dr 2441 18.90 / Cr 4430 108.90", register: []string{"SF nil 90.00 21% 18.90"},
		},
		"WithoutVATFromAPerson": {
			supplier: "person", lines: lines{unnamed}, posted: "Dr 6300 100.00 / Cr 4430 100.00", register: []string{},
		},
		"Farmer": {
			supplier: "person", lines: lines{under("PVM49", line("300", "6"))},
			posted: "Dr 6300 300.00 / Dr 2441 18.00 / Cr 4430 318.00", register: []string{"SF PVM49 300.00 6% 18.00"},
		},
		"ExemptKeepsItsRow": {
			lines: lines{under("PVM5", line("80", "0"))}, posted: "Dr 6300 80.00 / Cr 4430 80.00", register: []string{"SF PVM5 80.00 0% 0.00"},
		},
		"Article96": {
			lines:  lines{under("PVM25", line("15000", "0"))},
			posted: "Dr 6300 15000.00 / Dr 2441 3150.00 / Cr 4492 3150.00 / Cr 4430 15000.00", register: []string{"SF PVM25 15000.00 21% 3150.00"},
		},
		"ReverseChargeAtTheCodesRate": {
			lines:  lines{under("PVM25", line("10.01", "21")), under("PVM25", line("10.01", "0"))},
			posted: "Dr 6300 10.01 / Dr 6300 10.01 / Dr 2441 4.20 / Cr 4492 4.20 / Cr 4430 20.02", register: []string{"SF PVM25 20.02 21% 4.20"},
		},
		"MixedWithVATAndReverseCharge": {
			lines:    lines{line("100", "21"), under("PVM25", line("50", "0"))},
			posted:   "Dr 6300 100.00 / Dr 6300 50.00 / Dr 2441 21.00 / Dr 2441 10.50 / Cr 4492 10.50 / Cr 4430 171.00",
			register: []string{"SF PVM25 50.00 21% 10.50", "SF nil 100.00 21% 21.00"},
		},
		"GoodsFromTheEU": {
			supplier: "DE", lines: lines{unnamed},
			posted: "Dr 6300 100.00 / Dr 2441 21.00 / Cr 4492 21.00 / Cr 4430 100.00", register: []string{"SF PVM16 100.00 21% 21.00"},
		},
		"ServicesFromTheEU": {
			supplier: "DE", supply: purchase.SupplyServices, lines: lines{line("100", "0")},
			posted: "Dr 6300 100.00 / Dr 2441 21.00 / Cr 4492 21.00 / Cr 4430 100.00", register: []string{"SF PVM21 100.00 21% 21.00"},
		},
		"GoodsFromNorthernIreland": {
			supplier: "XI", lines: lines{line("100", "0")},
			posted: "Dr 6300 100.00 / Dr 2441 21.00 / Cr 4492 21.00 / Cr 4430 100.00", register: []string{"SF PVM16 100.00 21% 21.00"},
		},
		"ServicesFromNorthernIreland": {
			supplier: "XI", supply: purchase.SupplyServices, lines: lines{line("100", "0")},
			posted: "Dr 6300 100.00 / Dr 2441 21.00 / Cr 4492 21.00 / Cr 4430 100.00", register: []string{"SF PVM20 100.00 21% 21.00"},
		},
		"ServicesFromAThirdCountry": {
			supplier: "US", supply: purchase.SupplyServices, lines: lines{line("80", "0")},
			posted: "Dr 6300 80.00 / Dr 2441 16.80 / Cr 4492 16.80 / Cr 4430 80.00", register: []string{"SF PVM20 80.00 21% 16.80"},
		},
		"GoodsFromAThirdCountry": {
			supplier: "US", lines: lines{line("80", "0")}, posted: "Dr 6300 80.00 / Cr 4430 80.00", register: []string{"SF PVM48 80.00 0% 0.00"},
		},
		"ForeignVATIsCost": {
			supplier: "DE", supply: purchase.SupplyServices, lines: lines{line("100", "19")},
			posted: "Dr 6300 119.00 / Cr 4430 119.00", register: []string{"SF PVM48 100.00 19% 19.00"},
		},
		"EUSupplierWithoutVATNumber": {
			supplier: "LV", supply: purchase.SupplyServices, lines: lines{line("100", "0")},
			posted: "Dr 6300 100.00 / Dr 2441 21.00 / Cr 4492 21.00 / Cr 4430 100.00", register: []string{"SF PVM20 100.00 21% 21.00"},
		},
		"MarginSchemeIsCost": {
			lines: lines{under("PVM32", line("100", "21"))}, posted: "Dr 6300 121.00 / Cr 4430 121.00", register: []string{"SF PVM32 100.00 21% 21.00"},
		},
		"CompanyWithoutVAT": {
			change: notPayer, lines: lines{line("100", "21"), account("2040", line("10", "5"))},
			posted: "Dr 6300 121.00 / Dr 2040 10.50 / Cr 4430 131.50", register: []string{},
		},
		"CompanyWithoutVATBuysAbroad": {
			change: notPayer, supplier: "DE", lines: lines{line("100", "0")}, posted: "Dr 6300 100.00 / Cr 4430 100.00", register: []string{},
		},
		"LineOfNothing": {
			lines: lines{line("0", "21"), line("1", "21")}, posted: "Dr 6300 1.00 / Dr 2441 0.21 / Cr 4430 1.21", register: []string{"SF nil 1.00 21% 0.21"},
		},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			testkit.EachEngine(t, func(t *testing.T, e *testkit.Engine) {
				change := func(c *tenant.Company) {
					if example.change != nil {
						example.change(c)
					}
				}
				b := open(t, e, change)
				in := b.invoice("A1", example.lines...)
				in.PartnerID, in.SupplyType = b.partner(t, suppliers[example.supplier]), example.supply
				i := b.book(t, in)
				require.Equal(t, example.posted, b.posted(t, i))
				require.Equal(t, example.register, b.registered(t, i.ID))
				item := b.owed(t, i.ID)
				require.Equal(t, ledger.ItemPayable, item.Kind)
				require.Equal(t, i.Gross(), item.Amount())
				require.Equal(t, date.MustParse("2026-02-03"), item.DueDate)
				b.RequireBalanced(t)
			})
		})
	}
}

func TestRegisterInForeignCurrency(t *testing.T) {
	t.Parallel()
	testkit.EachEngine(t, func(t *testing.T, e *testkit.Engine) {
		b := open(t, e)
		b.Mutate(t, func(ctx context.Context, tx tenant.Tx) error {
			_, _, err := fx.Set(ctx, tx, usd, date.MustParse("2026-01-19"), money.MustDecimal("1.09"))
			return err
		})
		in := b.invoice("1", line("33.33", "0"), line("33.33", "0"), line("33.33", "0"))
		in.Currency, in.SupplyType = usd, purchase.SupplyServices
		in.PartnerID = b.partner(t, partner.Fields{Name: new("Inc."), Address: &partner.Address{CountryCode: "US"}})
		i := b.book(t, in)
		require.Equal(t, "1.09", i.ExchangeRate.String())
		require.Equal(t, "Dr 6300 33.33 USD = 30.58 / Dr 6300 33.33 USD = 30.58 / Dr 6300 33.33 USD = 30.57 / "+
			"Dr 2441 19.26 / Cr 4492 19.26 / Cr 4430 99.99 USD = 91.73", b.posted(t, i))
		require.Equal(t, []string{"SF PVM20 91.73 21% 19.26"}, b.registered(t, i.ID))
		require.Equal(t, int64(9173), b.owed(t, i.ID).BaseAmountMinor)

		// A credit note takes the rate of its invoice, and the books return to nothing.
		b.Mutate(t, func(ctx context.Context, tx tenant.Tx) error {
			_, _, err := fx.Set(ctx, tx, usd, date.MustParse("2026-01-20"), money.MustDecimal("2"))
			return err
		})
		note := b.credit("2", i, line("33.33", "0"), line("33.33", "0"), line("33.33", "0"))
		note.SupplyType = purchase.SupplyServices
		credit := b.book(t, note)
		require.Equal(t, "Cr 6300 33.33 USD = 30.58 / Cr 6300 33.33 USD = 30.58 / Cr 6300 33.33 USD = 30.57 / "+
			"Cr 2441 19.26 / Dr 4492 19.26 / Dr 4430 99.99 USD = 91.73", b.posted(t, credit))
		require.Equal(t, []string{"KS PVM20 -91.73 21% -19.26"}, b.registered(t, credit.ID))
		require.True(t, b.owed(t, i.ID).Settled())
		b.RequireBalanced(t)

		in.DocumentNumber, in.DocumentDate = "3", date.MustParse("2025-12-01")
		_, err := b.tryRegister(t, b.create(t, in).ID, "")
		require.ErrorIs(t, err, fx.ErrNoRate)
	})
}

func TestRegisterDates(t *testing.T) {
	t.Parallel()
	testkit.EachEngine(t, func(t *testing.T, e *testkit.Engine) {
		b := open(t, e)
		draft := b.create(t, b.invoice("1"))
		for _, day := range []string{"2026-01-19", "2026-02-11"} {
			_, err := b.tryRegister(t, draft.ID, day)
			require.ErrorIs(t, err, purchase.ErrRegistrationDate, day)
		}
		b.Mutate(t, func(ctx context.Context, tx tenant.Tx) error {
			_, err := ledger.Lock(ctx, tx, date.MonthOf(date.MustParse("2026-01-01")))
			return err
		})
		_, err := b.tryRegister(t, draft.ID, "2026-01-25")
		require.ErrorIs(t, err, ledger.ErrPeriodLocked)
		require.Equal(t, purchase.StatusDraft, b.get(t, draft.ID).Status)
		i, err := b.tryRegister(t, draft.ID, "2026-02-01")
		require.NoError(t, err)
		require.Equal(t, date.MustParse("2026-02-01"), i.RegistrationDate)
		require.Equal(t, "Dr 6300 100.00 / Dr 2441 21.00 / Cr 4430 121.00", b.posted(t, i))

		tomorrow := b.invoice("2")
		tomorrow.DocumentDate = date.MustParse("2026-02-11")
		_, err = b.tryRegister(t, b.create(t, tomorrow).ID, "")
		require.ErrorIs(t, err, purchase.ErrRegistrationDate)
	})
}

func TestRegisterDueDate(t *testing.T) {
	t.Parallel()
	testkit.EachEngine(t, func(t *testing.T, e *testkit.Engine) {
		b := open(t, e)
		in := b.invoice("1")
		in.DueDate = date.MustParse("2026-01-19")
		_, err := b.tryCreate(t, in)
		require.ErrorIs(t, err, apperr.ErrValidation)
		in.DueDate = date.MustParse("2026-01-20")
		require.Equal(t, in.DueDate, b.owed(t, b.book(t, in).ID).DueDate)
		in = b.invoice("2")
		in.PartnerID = b.partner(t, partner.Fields{Name: new("B"), PaymentTermDays: new(45)})
		i := b.book(t, in)
		require.Equal(t, date.MustParse("2026-03-06"), i.DueDate)
		require.Equal(t, i.DueDate, b.owed(t, i.ID).DueDate)
	})
}

func TestRegisterRefusesNothing(t *testing.T) {
	t.Parallel()
	testkit.EachEngine(t, func(t *testing.T, e *testkit.Engine) {
		b := open(t, e)
		for number, lines := range map[string][]purchase.LineInput{
			"1": {line("0", "21")}, "2": {line("-5", "21")}, "3": {line("5", "21"), line("-5", "21")},
		} {
			_, err := b.tryRegister(t, b.create(t, b.invoice(number, lines...)).ID, "")
			require.ErrorIs(t, err, purchase.ErrAmount, number)
		}
		require.Zero(t, b.count(t, e, "journal_transactions"))
	})
}

func TestRegisteredStays(t *testing.T) {
	t.Parallel()
	testkit.EachEngine(t, func(t *testing.T, e *testkit.Engine) {
		b := open(t, e)
		i := b.book(t, b.invoice("1"))
		_, again := b.tryRegister(t, i.ID, "")
		_, update := b.tryUpdate(t, purchase.UpdateInput{ID: i.ID, DocumentNumber: new("2")})
		for _, err := range []error{again, update, b.tryDelete(t, i.ID)} {
			require.ErrorIs(t, err, purchase.ErrRegistered)
			refusal, ok := errors.AsType[*apperr.Error](err)
			require.True(t, ok)
			require.Equal(t, i.ID, refusal.Details()["existingId"])
		}
		require.Equal(t, i, b.get(t, i.ID))
	})
}

// TestRegisterTwins lets two tabs register one draft: one posting, and the other learns of it.
func TestRegisterTwins(t *testing.T) {
	t.Parallel()
	testkit.EachEngine(t, func(t *testing.T, e *testkit.Engine) {
		b := open(t, e)
		draft := b.create(t, b.invoice("1"))
		errs := make([]error, 8)
		var wait sync.WaitGroup
		for i := range errs {
			wait.Go(func() { _, errs[i] = b.tryRegister(t, draft.ID, "") })
		}
		wait.Wait()
		won := 0
		for _, err := range errs {
			if err == nil {
				won++
				continue
			}
			require.ErrorIs(t, err, purchase.ErrRegistered)
		}
		require.Equal(t, 1, won)
		for _, table := range []string{"journal_transactions", "purchase_invoices", "open_items", "vat_register"} {
			require.EqualValues(t, 1, b.count(t, e, table), table)
		}
	})
}
