package document_test

import (
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"github.com/vienkart/vienkart/internal/clock"
	"github.com/vienkart/vienkart/internal/date"
	"github.com/vienkart/vienkart/internal/invoice"
	"github.com/vienkart/vienkart/internal/invoice/document"
	"github.com/vienkart/vienkart/internal/money"
	"github.com/vienkart/vienkart/internal/vat"
)

func euro(minor int64) *money.Amount {
	a := money.New(minor, money.EUR)
	return &a
}

// line is a line of one code and rate, in minor units.
func line(n int, description, code, rate string, net, tax int64) invoice.Line {
	l := invoice.Line{LineContent: invoice.LineContent{
		SortOrder: n, Description: description, Unit: "vnt.", Quantity: money.DecimalFromInt(2), UnitPrice: money.New(net/2, money.EUR).Decimal(),
		VATRate: money.MustDecimal(rate), NetMinor: net, VATMinor: tax, GrossMinor: net + tax,
	}}
	if code != "" {
		l.VATCode = &code
	}
	return l
}

// sample is an issued invoice of two rates; change makes another document of it.
func sample(change ...func(*invoice.Printout)) *invoice.Printout {
	number := "VK20260000042"
	p := &invoice.Printout{
		Document: invoice.Document{
			Heading: invoice.Heading{
				Type: invoice.TypeInvoice, Currency: money.EUR, IssueDate: date.MustParse("2026-01-31"), DueDate: date.MustParse("2026-02-14"),
				SupplyDate: date.MustParse("2026-01-28"), VATScheme: vat.SchemeDomestic, NetMinor: 1_110_000, VATMinor: 215_500, GrossMinor: 1_325_500,
			},
			Status: invoice.StatusIssued, FullNumber: &number, UpdatedAt: clock.At(time.Date(2026, 1, 31, 10, 0, 0, 0, time.UTC)),
			Lines: []invoice.Line{line(1, "Ąžuolinis stalas „Žąsis“", "PVM1", "21", 1_000_000, 210_000), line(2, "Knyga", "PVM3", "5", 110_000, 5_500)},
		},
		Seller: invoice.Party{
			Name: "UAB Šaltinėlis", Code: "900000105", VATCode: "LT999000060116", Street: "Gedimino pr. 1", City: "Vilnius", PostalCode: "LT-01103",
			CountryCode: "LT", IBAN: "LT121000011101001000", BankName: "Lietuvos bankas", Phone: "+370 600 00000", Email: "buhalterija@example.com",
		},
		Buyer: invoice.Party{Name: "AB Pirkėjas", Code: "900000219", VATCode: "LT999000010116", Street: "Laisvės al. 5", City: "Kaunas", CountryCode: "LT"},
		Base:  money.EUR,
		Groups: []invoice.PrintedGroup{
			{Code: "PVM1", Rate: money.MustDecimal("21"), Net: *euro(1_000_000), VAT: *euro(210_000), BaseVAT: euro(210_000)},
			{Code: "PVM3", Rate: money.MustDecimal("5"), Net: *euro(110_000), VAT: *euro(5_500), BaseVAT: euro(5_500)},
		},
	}
	for _, f := range change {
		f(p)
	}
	return p
}

// printed renders a document, and keeps it for people to look at where VIENKART_KEEP_PDF names a folder.
func printed(t *testing.T, p *invoice.Printout, l document.Language) []string {
	t.Helper()
	out, err := document.Render(p, l)
	require.NoError(t, err)
	if folder := os.Getenv("VIENKART_KEEP_PDF"); folder != "" {
		require.NoError(t, os.WriteFile(filepath.Join(folder, strings.ReplaceAll(t.Name(), "/", "-")+"-"+string(l)+".pdf"), out.Content, 0o600))
	}
	return pagesOf(t, out.Content)
}

func requireAll(t *testing.T, page string, texts ...string) {
	t.Helper()
	for _, text := range texts {
		require.Contains(t, page, text)
	}
}

