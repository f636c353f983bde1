package bank

import (
	"context"
	"fmt"

	"github.com/vienkart/vienkart/internal/identifier"
	"github.com/vienkart/vienkart/internal/ledger"
	"github.com/vienkart/vienkart/internal/tenant"
)

// creditor is a partner with the account to pay to.
type creditor struct {
	ID   tenant.ID
	Name string
	IBAN string
}

// paidAccount is an account that a payment to a partner went to.
type paidAccount struct {
	PartnerID        tenant.ID
	CounterpartyIBAN string
}

// creditors finds name and account of every partner. An account that was paid to before is one that somebody has checked; an
// account that money came from is not, and never serves.
func (in ExportInput) creditors(ctx context.Context, r tenant.Reader, items []*ledger.OpenItem) (map[tenant.ID]creditor, error) {
	var ids []tenant.ID
	for _, item := range items {
		ids = append(ids, item.PartnerID)
	}
	partners, err := tenant.Query[creditor](ctx, r, "SELECT id, name FROM partners WHERE company_id = @company AND id IN ?", ids)
	if err != nil {
		return nil, fmt.Errorf("reading suppliers: %w", err)
	}
	paid, err := tenant.Query[paidAccount](ctx, r, `SELECT i.partner_id, t.counterparty_iban FROM open_items i
		JOIN bank_matches m ON m.company_id = i.company_id AND m.document_id = i.document_id
		JOIN bank_transactions t ON t.company_id = m.company_id AND t.id = m.transaction_id
		WHERE i.company_id = @company AND i.partner_id IN ? AND i.document_type = 'purchase_invoice' AND t.amount_minor < 0
			AND t.counterparty_iban IS NOT NULL
		ORDER BY t.transaction_date, t.id`, ids)
	if err != nil {
		return nil, fmt.Errorf("looking for the accounts of suppliers: %w", err)
	}
	known := map[tenant.ID]string{}
	for _, p := range paid {
		if identifier.CheckIBAN(p.CounterpartyIBAN) == nil {
			known[p.PartnerID] = p.CounterpartyIBAN // the latest stays
		}
	}
	found := make(map[tenant.ID]creditor, len(partners))
	for _, p := range partners {
		if p.IBAN = known[p.ID]; in.CreditorIBANs[p.ID] != "" {
			p.IBAN = identifier.NormalizeIBAN(in.CreditorIBANs[p.ID])
		}
		if p.IBAN == "" {
			return nil, ErrNoCreditorIBAN.New("It is not known to which account %s is paid; send its IBAN in creditorIbans under %s.", p.Name, p.ID).
				Field("creditorIbans."+p.ID.String(), "is required: no payment to this supplier was matched before").Detail("partnerId", p.ID)
		}
		found[p.ID] = p
	}
	return found, nil
}
