package tenant_test

import (
	"context"
	"reflect"
	"testing"

	"github.com/golang-jwt/jwt/v5"
	"github.com/stretchr/testify/require"

	"github.com/vienkart/vienkart/internal/date"
	"github.com/vienkart/vienkart/internal/tenant"
	"github.com/vienkart/vienkart/internal/testkit"
)

// TestScopeHasTheWholeCompany fills every member of a company and compares what a request is told with what is stored: the columns
// are read by name where each request reads them, so a new one is easily left out.
func TestScopeHasTheWholeCompany(t *testing.T) {
	t.Parallel()
	testkit.EachEngine(t, func(t *testing.T, e *testkit.Engine) {
		c := e.Company(t, func(c *tenant.Company) {
			text, country, logo := "text", "LT", tenant.NewID()
			for _, to := range []**string{
				&c.Code, &c.VATCode, &c.SMEExemptionNumber, &c.Street, &c.City, &c.PostalCode, &c.Email, &c.Phone, &c.IBAN, &c.BankName, &c.PeppolID,
			} {
				*to = &text
			}
			c.AddressCountry, c.LogoFileID, c.IsSandbox, c.RequireIdempotencyKey = &country, &logo, true, true
			c.CashAccountingFrom, c.CashAccountingUntil = date.MustParse("2026-01-01"), date.MustParse("2026-12-31")
		})
		verifier := tenant.NewVerifier(tokens(t, tenant.TokenConfig{Secret: secret}), e.Store)
		token := "Bearer " + signed(t, jwt.SigningMethodHS256, []byte(secret), claims(c.Scope.Company().ID.String()))
		scope, err := verifier.Verify(t.Context(), tenant.Call{Authorization: token})
		require.NoError(t, err)
		c.Read(t, func(ctx context.Context, r tenant.ReadTx) error {
			stored, err := tenant.ReadCompany(ctx, r)
			require.NoError(t, err)
			require.Equal(t, stored, scope.Company())
			for i := range reflect.TypeFor[tenant.Company]().NumField() {
				name := reflect.TypeFor[tenant.Company]().Field(i).Name
				if name != "DeletedAt" && name != "PurgeAfter" { // such a company is not served
					require.False(t, reflect.ValueOf(stored).Field(i).IsZero(), "give %s a value here", name)
				}
			}
			return nil
		})
	})
}

// Servers remember companies. A change by one is seen by the next request of every other, also one of a release that knows only the
// time of the change.
func TestChangedCompanyIsSeenByEveryServer(t *testing.T) {
	t.Parallel()
	testkit.EachEngine(t, func(t *testing.T, e *testkit.Engine) {
		c := e.Company(t)
		company := c.Scope.Company()
		token := "Bearer " + signed(t, jwt.SigningMethodHS256, []byte(secret), claims(company.ID.String()))
		other := tenant.NewVerifier(tokens(t, tenant.TokenConfig{Secret: secret}), tenant.NewStore(e.DB, e.Store.Clock()))
		seen := func() tenant.Company {
			scope, err := other.Verify(t.Context(), tenant.Call{Authorization: token})
			require.NoError(t, err)
			return scope.Company()
		}
		require.Equal(t, company.Name, seen().Name)
		require.Equal(t, company, seen(), "what is remembered is the whole company")

		company.Name, company.RequireIdempotencyKey = "Renamed", true
		c.Mutate(t, func(ctx context.Context, tx tenant.Tx) error { // within the microsecond of the last change
			return tenant.UpdateCompany(ctx, tx, company, "name", "require_idempotency_key")
		})
		require.Equal(t, company, seen())

		_, err := e.Admin.Writer().ExecContext(t.Context(), "UPDATE companies SET name = 'Again', updated_at = '2036-01-01 00:00:00' WHERE id = ?", company.ID)
		require.NoError(t, err)
		require.Equal(t, "Again", seen().Name)
	})
}

func TestAccountsForCash(t *testing.T) {
	t.Parallel()
	for name, example := range map[string]struct {
		from, until, on string
		want            bool
	}{
		"Never":        {"", "", "2026-01-01", false},
		"DayBefore":    {"2026-01-02", "", "2026-01-01", false},
		"FirstDay":     {"2026-01-02", "", "2026-01-02", true},
		"StillGoingOn": {"2026-01-02", "", "2036-01-02", true},
		"LastDay":      {"2026-01-02", "2026-06-30", "2026-06-30", true},
		"DayAfter":     {"2026-01-02", "2026-06-30", "2026-07-01", false},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			day := func(s string) date.Date {
				if s == "" {
					return date.Date{}
				}
				return date.MustParse(s)
			}
			c := tenant.Company{CashAccountingFrom: day(example.from), CashAccountingUntil: day(example.until)}
			require.Equal(t, example.want, c.AccountsForCash(day(example.on)))
		})
	}
}
