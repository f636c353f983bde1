package isaf

import (
	"bytes"
	"context"
	"fmt"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"
	"pgregory.net/rapid"

	"github.com/vienkart/vienkart/internal/date"
	"github.com/vienkart/vienkart/internal/ledger"
	"github.com/vienkart/vienkart/internal/money"
	"github.com/vienkart/vienkart/internal/tenant"
	"github.com/vienkart/vienkart/internal/testkit"
	"github.com/vienkart/vienkart/internal/vat/cash"
	"github.com/vienkart/vienkart/internal/vat/register"
)

// farmer is a taxpayer under cash accounting from 2026 on.
func farmer(c *tenant.Company) {
	taxpayer(c)
	c.CashAccountingFrom = date.MustParse("2026-01-01")
}

// cashSale is a sale under cash accounting of 100 and 21.
func cashSale() document {
	return sale(group{"PVM1", "21", "100", "21"}).with(func(d *document) { d.special = true })
}

// owe opens what is owed on a document.
func owe(t testing.TB, c *testkit.Company, id tenant.ID, d document, amount money.Amount) {
	t.Helper()
	c.Mutate(t, func(ctx context.Context, tx tenant.Tx) error {
		if _, err := ledger.ApplyTemplate(ctx, tx); err != nil {
			return err
		}
		row, err := tenant.First[register.Row](ctx, tx, "document_id = ?", id)
		if err != nil {
			return err
		}
		kind := ledger.ItemReceivable
		if d.side == register.Purchases {
			kind = ledger.ItemPayable
		}
		_, err = ledger.OpenDocument(ctx, tx, ledger.OpenItemInput{
			Kind: kind, DocumentType: "test_invoice", DocumentID: id, DocumentNumber: d.number, PartnerID: row.PartnerID, AccountCode: "2410",
			DocumentDate: row.DocumentDate, DueDate: row.DocumentDate, Amount: amount, BaseAmount: amount,
		})
		return err
	})
}

func pay(t testing.TB, c *testkit.Company, id tenant.ID, minor int64, on string) {
	t.Helper()
	c.Mutate(t, func(ctx context.Context, tx tenant.Tx) error {
		items, err := ledger.LockItems(ctx, tx, id)
		if err != nil {
			return err
		}
		return ledger.Settle(ctx, tx, ledger.Settlement{
			Item: items[id], Amount: money.New(minor, money.EUR), SourceType: ledger.SourcePayment, SourceID: tenant.NewID(), Date: day(t, on),
		})
	})
}

