package purchase_test

import (
	"context"
	"encoding/xml"
	"os"
	"path/filepath"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/vienkart/vienkart/internal/date"
	"github.com/vienkart/vienkart/internal/money"
	"github.com/vienkart/vienkart/internal/partner"
	"github.com/vienkart/vienkart/internal/purchase"
	"github.com/vienkart/vienkart/internal/tenant"
	"github.com/vienkart/vienkart/internal/testkit"
	"github.com/vienkart/vienkart/internal/vat"
	"github.com/vienkart/vienkart/internal/vat/register"
)

// received is a received invoice of an i.SAF file. What is nil there is empty here.
type received struct {
	InvoiceNo string
	Supplier  struct {
		VATRegistrationNumber, RegistrationNumber, Country, Name string
	} `xml:"SupplierInfo"`
	InvoiceDate, InvoiceType, SpecialTaxation string
	Reference                                 *struct{ ReferenceNo, ReferenceDate string } `xml:"References>Reference"`
	VATPointDate, RegistrationAccountDate     string
	Totals                                    []total `xml:"DocumentTotals>DocumentTotal"`
}

type total struct{ TaxableValue, TaxCode, TaxPercentage, Amount string }

// readSample reads the received invoices of the sample of January 2026 in the specification folder beside the repository.
// Without the folder the test fails in CI, where it must be there, and is skipped elsewhere.
func readSample(t *testing.T) []received {
	t.Helper()
	path := filepath.Join("..", "..", "..", "shared", "tax", "samples", "valid", "2026-01-full.xml")
	content, err := os.ReadFile(path)
	if os.IsNotExist(err) && os.Getenv("CI") == "" {
		t.Skip("THE SPECIFICATION FOLDER shared/ IS MISSING beside the repository, so the sample is not checked")
	}
	require.NoError(t, err)
	var file struct {
		Invoices []received `xml:"SourceDocuments>PurchaseInvoices>Invoice"`
	}
	require.NoError(t, xml.Unmarshal(content, &file))
	require.Len(t, file.Invoices, 9)
	return file.Invoices
}

// TestSample enters what suppliers sent in January 2026 as their papers say it, and expects the register to be the file.
func TestSample(t *testing.T) {
	t.Parallel()
	sample := readSample(t)
	testkit.EachEngine(t, func(t *testing.T, e *testkit.Engine) {
		b := open(t, e)
		suppliers, booked := map[string]tenant.ID{}, map[string]tenant.ID{}
		for _, paper := range sample {
			supplier, known := suppliers[paper.Supplier.Name]
			if !known {
				supplier = b.partner(t, paper.partner())
				suppliers[paper.Supplier.Name] = supplier
			}
			draft := b.create(t, paper.input(t, supplier, booked))
			i, err := b.tryRegister(t, draft.ID, paper.RegistrationAccountDate)
			require.NoError(t, err)
			booked[paper.InvoiceNo] = i.ID
			require.Equal(t, []received{paper}, b.filed(t, i.ID))
		}
		b.RequireBalanced(t)
	})
}

func (p received) partner() partner.Fields {
	fields := partner.Fields{Name: &p.Supplier.Name, IsSupplier: new(true)}
	if p.Supplier.VATRegistrationNumber != "ND" {
		fields.VATCode = &p.Supplier.VATRegistrationNumber
	}
	if p.Supplier.RegistrationNumber != "" {
		fields.Code = &p.Supplier.RegistrationNumber
	}
	if p.Supplier.Country != "" {
		fields.Address = &partner.Address{CountryCode: p.Supplier.Country}
	}
	return fields
}

// input is what a clerk enters: codes only where the supplier does not decide them, and no VAT that the buyer computes.
func (p received) input(t *testing.T, supplier tenant.ID, booked map[string]tenant.ID) purchase.CreateInput {
	t.Helper()
	in := purchase.CreateInput{
		PartnerID: supplier, DocumentNumber: p.InvoiceNo, DocumentDate: date.MustParse(p.InvoiceDate),
		SpecialTaxation: p.SpecialTaxation == "T", SupplyType: purchase.SupplyGoods,
	}
	if p.VATPointDate != "" {
		in.SupplyDate = date.MustParse(p.VATPointDate)
	}
	if p.InvoiceType == "KS" {
		in.Type = purchase.TypeCreditNote
		id, known := booked[p.Reference.ReferenceNo]
		require.True(t, known)
		in.CreditedInvoiceID = &id
	}
	for _, row := range p.Totals {
		l := line(row.TaxableValue, row.TaxPercentage)
		if in.Type == purchase.TypeCreditNote {
			l.UnitPriceExclVAT = new(l.UnitPriceExclVAT.Neg())
		}
		code, coded := vat.Lookup(row.TaxCode)
		if coded && code.BuyerComputesVAT() {
			l.VATRatePercent = new(money.Decimal{})
		}
		switch row.TaxCode {
		case "PVM20", "PVM21":
			in.SupplyType = purchase.SupplyServices
		case "PVM25", "PVM49":
			l.VATClassifierCode = row.TaxCode
		}
		in.Lines = append(in.Lines, l)
	}
	return in
}

// filed is what the register says of a document, in the form of the file.
func (b *books) filed(t *testing.T, id tenant.ID) []received {
	t.Helper()
	var papers []received
	b.Read(t, func(ctx context.Context, r tenant.ReadTx) error {
		rows, err := register.OfDocument(ctx, r, id)
		require.NoError(t, err)
		inPeriod, err := register.InPeriod(ctx, r, register.Purchases, date.MustParse("2026-01-01"), date.MustParse("2026-01-31"))
		require.NoError(t, err)
		for _, row := range rows {
			require.Contains(t, inPeriod, row)
			papers = append(papers, fromRow(row))
		}
		return nil
	})
	return papers
}

func fromRow(row register.Row) received {
	text := func(s *string, without string) string {
		if s == nil {
			return without
		}
		return *s
	}
	day := func(d date.Date) string {
		if d.IsZero() {
			return ""
		}
		return d.String()
	}
	p := received{
		InvoiceNo: row.DocumentNumber, InvoiceDate: day(row.DocumentDate), InvoiceType: string(row.InvoiceType),
		VATPointDate: day(row.SupplyDate), RegistrationAccountDate: day(row.RegisterDate),
		Totals: []total{{
			money.New(row.BaseNetMinor, money.EUR).String(), text(row.VATCode, ""), row.Rate.String(),
			money.New(row.BaseVATMinor, money.EUR).String(),
		}},
	}
	p.Supplier.Name, p.Supplier.VATRegistrationNumber = row.PartnerName, text(row.PartnerVATCode, "ND")
	p.Supplier.RegistrationNumber, p.Supplier.Country = text(row.PartnerCode, ""), text(row.PartnerCountry, "")
	if row.SpecialTaxation {
		p.SpecialTaxation = "T"
	}
	if row.AdjustsNumber != nil {
		p.Reference = &struct{ ReferenceNo, ReferenceDate string }{*row.AdjustsNumber, day(row.AdjustsDate)}
	}
	return p
}
