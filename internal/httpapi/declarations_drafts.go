package httpapi

import (
	"context"
	"fmt"

	"github.com/vienkart/vienkart/internal/date"
	"github.com/vienkart/vienkart/internal/tenant"
)

// draftsIn counts the drafts that are dated in a period. They are in no return and no file before they are issued or registered.
func draftsIn(ctx context.Context, r tenant.Reader, from, to date.Date) (int, error) {
	n, err := tenant.QueryOne[int](ctx, r, `SELECT (SELECT COUNT(*) FROM sales_drafts WHERE company_id = @company
			AND issue_date BETWEEN ? AND ? AND type <> 'proforma')
		+ (SELECT COUNT(*) FROM purchase_drafts WHERE company_id = @company AND document_date BETWEEN ? AND ?)`, from, to, from, to)
	if err != nil {
		return 0, fmt.Errorf("counting drafts: %w", err)
	}
	return *n, nil
}

// draftsWarning says of drafts what to do with them; nothing when there are none.
func draftsWarning(n int) []string {
	if n == 0 {
		return nil
	}
	return []string{fmt.Sprintf("%d drafts dated in the period are left out; issue, register or delete them.", n)}
}