func TestSettlements(t *testing.T) {
	t.Parallel()
	testkit.EachEngine(t, func(t *testing.T, e *testkit.Engine) {
		c := e.Company(t, farmer)
		sold := cashSale().with(func(d *document) { d.number, d.name = "MLK 1", `UAB "Pienas" & Ko` })
		bill := bought(group{"", "21", "200", "42"}).with(func(d *document) { d.number, d.special, d.name = "ŪK-7", true, "UAB Ūkis" })
		plain := sale(group{"PVM1", "21", "50", "10.50"}).with(func(d *document) { d.number, d.vatCode, d.country = "PAP 1", "", "LT" })
		ids := record(t, c, sold, bill, plain)
		for i, d := range []document{sold, bill, plain} {
			owe(t, c, ids[i], d, money.New([]int64{12100, 24200, 6050}[i], money.EUR))
		}
		pay(t, c, ids[0], 6050, "2026-01-31")
		pay(t, c, ids[0], 6050, "2026-02-01")
		pay(t, c, ids[1], 24200, "2026-01-15")
		pay(t, c, ids[2], 6050, "2026-01-15")

		f := file(t, c, options(t, 2026, 1))
		requireValid(t, f.parts...)
		require.Empty(t, ValidateSettlements(bytes.NewReader(f.parts[0])))
		require.Empty(t, f.codes(), "%v", f.Problems)
		require.Equal(t, []int{2, 1, 2}, []int{f.SalesInvoices, f.PurchaseInvoices, f.Settlements})
		flat := strings.ReplaceAll(string(f.parts[0]), "\n", "")
		paid := `<SettlementAndPayment><SettlementType>%s</SettlementType><SettlementRefNo>ND</SettlementRefNo><SettlementDate>%s</SettlementDate>`
		require.Contains(t, flat, `</SalesInvoices><SettlementsAndPayments>`+fmt.Sprintf(paid, "V", "2026-01-15"))
		require.Contains(t, flat, `<VATRegistrationNumber>LT999000070113</VATRegistrationNumber><RegistrationNumber/><Country xsi:nil="true"/>`+
			`<Name>UAB Ūkis</Name></Payment><ReferencesToInvoice><ReferenceToInvoice><InvoiceNo>ŪK7</InvoiceNo>`+
			`<InvoiceDate>2026-01-10</InvoiceDate><Amount>200.00</Amount><VATAmount>42.00</VATAmount></ReferenceToInvoice></ReferencesToInvoice>`+
			`</SettlementAndPayment>`+fmt.Sprintf(paid, "G", "2026-01-31"))
		require.Contains(t, flat, `<Name>UAB &#34;Pienas&#34; &amp; Ko</Name></Payment><ReferencesToInvoice><ReferenceToInvoice><InvoiceNo>MLK1</InvoiceNo>`+
			`<InvoiceDate>2026-01-10</InvoiceDate><Amount>50.00</Amount><VATAmount>10.50</VATAmount></ReferenceToInvoice></ReferencesToInvoice>`+
			`</SettlementAndPayment></SettlementsAndPayments></SourceDocuments>`)
		require.Equal(t, f.parts[0], file(t, c, options(t, 2026, 1)).parts[0], "the same books and moment give the same bytes")

		for dataType, has := range map[DataType]string{Issued: "G", Received: "V"} {
			o := options(t, 2026, 1)
			o.DataType = dataType
			f := file(t, c, o)
			requireValid(t, f.parts...)
			require.Equal(t, 1, f.Settlements)
			require.Contains(t, string(f.parts[0]), "<SettlementType>"+has)
		}
		february := file(t, c, options(t, 2026, 2))
		requireValid(t, february.parts...)
		require.NotContains(t, string(february.parts[0]), "<Invoice>")
		require.Equal(t, []int{1, 0, 1}, []int{february.Customers, february.Suppliers, february.Settlements}, "whoever pays is in the master files")
		require.Contains(t, string(february.parts[0]), "<Customers>")
		require.Equal(t, 0, file(t, e.Company(t, farmer), options(t, 2026, 1)).Settlements, "of another company")
	})
}

func TestPartsOfSettlements(t *testing.T) {
	t.Parallel()
	c := testkit.SQLite(t).Company(t, farmer)
	ids := record(t, c, cashSale())
	owe(t, c, ids[0], cashSale(), money.New(12100, money.EUR))
	for n := range 5 {
		pay(t, c, ids[0], 1000, fmt.Sprintf("2026-01-%02d", 11+n))
	}
	o := options(t, 2026, 1)
	o.MaxInvoices = 2
	f := file(t, c, o)
	requireValid(t, f.parts...)
	require.Len(t, f.Parts, 3)
	all := ""
	for i, p := range f.Parts {
		require.Equal(t, 1, p.Customers)
		require.Contains(t, string(f.parts[i]), "<NumberOfParts>3</NumberOfParts>")
		require.LessOrEqual(t, int64(len(f.parts[i])), p.Bytes)
		require.Equal(t, p.Settlements, strings.Count(string(f.parts[i]), "<SettlementAndPayment>"))
		all += string(f.parts[i])
	}
	require.Equal(t, []int{1, 5}, []int{strings.Count(all, "<Invoice>"), strings.Count(all, "<SettlementAndPayment>")}, "each once")
}

