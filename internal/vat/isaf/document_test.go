package isaf

import (
	"context"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/vienkart/vienkart/internal/tenant"
	"github.com/vienkart/vienkart/internal/testkit"
	"github.com/vienkart/vienkart/internal/vat/register"
)

// TestDocumentsWithLaterEvents has what cancellations and advances make of a document.
func TestDocumentsWithLaterEvents(t *testing.T) {
	t.Parallel()
	month := func(t *testing.T, c *testkit.Company, m int) (string, *Filing) {
		t.Helper()
		f := file(t, c, options(t, 2026, m))
		requireValid(t, f.parts...)
		return strings.ReplaceAll(string(f.parts[0]), "\n", ""), f.Filing
	}
	t.Run("58_CancelledNumberStaysWithItsAmounts", func(t *testing.T) {
		t.Parallel()
		c := testkit.SQLite(t).Company(t, taxpayer)
		ids := record(t, c, sale(group{"PVM1", "21", "40", "8.40"}))
		c.Mutate(t, func(ctx context.Context, tx tenant.Tx) error { return register.Revoke(ctx, tx, ids[0]) })
		text, f := month(t, c, 1)
		require.Equal(t, 1, f.SalesInvoices)
		require.Contains(t, text, "<InvoiceType>AN</InvoiceType><SpecialTaxation/><References/>")
		require.Contains(t, text, "<TaxableValue>40.00</TaxableValue><TaxCode>PVM1</TaxCode><TaxPercentage>21</TaxPercentage><Amount>8.40</Amount>")
		require.NotContains(t, text, "-40.00")
		require.Empty(t, f.Problems)
	})
	t.Run("CancelledAfterItsMonthIsACreditNoteUnderItsNumber", func(t *testing.T) {
		t.Parallel()
		c := testkit.SQLite(t).Company(t, taxpayer)
		ids := record(t, c, sale(group{"PVM1", "21", "40", "8.40"}))
		record(t, c, sale(group{"PVM1", "21", "-40", "-8.40"}).with(func(d *document) {
			d.event, d.of, d.kind, d.on = register.Revoked, ids[0], register.Cancelled, "2026-02-03"
		}))
		text, _ := month(t, c, 1)
		require.Contains(t, text, "<InvoiceType>SF</InvoiceType>", "what was filed can be made again")
		text, f := month(t, c, 2)
		require.Contains(t, text, "<InvoiceDate>2026-02-03</InvoiceDate><InvoiceType>KS</InvoiceType>")
		require.Contains(t, text, "<ReferenceNo>A1</ReferenceNo><ReferenceDate>2026-01-10</ReferenceDate>")
		require.Contains(t, text, "<TaxableValue>-40.00</TaxableValue>")
		require.Equal(t, []string{"-"}, f.codes())
	})
	advance := sale(group{"PVM1", "21", "30", "6.30"}).with(func(d *document) { d.number = "AV1" })
	invoice := sale(group{"PVM1", "21", "100", "21"}, group{"PVM3", "5", "10", "0.50"})
	taken := func(on string, kind register.InvoiceType, of tenant.ID) document {
		return sale(group{"PVM1", "21", "-30", "-6.30"}).with(func(d *document) {
			d.event, d.of, d.on, d.kind = register.AdvanceApplied, of, on, kind
			if kind == register.CreditNote {
				d.adjusts = "AV1 2026-01-10"
			}
		})
	}
	t.Run("AdvanceTakenOffInTheMonthLowersTheRow", func(t *testing.T) {
		t.Parallel()
		c := testkit.SQLite(t).Company(t, taxpayer)
		ids := record(t, c, advance, invoice)
		record(t, c, taken("2026-01-28", register.Invoice, ids[1]))
		text, f := month(t, c, 1)
		require.Equal(t, 2, f.SalesInvoices)
		require.Contains(t, text, "<TaxableValue>70.00</TaxableValue><TaxCode>PVM1</TaxCode><TaxPercentage>21</TaxPercentage><Amount>14.70</Amount>")
		require.Empty(t, f.Problems)
	})
	t.Run("AdvanceTakenOffLaterIsACreditNoteOfTheAdvance", func(t *testing.T) {
		t.Parallel()
		c := testkit.SQLite(t).Company(t, taxpayer)
		ids := record(t, c, advance, invoice)
		record(t, c, taken("2026-02-05", register.CreditNote, ids[1]))
		text, f := month(t, c, 2)
		require.Equal(t, 1, f.SalesInvoices)
		require.Contains(t, text, "<InvoiceDate>2026-02-05</InvoiceDate><InvoiceType>KS</InvoiceType>")
		require.Contains(t, text, "<ReferenceNo>AV1</ReferenceNo>")
		require.Empty(t, f.Problems)
	})
	t.Run("HalfYearHasBothEffects", func(t *testing.T) {
		t.Parallel()
		c := testkit.SQLite(t).Company(t, taxpayer)
		ids := record(t, c, advance, invoice)
		record(t, c, taken("2026-02-05", register.CreditNote, ids[1]), taken("2026-02-05", register.CreditNote, ids[1]))
		o := options(t, 2026, 1)
		var err error
		o.Period, err = NewPeriod(2026, 1, 6)
		require.NoError(t, err)
		f := file(t, c, o)
		requireValid(t, f.parts...)
		require.Equal(t, 3, f.SalesInvoices, "both advances of one day are one note")
		require.Contains(t, string(f.parts[0]), "<TaxableValue>-60.00</TaxableValue>")
		require.Contains(t, string(f.parts[0]), "<SelectionEndDate>2026-06-30</SelectionEndDate>")
	})
	t.Run("InvoiceThatAnAdvanceUsesUpKeepsARowOfNothing", func(t *testing.T) {
		t.Parallel()
		c := testkit.SQLite(t).Company(t, taxpayer)
		ids := record(t, c, sale(group{"PVM1", "21", "30", "6.30"}))
		record(t, c, taken("2026-01-28", register.Invoice, ids[0]))
		text, f := month(t, c, 1)
		require.Contains(t, text, "<TaxableValue>0.00</TaxableValue>")
		require.Equal(t, []string{"14047"}, f.codes())
	})
	t.Run("AdvanceUnderAnotherCodeMakesARowNegative", func(t *testing.T) {
		t.Parallel()
		c := testkit.SQLite(t).Company(t, taxpayer)
		ids := record(t, c, sale(group{"PVM3", "5", "100", "5"}))
		record(t, c, taken("2026-01-28", register.Invoice, ids[0]))
		_, f := month(t, c, 1)
		require.Equal(t, []string{"14048!"}, f.codes())
	})
	t.Run("RowsSuppliedOnDifferentDaysHaveTheirOwnDates", func(t *testing.T) {
		t.Parallel()
		c := testkit.SQLite(t).Company(t, taxpayer)
		ids := record(t, c, sale(group{"PVM1", "21", "100", "21"}).with(func(d *document) { d.supply = "2025-12-31" }))
		record(t, c, sale(group{"PVM3", "5", "100", "5"}).with(func(d *document) {
			d.supply, d.event, d.of = "2026-01-02", register.AdvanceApplied, ids[0]
		}))
		text, _ := month(t, c, 1)
		require.Contains(t, text, `<VATPointDate xsi:nil="true"/>`)
		require.Contains(t, text, "<VATPointDate2>2025-12-31</VATPointDate2>")
		require.Contains(t, text, "<VATPointDate2>2026-01-02</VATPointDate2>")
	})
}

