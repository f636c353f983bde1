package isaf

import (
	"context"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/vienkart/vienkart/internal/date"
	"github.com/vienkart/vienkart/internal/tenant"
	"github.com/vienkart/vienkart/internal/testkit"
	"github.com/vienkart/vienkart/internal/testkit/vatmonth"
	"github.com/vienkart/vienkart/internal/vat/register"
)

// document is a document of the register in few words.
type document struct {
	side    register.Direction
	number  string
	date    string
	on      string // register date; the date unless given
	supply  string
	kind    register.InvoiceType
	name    string
	vatCode string
	code    string
	country string
	adjusts string // number and date, as in "A1 2026-01-05"
	event   register.Event
	of      tenant.ID // the document, for an event on it
	special bool
	groups  []group
}

// group is code, rate, net and VAT.
type group [4]string

// sale is an ordinary sale on 10 January 2026; change it where the case differs.
func sale(groups ...group) document {
	return document{
		side: register.Sales, number: "A1", date: "2026-01-10", kind: register.Invoice, name: "UAB Pirkėjas",
		vatCode: "LT999000070113", groups: groups,
	}
}

func bought(groups ...group) document {
	d := sale(groups...)
	d.side, d.name = register.Purchases, "UAB Tiekėjas"
	return d
}

// with changes a copy.
func (d document) with(change func(*document)) document {
	change(&d)
	return d
}

func day(t testing.TB, s string) date.Date {
	t.Helper()
	if s == "" {
		return date.Date{}
	}
	return date.MustParse(s)
}

func optional(s string) *string {
	if s == "" {
		return nil
	}
	return &s
}

// record writes documents into the register and gives their ids.
func record(t testing.TB, c *testkit.Company, documents ...document) []tenant.ID {
	t.Helper()
	var ids []tenant.ID
	c.Mutate(t, func(ctx context.Context, tx tenant.Tx) error {
		for _, in := range documents {
			d := register.Document{
				Direction: in.side, RegisterDate: day(t, in.date), Type: "test_invoice", ID: tenant.NewID(), Number: in.number,
				Date: day(t, in.date), SupplyDate: day(t, in.supply), InvoiceType: in.kind, Event: register.Recorded,
				SpecialTaxation: in.special,
				Partner: register.Partner{
					ID: vatmonth.Partner(ctx, t, tx, in.name+" "), Name: in.name, Code: optional(in.code), VATCode: optional(in.vatCode),
					Country: optional(in.country),
				},
			}
			if in.on != "" {
				d.RegisterDate = day(t, in.on)
			}
			if in.event != "" {
				d.Event, d.ID, d.SourceID = in.event, in.of, tenant.NewID()
			}
			if number, on, found := strings.Cut(in.adjusts, " "); found {
				d.AdjustsNumber, d.AdjustsDate = number, day(t, on)
			}
			for _, g := range in.groups {
				d.Groups = append(d.Groups, vatmonth.Group(t, g[0], g[1], g[2], g[3]))
			}
			if err := register.Record(ctx, tx, d); err != nil {
				return err
			}
			ids = append(ids, d.ID)
		}
		return nil
	})
	return ids
}