// payment is a payment of 121 on 15 January for a sale; change it where the case differs.
func payment() cash.Payment {
	number := "LT999000070113"
	return cash.Payment{
		Document: register.Row{
			Direction: register.Sales, DocumentNumber: "A1", DocumentDate: date.MustParse("2026-01-10"), RegisterDate: date.MustParse("2026-01-10"),
			PartnerName: "UAB Pirkėjas", PartnerVATCode: &number,
		},
		Date: date.MustParse("2026-01-15"), Reference: "B-1",
		Parts: []cash.Part{{Code: optional("PVM1"), Net: money.New(10000, money.EUR), VAT: money.New(2100, money.EUR)}},
	}
}

// TestChecksOfSettlements has each check of VMI that can fail on a payment of ours, and what the schema cannot show.
func TestChecksOfSettlements(t *testing.T) {
	t.Parallel()
	long := strings.Repeat("9", 80)
	for name, example := range map[string]struct {
		change func(*cash.Payment)
		codes  []string
		has    string
	}{
		"GoodIsGood":             {func(*cash.Payment) {}, []string{}, "<SettlementRefNo>B-1</SettlementRefNo>"},
		"14055_OutsideThePeriod": {func(p *cash.Payment) { p.Date = date.MustParse("2026-02-01") }, []string{"14055!"}, ""},
		"14057_WrongVATNumber":   {func(p *cash.Payment) { p.Document.PartnerVATCode = optional("LT1234567890") }, []string{"14057"}, "LT1234567890"},
		"14061_NoCountry":        {func(p *cash.Payment) { p.Document.PartnerVATCode = nil }, []string{"14061!"}, `<Country xsi:nil="true"/>`},
		"14061_NDIsNoCountry": {
			func(p *cash.Payment) { p.Document.PartnerVATCode, p.Document.PartnerCountry = nil, optional("ND") }, []string{"14061!"}, `<Country xsi:nil="true"/>`,
		},
		"PrivateBuyer": {
			func(p *cash.Payment) { p.Document.PartnerVATCode, p.Document.PartnerCountry = nil, optional("LT") },
			[]string{},
			"<VATRegistrationNumber>ND</VATRegistrationNumber><RegistrationNumber>ND</RegistrationNumber><Country>LT</Country>",
		},
		"NoNameIsND":         {func(p *cash.Payment) { p.Document.PartnerName = " " }, []string{}, "<Name>ND</Name>"},
		"NoReferenceIsND":    {func(p *cash.Payment) { p.Reference = "" }, []string{}, "<SettlementRefNo>ND</SettlementRefNo>"},
		"LongReferenceIsCut": {func(p *cash.Payment) { p.Reference = long }, []string{"11004!"}, "<SettlementRefNo>" + long[:70] + "<"},
		"LongNameIsCut":      {func(p *cash.Payment) { p.Document.PartnerName = strings.Repeat("Š", 257) }, []string{"11004!"}, ""},
		"OldInvoiceHasAnotherDate": {
			func(p *cash.Payment) { p.Document.DocumentDate = date.MustParse("2010-12-31") }, []string{"11004!"}, "<InvoiceDate>2026-01-10</InvoiceDate>",
		},
		"InvoiceWithoutAnyDateHasThatOfThePayment": {
			func(p *cash.Payment) {
				p.Document.DocumentDate, p.Document.RegisterDate = date.MustParse("2010-12-31"), date.MustParse("2010-12-31")
			}, []string{"11004!"}, "<InvoiceDate>2026-01-15</InvoiceDate>",
		},
		"ForeignVATIsNotSent": {
			func(p *cash.Payment) { p.Parts[0].Code = optional("PVM15") }, []string{}, "<Amount>100.00</Amount><VATAmount>0.00</VATAmount>",
		},
		"CodesAreAddedUp": {
			func(p *cash.Payment) {
				p.Parts = append(p.Parts, cash.Part{Code: optional("PVM5"), Net: money.New(500, money.EUR), VAT: money.Zero(money.EUR)})
			}, []string{}, "<Amount>105.00</Amount><VATAmount>21.00</VATAmount>",
		},
		"RefundIsNegative": {
			func(p *cash.Payment) { p.Parts[0].Net, p.Parts[0].VAT = p.Parts[0].Net.Neg(), p.Parts[0].VAT.Neg() },
			[]string{},
			"<Amount>-100.00</Amount><VATAmount>-21.00</VATAmount>",
		},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			p := payment()
			example.change(&p)
			f, err := prepare(memory(nil, map[register.Direction][]cash.Payment{register.Sales: {p}}), company(), options(t, 2026, 1))
			require.NoError(t, err)
			require.Equal(t, example.codes, append([]string{}, f.codes()...), "%v", f.Problems)
			var b bytes.Buffer
			require.NoError(t, f.Write(0, &b))
			requireValid(t, b.Bytes())
			require.Contains(t, strings.ReplaceAll(b.String(), "\n", ""), example.has)
			// The reader finds in the file what the writer reports of it.
			var read []string
			for _, problem := range ValidateSettlements(&b) {
				read = append(read, problem.Code)
			}
			for _, code := range example.codes {
				if code = strings.TrimSuffix(code, "!"); code != codeSchema {
					require.Contains(t, read, code)
				}
			}
		})
	}
	t.Run("TakenBackIsLeftOut", func(t *testing.T) {
		t.Parallel()
		p := payment()
		p.Parts[0].Net, p.Parts[0].VAT = money.Zero(money.EUR), money.Zero(money.EUR)
		f, err := prepare(memory(nil, map[register.Direction][]cash.Payment{register.Sales: {p}}), company(), options(t, 2026, 1))
		require.NoError(t, err)
		require.Equal(t, 0, f.Settlements)
	})
	t.Run("ProblemsLeadToTheDocument", func(t *testing.T) {
		t.Parallel()
		p := payment()
		p.Document.DocumentID, p.Date = tenant.NewID(), date.MustParse("2026-02-01")
		f, err := prepare(memory(nil, map[register.Direction][]cash.Payment{register.Sales: {p}}), company(), options(t, 2026, 1))
		require.NoError(t, err)
		require.Equal(t, p.Document.DocumentID, f.Problems[0].DocumentID)
		require.Equal(t, "A1", f.Problems[0].Number)
	})
}

