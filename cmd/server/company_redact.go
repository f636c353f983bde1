package main

import (
	"context"
	"fmt"
	"os"

	"github.com/vienkart/vienkart/internal/backup"
	"github.com/vienkart/vienkart/internal/partner"
	"github.com/vienkart/vienkart/internal/tenant"
)

type companyRedact struct{}

// redactedTables are those that only grow and name persons.
var redactedTables = []string{"vat_register", "audit_log"}

// Run finishes the redactions whose time has come, in all companies, each in a transaction of its own.
func (companyRedact) Run(ctx context.Context, cfg *config) error {
	system, closeStore, err := cfg.mighty(ctx)
	if err != nil {
		return err
	}
	defer closeStore()
	due, err := finishRedactions(ctx, system)
	if err != nil {
		return err
	}
	_, _ = fmt.Fprintf(os.Stdout, "%d redactions due\n", due)
	return nil
}

func finishRedactions(ctx context.Context, system tenant.System) (int, error) {
	due, err := partner.DueRedactions(ctx, system)
	if err != nil {
		return 0, err //nolint:wrapcheck // says what failed
	}
	for _, d := range due {
		// The days of a company are counted in its time zone, which the transaction must know.
		scope, err := system.Scope(ctx, d.CompanyID, "company redact")
		if err != nil {
			return 0, err //nolint:wrapcheck // says what failed already
		}
		err = backup.Unguarded(ctx, system, scope, redactedTables, func(ctx context.Context, tx tenant.Tx) error {
			return partner.FinishRedaction(ctx, tx, d.PartnerID)
		})
		if err != nil {
			return 0, err //nolint:wrapcheck // says what failed already
		}
	}
	return len(due), nil
}
