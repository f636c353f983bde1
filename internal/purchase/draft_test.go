package purchase_test

import (
	"context"
	"errors"
	"strings"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"github.com/vienkart/vienkart/internal/apperr"
	"github.com/vienkart/vienkart/internal/clock"
	"github.com/vienkart/vienkart/internal/date"
	"github.com/vienkart/vienkart/internal/money"
	"github.com/vienkart/vienkart/internal/partner"
	"github.com/vienkart/vienkart/internal/purchase"
	"github.com/vienkart/vienkart/internal/tenant"
	"github.com/vienkart/vienkart/internal/testkit"
)

func TestCreate(t *testing.T) {
	t.Parallel()
	testkit.EachEngine(t, func(t *testing.T, e *testkit.Engine) {
		b := open(t, e)
		in := b.invoice(" SF  1 ", account("6300", line("1.005", "21")), line("2", "0"))
		in.Lines[0].Quantity, in.Lines[0].Unit = new(money.MustDecimal("2.5")), "kg"
		in.Notes, in.SupplyDate = " Pastaba ", date.MustParse("2026-01-10")
		i := b.create(t, in)
		require.Equal(t, i, b.get(t, i.ID))
		c := i.Card()
		require.Equal(t, "SF 1", c.DocumentNumber)
		require.Equal(t, new("Pastaba"), c.Notes)
		require.Equal(t, purchase.StatusDraft, c.Status)
		require.Equal(t, purchase.PaymentUnpaid, c.PaymentStatus)
		require.Equal(t, []string{"4.51", "0.53", "5.04", "0.00"},
			[]string{c.NetTotal.String(), c.VATTotal.String(), c.GrossTotal.String(), c.PaidAmount.String()})
		require.Equal(t, "kg", c.Lines[0].Unit)
		require.Equal(t, new("6300"), c.Lines[0].AccountCode)
		require.Nil(t, c.Lines[1].AccountCode)
		require.Equal(t, "vnt.", c.Lines[1].Unit)
		require.Equal(t, 2, c.Lines[1].SortOrder)
		require.Empty(t, c.Warnings)
		require.NotNil(t, c.Warnings)
	})
}

func TestCreateRefuses(t *testing.T) {
	t.Parallel()
	testkit.EachEngine(t, func(t *testing.T, e *testkit.Engine) {
		b, stranger := open(t, e), open(t, e)
		german := b.partner(t, partner.Fields{Name: new("GmbH"), VATCode: new("DE999999999")})
		lines := func(l purchase.LineInput) func(*purchase.CreateInput) {
			return func(in *purchase.CreateInput) { in.Lines = []purchase.LineInput{line("1", "21"), l} }
		}
		bare := line("1", "21")
		bare.Description = " "
		both := line("1", "21")
		both.UnitPriceInclVAT = both.UnitPriceExclVAT
		none := line("1", "21")
		none.UnitPriceExclVAT = nil
		zero := line("1", "21")
		zero.Quantity = new(money.Decimal{})
		dear := line("999999999999", "21")
		dear.Quantity = new(money.MustDecimal("999"))
		long := line("1", "21")
		long.Description = strings.Repeat("\"", 200_000)
		for name, example := range map[string]struct {
			change func(*purchase.CreateInput)
			code   error
			field  string
		}{
			"NoNumber":            {func(in *purchase.CreateInput) { in.DocumentNumber = "N/A" }, purchase.ErrNumber, "documentNumber"},
			"UnknownSupplier":     {func(in *purchase.CreateInput) { in.PartnerID = tenant.NewID() }, purchase.ErrSupplier, "partnerId"},
			"SupplierOfAnother":   {func(in *purchase.CreateInput) { in.PartnerID = stranger.supplier }, purchase.ErrSupplier, "partnerId"},
			"NoLines":             {func(in *purchase.CreateInput) { in.Lines = nil }, apperr.ErrValidation, "lines"},
			"TooManyLines":        {func(in *purchase.CreateInput) { in.Lines = make([]purchase.LineInput, 401) }, apperr.ErrValidation, "lines"},
			"TooLong":             {lines(long), purchase.ErrTooLong, "lines"},
			"NoDescription":       {lines(bare), apperr.ErrValidation, "lines.1.description"},
			"TwoPrices":           {lines(both), apperr.ErrValidation, "lines.1.unitPriceExclVat"},
			"NoPrice":             {lines(none), apperr.ErrValidation, "lines.1.unitPriceExclVat"},
			"NoQuantity":          {lines(zero), apperr.ErrValidation, "lines.1.quantity"},
			"PriceOutOfBounds":    {lines(dear), apperr.ErrValidation, "lines"},
			"UnknownAccount":      {lines(account("9999", line("1", "21"))), purchase.ErrAccount, "lines.1.accountCode"},
			"HeadingAccount":      {lines(account("69", line("1", "21"))), purchase.ErrAccount, "lines.1.accountCode"},
			"IncomeAccount":       {lines(account("5000", line("1", "21"))), purchase.ErrAccount, "lines.1.accountCode"},
			"NoLithuanianRate":    {lines(line("1", "20")), purchase.ErrVAT, "lines.1.vatRatePercent"},
			"RateOfAFarmer":       {lines(line("1", "6")), purchase.ErrVAT, "lines.1.vatRatePercent"},
			"UnknownCode":         {lines(under("PVM01", line("1", "21"))), purchase.ErrVAT, "lines.1.vatClassifierCode"},
			"CodeOfASale":         {lines(under("PVM12", line("1", "0"))), purchase.ErrVAT, "lines.1.vatClassifierCode"},
			"CodeOfAnotherRate":   {lines(under("PVM1", line("1", "5"))), purchase.ErrVAT, "lines.1.vatClassifierCode"},
			"CodeOfAnotherOrigin": {lines(under("PVM16", line("1", "21"))), purchase.ErrVAT, "lines.1.vatClassifierCode"},
			"DomesticCodeAbroad":  {func(in *purchase.CreateInput) { in.PartnerID, in.Lines[0].VATClassifierCode = german, "PVM1" }, purchase.ErrVAT, "lines.0.vatClassifierCode"},
			"RateWithoutCode":     {func(in *purchase.CreateInput) { in.PartnerID, in.Lines[0] = german, line("1", "12") }, purchase.ErrVAT, "lines.0.vatClassifierCode"},
			"ExpiredRate":         {lines(line("1", "9")), purchase.ErrVAT, "lines.1.vatRatePercent"},
		} {
			in := b.invoice("1")
			example.change(&in)
			_, err := b.tryCreate(t, in)
			require.ErrorIs(t, err, example.code, name)
			refusal, ok := errors.AsType[*apperr.Error](err)
			require.True(t, ok, name)
			require.Contains(t, refusal.Fields(), example.field, name)
		}
		for _, table := range []string{"purchase_numbers", "purchase_drafts", "purchase_draft_lines"} {
			require.Zero(t, b.count(t, e, table), table)
		}
	})
}