// TestValidateSettlements changes one payment of a good file of anybody's.
func TestValidateSettlements(t *testing.T) {
	t.Parallel()
	head := `<iSAFFile xmlns="` + namespace + `" xmlns:xsi="http://www.w3.org/2001/XMLSchema-instance"><Header><FileDescription><SelectionCriteria>` +
		`<SelectionStartDate>2026-01-01</SelectionStartDate><SelectionEndDate>2026-01-31</SelectionEndDate></SelectionCriteria></FileDescription></Header>` +
		`<SourceDocuments><SettlementsAndPayments>`
	reference := `<ReferenceToInvoice><InvoiceNo>A-1</InvoiceNo><InvoiceDate>2025-12-05</InvoiceDate><Amount>1</Amount><VATAmount>.21</VATAmount></ReferenceToInvoice>`
	good := head + `<SettlementAndPayment><SettlementType>G</SettlementType><SettlementRefNo>ND</SettlementRefNo><SettlementDate>2026-01-20</SettlementDate>` +
		`<Payment><VATRegistrationNumber>ND</VATRegistrationNumber><RegistrationNumber>9</RegistrationNumber><Country>NO</Country><Name>AS Kjøper</Name></Payment>` +
		`<ReferencesToInvoice>` + reference + `</ReferencesToInvoice></SettlementAndPayment></SettlementsAndPayments></SourceDocuments></iSAFFile>`
	vatNumber := func(n string) string { return "<VATRegistrationNumber>" + n + "</VATRegistrationNumber>" }
	for name, example := range map[string]struct{ from, to, code string }{
		"GoodIsGood":              {"", "", ""},
		"14055_BeforeThePeriod":   {"2026-01-20", "2025-12-31", "14055"},
		"14055_AfterThePeriod":    {"2026-01-20", "2026-02-01Z", "14055"},
		"14055_NoDay":             {"2026-01-20", "yesterday", "14055"},
		"14056_NoVATNumber":       {vatNumber("ND"), vatNumber(""), "14056"},
		"14057_WrongVATNumber":    {vatNumber("ND") + "<RegistrationNumber>9</RegistrationNumber><Country>NO", vatNumber("LT1234567890") + "<Country>LT", "14057"},
		"14058_OtherCountry":      {vatNumber("ND"), vatNumber("DE123456789"), "14058"},
		"14059_NoCode":            {"<RegistrationNumber>9</RegistrationNumber>", "", "14059"},
		"14060_NDIsNoCountry":     {"<Country>NO", "<Country>ND", "14060"},
		"14060_SmallLetters":      {"<Country>NO", "<Country>no", "14060"},
		"14061_NoCountry":         {"<Country>NO</Country>", `<Country xsi:nil="true"/>`, "14061"},
		"14062_NoName":            {"<Name>AS Kjøper</Name>", "<Name> </Name>", "14062"},
		"14071_SameInvoiceTwice":  {reference, reference + strings.Replace(reference, "A-1", "a 1", 1), "14071"},
		"TwoInvoicesAreTwo":       {reference, reference + strings.Replace(reference, "2025-12-05", "2025-12-06", 1), ""},
		"CountryOfAnEUNumber":     {vatNumber("ND") + "<RegistrationNumber>9</RegistrationNumber><Country>NO", vatNumber("EL123456789") + "<Country>GR", ""},
		"NotWellFormed":           {"</SettlementAndPayment>", "", codeSchema},
		"NoReferencesAtAllIsRead": {reference, "", ""},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			changed := strings.Replace(good, example.from, example.to, 1)
			require.True(t, example.from == "" || changed != good, "%q is not in the file", example.from)
			problems := ValidateSettlements(strings.NewReader(changed))
			if example.code == "" {
				require.Empty(t, problems)
				return
			}
			require.Len(t, problems, 1, "%v", problems)
			require.Equal(t, example.code, problems[0].Code)
		})
	}
	t.Run("SamplesOfVMIAreNotRefused", func(t *testing.T) {
		t.Parallel()
		for _, problem := range ValidateSettlements(bytes.NewReader(readShared(t, "tax/samples/valid/vmi-example-20160922.xml"))) {
			require.Equal(t, []any{LevelWarning, "14057"}, []any{problem.Level, problem.Code}, "its numbers fail the check digit")
		}
	})
}

