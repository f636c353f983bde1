package main

import (
	"context"
	"fmt"
	"strconv"
	"time"

	"github.com/vienkart/vienkart/internal/clock"
	"github.com/vienkart/vienkart/internal/ledger"
	"github.com/vienkart/vienkart/internal/money"
	"github.com/vienkart/vienkart/internal/partner"
	"github.com/vienkart/vienkart/internal/tenant"
)

// company is a tenant of the load.
type company struct {
	id        tenant.ID
	token     string
	partner   tenant.ID
	customers []tenant.ID // of one that files returns
}

// found makes a company with a chart of accounts and a partner.
func (h *house) found(ctx context.Context, name string) (company, error) {
	var c company
	return c, h.create(ctx, &c, tenant.Company{Name: name}, func(ctx context.Context, tx tenant.Tx) error {
		name, sells := "Customer and supplier", true
		p, err := partner.Create(ctx, tx, partner.Fields{Name: &name, IsSupplier: &sells})
		if err != nil {
			return err
		}
		c.partner = p.ID
		return nil
	})
}

// foundPayer makes a company that files returns, with customers.
func (h *house) foundPayer(ctx context.Context, name string, customers int) (company, error) {
	code, number := "900000105", "LT999000060116"
	var c company
	return c, h.create(ctx, &c, tenant.Company{Name: name, Code: &code, VATCode: &number}, func(ctx context.Context, tx tenant.Tx) error {
		for i := range customers {
			name, own, sells := fmt.Sprintf("UAB Pirkėjas %d", i), companyCode(i), true
			p, err := partner.Create(ctx, tx, partner.Fields{Name: &name, Code: &own, IsSupplier: &sells, Address: &partner.Address{CountryCode: "LT"}})
			if err != nil {
				return err
			}
			c.customers = append(c.customers, p.ID)
		}
		return nil
	})
}

// create stores a company, and signs a token for it.
func (h *house) create(ctx context.Context, c *company, row tenant.Company, setUp func(context.Context, tenant.Tx) error) error {
	now := clock.At(now())
	c.id = tenant.NewID()
	row.ID, row.IsVATPayer, row.CountryCode, row.TimeZone = c.id, true, "LT", "Europe/Vilnius"
	row.BaseCurrency, row.DefaultInvoiceCurrency, row.Status, row.CreatedAt, row.UpdatedAt = money.EUR, money.EUR, tenant.CompanyActive, now, now
	system := tenant.NewSystem(tenant.NewStore(h.admin, clock.System{}))
	_, err := system.CreateCompany(ctx, row, "bench", func(ctx context.Context, tx tenant.Tx) error {
		if _, err := ledger.ApplyTemplate(ctx, tx); err != nil {
			return err
		}
		return setUp(ctx, tx)
	})
	if err != nil {
		return fmt.Errorf("founding a company: %w", err)
	}
	c.token, err = sign(c.id)
	return err
}

// sign makes the token of the load.
func sign(id tenant.ID) (string, error) {
	tokens, err := tenant.NewTokens(tenant.TokenConfig{Secret: secret, Issuer: "vienkart", Audience: "vienkart-api"}, clock.System{})
	if err != nil {
		return "", err
	}
	token, _, err := tokens.Sign(tenant.Grant{Company: id, Subject: "bench", Role: tenant.RoleAdmin, Life: 24 * time.Hour})
	return token, err
}

// companyCode is a code with a right last digit: one of eight digits that leaves no remainder of ten.
func companyCode(i int) string {
	for n, digits := 0, 30_000_000; ; digits++ {
		text, sum := strconv.Itoa(digits), 0
		for at, digit := range text {
			sum += (at + 1) * int(digit-'0')
		}
		if sum%11 == 10 {
			continue
		}
		if n == i {
			return text + strconv.Itoa(sum%11)
		}
		n++
	}
}
