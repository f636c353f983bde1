package isaf

import (
	"context"
	"iter"

	"github.com/vienkart/vienkart/internal/tenant"
	"github.com/vienkart/vienkart/internal/vat/cash"
	"github.com/vienkart/vienkart/internal/vat/register"
)

// piece is what a file is a sequence of: an invoice or a settlement, the other is nil.
type piece struct {
	invoice    *Invoice
	settlement *Settlement
}

func (r piece) side() register.Direction {
	if r.settlement != nil {
		return r.settlement.Direction
	}
	return r.invoice.Direction
}

func (r piece) party() Party {
	if r.settlement != nil {
		return r.settlement.Party
	}
	return r.invoice.Party
}

// element is the element of the file that it stands in.
func (r piece) element() string {
	if r.settlement != nil {
		return settlementsElement
	}
	return elementsOf[r.invoice.Direction].register
}

// Source is what files are made of. Both give the same, in the same order, as often as they are asked.
type Source struct {
	// Documents gives the rows of each document of one side, as register.Documents does.
	Documents func(side register.Direction) iter.Seq2[[]register.Row, error]
	// Payments gives the payments of documents of one side under cash accounting, as cash.Payments does.
	Payments func(side register.Direction) iter.Seq2[cash.Payment, error]
}

// booksOf is the source that reads the books.
func booksOf(ctx context.Context, r tenant.ReadTx, p Period) Source {
	return Source{
		Documents: func(side register.Direction) iter.Seq2[[]register.Row, error] {
			return register.Documents(ctx, r, side, p.From, p.To)
		},
		Payments: func(side register.Direction) iter.Seq2[cash.Payment, error] {
			return cash.Payments(ctx, r, side, p.From, p.To)
		},
	}
}

// pieces gives what the file consists of in its order: purchases, sales, payments for purchases, payments for sales.
func (o *Options) pieces(from Source) iter.Seq2[piece, error] {
	return func(yield func(piece, error) bool) {
		for invoice, err := range o.invoices(from) {
			if !yield(piece{invoice: &invoice}, err) || err != nil {
				return
			}
		}
		for settlement, err := range o.settlements(from) {
			if !yield(piece{settlement: &settlement}, err) || err != nil {
				return
			}
		}
	}
}

// invoices gives the invoices of the file in its order: purchases before sales. After an error nothing follows.
func (o *Options) invoices(from Source) iter.Seq2[Invoice, error] {
	return func(yield func(Invoice, error) bool) {
		for _, side := range o.DataType.Sides() {
			for document, err := range from.Documents(side) {
				if err != nil {
					yield(Invoice{}, err)
					return
				}
				for _, invoice := range o.invoicesOf(document) {
					if !yield(invoice, nil) {
						return
					}
				}
			}
		}
	}
}

// settlements gives the payments of the file; those of which nothing is left are not in it. After an error nothing follows.
func (o *Options) settlements(from Source) iter.Seq2[Settlement, error] {
	return func(yield func(Settlement, error) bool) {
		for _, side := range o.DataType.Sides() {
			for payment, err := range from.Payments(side) {
				if err != nil {
					yield(Settlement{}, err)
					return
				}
				if !payment.IsZero() && !yield(o.settlement(payment), nil) {
					return
				}
			}
		}
	}
}

// Invoices gives every invoice of a period as the file of type F has it, for comparing it with the books.
func Invoices(ctx context.Context, r tenant.ReadTx, p Period) iter.Seq2[Invoice, error] {
	o := Options{Period: p, DataType: Full}
	return o.invoices(booksOf(ctx, r, p))
}
