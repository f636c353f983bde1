package main

import (
	"context"
	"encoding/json"
	"fmt"
	"os"
	"time"

	"github.com/vienkart/vienkart/internal/account"
	"github.com/vienkart/vienkart/internal/clock"
	"github.com/vienkart/vienkart/internal/ledger"
	"github.com/vienkart/vienkart/internal/money"
	"github.com/vienkart/vienkart/internal/tenant"
)

// demoTokenLife is long enough for a newcomer to look around for a day.
const demoTokenLife = 24 * time.Hour

type demoCommand struct {
	JSON bool `name:"json" help:"Print the company and its token as JSON alone, for scripts."`
}

func (d demoCommand) Run(ctx context.Context, cfg *config) error {
	store, closeStore, err := cfg.store(ctx)
	if err != nil {
		return err
	}
	defer closeStore()
	tokens, err := cfg.tokens()
	if err != nil {
		return err
	}
	demo, err := createDemo(ctx, tenant.NewSystem(store), tokens)
	if err != nil {
		return err
	}
	if d.JSON {
		return json.NewEncoder(os.Stdout).Encode(demo) //nolint:wrapcheck // nothing to add
	}
	_, _ = fmt.Fprintf(os.Stdout, "company  %s\ntoken    %s\n", demo.CompanyID, demo.Token)
	return nil
}

// demo is what a script needs to use the demo company.
type demo struct {
	CompanyID tenant.ID `json:"companyId"`
	Token     string    `json:"token"`
	PartnerID tenant.ID `json:"-"`
}

// createDemo makes a company whose books show a month of work. What came before the last step stays when a later one
// fails: each step is a business document of its own.
func createDemo(ctx context.Context, system tenant.System, tokens *tenant.Tokens) (demo, error) {
	now := clock.At(system.Store().Clock().Now())
	code, vatCode := "900000105", "LT999000017"
	company := tenant.Company{
		ID: tenant.NewID(), Name: "UAB Pavyzdys", Code: &code, VATCode: &vatCode, IsVATPayer: true, IsSandbox: true, CountryCode: "LT",
		TimeZone: "Europe/Vilnius", BaseCurrency: money.EUR, DefaultInvoiceCurrency: money.EUR, Status: tenant.CompanyActive,
		CreatedAt: now, UpdatedAt: now,
	}
	user := tenant.User{ID: tenant.NewID(), Email: company.ID.String() + "@demo.invalid", Locale: "en", CreatedAt: now}
	scope, err := system.CreateCompany(ctx, company, "demo", func(ctx context.Context, tx tenant.Tx) error {
		if _, err := ledger.ApplyTemplate(ctx, tx); err != nil {
			return fmt.Errorf("opening the chart of accounts: %w", err)
		}
		if err := tenant.CreateUser(ctx, tx, user); err != nil {
			return err //nolint:wrapcheck // says what was stored
		}
		if err := tenant.Insert(ctx, tx, &tenant.Membership{UserID: user.ID, Role: tenant.RoleAdmin, CreatedAt: now}); err != nil {
			return err //nolint:wrapcheck // says what was stored
		}
		return account.RecordByOperator(ctx, tx, "company.created", account.ShowProfile(company))
	})
	if err != nil {
		return demo{}, fmt.Errorf("creating the demo company: %w", err)
	}
	d := demo{CompanyID: company.ID}
	if d.PartnerID, err = demoMonth(ctx, system.Store(), scope); err != nil {
		return demo{}, fmt.Errorf("booking the demo month: %w", err)
	}
	d.Token, _, err = tokens.Sign(tenant.Grant{Company: company.ID, Subject: user.ID.String(), Role: tenant.RoleAdmin, Life: demoTokenLife})
	return d, err //nolint:wrapcheck // says what failed already
}
