package isaf

import (
	"strconv"

	"github.com/vienkart/vienkart/internal/tenant"
	"github.com/vienkart/vienkart/internal/vat/register"
)

// plan divides invoices and settlements into parts by number and size.
type plan struct {
	filing   *Filing
	part     Part
	position int
	scratch  markup
}

type partyKey struct {
	side register.Direction
	id   tenant.ID
}

// Sizes of what a file has beside parties, invoices and settlements.
const (
	// frameSize is more than the elements around them take.
	frameSize = 300
)

// begin opens a part. The first has the plain number, so that a period that needs one part keeps it when it grows.
func (p *plan) begin() {
	f := p.filing
	number := f.options.PartNumber
	if n := len(f.Parts); n > 0 {
		number += "_" + strconv.Itoa(n+1)
	}
	p.part = Part{Number: number, FileName: f.fileName(number), first: p.position, parties: map[partyKey]Party{}}
	p.scratch.Reset()
	p.scratch.header(f, p.part)
	p.part.Bytes = int64(p.scratch.Len()) + frameSize
}

// add puts a piece into the part, or into the next one when the part is full.
func (p *plan) add(r piece) {
	o := p.filing.options
	size, isNew := p.size(r)
	if n := p.part.pieces(); n > 0 && (n == o.MaxInvoices || p.part.Bytes+size > o.MaxBytes) {
		p.end()
		p.begin()
		size, isNew = p.size(r)
	}
	p.position++
	p.part.Bytes += size
	isSale := r.side() == register.Sales
	switch {
	case r.settlement != nil:
		p.part.Settlements++
	case isSale:
		p.part.SalesInvoices++
	default:
		p.part.PurchaseInvoices++
	}
	if isNew || r.invoice != nil {
		p.part.parties[partyKey{r.side(), r.party().ID}] = r.party() // as its last document names it
	}
	if !isNew {
		return
	}
	if isSale {
		p.part.Customers++
	} else {
		p.part.Suppliers++
	}
}

// size is what a piece adds to the part, with its party when the part does not have it yet.
func (p *plan) size(r piece) (bytes int64, isNew bool) {
	p.scratch.Reset()
	p.scratch.piece(r)
	if _, known := p.part.parties[partyKey{r.side(), r.party().ID}]; !known {
		p.scratch.masterEntry(r.side(), r.party())
		isNew = true
	}
	return int64(p.scratch.Len()), isNew
}

func (p *plan) end() {
	f := p.filing
	f.Parts = append(f.Parts, p.part)
	f.SalesInvoices += p.part.SalesInvoices
	f.PurchaseInvoices += p.part.PurchaseInvoices
	f.Customers += p.part.Customers
	f.Suppliers += p.part.Suppliers
	f.Settlements += p.part.Settlements
}
