package ledger

import (
	"context"
	"fmt"

	"github.com/vienkart/vienkart/internal/date"
	"github.com/vienkart/vienkart/internal/tenant"
)

// DocumentTurnover is what one transaction did to an account, in minor units of the base currency: debit less credit.
type DocumentTurnover struct {
	TransactionID   tenant.ID
	TransactionDate date.Date
	Description     *string
	// DocumentType and DocumentID are nil for a manual entry.
	DocumentType *string
	DocumentID   *tenant.ID
	Minor        int64
}

// DocumentTurnovers lists what each transaction of a period did to an account, by date and id; an account without entries, or
// that does not exist, has none.
func DocumentTurnovers(ctx context.Context, r tenant.Reader, accountCode string, from, to date.Date) ([]DocumentTurnover, error) {
	rows, err := tenant.Query[DocumentTurnover](ctx, r, `SELECT t.id AS transaction_id, t.transaction_date, t.description,
			t.document_type, t.document_id, s.minor
		FROM (SELECT e.transaction_id, SUM(e.base_debit_minor - e.base_credit_minor) AS minor
			FROM journal_entries e JOIN ledger_accounts a ON a.company_id = e.company_id AND a.id = e.account_id
			WHERE e.company_id = @company AND a.code = ? AND e.transaction_date BETWEEN ? AND ?
			GROUP BY e.transaction_id) s
		JOIN journal_transactions t ON t.company_id = @company AND t.id = s.transaction_id
		ORDER BY t.transaction_date, t.id`, accountCode, from, to)
	if err != nil {
		return nil, fmt.Errorf("reading the turnover of account %s: %w", accountCode, err)
	}
	return rows, nil
}