// TestCashMark compares the mark of sales with the days of the company.
func TestCashMark(t *testing.T) {
	t.Parallel()
	e := testkit.SQLite(t)
	for name, example := range map[string]struct {
		document document
		from     string
		until    string
		codes    []string
	}{
		"MarkedWhileItHolds":         {cashSale(), "2026-01-10", "2026-01-10", []string{}},
		"14038_MarkedBefore":         {cashSale(), "2026-01-11", "", []string{"14038"}},
		"14038_MarkedAfter":          {cashSale(), "2025-01-01", "2026-01-09", []string{"14038"}},
		"14038_MarkedWithoutChoice":  {cashSale(), "", "", []string{"14038"}},
		"14039_UnmarkedWhileItHolds": {sale(group{"PVM1", "21", "100", "21"}), "2026-01-01", "", []string{"14039"}},
		"UnmarkedWithoutVAT":         {sale(group{"PVM5", "", "100", ""}), "2026-01-01", "", []string{}},
		"UnmarkedToAPrivateBuyer": {
			sale(group{"PVM1", "21", "100", "21"}).with(func(d *document) { d.vatCode, d.country = "", "LT" }), "2026-01-01", "", []string{},
		},
		"MarkedToAPrivateBuyer": {cashSale().with(func(d *document) { d.vatCode, d.country = "", "LT" }), "2026-01-01", "", []string{"-"}},
		"PurchasesAreOfSuppliersDays": {
			bought(group{"", "21", "100", "21"}).with(func(d *document) { d.special = true }), "", "", []string{},
		},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			c := e.Company(t, func(c *tenant.Company) {
				taxpayer(c)
				c.CashAccountingFrom, c.CashAccountingUntil = day(t, example.from), day(t, example.until)
			})
			record(t, c, example.document)
			f := file(t, c, options(t, 2026, 1))
			requireValid(t, f.parts...)
			require.Equal(t, example.codes, append([]string{}, f.codes()...), "%v", f.Problems)
		})
	}
}

