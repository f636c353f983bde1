package main

import (
	"context"
	"fmt"
	"os"

	"github.com/vienkart/vienkart/internal/tenant"
)

// welcome makes the demo company on the first start of a server that was not told where its database is, and prints how
// to issue an invoice. Every other server starts silently.
func welcome(ctx context.Context, cfg *config, system tenant.System, tokens *tenant.Tokens, address string) error {
	if os.Getenv("VIENKART_DATABASE_URL") != "" || !tokens.CanSign() {
		return nil
	}
	existing, err := tenant.SystemQuery[tenant.ID](ctx, system, "SELECT id FROM companies LIMIT 1")
	if err != nil {
		return err //nolint:wrapcheck // says what was read
	}
	base := cfg.scheme() + "://" + address
	if len(existing) > 0 {
		_, _ = fmt.Fprintf(os.Stdout, "\nVienkart serves %s (database %s).\nThe API is described at %s/docs. A token: server token --company %s\n\n",
			base, cfg.DatabaseURL, base, existing[0])
		return nil
	}
	d, err := createDemo(ctx, system, tokens)
	if err != nil {
		return err
	}
	_, _ = fmt.Fprintf(os.Stdout, `
Vienkart serves %[1]s (database %[2]s). The API is described at %[1]s/docs.

Demo company  %[3]s
Token         %[4]s

Issue an invoice, then run the same again: the same invoice answers, and nothing is booked twice.

  TOKEN=%[4]s
  ID=$(curl -s %[1]s/v1/sales/invoices/create -H "Authorization: Bearer $TOKEN" -H 'Content-Type: application/json' \
    -H 'Idempotency-Key: my first invoice' \
    -d '{"partnerId":"%[5]s","lines":[{"description":"Consulting","quantity":2,"unitPriceExclVat":"50.00"}]}' | cut -d'"' -f4)
  curl -s %[1]s/v1/sales/invoices/issue -H "Authorization: Bearer $TOKEN" -H 'Content-Type: application/json' \
    -H 'Idempotency-Key: issue my first invoice' -d '{"id":"'$ID'"}'

The web pages are at %[1]s/ui/: sign in with the token.

`, base, cfg.DatabaseURL, d.CompanyID, d.Token, d.PartnerID)
	return nil
}
