package bank_test

import (
	"context"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/vienkart/vienkart/internal/apperr"
	"github.com/vienkart/vienkart/internal/bank"
	"github.com/vienkart/vienkart/internal/ledger"
	"github.com/vienkart/vienkart/internal/money"
	"github.com/vienkart/vienkart/internal/tenant"
	"github.com/vienkart/vienkart/internal/testkit"
)

func TestAccounts(t *testing.T) {
	t.Parallel()
	testkit.EachEngine(t, func(t *testing.T, e *testkit.Engine) {
		d := newDesk(t, e)
		create := func(in bank.CreateAccountInput) (*bank.Account, error) {
			var a *bank.Account
			err := d.try(t, func(ctx context.Context, tx tenant.Tx) (err error) {
				a, err = bank.CreateAccount(ctx, tx, in)
				return err
			})
			return a, err
		}
		d.Read(t, func(ctx context.Context, r tenant.ReadTx) error {
			a, err := bank.GetAccount(ctx, r, d.account)
			require.NoError(t, err)
			require.Equal(t, money.EUR, a.Currency, "the base currency unless given")
			require.Equal(t, "2710", a.AccountCode, "the account of the posting rule unless given")
			require.True(t, a.IsActive)
			_, err = bank.GetAccount(ctx, r, tenant.NewID())
			require.ErrorIs(t, err, bank.ErrUnknownAccount)
			return nil
		})
		_, err := create(bank.CreateAccountInput{Name: "Again", IBAN: "lt12 1000 0111 0100 1000"})
		require.ErrorIs(t, err, bank.ErrAccountExists)
		require.Equal(t, d.account, detail(t, err, "existingId"))
		dollars, err := create(bank.CreateAccountInput{Name: "Dollars", IBAN: ownIBAN, Currency: money.MustCurrency("USD")})
		require.NoError(t, err, "one number may hold several currencies")
		_, err = create(bank.CreateAccountInput{Name: "Cash", AccountCode: "2720"})
		require.NoError(t, err)
		_, err = create(bank.CreateAccountInput{Name: "More cash", AccountCode: "2720"})
		require.NoError(t, err, "accounts without a number are not compared")

		for name, example := range map[string]struct {
			in   bank.CreateAccountInput
			code *apperr.Code
		}{
			"WrongCheckDigit": {bank.CreateAccountInput{Name: "X", IBAN: "LT131000011101001000"}, apperr.ErrValidation},
			"UnknownCode":     {bank.CreateAccountInput{Name: "X", AccountCode: "9999"}, ledger.ErrUnknownAccount},
			"Heading":         {bank.CreateAccountInput{Name: "X", AccountCode: "27"}, ledger.ErrNotPostable},
			"Income":          {bank.CreateAccountInput{Name: "X", AccountCode: "5000"}, bank.ErrLedgerAccount},
		} {
			_, err := create(example.in)
			require.ErrorIs(t, err, example.code, name)
		}

		update := func(in bank.UpdateAccountInput) error {
			return d.try(t, func(ctx context.Context, tx tenant.Tx) error {
				_, err := bank.UpdateAccount(ctx, tx, in)
				return err
			})
		}
		none, inactive, blank := "", false, " "
		require.ErrorIs(t, update(bank.UpdateAccountInput{ID: tenant.NewID()}), apperr.ErrNotFound)
		require.ErrorIs(t, update(bank.UpdateAccountInput{ID: d.account, Name: &blank}), apperr.ErrValidation)
		require.NoError(t, update(bank.UpdateAccountInput{ID: dollars.ID, IBAN: &none, IsActive: &inactive}))
		err = d.try(t, func(ctx context.Context, tx tenant.Tx) error {
			_, err := bank.Import(ctx, tx, dollars.ID, []bank.ImportLine{line("2026-03-02", "1")})
			return err
		})
		require.ErrorIs(t, err, bank.ErrInactive)
		d.requireSound(t)
	})
}
