package saft

import (
	"context"
	"iter"
	"time"

	"github.com/vienkart/vienkart/internal/ledger"
	"github.com/vienkart/vienkart/internal/tenant"
)

// content is what a file is written of. Sequences may be gone through more than once and give the same each time.
type content struct {
	company      tenant.Company
	zone         *time.Location
	accounts     []account
	units        []string
	customers    iter.Seq2[party, error]
	suppliers    iter.Seq2[party, error]
	transactions iter.Seq2[transaction, error]
	sales        iter.Seq2[invoice, error]
	purchases    iter.Seq2[invoice, error]
	payments     iter.Seq2[payment, error]
	assets       iter.Seq2[asset, error]
	movements    iter.Seq2[movement, error]
}

// debts are the accounts of what customers owe and of what is owed to suppliers, unless a document says otherwise.
type debts struct{ receivable, payable string }

func read(ctx context.Context, r tenant.ReadTx, o Options) (*content, error) {
	zone, err := time.LoadLocation(r.Company().TimeZone)
	if err != nil {
		zone = time.UTC
	}
	c := &content{company: r.Company(), zone: zone}
	if c.accounts, err = readAccounts(ctx, r, o); err != nil {
		return nil, err
	}
	if c.units, err = readUnits(ctx, r, o); err != nil {
		return nil, err
	}
	codes, err := ledger.AccountCodes(ctx, r, ledger.RuleReceivable, ledger.RulePayables)
	if err != nil {
		return nil, err //nolint:wrapcheck // says what was read
	}
	d := debts{codes[ledger.RuleReceivable], codes[ledger.RulePayables]}
	c.customers, c.suppliers = customersOf(ctx, r, o, d), suppliersOf(ctx, r, o, d)
	c.transactions = transactionsOf(ctx, r, o)
	c.sales, c.purchases = salesOf(ctx, r, o, d), purchasesOf(ctx, r, o, d)
	c.payments = paymentsOf(ctx, r, o)
	c.assets, c.movements = assetsOf(ctx, r, o), movementsOf(ctx, r, o)
	return c, nil
}

// pageRows is how many rows are read at once: enough to make round trips rare, few enough to bound memory.
const pageRows = 500

// paged goes through rows page by page; after the last row of a full page it reads on.
func paged[Row any](read func(after *Row) ([]Row, error)) iter.Seq2[Row, error] {
	return func(yield func(Row, error) bool) {
		var after *Row
		for {
			page, err := read(after)
			if err != nil {
				var none Row
				yield(none, err)
				return
			}
			for _, row := range page {
				if !yield(row, nil) {
					return
				}
			}
			if len(page) < pageRows {
				return
			}
			after = &page[len(page)-1]
		}
	}
}

// together joins sequences.
func together[Row any](parts ...iter.Seq2[Row, error]) iter.Seq2[Row, error] {
	return func(yield func(Row, error) bool) {
		for _, part := range parts {
			for row, err := range part {
				if !yield(row, err) || err != nil {
					return
				}
			}
		}
	}
}