// TestAnyPaymentsTieOut makes any documents and payments of them over three months: the files are valid, what is settled of a
// document never exceeds it, and a document that is paid whole is settled whole.
func TestAnyPaymentsTieOut(t *testing.T) {
	t.Parallel()
	e := testkit.SQLite(t)
	var files [][]byte
	rapid.Check(t, func(rt *rapid.T) {
		c := e.Company(t, farmer)
		owed, open := map[string][2]money.Amount{}, map[string]int64{}
		for n := range rapid.IntRange(1, 3).Draw(rt, "documents") {
			d := cashSale()
			if rapid.Bool().Draw(rt, "bought") {
				d = bought().with(func(d *document) { d.special = true })
			}
			d.number, d.groups = fmt.Sprintf("A%d", n), nil
			net, tax := money.Zero(money.EUR), money.Zero(money.EUR)
			for _, rate := range []string{"21", "5"}[:rapid.IntRange(1, 2).Draw(rt, "codes")] {
				minor := rapid.Int64Range(1, 1_000_000).Draw(rt, "net")
				vat := money.PercentOf(money.New(minor, money.EUR), money.MustDecimal(rate))
				net, tax = net.Add(money.New(minor, money.EUR)), tax.Add(vat)
				code := map[string]string{"21": "PVM1", "5": "PVM3"}[rate]
				if d.side == register.Purchases {
					code = ""
				}
				d.groups = append(d.groups, group{code, rate, money.New(minor, money.EUR).String(), vat.String()})
			}
			id := record(t, c, d)[0]
			owe(t, c, id, d, net.Add(tax))
			owed[d.number], open[d.number] = [2]money.Amount{net, tax}, net.Add(tax).Minor()
			for range rapid.IntRange(0, 4).Draw(rt, "payments") {
				if open[d.number] == 0 {
					break
				}
				minor := rapid.OneOf(rapid.Int64Range(1, open[d.number]), rapid.Just(open[d.number])).Draw(rt, "minor")
				pay(t, c, id, minor, fmt.Sprintf("2026-0%d-15", rapid.IntRange(1, 3).Draw(rt, "month")))
				open[d.number] -= minor
			}
		}
		settled := map[string][2]money.Amount{}
		for month := 1; month <= 3; month++ {
			o := options(t, 2026, month)
			o.DataType = Full
			f := file(t, c, o)
			for _, part := range f.parts {
				require.Empty(rt, Validate(bytes.NewReader(part)))
				require.Empty(rt, ValidateSettlements(bytes.NewReader(part)))
			}
			if len(files) < 50 {
				files = append(files, f.parts...)
			}
			c.Read(t, func(ctx context.Context, r tenant.ReadTx) error {
				for s, err := range (&o).settlements(booksOf(ctx, r, o.Period)) {
					require.NoError(rt, err)
					sums, known := settled[s.Invoices[0].Number]
					if !known {
						sums = [2]money.Amount{money.Zero(money.EUR), money.Zero(money.EUR)}
					}
					settled[s.Invoices[0].Number] = [2]money.Amount{sums[0].Add(s.Invoices[0].Net), sums[1].Add(s.Invoices[0].VAT)}
				}
				return nil
			})
		}
		for number, sums := range settled {
			for i := range sums {
				require.LessOrEqual(rt, sums[i].Minor(), owed[number][i].Minor())
			}
			whole := owed[number][0].Add(owed[number][1]).Minor()
			require.Equal(rt, whole-open[number], sums[0].Add(sums[1]).Minor(), "net and VAT come to what was paid")
			if open[number] == 0 {
				require.Equal(rt, owed[number], sums)
			}
		}
	})
	requireValid(t, files...)
}