// TestBentRowsAreReported has what a column can hold and the schema cannot: the file is valid, and says so.
func TestBentRowsAreReported(t *testing.T) {
	t.Parallel()
	long := strings.Repeat("9", 36)
	for name, change := range map[string]func(*document){
		"LongCode":        func(d *document) { d.code = long },
		"LongVATNumber":   func(d *document) { d.vatCode, d.country = "CH"+long, "CH" },
		"LongName":        func(d *document) { d.name = strings.Repeat("Š", 257) },
		"LongNumber":      func(d *document) { d.number = long + long },
		"EarlySaleDate":   func(d *document) { d.date, d.on = "2016-06-30", "2026-01-10" },
		"EarlySupplyDate": func(d *document) { d.supply = "2016-06-30" },
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			c := testkit.SQLite(t).Company(t, taxpayer)
			d := sale(group{"PVM1", "21", "10", "2.10"})
			change(&d)
			record(t, c, d)
			f := file(t, c, options(t, 2026, 1))
			requireValid(t, f.parts...)
			require.Contains(t, f.codes(), codeSchema+"!")
		})
	}
}

// TestEveryAdjustedDocumentIsNamed is edge case 53: a note over several documents names them all, by date and number.
func TestEveryAdjustedDocumentIsNamed(t *testing.T) {
	t.Parallel()
	row := func(number, on string) register.Row {
		return register.Row{
			Direction: register.Sales, DocumentNumber: "K1", DocumentDate: day(t, "2026-01-10"), RegisterDate: day(t, "2026-01-10"),
			InvoiceType: register.CreditNote, Event: register.Recorded, PartnerName: "UAB Pirkėjas", VATCode: optional("PVM1"),
			AdjustsNumber: optional(number), AdjustsDate: day(t, on), BaseNetMinor: -100, BaseVATMinor: -21,
		}
	}
	o := options(t, 2026, 1)
	invoices := o.invoicesOf([]register.Row{row("A-2", "2026-01-03"), row("A-1", "2026-01-03"), row("A-9", "2025-12-01"), row("A-1", "2026-01-03")})
	require.Len(t, invoices, 1)
	require.Equal(t, []Reference{
		{"A9", day(t, "2025-12-01")}, {"A1", day(t, "2026-01-03")}, {"A2", day(t, "2026-01-03")},
	}, invoices[0].References)
}

// TestEachPartyHasItsOwnID is edge case 19: the id in the file is the partner's, never one for all.
func TestEachPartyHasItsOwnID(t *testing.T) {
	t.Parallel()
	c := testkit.SQLite(t).Company(t, taxpayer)
	first := sale(group{"PVM1", "21", "100", "21"})
	second := first.with(func(d *document) { d.number, d.name, d.vatCode, d.country = "A2", "Jonas", "", "LT" })
	record(t, c, first, second, first.with(func(d *document) { d.number = "A3" }))
	partners := map[string]string{}
	c.Read(t, func(ctx context.Context, r tenant.ReadTx) error {
		rows, err := tenant.Find[register.Row](ctx, r, "direction = ?", register.Sales)
		for _, row := range rows {
			partners[row.DocumentNumber] = row.PartnerID.String()
		}
		return err
	})
	flat := strings.ReplaceAll(string(file(t, c, options(t, 2026, 1)).parts[0]), "\n", "")
	for number, partner := range partners {
		require.Contains(t, flat, "<InvoiceNo>"+number+"</InvoiceNo><CustomerInfo><CustomerID>"+partner+"</CustomerID>")
		require.Equal(t, 1, strings.Count(flat, "<Customer><CustomerID>"+partner+"</CustomerID>"), "once in the master files")
	}
	require.NotEqual(t, partners["A1"], partners["A2"])
}
