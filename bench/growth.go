package main

import (
	"context"
	"fmt"
)

// crowd is how many clients load the server where their number is not what is measured.
const crowd = 32

// measureGrowth measures the same operations while the database grows around them: keys that are kept, companies, invoices.
func measureGrowth(ctx context.Context, s settings, out *report) error {
	if _, err := (list{fmt.Sprint(s.large.grown)}).multiples(originals); err != nil {
		return err
	}
	return with(ctx, mariaDB, s.tenants, func(h *house) error {
		out.table("Growth", columns("ratio to the first")...)
		g := &growth{h, s, out, map[string]row{}}
		if err := g.keysAndCompanies(ctx); err != nil {
			return err
		}
		return g.invoices(ctx)
	})
}

type growth struct {
	*house
	settings settings
	out      *report
	first    map[string]row
}

// measure adds a row; the first one of each operation is what the others are related to.
func (g *growth) measure(ctx context.Context, l load, among string, companies []company) error {
	r, err := g.run(ctx, l, g.settings.duration, companies, crowd)
	if err != nil {
		return fmt.Errorf("measuring %s, %s: %w", l.name, among, err)
	}
	travel, err := g.travel(ctx, []load{l}, companies[0])
	if err != nil {
		return err
	}
	if _, found := g.first[l.name]; !found {
		g.first[l.name] = r
	}
	r.travel, r.name = travel[l.name], l.name+", "+among
	g.out.line(r.cells(g.first[l.name])...)
	return nil
}

func (g *growth) keysAndCompanies(ctx context.Context) error {
	few := g.companies
	if err := g.measure(ctx, posting, "empty books", few); err != nil {
		return err
	}
	if err := g.keys(ctx, few, g.settings.large.expired, "DATE_ADD(UTC_TIMESTAMP(6), INTERVAL 1 DAY)"); err != nil {
		return err
	}
	if err := g.measure(ctx, posting, fmt.Sprintf("%d keys", g.settings.large.expired), few); err != nil {
		return err
	}
	many, err := g.clones(ctx, g.settings.large.tenants)
	if err != nil {
		return err
	}
	if err := g.measure(ctx, posting, fmt.Sprintf("beside %d companies", len(many)), few); err != nil {
		return err
	}
	return g.measure(ctx, posting, "each", many)
}

// fewInvoices are what a company begins with that the grown one is related to.
const fewInvoices = 10 * originals

func (g *growth) invoices(ctx context.Context) error {
	g.first = map[string]row{}
	for _, n := range []int{fewInvoices, g.settings.large.grown} {
		to, err := g.sold(ctx, n)
		if err != nil {
			return err
		}
		to.partner = to.customers[0]
		for _, l := range loads {
			if l.prepare != nil { // what is kept of keys has been measured
				continue
			}
			if err := g.measure(ctx, l, fmt.Sprintf("%d invoices", n), []company{to}); err != nil {
				return err
			}
		}
	}
	return nil
}
