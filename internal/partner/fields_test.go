package partner_test

import (
	"context"
	"encoding/json"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"
	"pgregory.net/rapid"

	"github.com/vienkart/vienkart/internal/apperr"
	"github.com/vienkart/vienkart/internal/date"
	"github.com/vienkart/vienkart/internal/partner"
	"github.com/vienkart/vienkart/internal/tenant"
	"github.com/vienkart/vienkart/internal/testkit"
)

func TestCreate(t *testing.T) {
	t.Parallel()
	testkit.EachEngine(t, func(t *testing.T, e *testkit.Engine) {
		t.Run("EveryFieldIsKept", func(t *testing.T) {
			t.Parallel()
			c := e.Company(t)
			p := create(t, c, partner.Fields{
				Type: new(partner.TypePerson), Name: new(" Ona Onaitė "), Code: new("CUST-1"), VATCode: new("lt 999-000.017"),
				PeppolID: new("9933:1"), Email: new("ona@example.com"), Phone: new("+370 600 00000"),
				SelfEmploymentCertNo: new("IV-77"), BirthDate: new(date.New(1990, 2, 28)), IsCustomer: new(false),
				IsSupplier: new(true), PaymentTermDays: new(0), CreditLimit: new("1500.5"),
				Address: &partner.Address{Street: "Gedimino pr. 1", City: "Vilnius", PostalCode: "01103", CountryCode: "LV"},
				Notes:   new("Sumoka laiku"),
			})
			stored := get(t, c, p.ID)
			require.Equal(t, p, stored)
			card := stored.Card(c.Scope.Company())
			require.Equal(t, "Ona Onaitė", card.Name)
			require.Equal(t, "CUST-1", *card.Code)
			require.Equal(t, "LT999000017", *card.VATCode)
			require.Equal(t, "1500.50", *card.CreditLimit)
			require.Equal(t, 0, *card.PaymentTermDays)
			require.Equal(t, "1990-02-28", card.BirthDate.String())
			require.Equal(t, "LV", card.Address.CountryCode)
			require.Equal(t, []string{}, card.Warnings)
		})

		t.Run("ANameIsEnough", func(t *testing.T) {
			t.Parallel()
			c := e.Company(t)
			card := get(t, c, create(t, c, partner.Fields{Name: new("UAB Pirkėjas")}).ID).Card(c.Scope.Company())
			require.Equal(t, partner.TypeCompany, card.Type)
			require.True(t, card.IsCustomer)
			require.False(t, card.IsSupplier)
			require.Nil(t, card.Address)
			require.Nil(t, card.CreditLimit)
		})

		t.Run("ATakenIdentifierIsADuplicate", func(t *testing.T) {
			t.Parallel()
			c, other := e.Company(t), e.Company(t)
			first := create(t, c, partner.Fields{Name: new("A"), Code: new("304 500 121"), VATCode: new("LT999000017")})
			create(t, other, partner.Fields{Name: new("A"), Code: new("304500121"), VATCode: new("LT999000017")})
			for code, in := range map[*apperr.Code]partner.Fields{
				partner.ErrDuplicateCode:    {Name: new("B"), Code: new("304.500.121")},
				partner.ErrDuplicateVATCode: {Name: new("B"), VATCode: new("lt999000017")},
			} {
				err := c.TryMutate(t.Context(), func(ctx context.Context, tx tenant.Tx) error {
					_, err := partner.Create(ctx, tx, in)
					return err
				})
				require.ErrorIs(t, err, code)
				var refusal *apperr.Error
				require.ErrorAs(t, err, &refusal)
				require.Equal(t, first.ID, refusal.Details()["existingId"])
				require.NotEmpty(t, refusal.Details()["index"])
			}
		})
	})
}

func TestCreateRefusesMalformedFields(t *testing.T) {
	t.Parallel()
	c := testkit.SQLite(t).Company(t)
	for name, example := range map[string]struct {
		in    partner.Fields
		field string
	}{
		"BlankName":          {partner.Fields{Name: new(" ")}, "name"},
		"NoName":             {partner.Fields{}, "name"},
		"LongVATNumber":      {partner.Fields{Name: new("A"), VATCode: new("LT" + strings.Repeat("1", 34))}, "vatCode"},
		"ControlInVATNumber": {partner.Fields{Name: new("A"), VATCode: new("LT\t999000017")}, "vatCode"},
		"NullInVATNumber":    {partner.Fields{Name: new("A"), VATCode: new("LT\x00999000017")}, "vatCode"},
		"ControlInCode":      {partner.Fields{Name: new("A"), Code: new("30450\n0121")}, "code"},
		"LongCode":           {partner.Fields{Name: new("A"), Code: new(strings.Repeat("X", 36))}, "code"},
		"EmailWithoutAt":     {partner.Fields{Name: new("A"), Email: new("ona")}, "email"},
		"NegativeTerm":       {partner.Fields{Name: new("A"), PaymentTermDays: new(-1)}, "paymentTermDays"},
		"TermBeyondTenYears": {partner.Fields{Name: new("A"), PaymentTermDays: new(3651)}, "paymentTermDays"},
		"LimitWithExponent":  {partner.Fields{Name: new("A"), CreditLimit: new("1e3")}, "creditLimit"},
		"NegativeLimit":      {partner.Fields{Name: new("A"), CreditLimit: new("-1")}, "creditLimit"},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			err := c.TryMutate(t.Context(), func(ctx context.Context, tx tenant.Tx) error {
				_, err := partner.Create(ctx, tx, example.in)
				return err
			})
			require.ErrorIs(t, err, apperr.ErrValidation)
			var refusal *apperr.Error
			require.ErrorAs(t, err, &refusal)
			require.Len(t, refusal.Fields()[example.field], 1)
			require.Len(t, refusal.Fields(), 1)
		})
	}
}

