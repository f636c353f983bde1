package isaf

import (
	"bytes"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/vienkart/vienkart/internal/testkit"
	"github.com/vienkart/vienkart/internal/testkit/vatmonth"
)

// TestGoldenMonth puts the documents of the sample month into the register and makes the sample's file of them.
func TestGoldenMonth(t *testing.T) {
	t.Parallel()
	sample := readShared(t, "tax/samples/valid/2026-01-full.xml")
	testkit.EachEngine(t, func(t *testing.T, e *testkit.Engine) {
		c := e.Company(t, taxpayer)
		partners := vatmonth.Record(t, c, sample)
		o := options(t, 2026, 1)
		o.NumbersAsStored = true

		f := file(t, c, o)
		require.Len(t, f.parts, 1)
		requireValid(t, f.parts[0])
		made := f.parts[0]
		for name, id := range partners {
			made = bytes.ReplaceAll(made, []byte(id.String()), []byte(name))
		}
		require.Equal(t, vatmonth.Tree(t, sample, "Header"), vatmonth.Tree(t, made, "Header"))
		require.Empty(t, f.codes(), "the sample has nothing to complain of: %v", f.Problems)
		require.Equal(t, []int{10, 9, 5, 5}, []int{f.SalesInvoices, f.PurchaseInvoices, f.Customers, f.Suppliers})
		require.Equal(t, f.parts[0], file(t, c, o).parts[0], "the same rows and moment give the same bytes")

		for dataType, part := range map[DataType]string{Issued: "2026-01-part-sales.xml", Received: "2026-01-part-purchases.xml"} {
			o.DataType = dataType
			f := file(t, c, o)
			requireValid(t, f.parts[0])
			requirePart(t, readShared(t, "tax/samples/valid/"+part), f.parts[0])
		}
	})
}

// requirePart compares the invoices that a sample of one register has with those of a file.
func requirePart(t *testing.T, sample, made []byte) {
	t.Helper()
	want, got := vatmonth.Tree(t, sample, "Header", "MasterFiles", "CustomerID", "SupplierID"),
		vatmonth.Tree(t, made, "Header", "MasterFiles", "CustomerID", "SupplierID")
	require.NotEmpty(t, invoicesIn(want))
	for _, invoice := range invoicesIn(want) {
		require.Contains(t, got, invoice)
	}
}

func TestEmptyMonth(t *testing.T) {
	t.Parallel()
	sample := readShared(t, "tax/samples/valid/2026-02-empty.xml")
	testkit.EachEngine(t, func(t *testing.T, e *testkit.Engine) {
		c := e.Company(t, taxpayer)
		o := options(t, 2026, 2)
		o.PartNumber = "FULL"
		f := file(t, c, o)
		requireValid(t, f.parts[0])
		varying := []string{"FileDateCreated", "SoftwareCompanyName", "SoftwareName", "SoftwareVersion"}
		require.Equal(t, vatmonth.Tree(t, sample, varying...), vatmonth.Tree(t, f.parts[0], varying...))
		require.Contains(t, string(f.parts[0]), "<FileDateCreated>2028-03-10T09:30:00</FileDateCreated>", "no fraction, no zone")
	})
}

// TestUnpaidMonthHasNoSettlements has a document under cash accounting of which nothing was paid.
func TestUnpaidMonthHasNoSettlements(t *testing.T) {
	t.Parallel()
	c := testkit.SQLite(t).Company(t, taxpayer)
	vatmonth.Record(t, c, readShared(t, "tax/samples/valid/2026-01-full.xml"))
	made := string(file(t, c, options(t, 2026, 1)).parts[0])
	require.Contains(t, made, "<SpecialTaxation>T</SpecialTaxation>")
	require.NotContains(t, made, "SettlementsAndPayments")
}
