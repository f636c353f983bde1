package main

import "context"

// pages are what is asked of a list of invoices.
var pages = []struct{ name, body string }{
	{"by day", `{"pageSize":50,"filter":[{"field":"issueDate","op":"eq","value":"2026-03-17"}]}`},
	{
		"unpaid since",
		`{"pageSize":50,"filter":[{"field":"status","op":"eq","value":"issued"},{"field":"issueDate","op":"gte","value":"2026-03-25"}]}`,
	},
	{"of a number", `{"pageSize":50,"filter":[{"field":"fullNumber","op":"contains","value":"000777"}]}`},
	{"last page kept", `{"page":200,"pageSize":50}`},
}

// measureLists measures a page of a long list of invoices under several filters.
func measureLists(ctx context.Context, s settings, out *report) error {
	sizes, err := s.large.listed.multiples(originals)
	if err != nil {
		return err
	}
	return onBooks(ctx, out, "A page of a list of so many invoices", func(b books) error {
		for _, n := range sizes {
			to, err := b.sold(ctx, n)
			if err != nil {
				return err
			}
			for _, p := range pages {
				if err := b.answer(ctx, to, p.name, n, "/v1/sales/invoices/list", p.body); err != nil {
					return err
				}
			}
		}
		return nil
	})
}
