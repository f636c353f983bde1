package partner_test

import (
	"context"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/vienkart/vienkart/internal/apperr"
	"github.com/vienkart/vienkart/internal/partner"
	"github.com/vienkart/vienkart/internal/tenant"
	"github.com/vienkart/vienkart/internal/testkit"
)

// owe puts an open item of a partner on the books.
func owe(t *testing.T, c *testkit.Company, p tenant.ID, kind, currency string, amount, base, open int64) {
	t.Helper()
	c.Mutate(t, func(ctx context.Context, tx tenant.Tx) error {
		account := tenant.NewID()
		_, err := tenant.Exec(ctx, tx, `INSERT INTO ledger_accounts (company_id, id, code, name, type, is_postable, created_at)
			VALUES (@company, ?, ?, 'Pirkėjai', 'asset', true, ?)`, account, account.String()[24:], tx.Now())
		require.NoError(t, err)
		_, err = tenant.Exec(ctx, tx, `INSERT INTO open_items (company_id, id, kind, document_type, document_id, document_number,
			partner_id, account_id, document_date, due_date, currency, amount_minor, base_amount_minor, open_minor, created_at)
			VALUES (@company, ?, ?, 'sale_invoice', ?, 'SF1', ?, ?, '2026-01-01', '2026-01-31', ?, ?, ?, ?, ?)`,
			tenant.NewID(), kind, tenant.NewID(), p, account, currency, amount, base, open, tx.Now())
		return err
	})
}

func TestCheckCredit(t *testing.T) {
	t.Parallel()
	testkit.EachEngine(t, func(t *testing.T, e *testkit.Engine) {
		c := e.Company(t)
		check := func(id tenant.ID, additional string) (credit partner.Credit, err error) {
			c.Read(t, func(ctx context.Context, r tenant.ReadTx) error {
				credit, err = partner.CheckCredit(ctx, r, id, additional)
				return nil
			})
			return credit, err
		}
		limited := create(t, c, partner.Fields{Name: new("A"), CreditLimit: new("200")}).ID
		owe(t, c, limited, "receivable", "EUR", 12100, 12100, 10000)
		owe(t, c, limited, "receivable", "EUR", 5000, 5000, 0)
		owe(t, c, limited, "receivable", "USD", 30000, 25001, 10000) // a third of 250.01
		owe(t, c, limited, "payable", "EUR", 99900, 99900, 99900)
		unlimited := create(t, c, partner.Fields{Name: new("B")}).ID
		owe(t, c, unlimited, "receivable", "EUR", 100, 100, 100)

		credit, err := check(limited, "16.66")
		require.NoError(t, err)
		require.Equal(t, "183.34", credit.Open.String())
		require.Equal(t, "200.00", credit.Exposure.String())
		require.Equal(t, "0.00", credit.Available().String())
		require.False(t, credit.Exceeded(), "the limit itself is within it")

		credit, err = check(limited, "16.67")
		require.NoError(t, err)
		require.Equal(t, "-0.01", credit.Available().String())
		require.True(t, credit.Exceeded())

		credit, err = check(unlimited, "")
		require.NoError(t, err)
		require.Equal(t, "1.00", credit.Exposure.String())
		require.Nil(t, credit.Available())
		require.False(t, credit.Exceeded())

		for _, wrong := range []string{"-1", "1,5", "1.234"} {
			_, err = check(limited, wrong)
			require.ErrorIs(t, err, apperr.ErrValidation, wrong)
		}
	})
}

func TestCheckVAT(t *testing.T) {
	t.Parallel()
	for number, want := range map[string]partner.VATCheck{
		"LT999000017":    {Valid: true, Prefix: "LT", Number: "999000017"},
		"EL123456789":    {Valid: true, Prefix: "EL", Number: "123456789"},
		"ATU12345678":    {Valid: true, Prefix: "AT", Number: "U12345678"},
		"XIGD123":        {Valid: true, Prefix: "XI", Number: "GD123"},
		"IE1234567WA":    {Valid: true, Prefix: "IE", Number: "1234567WA"},
		"NL123456789B01": {Valid: true, Prefix: "NL", Number: "123456789B01"},
	} {
		require.Equal(t, want, partner.CheckVAT(number))
	}
	for _, wrong := range []string{"", "L", "999000017", "GR123456789", "GB123456789", "LT999000018", "AT12345678", "DE12345678", "DE1234567890"} {
		check := partner.CheckVAT(wrong)
		require.False(t, check.Valid, wrong)
		require.NotEmpty(t, check.Reason)
		require.Equal(t, wrong, check.Prefix+check.Number)
	}
}

func TestValidateVAT(t *testing.T) {
	t.Parallel()
	c := testkit.SQLite(t).Company(t)
	with := create(t, c, partner.Fields{Name: new("A"), VATCode: new("LT999000018")}).ID
	without := create(t, c, partner.Fields{Name: new("B")}).ID
	c.Read(t, func(ctx context.Context, r tenant.ReadTx) error {
		check, err := partner.ValidateVAT(ctx, r, "lt 999 000 017", tenant.ID{})
		require.NoError(t, err)
		require.Equal(t, partner.VATCheck{Valid: true, Prefix: "LT", Number: "999000017"}, check)
		check, err = partner.ValidateVAT(ctx, r, "", with)
		require.NoError(t, err)
		require.False(t, check.Valid)
		_, err = partner.ValidateVAT(ctx, r, "", without)
		require.ErrorIs(t, err, partner.ErrNoVATCode)
		_, err = partner.ValidateVAT(ctx, r, "", tenant.ID{})
		require.ErrorIs(t, err, apperr.ErrValidation)
		_, err = partner.ValidateVAT(ctx, r, "LT999000017", with)
		require.ErrorIs(t, err, apperr.ErrValidation)
		_, err = partner.ValidateVAT(ctx, r, "LT\r\n999000017", tenant.ID{})
		require.ErrorIs(t, err, apperr.ErrValidation)
		return nil
	})
}
