package vatmonth

import (
	"bytes"
	"context"
	"encoding/xml"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/vienkart/vienkart/internal/date"
	"github.com/vienkart/vienkart/internal/money"
	"github.com/vienkart/vienkart/internal/partner"
	"github.com/vienkart/vienkart/internal/tenant"
	"github.com/vienkart/vienkart/internal/testkit"
	"github.com/vienkart/vienkart/internal/vat/register"
)

type file struct {
	Purchases []invoice `xml:"SourceDocuments>PurchaseInvoices>Invoice"`
	Sales     []invoice `xml:"SourceDocuments>SalesInvoices>Invoice"`
}

type invoice struct {
	InvoiceNo               string
	SupplierInfo            party
	CustomerInfo            party
	InvoiceDate             string
	InvoiceType             string
	SpecialTaxation         string
	References              []reference `xml:"References>Reference"`
	VATPointDate            string
	RegistrationAccountDate string
	Totals                  []total `xml:"DocumentTotals>DocumentTotal"`
}

type party struct {
	SupplierID            string
	CustomerID            string
	VATRegistrationNumber string
	RegistrationNumber    string
	Country               string
	Name                  string
}

type reference struct{ ReferenceNo, ReferenceDate string }

type total struct{ TaxableValue, TaxCode, TaxPercentage, Amount string }

// Record records every invoice of an i.SAF file, as the document behind it would: a cancelled one is recorded and revoked.
// It returns the partners' ids by the ids in the file.
func Record(t testing.TB, c *testkit.Company, isaf []byte) map[string]tenant.ID {
	t.Helper()
	var f file
	require.NoError(t, xml.NewDecoder(bytes.NewReader(isaf)).Decode(&f))
	partners := map[string]tenant.ID{}
	c.Mutate(t, func(ctx context.Context, tx tenant.Tx) error {
		for _, i := range f.Purchases {
			record(ctx, t, tx, register.Purchases, i, i.SupplierInfo, partners)
		}
		for _, i := range f.Sales {
			record(ctx, t, tx, register.Sales, i, i.CustomerInfo, partners)
		}
		return nil
	})
	return partners
}

func record(
	ctx context.Context, t testing.TB, tx tenant.Tx, side register.Direction, i invoice, p party, partners map[string]tenant.ID,
) {
	t.Helper()
	key := p.SupplierID + p.CustomerID
	if _, known := partners[key]; !known {
		partners[key] = Partner(ctx, t, tx, p.Name)
	}
	d := register.Document{
		Direction: side, RegisterDate: day(t, i.InvoiceDate), Type: "test_invoice", ID: tenant.NewID(), Number: i.InvoiceNo,
		Date: day(t, i.InvoiceDate), SupplyDate: day(t, i.VATPointDate), InvoiceType: register.InvoiceType(i.InvoiceType),
		Event: register.Recorded, SpecialTaxation: i.SpecialTaxation == "T",
		Partner: register.Partner{
			ID: partners[key], Name: p.Name, Code: given(p.RegistrationNumber), VATCode: given(p.VATRegistrationNumber), Country: given(p.Country),
		},
	}
	if side == register.Purchases {
		d.RegisterDate = day(t, i.RegistrationAccountDate)
	}
	for _, r := range i.References {
		d.AdjustsNumber, d.AdjustsDate = r.ReferenceNo, day(t, r.ReferenceDate)
	}
	for _, total := range i.Totals {
		d.Groups = append(d.Groups, Group(t, total.TaxCode, total.TaxPercentage, total.TaxableValue, total.Amount))
	}
	cancelled := d.InvoiceType == register.Cancelled
	if cancelled {
		d.InvoiceType = register.Invoice
	}
	require.NoError(t, register.Record(ctx, tx, d))
	if cancelled {
		require.NoError(t, register.Revoke(ctx, tx, d.ID))
	}
}

// Group is what a document comes to under a code, in euro; texts that are empty mean nothing.
func Group(t testing.TB, code, rate, net, vat string) register.Group {
	t.Helper()
	g := register.Group{Code: code, Net: euro(t, net), VAT: euro(t, vat), BaseNet: euro(t, net), BaseVAT: euro(t, vat)}
	if rate != "" {
		g.Rate = money.MustDecimal(rate)
	}
	return g
}

// Partner makes a partner that is both customer and supplier; what documents say of it is up to them.
func Partner(ctx context.Context, t testing.TB, tx tenant.Tx, name string) tenant.ID {
	t.Helper()
	both := true
	kind := partner.TypeCompany
	p, err := partner.Create(ctx, tx, partner.Fields{Type: &kind, Name: &name, IsCustomer: &both, IsSupplier: &both})
	require.NoError(t, err)
	return p.ID
}

func euro(t testing.TB, s string) money.Amount {
	t.Helper()
	if s == "" {
		s = "0"
	}
	a, err := money.Parse(s, money.EUR)
	require.NoError(t, err)
	return a
}

func day(t testing.TB, s string) date.Date {
	t.Helper()
	if s == "" {
		return date.Date{}
	}
	d, err := date.Parse(s)
	require.NoError(t, err)
	return d
}

func given(s string) *string {
	if s == "" || s == "ND" {
		return nil
	}
	return &s
}
