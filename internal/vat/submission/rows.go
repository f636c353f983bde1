package submission

import (
	"bytes"
	"cmp"
	"context"
	"fmt"
	"iter"
	"slices"

	"github.com/vienkart/vienkart/internal/date"
	"github.com/vienkart/vienkart/internal/tenant"
	"github.com/vienkart/vienkart/internal/vat"
	"github.com/vienkart/vienkart/internal/vat/cash"
	"github.com/vienkart/vienkart/internal/vat/register"
)

// maxRows bounds the rows that one submission holds in memory: more than two for each invoice that a file may have.
const maxRows = 250_000

// Rows are what a file is made from, rows of the register and payments of documents under cash accounting, read once: whatever is committed afterwards is neither in the file nor in the list of its rows.
type Rows struct {
	From, To date.Date
	// Sides are the registers, in the order of the file.
	Sides     []register.Direction
	documents map[register.Direction][][]register.Row
	payments  map[register.Direction][]cash.Payment
	count     int
	net, vat  int64
}

// Take reads the rows of a period. Error: submission.too_large.
func Take(ctx context.Context, r tenant.Reader, from, to date.Date, sides []register.Direction) (*Rows, error) {
	n, err := tenant.Count[register.Row](ctx, r, "register_date BETWEEN ? AND ? AND direction IN ?", from, to, sides)
	if err != nil {
		return nil, err //nolint:wrapcheck // says what was counted
	}
	if n > maxRows {
		return nil, tooLarge()
	}
	x := &Rows{
		From: from, To: to, Sides: sides, documents: map[register.Direction][][]register.Row{}, payments: map[register.Direction][]cash.Payment{},
	}
	for _, side := range sides {
		// One statement, and so one moment, for each side.
		rows, err := register.InPeriod(ctx, r, side, from, to)
		if err != nil {
			return nil, err //nolint:wrapcheck // says what was read
		}
		rows = slices.DeleteFunc(rows, isImport)
		x.documents[side] = byDocument(rows)
		x.count += len(rows)
		for _, row := range rows {
			x.net += row.BaseNetMinor
			x.vat += row.BaseVATMinor
		}
	}
	return x, x.takePayments(ctx, r)
}

// takePayments reads the payments. Error: submission.too_large.
func (x *Rows) takePayments(ctx context.Context, r tenant.Reader) error {
	taken := 0
	for _, side := range x.Sides {
		for payment, err := range cash.Payments(ctx, r, side, x.From, x.To) {
			if err != nil {
				return err //nolint:wrapcheck // says what was read
			}
			if taken += len(payment.AllocationIDs); taken > maxRows {
				return tooLarge()
			}
			x.payments[side] = append(x.payments[side], payment)
		}
	}
	return nil
}

// isImport reports import VAT, which is in the return and never in the file.
func isImport(row register.Row) bool {
	return row.VATCode != nil && slices.Contains(vat.ImportCodes(), *row.VATCode)
}

func tooLarge() error {
	return ErrTooLarge.New("The period needs more than one file. Make the parts by declarations/lt/isaf/generate and keep them yourself.")
}

// byDocument gathers rows that stand in the order of their days, as register.Documents orders documents.
func byDocument(rows []register.Row) [][]register.Row {
	position := map[tenant.ID]int{}
	var documents [][]register.Row
	for _, row := range rows {
		i, known := position[row.DocumentID]
		if !known {
			i = len(documents)
			position[row.DocumentID] = i
			documents = append(documents, nil)
		}
		documents[i] = append(documents[i], row)
	}
	slices.SortStableFunc(documents, func(a, b []register.Row) int {
		x, y := a[0], b[0]
		return cmp.Or(x.RegisterDate.Compare(y.RegisterDate), cmp.Compare(x.DocumentNumber, y.DocumentNumber),
			bytes.Compare(x.DocumentID[:], y.DocumentID[:]))
	})
	for _, document := range documents {
		slices.SortFunc(document, func(a, b register.Row) int { return bytes.Compare(a.ID[:], b.ID[:]) })
	}
	return documents
}

// Documents gives the rows of each document of a side, as often as wanted.
func (x *Rows) Documents(side register.Direction) iter.Seq2[[]register.Row, error] {
	return func(yield func([]register.Row, error) bool) {
		for _, rows := range x.documents[side] {
			if !yield(rows, nil) {
				return
			}
		}
	}
}

// Payments gives the payments for documents of a side, as often as wanted.
func (x *Rows) Payments(side register.Direction) iter.Seq2[cash.Payment, error] {
	return func(yield func(cash.Payment, error) bool) {
		for _, payment := range x.payments[side] {
			if !yield(payment, nil) {
				return
			}
		}
	}
}

// takenRow says that a row of the register is in the file of a submission.
type takenRow struct {
	tenant.Row
	SubmissionID  tenant.ID
	RegisterRowID tenant.ID
}

// TableName names the table for the mapper.
func (takenRow) TableName() string { return "vat_submission_rows" }

// rowsPerInsert keeps one statement far below the placeholders that an engine allows.
const rowsPerInsert = 500

func (x *Rows) store(ctx context.Context, tx tenant.Tx, submission tenant.ID) error {
	taken := make([]*takenRow, 0, x.count)
	for _, side := range x.Sides {
		for _, rows := range x.documents[side] {
			for _, row := range rows {
				taken = append(taken, &takenRow{SubmissionID: submission, RegisterRowID: row.ID})
			}
		}
	}
	for chunk := range slices.Chunk(taken, rowsPerInsert) {
		if err := tenant.Insert(ctx, tx, chunk...); err != nil {
			return fmt.Errorf("keeping the rows of a submission: %w", err)
		}
	}
	return x.storePayments(ctx, tx, submission)
}

// takenPayment says that an allocation of an open item is in the file of a submission, or that it was taken back before it.
type takenPayment struct {
	tenant.Row
	SubmissionID tenant.ID
	AllocationID tenant.ID
}

// TableName names the table for the mapper.
func (takenPayment) TableName() string { return "vat_submission_payments" }

func (x *Rows) storePayments(ctx context.Context, tx tenant.Tx, submission tenant.ID) error {
	var taken []*takenPayment
	for _, side := range x.Sides {
		for _, payment := range x.payments[side] {
			for _, id := range payment.AllocationIDs {
				taken = append(taken, &takenPayment{SubmissionID: submission, AllocationID: id})
			}
		}
	}
	for chunk := range slices.Chunk(taken, rowsPerInsert) {
		if err := tenant.Insert(ctx, tx, chunk...); err != nil {
			return fmt.Errorf("keeping the payments of a submission: %w", err)
		}
	}
	return nil
}