func TestCompanyWithoutVATCannotComputeIt(t *testing.T) {
	t.Parallel()
	b := open(t, testkit.SQLite(t), notPayer)
	_, err := b.tryCreate(t, b.invoice("1", under("PVM25", line("1", "0"))))
	require.ErrorIs(t, err, purchase.ErrVAT)
}

func TestUpdate(t *testing.T) {
	t.Parallel()
	testkit.EachEngine(t, func(t *testing.T, e *testkit.Engine) {
		b := open(t, e)
		in := b.invoice("1")
		in.Notes, in.DueDate = "Pastaba", date.MustParse("2026-03-01")
		draft := b.create(t, in)
		same, err := b.tryUpdate(t, purchase.UpdateInput{ID: draft.ID})
		require.NoError(t, err)
		require.Equal(t, draft, same)

		german := b.partner(t, partner.Fields{Name: new("GmbH"), VATCode: new("DE999999999")})
		changed, err := b.tryUpdate(t, purchase.UpdateInput{
			ID: draft.ID, PartnerID: &german, DocumentDate: date.MustParse("2026-01-21"), DueDate: date.MustParse("2026-02-20"),
			SupplyDate: date.MustParse("2026-01-19"), SupplyType: purchase.SupplyServices, SpecialTaxation: new(true), Currency: usd,
			Notes: new(""),
		})
		require.NoError(t, err)
		require.Equal(t, changed, b.get(t, draft.ID))
		want := draft.Header
		want.PartnerID, want.Notes, want.Currency, want.SupplyType, want.SpecialTaxation = german, nil, usd, purchase.SupplyServices, true
		want.DocumentDate, want.DueDate = date.MustParse("2026-01-21"), date.MustParse("2026-02-20")
		want.SupplyDate = date.MustParse("2026-01-19")
		want.VATMinor, want.GrossMinor = 0, 10000
		require.Equal(t, want, changed.Header)
		require.Equal(t, new("PVM21"), changed.Lines[0].VATCode, "a code that was chosen is chosen anew")
		require.Equal(t, draft.Lines[0].ID, changed.Lines[0].ID)

		relined, err := b.tryUpdate(t, purchase.UpdateInput{ID: draft.ID, Lines: []purchase.LineInput{line("1", "0"), under("PVM43", line("2", "21"))}})
		require.NoError(t, err)
		require.Equal(t, relined, b.get(t, draft.ID))
		require.Equal(t, new("PVM43"), relined.Lines[1].VATCode)
		_, err = b.tryUpdate(t, purchase.UpdateInput{ID: draft.ID, Lines: []purchase.LineInput{}})
		require.ErrorIs(t, err, apperr.ErrValidation)
		_, err = b.tryUpdate(t, purchase.UpdateInput{ID: draft.ID, PartnerID: &b.supplier})
		require.ErrorIs(t, err, purchase.ErrVAT, "a code that was named stays, and does not fit")
	})
}