// What Art 80(1) of the VAT law asks of a VAT invoice is there.
func TestVATInvoiceSaysWhatTheLawAsks(t *testing.T) {
	t.Parallel()
	pages := printed(t, sample(), document.Lithuanian)
	require.Len(t, pages, 1)
	requireAll(t, flatten(pages),
		"PVM sąskaita faktūra", "Serija ir numeris VK20260000042", "Išrašymo data 2026-01-31", "2026-01-28", "Apmokėti iki 2026-02-14",
		"UAB Šaltinėlis", "Kodas: 900000105", "PVM mokėtojo kodas: LT999000060116", "Gedimino pr. 1, LT-01103 Vilnius, LT",
		"AB Pirkėjas", "PVM mokėtojo kodas: LT999000010116", "Laisvės al. 5, Kaunas, LT",
		"Lietuvos bankas", "Sąskaita: LT12 1000 0111 0100 1000",
		"1 Ąžuolinis stalas „Žąsis“ 2 vnt. 5 000,00 21 % 10 000,00", "2 Knyga 2 vnt. 550,00 5 % 1 100,00",
		"PVM1 21 % 10 000,00 2 100,00", "PVM3 5 % 1 100,00 55,00",
		"Suma be PVM 11 100,00 EUR", "PVM 2 155,00 EUR", "Iš viso 13 255,00 EUR",
		"Suma žodžiais: Trylika tūkstančių du šimtai penkiasdešimt penki eurai 00 ct", "puslapis 1 / 1",
	)
	require.NotContains(t, flatten(pages), "JUODRAŠTIS")
	require.NotContains(t, flatten(pages), "ANULIUOTA")
}

func TestLanguages(t *testing.T) {
	t.Parallel()
	requireAll(t, flatten(printed(t, sample(), document.English)), "VAT invoice", "Seller", "10,000.00", "Total 13,255.00 EUR",
		"Thirteen thousand two hundred fifty five euros and 00 cents", "page 1 / 1", "Ąžuolinis stalas „Žąsis“")
	requireAll(t, flatten(printed(t, sample(), document.Russian)), "Счёт-фактура НДС", "Продавец", "Всего 13 255,00 EUR", "страница 1 / 1")
	abroad := func(p *invoice.Printout) { p.Buyer.CountryCode = "DE" }
	nowhere := func(p *invoice.Printout) { p.Buyer.CountryCode = "" }
	require.Contains(t, flatten(printed(t, sample(abroad), "")), "VAT invoice")
	require.Contains(t, flatten(printed(t, sample(nowhere), "")), "PVM sąskaita faktūra")
}

// only makes the document one line of a code.
func only(scheme vat.Scheme, code, rate string) func(*invoice.Printout) {
	return func(p *invoice.Printout) {
		p.VATScheme = scheme
		p.Lines = []invoice.Line{line(1, "Darbas", code, rate, 10_000, 0)}
		p.Groups = []invoice.PrintedGroup{{Code: code, Rate: money.MustDecimal(rate), Net: *euro(10_000), VAT: *euro(0), BaseVAT: euro(0)}}
		if code == "" {
			p.Groups[0].BaseVAT = nil
		}
		p.NetMinor, p.VATMinor, p.GrossMinor = 10_000, 0, 10_000
	}
}

func TestReasonsWithoutVAT(t *testing.T) {
	t.Parallel()
	for name, example := range map[string]struct {
		change func(*invoice.Printout)
		wants  []string
		lacks  string
	}{
		"DomesticReverseCharge": {only(vat.SchemeReverseCharge, "PVM25", "21"), []string{"PVM25: Atvirkštinis apmokestinimas (PVM įstatymo 96 straipsnis)", "PVM25 be tarifo"}, "21 %"},
		"ForeignService":        {only(vat.SchemeReverseCharge, "PVM15", "0"), []string{"Atvirkštinis apmokestinimas", "44 ir 196 straipsniai"}, ""},
		"GoodsToTheEU":          {only(vat.SchemeIntraEUB2B, "PVM13", "0"), []string{"49 straipsnis", "PVM13 0 %"}, "Atvirkštinis"},
		"Export":                {only(vat.SchemeExport, "PVM12", "0"), []string{"41 straipsnis"}, ""},
		"Exempt":                {only(vat.SchemeDomestic, "PVM5", "0"), []string{"PVM neapmokestinama", "be tarifo"}, "0 %"},
		"Triangle":              {only(vat.SchemeIntraEUB2B, "PVM19", "0"), []string{"trikampė prekyba"}, ""},
		"SmallBusiness":         {only(vat.SchemeSMEExempt, "PVM100", "0"), []string{"smulkiojo verslo schema"}, ""},
		"Fines":                 {only(vat.SchemeDomestic, "PVM100", "0"), []string{"PVM neskaičiuojamas"}, ""},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			page := flatten(printed(t, sample(example.change), document.Lithuanian))
			requireAll(t, page, example.wants...)
			if example.lacks != "" {
				require.NotContains(t, page, example.lacks)
			}
		})
	}
	t.Run("ChargedVATNeedsNone", func(t *testing.T) {
		t.Parallel()
		require.NotContains(t, flatten(printed(t, sample(), document.Lithuanian)), "PVM1:")
	})
	t.Run("NoVATPayer", func(t *testing.T) {
		t.Parallel()
		page := flatten(printed(t, sample(only(vat.SchemeDomestic, "", "0")), document.Lithuanian))
		requireAll(t, page, "Sąskaita faktūra", "1 Darbas 2 vnt. 50,00 100,00", "Iš viso 100,00 EUR")
		require.NotContains(t, page, "PVM sąskaita")
		require.NotContains(t, page, "PVM suma")
	})
}

