package main

import (
	"context"
	"fmt"
	"os"
	"time"

	"github.com/vienkart/vienkart/internal/account"
	"github.com/vienkart/vienkart/internal/tenant"
)

type tokenCommand struct {
	Company string        `required:"" help:"Id of the company."`
	Role    string        `default:"admin" enum:"admin,accountant,manager,developer,viewer" help:"Role of the token."`
	Subject string        `default:"operator" help:"Who the token is for; the id of a user makes it that user's."`
	TTL     time.Duration `name:"ttl" default:"1h" help:"Life of the token."`
}

// tokenLine is a token in the company's log.
type tokenLine struct {
	Subject string      `json:"subject"`
	Role    tenant.Role `json:"role"`
	TTL     string      `json:"ttl"`
}

func (t tokenCommand) Run(ctx context.Context, cfg *config) error {
	company, err := tenant.ParseID(t.Company)
	if err != nil {
		return fmt.Errorf("--company: %w", err)
	}
	store, closeStore, err := cfg.existing(ctx)
	if err != nil {
		return err
	}
	defer closeStore()
	scope, err := tenant.NewSystem(store).Scope(ctx, company, "token")
	if err != nil {
		return err //nolint:wrapcheck // says what failed already
	}
	tokens, err := cfg.tokens()
	if err != nil {
		return err
	}
	signed, _, err := tokens.Sign(tenant.Grant{Company: company, Subject: t.Subject, Role: tenant.Role(t.Role), Life: t.TTL})
	if err != nil {
		return err //nolint:wrapcheck // says what failed already
	}
	// Before it is printed: no token is out that the company's log does not tell of.
	err = store.Mutate(ctx, scope, func(ctx context.Context, tx tenant.Tx) error {
		return account.RecordByOperator(ctx, tx, "token.signed", tokenLine{t.Subject, tenant.Role(t.Role), t.TTL.String()})
	})
	if err != nil {
		return err //nolint:wrapcheck // says what failed already
	}
	_, _ = fmt.Fprintln(os.Stdout, signed)
	return nil
}
