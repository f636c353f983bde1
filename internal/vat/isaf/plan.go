package isaf

import (
	"strconv"

	"github.com/vienkart/vienkart/internal/tenant"
	"github.com/vienkart/vienkart/internal/vat/register"
)

// plan divides invoices into parts by number and size.
type plan struct {
	filing   *Filing
	part     Part
	position int
	// parties are those of the part.
	parties map[partyKey]struct{}
	scratch markup
}

type partyKey struct {
	side register.Direction
	id   tenant.ID
}

// Sizes of what a file has beside parties and invoices.
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
	p.part = Part{Number: number, FileName: f.fileName(number), first: p.position}
	clear(p.parties)
	p.scratch.Reset()
	p.scratch.header(f, p.part)
	p.part.Bytes = int64(p.scratch.Len()) + frameSize
}

// add puts an invoice into the part, or into the next one when the part is full.
func (p *plan) add(i Invoice) {
	o := p.filing.options
	size, isNew := p.size(i)
	if n := p.part.invoices(); n > 0 && (n == o.MaxInvoices || p.part.Bytes+size > o.MaxBytes) {
		p.end()
		p.begin()
		size, isNew = p.size(i)
	}
	p.position++
	p.part.Bytes += size
	isSale := i.Direction == register.Sales
	if isSale {
		p.part.SalesInvoices++
	} else {
		p.part.PurchaseInvoices++
	}
	if !isNew {
		return
	}
	p.parties[partyKey{i.Direction, i.Party.ID}] = struct{}{}
	if isSale {
		p.part.Customers++
	} else {
		p.part.Suppliers++
	}
}

// size is what an invoice adds to the part, with its party when the part does not have it yet.
func (p *plan) size(i Invoice) (bytes int64, isNew bool) {
	p.scratch.Reset()
	p.scratch.invoice(i)
	if _, known := p.parties[partyKey{i.Direction, i.Party.ID}]; !known {
		p.scratch.masterEntry(i.Direction, i.Party)
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
}