func TestOtherCompanies(t *testing.T) {
	t.Parallel()
	testkit.EachEngine(t, func(t *testing.T, e *testkit.Engine) {
		owner, stranger := open(t, e), open(t, e)
		draft, i := owner.create(t, owner.invoice("1")), owner.book(t, owner.invoice("2"))
		for _, id := range []tenant.ID{draft.ID, i.ID} {
			_, update := stranger.tryUpdate(t, purchase.UpdateInput{ID: id})
			_, register := stranger.tryRegister(t, id, "")
			stranger.Read(t, func(ctx context.Context, r tenant.ReadTx) error {
				_, err := purchase.Get(ctx, r, id)
				require.ErrorIs(t, err, apperr.ErrNotFound)
				return nil
			})
			for _, err := range []error{update, register, stranger.tryDelete(t, id)} {
				require.ErrorIs(t, err, apperr.ErrNotFound)
			}
		}
		require.Equal(t, draft, owner.get(t, draft.ID))
	})
}

func TestList(t *testing.T) {
	t.Parallel()
	testkit.EachEngine(t, func(t *testing.T, e *testkit.Engine) {
		b, other := open(t, e), open(t, e)
		draft := b.create(t, b.invoice("D1"))
		paid, partly := b.book(t, b.invoice("P1")), b.book(t, b.invoice("P2", line("200", "21")))
		b.pay(t, paid.ID, 12100)
		b.pay(t, partly.ID, 1)
		other.create(t, other.invoice("X1"))
		numbers := func(filter ...tenant.Filter) (found []string) {
			b.Read(t, func(ctx context.Context, r tenant.ReadTx) error {
				page, err := purchase.List(ctx, r, tenant.ListQuery{Sort: []tenant.Sort{{Field: "documentNumber"}}, Filter: filter})
				for _, i := range page.Rows {
					found = append(found, i.DocumentNumber+" "+string(i.PaymentStatus()))
				}
				return err
			})
			return found
		}
		by := func(field string, op tenant.FilterOp, value string) tenant.Filter {
			return tenant.Filter{Field: field, Op: op, Value: []byte(value)}
		}
		require.Equal(t, []string{"D1 unpaid", "P1 paid", "P2 partial"}, numbers())
		require.Equal(t, []string{"D1 unpaid"}, numbers(by("status", "eq", `"draft"`)))
		require.Equal(t, []string{"P1 paid", "P2 partial"}, numbers(by("status", "eq", `"registered"`)))
		require.Equal(t, []string{"P1 paid"}, numbers(by("paymentStatus", "eq", `"paid"`)))
		require.Equal(t, []string{"P2 partial"}, numbers(by("grossTotal", "gte", `"200"`)))
		require.Equal(t, []string{"P1 paid", "P2 partial"}, numbers(by("registrationDate", "eq", `"2026-02-10"`)))
		require.Equal(t, []string{"D1 unpaid"}, numbers(by("id", "eq", `"`+draft.ID.String()+`"`)))
		require.Empty(t, numbers(by("documentDate", "gte", `"2026-01-21"`)))
	})
}

func TestDuplicateReasonIsForAdmins(t *testing.T) {
	t.Parallel()
	testkit.EachEngine(t, func(t *testing.T, e *testkit.Engine) {
		b := open(t, e)
		b.create(t, b.invoice("1"))
		own := b.create(t, b.invoice("2"))
		accountant := &books{Company: as(t, b.Company, tenant.RoleAccountant), supplier: b.supplier}
		in := accountant.invoice("1")
		in.DuplicateReason = "Kitas dokumentas"
		_, err := accountant.tryCreate(t, in)
		require.ErrorIs(t, err, purchase.ErrReasonNeedsAdmin)
		_, err = accountant.tryUpdate(t, purchase.UpdateInput{ID: own.ID, DocumentNumber: new("1"), DuplicateReason: "Kitas dokumentas"})
		require.ErrorIs(t, err, purchase.ErrReasonNeedsAdmin)
		admin := &books{Company: as(t, b.Company, tenant.RoleAdmin), supplier: b.supplier}
		require.NotNil(t, admin.create(t, in).DuplicateOfID)
	})
}

// as is the company through the eyes of a member with a role.
func as(t *testing.T, c *testkit.Company, role tenant.Role) *testkit.Company {
	t.Helper()
	user := tenant.NewID()
	c.Mutate(t, func(ctx context.Context, tx tenant.Tx) error {
		require.NoError(t, tenant.CreateUser(ctx, tx, tenant.User{ID: user, Email: user.String() + "@example.com", Locale: "lt", CreatedAt: tx.Now()}))
		return tenant.Insert(ctx, tx, &tenant.Membership{UserID: user, Role: role, CreatedAt: tx.Now()})
	})
	tokens, err := tenant.NewTokens(tenant.TokenConfig{
		Secret: "0123456789abcdef0123456789abcdef", Issuer: "vienkart", Audience: "vienkart",
	}, clock.Fixed{T: now})
	require.NoError(t, err)
	token, _, err := tokens.Sign(tenant.Grant{Company: c.Scope.Company().ID, Subject: user.String(), Role: role, Life: time.Hour})
	require.NoError(t, err)
	scope, err := tenant.NewVerifier(tokens, c.Engine.Store).Verify(t.Context(), tenant.Call{Authorization: "Bearer " + token, RequestID: "r"})
	require.NoError(t, err)
	return &testkit.Company{Scope: scope, Engine: c.Engine}
}