// TestEdgeCases has the cases of edge-cases.md that a file of one month shows, by their numbers there. Lines are looked for in
// the file without line breaks; codes are those of all problems, errors with an exclamation mark.
func TestEdgeCases(t *testing.T) {
	t.Parallel()
	nilCountry := `<Country xsi:nil="true"/>`
	e := testkit.SQLite(t)
	for name, example := range map[string]struct {
		documents []document
		month     [2]int
		dataType  DataType
		has, lack []string
		codes     []string
	}{
		"01_OnlySalesIsS": {
			documents: []document{sale(group{"PVM1", "21", "100", "21"}), bought(group{"", "21", "100", "21"})}, dataType: Issued,
			has: []string{"<DataType>S</DataType>", "<SalesInvoices>"}, lack: []string{"<PurchaseInvoices>"},
		},
		"02_NoSalesLeavesTheElementOut": {
			documents: []document{bought(group{"", "21", "100", "21"})},
			has:       []string{"<PurchaseInvoices>", "<Suppliers>"}, lack: []string{"SalesInvoices", "Customers"},
		},
		"03_NothingIsAHeader": {lack: []string{"MasterFiles", "SourceDocuments"}},
		"05_VATPointDate2EndsEverySaleRowAndNoPurchaseRow": {
			documents: []document{sale(group{"PVM1", "21", "100", "21"}), bought(group{"", "21", "50", "10.50"})},
			has: []string{
				`<Amount>21.00</Amount><VATPointDate2 xsi:nil="true"/></DocumentTotal>`, `<Amount>10.50</Amount></DocumentTotal>`,
			},
		},
		"06_RegistrationAccountDateIsForPurchases": {
			documents: []document{sale(group{"PVM1", "21", "100", "21"})}, lack: []string{"RegistrationAccountDate"},
		},
		"11_TextIsEscapedInUTF8": {
			documents: []document{sale(group{"PVM1", "21", "100", "21"}).with(func(d *document) { d.name = `UAB "A & B <C>" ąčę` })},
			has: []string{
				`<?xml version="1.0" encoding="UTF-8"?>`, `<Name>UAB &#34;A &amp; B &lt;C&gt;&#34; ąčę</Name>`,
			},
		},
		"13_LastDayOfFebruary2028": {
			month: [2]int{2028, 2}, has: []string{"<SelectionStartDate>2028-02-01</SelectionStartDate><SelectionEndDate>2028-02-29</SelectionEndDate>"},
		},
		"17_ForeignBuyerWithoutVATNumber": {
			documents: []document{sale(group{"PVM12", "0", "100", "0"}).with(func(d *document) { d.vatCode, d.code, d.country = "", "999", "NO" })},
			has:       []string{"<VATRegistrationNumber>ND</VATRegistrationNumber><RegistrationNumber>999</RegistrationNumber><Country>NO</Country>"},
		},
		"17_MissingCountryBlocks": {
			documents: []document{sale(group{"PVM1", "21", "100", "21"}).with(func(d *document) { d.vatCode = "" })},
			has:       []string{nilCountry}, codes: []string{"14033!"},
		},
		"17_NDIsNoCountry": {
			documents: []document{bought(group{"PVM20", "21", "100", "21"}).with(func(d *document) { d.vatCode, d.country = "", "ND" })},
			has:       []string{nilCountry}, codes: []string{"14008!", "14311"},
		},
		"17_VATNumberOutsideTheEUNeedsTheCountry": {
			documents: []document{sale(group{"PVM12", "0", "100", "0"}).with(func(d *document) { d.vatCode, d.country = "CHE123456789", "CH" })},
			has:       []string{"<VATRegistrationNumber>CHE123456789</VATRegistrationNumber><RegistrationNumber/><Country>CH</Country>"},
		},
		"18_SupplierKnownByNameOnly": {
			documents: []document{bought(group{"PVM5", "", "100", ""}).with(func(d *document) { d.vatCode, d.country = "", "LT" })},
			has:       []string{"<VATRegistrationNumber>ND</VATRegistrationNumber><RegistrationNumber>ND</RegistrationNumber><Country>LT</Country>"},
		},
		"21_FarmerHasACodeAndNoVATNumber": {
			documents: []document{bought(group{"PVM49", "6", "300", "18"}).with(func(d *document) { d.vatCode, d.code, d.country = "", "9000001", "LT" })},
			has: []string{
				"<VATRegistrationNumber>ND</VATRegistrationNumber><RegistrationNumber>9000001</RegistrationNumber>",
				"<TaxCode>PVM49</TaxCode><TaxPercentage>6</TaxPercentage><Amount>18.00</Amount>",
			},
		},
		"21_FarmerWithAVATNumberIsRefused": {
			documents: []document{bought(group{"PVM49", "6", "300", "18"})}, codes: []string{"14402!"},
		},
		"22_VATNumberWithTenDigitsIsSentAndWarnedOf": {
			documents: []document{sale(group{"PVM1", "21", "100", "21"}).with(func(d *document) { d.vatCode = "LT1234567890" })},
			has:       []string{"<VATRegistrationNumber>LT1234567890</VATRegistrationNumber>"}, codes: []string{"14026"},
		},
		"22_VATNumberWithElevenDigitsIsSentAndWarnedOf": {
			documents: []document{bought(group{"", "21", "100", "21"}).with(func(d *document) { d.vatCode = "LT12345678901" })},
			has:       []string{"<VATRegistrationNumber>LT12345678901</VATRegistrationNumber>"}, codes: []string{"14004"},
		},
		"25_NumberIsNormalisedAsVMICompares": {
			documents: []document{sale(group{"PVM1", "21", "100", "21"}).with(func(d *document) { d.number = "Nr. aaa B-C 0000023" })},
			has:       []string{"<InvoiceNo>AAABC0000023</InvoiceNo>"},
		},
		"26_NumberWithoutDigitBlocks": {
			documents: []document{
				sale(group{"PVM1", "21", "100", "21"}).with(func(d *document) { d.number = "SASKAITA" }),
				bought(group{"", "21", "100", "21"}).with(func(d *document) { d.number = "SASKAITA" }),
			},
			codes: []string{"14012!", "14035!"},
		},
		"27_PurchaseOfDecemberReceivedInJanuary": {
			documents: []document{bought(group{"", "9", "100", "9"}).with(func(d *document) { d.date, d.on = "2025-12-30", "2026-01-05" })},
			has: []string{
				"<InvoiceDate>2025-12-30</InvoiceDate>", "<RegistrationAccountDate>2026-01-05</RegistrationAccountDate>",
			},
		},
		"29_RegistrationBeforeTheInvoiceIsLifted": {
			documents: []document{bought(group{"", "21", "100", "21"}).with(func(d *document) { d.date, d.on = "2026-01-20", "2026-01-05" })},
			has:       []string{"<RegistrationAccountDate>2026-01-20</RegistrationAccountDate>"},
		},
		"29_PurchaseDatedAfterThePeriod": {
			documents: []document{bought(group{"", "21", "100", "21"}).with(func(d *document) { d.date, d.on = "2026-02-02", "2026-01-31" })},
			codes:     []string{"14019!", "14407!"},
		},
		"30_JanuaryServicesInvoicedInFebruary": {
			documents: []document{sale(group{"PVM1", "21", "100", "21"}).with(func(d *document) { d.date, d.supply = "2026-02-01", "2026-01-31" })},
			month:     [2]int{2026, 2},
			has: []string{
				"<VATPointDate>2026-01-31</VATPointDate>", "<VATPointDate2>2026-01-31</VATPointDate2>",
			},
		},
		"33_MixedRatesAreTwoRows": {
			documents: []document{sale(group{"PVM1", "21", "1000", "210"}, group{"PVM3", "5", "100", "5"})},
			has: []string{
				"<TaxableValue>1000.00</TaxableValue><TaxCode>PVM1</TaxCode><TaxPercentage>21</TaxPercentage><Amount>210.00</Amount>",
				"<TaxableValue>100.00</TaxableValue><TaxCode>PVM3</TaxCode><TaxPercentage>5</TaxPercentage><Amount>5.00</Amount>",
			},
		},
		"34_GroupedByCodeNotByRate": {
			documents: []document{sale(group{"PVM5", "", "100", ""}, group{"PVM12", "0", "200", "0"})},
			has: []string{
				`<TaxCode>PVM5</TaxCode><TaxPercentage xsi:nil="true"/><Amount xsi:nil="true"/>`,
				"<TaxCode>PVM12</TaxCode><TaxPercentage>0</TaxPercentage><Amount>0.00</Amount>",
			},
		},
		"35_TwelvePercentFrom2026": {
			documents: []document{sale(group{"PVM58", "12", "500", "60"})},
			has:       []string{"<TaxCode>PVM58</TaxCode><TaxPercentage>12</TaxPercentage><Amount>60.00</Amount>"},
		},
		"37_ExemptHasNoRate": {
			documents: []document{sale(group{"PVM5", "0", "100", ""})},
			has:       []string{`<TaxCode>PVM5</TaxCode><TaxPercentage xsi:nil="true"/><Amount xsi:nil="true"/>`},
		},
		"38_ExemptInvoiceKeepsItsRow": {
			documents: []document{sale(group{"PVM5", "", "100", ""})}, has: []string{"<TaxableValue>100.00</TaxableValue>"},
		},
		"39_DomesticPurchaseWithoutCode": {
			documents: []document{bought(group{"", "21", "100", "21"})},
			has:       []string{`<TaxCode xsi:nil="true"/><TaxPercentage>21</TaxPercentage><Amount>21.00</Amount>`},
		},
		"39_ForeignPurchaseWithoutCodeIsRefused": {
			documents: []document{bought(group{"", "21", "100", "21"}).with(func(d *document) { d.vatCode = "DE123456789" })},
			codes:     []string{"14300!"},
		},
		"39_DomesticCodeForAForeignSupplierIsWarnedOf": {
			documents: []document{bought(group{"PVM1", "21", "100", "21"}).with(func(d *document) { d.vatCode, d.code, d.country = "", "1", "US" })},
			codes:     []string{"14312"},
		},
		"39_ForeignCodeForADomesticSupplierIsWarnedOf": {
			documents: []document{bought(group{"PVM16", "21", "100", "21"})}, codes: []string{"14311"},
		},
		"41_AmountsAreExact": {
			documents: []document{sale(group{"PVM3", "5", "0.10", ""}, group{"PVM3", "5", "0.20", "0.02"})},
			has:       []string{"<TaxableValue>0.30</TaxableValue>", "<Amount>0.02</Amount>"},
		},
		"43_ZeroRateHasAnAmount": {
			documents: []document{sale(group{"PVM14", "0", "100", "0"})}, has: []string{"<TaxPercentage>0</TaxPercentage><Amount>0.00</Amount>"},
		},
		"45_CodePastItsEndIsWarnedOf": {
			documents: []document{sale(group{"PVM2", "9", "100", "9"})}, codes: []string{"14049"},
		},
		"45_NoteOfAnEarlierSupplyKeepsItsCode": {
			documents: []document{sale(group{"PVM2", "9", "-100", "-9"}).with(func(d *document) { d.kind, d.adjusts = register.CreditNote, "B7 2025-12-20" })},
			has:       []string{"<TaxCode>PVM2</TaxCode>"},
		},
		"46_CodeOutsideTheClassifierIsRefused": {
			documents: []document{sale(group{"PVM01", "21", "100", "21"})}, codes: []string{"14049!"},
		},
		"46_CodeThatPassesTheSchemaIsRefused": {
			documents: []document{bought(group{"PVM999", "21", "100", "21"})}, codes: []string{"14022!"},
		},
		"49_ImportVATIsNotInTheFile": {
			documents: []document{bought(group{"PVM24", "", "", "100"}).with(func(d *document) { d.number = "MRN1" })},
			lack:      []string{"MRN1", "SourceDocuments", "Suppliers"},
		},
		"50_DepositIsNoPartOfTheTaxedRow": {
			documents: []document{sale(group{"PVM1", "21", "100", "21"}, group{"PVM100", "", "0.50", ""})},
			has: []string{
				"<TaxableValue>100.00</TaxableValue><TaxCode>PVM1</TaxCode><TaxPercentage>21</TaxPercentage><Amount>21.00</Amount>",
				`<TaxableValue>0.50</TaxableValue><TaxCode>PVM100</TaxCode><TaxPercentage xsi:nil="true"/><Amount xsi:nil="true"/>`,
			},
		},
		"51_CreditNoteIsNegative": {
			documents: []document{sale(group{"PVM1", "21", "-200", "-42"}).with(func(d *document) { d.kind, d.adjusts = register.CreditNote, "A-0 2026-01-05" })},
			has: []string{
				"<InvoiceType>KS</InvoiceType>", "<TaxableValue>-200.00</TaxableValue>", "<Amount>-42.00</Amount>",
				"<References><Reference><ReferenceNo>A0</ReferenceNo><ReferenceDate>2026-01-05</ReferenceDate></Reference></References>",
			},
		},
		"53_ReceivedNoteNamesItsInvoice": {
			documents: []document{bought(group{"", "21", "-200", "-42"}).with(func(d *document) { d.kind, d.adjusts = register.CreditNote, "ŪK-7 2025-11-30" })},
			has:       []string{"<References><Reference><ReferenceNo>ŪK7</ReferenceNo><ReferenceDate>2025-11-30</ReferenceDate></Reference></References>"},
		},
		"54_NoteWithoutAnInvoiceIsWarnedOf": {
			documents: []document{bought(group{"", "21", "-200", "-42"}).with(func(d *document) { d.kind = register.CreditNote })},
			has:       []string{"<InvoiceType>KS</InvoiceType><SpecialTaxation/><References/>"}, codes: []string{"-"},
		},
		"55_OrdinaryInvoiceNamesNone": {
			documents: []document{sale(group{"PVM1", "21", "100", "21"}).with(func(d *document) { d.adjusts = "A0 2026-01-05" })},
			has:       []string{"<References/>"}, lack: []string{"<Reference>"},
		},
		"57_ReceivedDebitNoteKeepsItsSign": {
			documents: []document{bought(group{"", "21", "10", "2.10"}).with(func(d *document) { d.kind, d.adjusts = register.DebitNote, "A0 2026-01-05" })},
			has:       []string{"<InvoiceType>DS</InvoiceType>", "<TaxableValue>10.00</TaxableValue>", "<ReferenceNo>A0</ReferenceNo>"},
		},
		"SpecialTaxationIsMarked": {
			documents: []document{bought(group{"", "21", "10", "2.10"}).with(func(d *document) { d.special = true })},
			has:       []string{"<SpecialTaxation>T</SpecialTaxation>"},
		},
		"ReverseChargeSaleHasNoAmount": {
			documents: []document{sale(group{"PVM25", "21", "100", ""})},
			has:       []string{`<TaxCode>PVM25</TaxCode><TaxPercentage>21</TaxPercentage><Amount xsi:nil="true"/>`},
		},
		"ForeignRateIsNotSent": {
			documents: []document{sale(group{"PVM15", "19", "100", "19"}, group{"PVM15", "20", "100", "20"})},
			has:       []string{`<TaxableValue>200.00</TaxableValue><TaxCode>PVM15</TaxCode><TaxPercentage xsi:nil="true"/><Amount xsi:nil="true"/>`},
		},
		"SameNumberAndDateIsWarnedOf": {
			documents: []document{
				bought(group{"", "21", "10", "2.10"}).with(func(d *document) { d.number = "A-1" }), bought(group{"", "21", "10", "2.10"}),
			},
			codes: []string{"14068"},
		},
		"VATFarFromBaseTimesRateIsWarnedOf": {
			documents: []document{bought(group{"", "21", "10", "3"})}, codes: []string{"14024"},
		},
		"EUCodeForALithuanianBuyerIsRefused": {
			documents: []document{sale(group{"PVM13", "0", "10", ""})}, codes: []string{"14400!"},
		},
		"BuyerIsTheCompanyItself": {
			documents: []document{sale(group{"PVM1", "21", "10", "2.10"}).with(func(d *document) { d.vatCode = "LT999000060116" })},
			codes:     []string{"14315!"},
		},
		"GreekBuyerHasNoCountry": {
			documents: []document{sale(group{"PVM13", "0", "10", ""}).with(func(d *document) { d.vatCode, d.country = "EL123456789", "GR" })},
			has:       []string{"<VATRegistrationNumber>EL123456789</VATRegistrationNumber><RegistrationNumber/>" + nilCountry},
		},
		"PurchaseCodeInASaleIsWarnedOf": {
			documents: []document{sale(group{"PVM45", "5", "10", "0.50"})}, codes: []string{"14049"},
		},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			c := e.Company(t, taxpayer)
			record(t, c, example.documents...)
			o := options(t, 2026, 1)
			if example.month != [2]int{} {
				o = options(t, example.month[0], example.month[1])
			}
			o.DataType = example.dataType
			f := file(t, c, o)
			requireValid(t, f.parts...)
			flat := strings.ReplaceAll(string(f.parts[0]), "\n", "")
			for _, line := range example.has {
				require.Contains(t, flat, line)
			}
			for _, line := range example.lack {
				require.NotContains(t, flat, line)
			}
			if example.codes == nil {
				example.codes = []string{}
			}
			require.ElementsMatch(t, example.codes, f.codes(), "%v", f.Problems)
		})
	}
}
