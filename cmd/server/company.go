package main

import (
	"context"
	"errors"
	"fmt"
	"os"
	"strings"
	"time"

	"github.com/vienkart/vienkart/internal/account"
	"github.com/vienkart/vienkart/internal/apperr"
	"github.com/vienkart/vienkart/internal/tenant"
)

// companyCommand is what an operator does with companies, beside what their members do.
type companyCommand struct {
	Create companyCreateCommand `cmd:"" help:"Open a company with its chart of accounts and its first admin."`
	List   companyList          `cmd:"" help:"List the companies, their state and from when on they may be purged."`
	Export companyExport        `cmd:"" help:"Write everything of one company to a file, while servers go on."`
	Import companyImport        `cmd:"" help:"Take a company from such a file, whole or not at all, on any engine."`
	Purge  companyPurge         `cmd:"" help:"Remove a sandbox company, or one that was moved, for good."`
	Redact companyRedact        `cmd:"" help:"Take persons whose retention has ended out of what only grows, in all companies."`
}

type companyCreateCommand struct {
	Name    string        `required:"" help:"Name of the company."`
	Admin   string        `required:"" help:"E-mail address of its first admin, who signs in by a login link or by the token that is printed."`
	Code    string        `help:"Code in the register of legal entities."`
	VATCode string        `name:"vat-code" help:"VAT number; a company that has one counts as a VAT payer."`
	Country string        `default:"LT" help:"Country of registration, two letters; it decides the base currency."`
	Sandbox bool          `help:"Open a company to try things out in; only such a one can be deleted."`
	TTL     time.Duration `name:"ttl" default:"1h" help:"Life of the token."`
}

// Run opens the company and prints its id, and a token where this server signs them. Run twice it opens two companies.
func (c companyCreateCommand) Run(ctx context.Context, cfg *config) error {
	tokens, err := cfg.tokens()
	if err != nil {
		return err
	}
	store, closeStore, err := cfg.store(ctx)
	if err != nil {
		return err
	}
	defer closeStore()
	company, admin, err := account.Found(ctx, store.Door(), tenant.Visitor{RequestID: "server company create"}, account.Founding{
		Opening: account.Opening{CountryCode: strings.ToUpper(c.Country), IsSandbox: c.Sandbox},
		Profile: account.Profile{Name: &c.Name, Code: given(c.Code), VATCode: given(c.VATCode)}, Admin: c.Admin,
	})
	if err != nil {
		return spelledOut(err)
	}
	_, _ = fmt.Fprintf(os.Stdout, "company  %s\n", company.ID)
	if !tokens.CanSign() {
		return nil // another issuer signs them
	}
	signed, _, err := tokens.Sign(tenant.Grant{Company: company.ID, Subject: admin.ID.String(), Role: tenant.RoleAdmin, Life: c.TTL})
	if err != nil {
		return fmt.Errorf("signing a token: %w", err)
	}
	_, _ = fmt.Fprintf(os.Stdout, "token    %s\n", signed)
	return nil
}

// given is a text of the command line, or nothing when it was left out.
func given(text string) *string {
	if text == "" {
		return nil
	}
	return &text
}

// spelledOut names the values at fault, which an answer of the API has in fieldErrors.
func spelledOut(err error) error {
	refusal, ok := errors.AsType[*apperr.Error](err)
	if !ok {
		return err
	}
	for field, faults := range refusal.Fields() {
		err = fmt.Errorf("%w %s %s", err, field, strings.Join(faults, ", "))
	}
	return err
}

type companyList struct{}

func (companyList) Run(ctx context.Context, cfg *config) error {
	store, closeStore, err := cfg.existing(ctx)
	if err != nil {
		return err
	}
	defer closeStore()
	companies, err := tenant.SystemQuery[tenant.Company](ctx, tenant.NewSystem(store), "SELECT * FROM companies ORDER BY created_at, id")
	if err != nil {
		return err //nolint:wrapcheck // says what failed already
	}
	for _, c := range companies {
		kind, purge := "", ""
		if c.IsSandbox {
			kind = " sandbox"
		}
		if c.PurgeAfter != nil {
			purge = ", purge after " + c.PurgeAfter.UTC().Format(time.DateTime)
		}
		_, _ = fmt.Fprintf(os.Stdout, "%s  %s  %s%s%s\n", c.ID, c.Name, c.Status, kind, purge)
	}
	return nil
}
