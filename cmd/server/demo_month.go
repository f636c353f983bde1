package main

import (
	"context"
	"fmt"

	"github.com/vienkart/vienkart/internal/partner"
	"github.com/vienkart/vienkart/internal/tenant"
)

// demoMonth books the partners and invoices of the demo company and gives the first customer.
func demoMonth(ctx context.Context, store *tenant.Store, scope tenant.Scope) (tenant.ID, error) {
	var customer *partner.Partner
	err := store.Mutate(ctx, scope, func(ctx context.Context, tx tenant.Tx) error {
		var err error
		name := "UAB Pirkėjas"
		customer, err = partner.Create(ctx, tx, partner.Fields{Name: &name})
		return err
	})
	if err != nil {
		return tenant.ID{}, fmt.Errorf("creating partners: %w", err)
	}
	return customer.ID, nil
}
