package main

import (
	"context"
	"fmt"

	"github.com/vienkart/vienkart/internal/date"
	"github.com/vienkart/vienkart/internal/invoice"
	"github.com/vienkart/vienkart/internal/ledger"
	"github.com/vienkart/vienkart/internal/money"
	"github.com/vienkart/vienkart/internal/partner"
	"github.com/vienkart/vienkart/internal/tenant"
)

// demoCustomers buy from the demo company.
var demoCustomers = []struct{ name, code, vatCode, country string }{
	{"UAB Pirkėjas", "900000023", "LT999000113", "LT"},
	{"SIA Kaimiņš", "", "LV99999999999", "LV"},
	{"Jonas Jonaitis", "", "", "LT"},
}

// demoSales are the invoices of the month: the day of the month, the customer, and a line.
var demoSales = []struct {
	day, customer int
	description   string
	quantity      string
	price         string
}{
	{2, 0, "Konsultacijos", "8", "75.00"},
	{5, 2, "Buhalterijos vadovėlis", "1", "39.90"},
	{9, 0, "Programinės įrangos priežiūra", "1", "450.00"},
	{14, 2, "Mokymai", "2", "120.00"},
	{20, 0, "Konsultacijos", "3.5", "75.00"},
}

// demoCapital is what the owners paid in.
const demoCapital = "10000.00"

// demoMonth books capital, partners and the sales of last month, and gives the first customer.
func demoMonth(ctx context.Context, store *tenant.Store, scope tenant.Scope) (tenant.ID, error) {
	var customers []tenant.ID
	var month date.Month
	err := store.Mutate(ctx, scope, func(ctx context.Context, tx tenant.Tx) error {
		month = date.MonthOf(tx.Today()).Prev()
		if err := payInCapital(ctx, tx, month.First()); err != nil {
			return err
		}
		var err error
		customers, err = demoPartners(ctx, tx)
		return err
	})
	if err != nil {
		return tenant.ID{}, fmt.Errorf("opening the books: %w", err)
	}
	for _, sale := range demoSales {
		day := month.First().AddDays(sale.day - 1)
		quantity, price := money.MustDecimal(sale.quantity), money.MustDecimal(sale.price)
		err := store.Mutate(ctx, scope, func(ctx context.Context, tx tenant.Tx) error {
			d, err := invoice.Create(ctx, tx, invoice.CreateInput{
				PartnerID: customers[sale.customer], IssueDate: day,
				Lines: []invoice.LineInput{{Description: sale.description, Quantity: &quantity, UnitPriceExclVAT: &price}},
			})
			if err != nil {
				return err //nolint:wrapcheck // wrapped below
			}
			_, err = invoice.Issue(ctx, tx, invoice.IssueInput{ID: d.ID})
			return err //nolint:wrapcheck // wrapped below
		})
		if err != nil {
			return tenant.ID{}, fmt.Errorf("issuing the invoice of %s: %w", day, err)
		}
	}
	return customers[0], nil
}

func payInCapital(ctx context.Context, tx tenant.Tx, day date.Date) error {
	bank, err := ledger.AccountCode(ctx, tx, ledger.RuleBank)
	if err != nil {
		return err //nolint:wrapcheck // says what was read
	}
	paid, err := money.Parse(demoCapital, money.EUR)
	if err != nil {
		return err //nolint:wrapcheck // a constant of this file
	}
	_, err = ledger.Post(ctx, tx, ledger.Posting{
		Date: day, Description: "Įstatinis kapitalas",
		Lines: []ledger.Line{{AccountCode: bank, Debit: paid}, {AccountCode: "3011", Credit: paid}},
	})
	return err //nolint:wrapcheck // says what was posted
}

func demoPartners(ctx context.Context, tx tenant.Tx) ([]tenant.ID, error) {
	var ids []tenant.ID
	for _, c := range demoCustomers {
		fields := partner.Fields{Name: &c.name, Code: &c.code, VATCode: &c.vatCode, Address: &partner.Address{CountryCode: c.country}}
		p, err := partner.Create(ctx, tx, fields)
		if err != nil {
			return nil, fmt.Errorf("creating %s: %w", c.name, err)
		}
		ids = append(ids, p.ID)
	}
	return ids, nil
}
