package saft

import (
	"bytes"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"github.com/vienkart/vienkart/internal/apperr"
	"github.com/vienkart/vienkart/internal/date"
	"github.com/vienkart/vienkart/internal/money"
	"github.com/vienkart/vienkart/internal/tenant"
)

// written is the file of one data type without the header, which the schema takes.
func written(t *testing.T, dataType DataType, fill func(*content)) string {
	t.Helper()
	c := &content{
		company: tenant.Company{Name: "UAB Bandymas", BaseCurrency: money.EUR, CountryCode: "LT", IsVATPayer: true}, zone: time.UTC,
		customers: fixed[party](nil), suppliers: fixed[party](nil), transactions: fixed[transaction](nil), sales: fixed[invoice](nil),
		purchases: fixed[invoice](nil), payments: fixed[payment](nil), assets: fixed[asset](nil), movements: fixed[movement](nil),
	}
	fill(c)
	o := january()
	o.DataType = dataType
	var b bytes.Buffer
	_, err := write(c, o, &b)
	require.NoError(t, err)
	xmllint(t, b.Bytes())
	_, rest, _ := bytes.Cut(b.Bytes(), []byte("</Header>\n"))
	return string(rest)
}

// Edge case 78: an entry without a partner has an empty one, in the transaction and in each line.
func TestEntryWithoutPartner(t *testing.T) {
	t.Parallel()
	supplier := tenant.NewID()
	entries := []entry{
		{LineNo: 1, AccountCode: "6004", Currency: money.EUR, Base: money.EUR, DebitMinor: 100, BaseDebitMinor: 100},
		{LineNo: 2, AccountCode: "1247", Currency: money.EUR, Base: money.EUR, CreditMinor: 100, BaseCreditMinor: 100},
	}
	day := date.MustParse("2026-01-31")
	file := written(t, Ledger, func(c *content) {
		c.transactions = fixed([]transaction{
			{transactionRow{ID: tenant.NewID(), TransactionDate: day}, entries},
			{transactionRow{ID: tenant.NewID(), TransactionDate: day, SupplierID: &supplier}, entries},
		})
	})
	require.Equal(t, 3, bytes.Count([]byte(file), []byte("<CustomerID></CustomerID>")))
	require.Equal(t, 3, bytes.Count([]byte(file), []byte("<SupplierID>"+short(supplier)+"</SupplierID>")))
	require.Contains(t, file, "<NumberOfEntries>2</NumberOfEntries>\n<TotalDebit>2.00</TotalDebit>\n<TotalCredit>2.00</TotalCredit>")
}

// Edge case 79: what is negative stands without its sign on the other side.
func TestNegativeAmountsAreOnTheOtherSide(t *testing.T) {
	t.Parallel()
	one := money.DecimalFromInt(1)
	line := func(minor int64) []invoiceLine {
		return []invoiceLine{{SortOrder: 1, Quantity: one, UnitPrice: one, NetMinor: minor, VATMinor: minor / 5}}
	}
	document := func(kind string, minor int64) invoice {
		return invoice{invoiceRow{Type: kind, Currency: money.EUR, ExchangeRate: one, NetMinor: minor, GrossMinor: minor}, true, line(minor), nil}
	}
	for name, example := range map[string]struct {
		invoice      invoice
		side, totals string
	}{
		"Invoice":            {document("invoice", 1000), "K", "<TotalDebit>0.00</TotalDebit>\n<TotalCredit>10.00</TotalCredit>"},
		"InvoiceTakenOff":    {document("invoice", -1000), "D", "<TotalDebit>10.00</TotalDebit>\n<TotalCredit>0.00</TotalCredit>"},
		"CreditNote":         {document("credit_note", 1000), "D", "<TotalDebit>10.00</TotalDebit>\n<TotalCredit>0.00</TotalCredit>"},
		"CreditNoteTakenOff": {document("credit_note", -1000), "K", "<TotalDebit>0.00</TotalDebit>\n<TotalCredit>10.00</TotalCredit>"},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			file := written(t, Sales, func(c *content) { c.sales = fixed([]invoice{example.invoice}) })
			require.Contains(t, file, "<DebitCreditIndicator>"+example.side+"</DebitCreditIndicator>")
			require.Contains(t, file, example.totals)
			require.NotContains(t, file, ">-")
		})
	}
}

func TestOptions(t *testing.T) {
	t.Parallel()
	for name, change := range map[string]func(*Options){
		"DaysAreMissing": func(o *Options) { o.From = date.Date{} },
		"WrongOrder":     func(o *Options) { o.To = o.From.AddDays(-1) },
		"OverAYear":      func(o *Options) { o.To = o.From.AddMonths(12) },
		"BeforeAll":      func(o *Options) { o.From, o.To = date.MustParse("1969-01-01"), date.MustParse("1969-12-31") },
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			o := january()
			change(&o)
			require.ErrorIs(t, o.Complete(), apperr.ErrValidation)
		})
	}
	o := january()
	o.DataType = Stock
	require.ErrorIs(t, o.Complete(), ErrNoStock)
	o = january()
	o.To = o.From.AddMonths(12).AddDays(-1)
	require.NoError(t, o.Complete(), "a year is not too long")
}
