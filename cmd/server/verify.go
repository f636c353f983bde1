package main

import (
	"context"
	"fmt"
	"os"
	"slices"

	"github.com/vienkart/vienkart/internal/asset"
	"github.com/vienkart/vienkart/internal/bank"
	"github.com/vienkart/vienkart/internal/export"
	"github.com/vienkart/vienkart/internal/files"
	"github.com/vienkart/vienkart/internal/idempotency"
	"github.com/vienkart/vienkart/internal/invoice"
	"github.com/vienkart/vienkart/internal/invoice/letter"
	"github.com/vienkart/vienkart/internal/ledger"
	"github.com/vienkart/vienkart/internal/order"
	"github.com/vienkart/vienkart/internal/payout"
	"github.com/vienkart/vienkart/internal/purchase"
	"github.com/vienkart/vienkart/internal/tenant"
	"github.com/vienkart/vienkart/internal/vat/submission"
	"github.com/vienkart/vienkart/internal/webhook/delivery"
)

type verifyCommand struct{}

// invariants are what every package promises of its rows.
func invariants() []tenant.Invariant {
	return slices.Concat(
		idempotency.Invariants, delivery.Invariants, ledger.Invariants, invoice.Invariants, letter.Invariants, purchase.Invariants, asset.Invariants,
		order.Invariants, export.Invariants, bank.Invariants, payout.Invariants, files.Invariants, submission.Invariants,
	)
}

func (verifyCommand) Run(ctx context.Context, cfg *config) error {
	store, closeStore, err := cfg.existing(ctx)
	if err != nil {
		return err
	}
	defer closeStore()
	checked := invariants()
	breaches, err := tenant.Verify(ctx, tenant.NewSystem(store), checked)
	if err != nil {
		return err //nolint:wrapcheck // says what was being checked
	}
	for _, b := range breaches {
		_, _ = fmt.Fprintf(os.Stdout, "BROKEN: %s: company %s: %s\n", b.Invariant, b.CompanyID, b.Subject)
	}
	if len(breaches) > 0 {
		return fmt.Errorf("%d breaches of %d invariants", len(breaches), len(checked)+1)
	}
	_, _ = fmt.Fprintf(os.Stdout, "%d invariants hold\n", len(checked)+1)
	return nil
}
