package isaf

import (
	"bytes"
	"fmt"
	"io"
	"maps"
	"slices"

	"github.com/vienkart/vienkart/internal/tenant"
	"github.com/vienkart/vienkart/internal/vat/register"
)

// Write writes one part, counted from 0, from the rows that the filing was prepared from, which must still be the same. The
// parties come before the invoices, so they are those that Prepare saw.
func (f *Filing) Write(number int, w io.Writer) error {
	if f.Blocked() {
		return fmt.Errorf("writing i.SAF: the company has no code for the header")
	}
	out := &partWriter{filing: f, part: f.Parts[number], w: w}
	for _, step := range []func() error{out.head, out.masterFiles, out.documents} {
		if err := step(); err != nil {
			return fmt.Errorf("writing part %s of i.SAF: %w", out.part.Number, err)
		}
	}
	return nil
}

type partWriter struct {
	filing *Filing
	part   Part
	w      io.Writer
	markup markup
}

// flushSize is how much is gathered before it is handed on.
const flushSize = 64 << 10

// flush hands on what was gathered, once it is enough or at the end of a step.
func (p *partWriter) flush(enough int) error {
	if p.markup.Len() < enough {
		return nil
	}
	_, err := p.markup.WriteTo(p.w)
	return err //nolint:wrapcheck // the caller says what was written
}

func (p *partWriter) head() error {
	p.markup.header(p.filing, p.part)
	return p.flush(0)
}

// each gives the pieces of the part alone.
func (p *partWriter) each(fn func(piece) error) error {
	position, last := 0, p.part.first+p.part.pieces()
	if p.part.pieces() == 0 {
		return nil
	}
	for r, err := range p.filing.options.pieces(p.filing.from) {
		if err != nil {
			return err
		}
		if position >= p.part.first {
			if err := fn(r); err != nil {
				return err
			}
		}
		if position++; position == last {
			return nil
		}
	}
	return fmt.Errorf("the register has fewer documents than when the filing was prepared: use one snapshot for both")
}

// masterFiles writes the parties of the part by id, as their last invoice names them, and those of payments alone as the paid
// document did.
func (p *partWriter) masterFiles() error {
	if p.part.pieces() == 0 {
		return nil
	}
	parties := map[register.Direction]map[tenant.ID]Party{register.Sales: {}, register.Purchases: {}}
	for key, party := range p.part.parties {
		parties[key.side][key.id] = party
	}
	p.markup.open(masterElement)
	for _, side := range []register.Direction{register.Sales, register.Purchases} {
		if err := p.masterFile(side, parties[side]); err != nil {
			return err
		}
	}
	p.markup.close(masterElement)
	return p.flush(0)
}

func (p *partWriter) masterFile(side register.Direction, parties map[tenant.ID]Party) error {
	if len(parties) == 0 {
		return nil
	}
	ids := slices.SortedFunc(maps.Keys(parties), func(a, b tenant.ID) int { return bytes.Compare(a[:], b[:]) })
	p.markup.open(elementsOf[side].list)
	for _, id := range ids {
		p.markup.masterEntry(side, parties[id])
		if err := p.flush(flushSize); err != nil {
			return err
		}
	}
	p.markup.close(elementsOf[side].list)
	return nil
}

// documents writes invoices and settlements, each kind in an element of its own that is left out when it would be empty.
func (p *partWriter) documents() error {
	element := ""
	if p.part.pieces() > 0 {
		p.markup.open(documentsElement)
	}
	err := p.each(func(r piece) error {
		if r.element() != element {
			p.closeElement(element)
			element = r.element()
			p.markup.open(element)
		}
		p.markup.piece(r)
		return p.flush(flushSize)
	})
	if err != nil {
		return err
	}
	p.closeElement(element)
	if p.part.pieces() > 0 {
		p.markup.close(documentsElement)
	}
	p.markup.close(rootElement)
	return p.flush(0)
}

func (p *partWriter) closeElement(name string) {
	if name != "" {
		p.markup.close(name)
	}
}