func TestForeignCurrencyShowsTheVATInEuro(t *testing.T) {
	t.Parallel()
	page := flatten(printed(t, sample(func(p *invoice.Printout) {
		usd, rate := money.MustCurrency("USD"), money.MustDecimal("1.0819")
		p.Currency, p.ExchangeRate = usd, &rate
		for i := range p.Groups {
			p.Groups[i].Net, p.Groups[i].VAT = money.New(p.Groups[i].Net.Minor(), usd), money.New(p.Groups[i].VAT.Minor(), usd)
		}
		p.Groups[0].BaseVAT, p.Groups[1].BaseVAT = euro(194_103), euro(5_084)
	}), document.Lithuanian))
	requireAll(t, page, "Iš viso 13 255,00 USD", "PVM suma, EUR", "2 100,00 1 941,03", "PVM suma EUR (kursas 1 EUR = 1,0819 USD) 1 991,87 EUR",
		"penki USD 00/100")
}

func TestNotesAndAdvances(t *testing.T) {
	t.Parallel()
	adjusts := func(p *invoice.Printout) {
		p.Adjusts = &invoice.Reference{FullNumber: "VK20260000007", IssueDate: date.MustParse("2026-01-05")}
	}
	credit := flatten(printed(t, sample(adjusts, func(p *invoice.Printout) { p.Type = invoice.TypeCreditNote }), document.Lithuanian))
	requireAll(t, credit, "Kreditinė PVM sąskaita faktūra", "Tikslinamas dokumentas VK20260000007, 2026-01-05")
	require.NotContains(t, credit, "Apmokėti iki")
	requireAll(t, flatten(printed(t, sample(adjusts), document.English)), "VAT debit note", "Adjusted document VK20260000007, 2026-01-05")

	requireAll(t, flatten(printed(t, sample(func(p *invoice.Printout) {
		p.Advances = []invoice.Reference{{FullNumber: "AV1", IssueDate: date.MustParse("2026-01-02"), Net: *euro(100_000), VAT: *euro(21_000)}}
	}), document.Lithuanian)), "Įskaitytas avansas AV1, 2026-01-02 (PVM 210,00 EUR) -1 210,00 EUR", "Liko mokėti 12 045,00 EUR", "Dvylika tūkstančių keturiasdešimt penki eurai")
	requireAll(t, flatten(printed(t, sample(func(p *invoice.Printout) { p.Type = invoice.TypeAdvance }), document.Lithuanian)), "Avansinė PVM sąskaita faktūra")
	requireAll(t, flatten(printed(t, sample(func(p *invoice.Printout) { p.Type = invoice.TypeProforma }), document.Lithuanian)),
		"Išankstinė sąskaita", "Tai nėra PVM sąskaita faktūra.")
}