// TestWarnings puts the identifier vectors through a partner: a wrong one is stored all the same, with a warning.
func TestWarnings(t *testing.T) {
	t.Parallel()
	c := testkit.SQLite(t).Company(t)
	var vectors map[string][]struct {
		Value string
		Valid bool
		Why   string
	}
	require.NoError(t, json.Unmarshal(readShared(t, "tax/identifier-vectors.json"), &vectors))
	require.Len(t, vectors, 4)
	for kind, list := range vectors {
		for _, v := range list {
			t.Run(kind+"/"+v.Value, func(t *testing.T) {
				t.Parallel()
				in := partner.Fields{Name: new("A"), Code: &v.Value}
				if kind == "lt_vat" {
					in = partner.Fields{Name: new("A"), VATCode: &v.Value}
				}
				var p *partner.Partner
				err := c.TryMutate(t.Context(), func(ctx context.Context, tx tenant.Tx) (err error) {
					p, err = partner.Create(ctx, tx, in)
					require.NoError(t, err)
					return errRollback // one number stands in the list twice
				})
				require.ErrorIs(t, err, errRollback)
				warnings := p.Warnings("LT")
				// Upper case comes with normalising, and a code of another register is a code all the same.
				if v.Valid || v.Value == "lt999000017" {
					require.Empty(t, warnings)
					return
				}
				require.Len(t, warnings, 1, v.Why)
				if kind != "lt_vat" {
					require.NotContains(t, warnings[0], v.Value)
				}
			})
		}
	}
}

func TestWarningsDependOnTheCountry(t *testing.T) {
	t.Parallel()
	for name, example := range map[string]struct {
		p        partner.Partner
		home     string
		warnings int
	}{
		"GermanCodeIsNotChecked":             {partner.Partner{Code: new("HRB 1"), CountryCode: new("DE")}, "LT", 0},
		"CodeOfAGermanVATNumberIsNotChecked": {partner.Partner{Code: new("HRB 1"), VATCode: new("DE123456789")}, "LT", 0},
		"HomeCodeIsChecked":                  {partner.Partner{Code: new("HRB 1")}, "LT", 1},
		"CodeAtHomeElsewhereIsNotChecked":    {partner.Partner{Code: new("HRB 1")}, "DE", 0},
		"GermanNumberTooShort":               {partner.Partner{VATCode: new("DE12345678")}, "LT", 1},
		"GreekISOPrefix":                     {partner.Partner{VATCode: new("GR123456789"), CountryCode: new("GR")}, "LT", 1},
		"NorwegianNumberInNorway":            {partner.Partner{VATCode: new("NO999999999MVA"), CountryCode: new("NO")}, "LT", 0},
		"NothingToCheck":                     {partner.Partner{}, "LT", 0},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			require.Len(t, example.p.Warnings(example.home), example.warnings)
		})
	}
}

func TestNormalisingTwiceChangesNothing(t *testing.T) {
	t.Parallel()
	c := testkit.SQLite(t).Company(t)
	rapid.Check(t, func(t *rapid.T) {
		code := rapid.StringMatching(`[ A-Za-z0-9.-]{0,12}`).Draw(t, "code")
		err := c.TryMutate(context.Background(), func(ctx context.Context, tx tenant.Tx) error {
			p, err := partner.Create(ctx, tx, partner.Fields{Name: new("A"), Code: &code, VATCode: &code})
			require.NoError(t, err)
			again, err := partner.Update(ctx, tx, p.ID, partner.Fields{Code: new(text(p.Code)), VATCode: new(text(p.VATCode))})
			require.NoError(t, err)
			require.Equal(t, p.Code, again.Code)
			require.Equal(t, p.VATCode, again.VATCode)
			return errRollback
		})
		require.ErrorIs(t, err, errRollback)
	})
}
