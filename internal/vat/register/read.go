package register

import (
	"context"
	"fmt"
	"slices"

	"github.com/vienkart/vienkart/internal/date"
	"github.com/vienkart/vienkart/internal/tenant"
)

// InPeriod reads the rows of one side whose register date lies between two days, both included, in the order of register
// date, document number and id.
func InPeriod(ctx context.Context, r tenant.Reader, side Direction, from, to date.Date) ([]Row, error) {
	rows, err := tenant.Query[Row](ctx, r, `SELECT * FROM vat_register
		WHERE company_id = @company AND register_date BETWEEN ? AND ? AND direction = ?
		ORDER BY register_date, document_number, id`, from, to, side)
	if err != nil {
		return nil, fmt.Errorf("reading the VAT register: %w", err)
	}
	return rows, nil
}

// OfDocument reads the rows of a document in the order they were written.
func OfDocument(ctx context.Context, r tenant.Reader, documentID tenant.ID) ([]Row, error) {
	return tenant.Find[Row](ctx, r, "document_id = ?", documentID) //nolint:wrapcheck // says what was read
}

// Revoke writes the recorded rows of a document again with the opposite sign and the type AN, dated like them: a document that
// was cancelled before use counts in no box and keeps its number in the register. It must be called once for a document.
func Revoke(ctx context.Context, tx tenant.Tx, documentID tenant.ID) error {
	rows, err := OfDocument(ctx, tx, documentID)
	if err != nil {
		return err
	}
	rows = slices.DeleteFunc(rows, func(row Row) bool { return row.Event != Recorded })
	revoked := make([]*Row, len(rows))
	for i, row := range rows {
		row.Row = tenant.Row{}
		row.Event, row.InvoiceType, row.CreatedAt = Revoked, Cancelled, tx.Now()
		row.NetMinor, row.VATMinor = -row.NetMinor, -row.VATMinor
		row.BaseNetMinor, row.BaseVATMinor = -row.BaseNetMinor, -row.BaseVATMinor
		revoked[i] = &row
	}
	if err := tenant.Insert(ctx, tx, revoked...); err != nil {
		return fmt.Errorf("revoking the rows of a document in the VAT register: %w", err)
	}
	return nil
}