func TestMarks(t *testing.T) {
	t.Parallel()
	draft := flatten(printed(t, sample(func(p *invoice.Printout) {
		p.Status, p.FullNumber, p.IssueDate = invoice.StatusDraft, nil, date.Date{}
	}), document.Lithuanian))
	requireAll(t, draft, "JUODRAŠTIS", "Juodraštis: dokumentas neišrašytas ir neturi numerio.")
	require.NotContains(t, draft, "Serija ir numeris")
	requireAll(t, flatten(printed(t, sample(func(p *invoice.Printout) {
		p.CancelledAt = clock.At(time.Date(2026, 2, 3, 9, 0, 0, 0, time.UTC))
	}), document.Lithuanian)), "ANULIUOTA", "ANULIUOTA 2026-02-03")
}

// long is a document over many pages.
func long(lines int) func(*invoice.Printout) {
	return func(p *invoice.Printout) {
		p.Lines = nil
		for i := range lines {
			p.Lines = append(p.Lines, line(i+1, strings.Repeat(fmt.Sprintf("Prekė Nr. %d, ilgas aprašymas. ", i+1), 1+i%4), "PVM1", "21", 1000, 210))
		}
		notes := strings.Repeat("Pastaba apie pristatymą.\n", 80)
		p.Notes = &notes
	}
}

func TestManyPages(t *testing.T) {
	t.Parallel()
	pages := printed(t, sample(long(120)), document.Lithuanian)
	require.Greater(t, len(pages), 4)
	withLines := 0
	for i, page := range pages {
		require.Contains(t, page, fmt.Sprintf("puslapis %d / %d", i+1, len(pages)))
		require.Contains(t, page, "PVM sąskaita faktūra VK20260000042", "a lost page finds its document")
		if strings.Contains(page, "Prekė Nr.") {
			withLines++
			require.Equal(t, 1, strings.Count(page, "Pavadinimas"), "the titles of the table stand on each page with lines, once")
		}
	}
	require.Greater(t, withLines, 2)
	all := flatten(pages)
	for i := range 120 {
		require.Contains(t, all, fmt.Sprintf("Prekė Nr. %d, ilgas", i+1))
	}
	require.Equal(t, 80, strings.Count(all, "Pastaba apie pristatymą."))
	require.Equal(t, 1, strings.Count(all, "Iš viso"))
}

func TestSameDocumentGivesTheSameBytes(t *testing.T) {
	t.Parallel()
	first, err := document.Render(sample(long(60)), document.Lithuanian)
	require.NoError(t, err)
	for range 5 {
		again, err := document.Render(sample(long(60)), document.Lithuanian)
		require.NoError(t, err)
		require.Equal(t, first.Content, again.Content)
	}
	require.Equal(t, "VK20260000042.pdf", first.FileName)
}

func TestCharacters(t *testing.T) {
	t.Parallel()
	named := func(name string) func(*invoice.Printout) { return func(p *invoice.Printout) { p.Buyer.Name = name } }
	for name, example := range map[string]struct{ given, shown string }{
		"Lithuanian":  {"UAB „ĄČĘĖĮŠŲŪŽ ąčęėįšųūž“ – €", "UAB „ĄČĘĖĮŠŲŪŽ ąčęėįšųūž“ – €"},
		"Composed":    {"UAB Z\u030cemaic\u030ciai", "UAB Žemaičiai"},
		"Cyrillic":    {"ООО «Ёлка» їґ", "ООО «Ёлка» їґ"},
		"German":      {"Müller & Söhne Straße GmbH", "Müller & Söhne Straße GmbH"},
		"Blanks":      {"UAB\u00a0A\u202fB\u200b\ufeffC", "UAB A BC"},
		"Brackets":    {`UAB (A) \ "B" <b>`, `UAB (A) \ "B" <b>`},
		"LinesInName": {"UAB A\r\nB", "UAB A B"},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			require.Contains(t, flatten(printed(t, sample(named(example.given)), document.Lithuanian)), example.shown)
		})
	}
	for name, change := range map[string]func(*invoice.Printout){
		"JapaneseName": named("株式会社テスト"),
		"Emoji":        named("UAB 🦆"),
		"Arabic":       func(p *invoice.Printout) { p.Lines[1].Description = "كتاب" },
		"Notes":        func(p *invoice.Printout) { p.Notes = new("有難う") },
	} {
		t.Run(name+"IsRefused", func(t *testing.T) {
			t.Parallel()
			_, err := document.Render(sample(change), document.Lithuanian)
			require.ErrorIs(t, err, document.ErrUnprintable)
			require.ErrorContains(t, err, "U+")
		})
	}
}
