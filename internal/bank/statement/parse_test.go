package statement_test

import (
	"encoding/base64"
	"fmt"
	"strings"
	"testing"
	"unicode/utf16"

	"github.com/stretchr/testify/require"
	"golang.org/x/text/encoding/charmap"
	"pgregory.net/rapid"

	"github.com/vienkart/vienkart/internal/bank/statement"
	"github.com/vienkart/vienkart/internal/money"
)

// mt940 is a statement from 100,00 to a closing balance with the given fields between.
func mt940(closing string, fields ...string) string {
	return ":20:S\n:25:LT121000011101001000\n:28C:1/1\n:60F:C240130EUR100,00\n" + strings.Join(fields, "\n") + "\n:62F:" + closing + "\n-\n"
}

// camt is a document of version 08 with the given content of its statement.
func camt(content string) string {
	return `<Document xmlns="urn:iso:std:iso:20022:tech:xsd:camt.053.001.08"><BkToCstmrStmt><Stmt><Id>S</Id>` + content +
		`</Stmt></BkToCstmrStmt></Document>`
}

func camtEntry(amount, currency, indicator, rest string) string {
	return fmt.Sprintf(`<Ntry><Amt Ccy="%s">%s</Amt><CdtDbtInd>%s</CdtDbtInd><Sts><Cd>BOOK</Cd></Sts><BookgDt><Dt>2024-01-31</Dt></BookgDt>%s</Ntry>`,
		currency, amount, indicator, rest)
}

const stripeHead = "balance_transaction_id,created,currency,gross,fee,net\n"

func TestParseRefuses(t *testing.T) {
	t.Parallel()
	for name, example := range map[string]struct {
		content string
		line    int
		message string
	}{
		"Nothing":        {"", 0, "empty"},
		"OnlyABOM":       {"\uFEFF \n", 0, "empty"},
		"UnknownFormat":  {"Dear customer", 0, "format of the file cannot be told"},
		"Base64OfPDF":    {base64.StdEncoding.EncodeToString([]byte("%PDF-1.7\nxyz")), 0, "format of the file cannot be told"},
		"HalfUTF16":      {base64.StdEncoding.EncodeToString([]byte{0xFF, 0xFE, '<'}), 0, "middle of a character"},
		"MT940CutOff":    {":20:S\n:25:X\n:28C:1\n:60F:C240130EUR100,00\n:61:240131D1,00NMSCNONREF\n", 1, "was cut off"},
		"MT940NoOpening": {":20:S\n:25:X\n:28C:1\n:62F:C240130EUR100,00\n", 1, "no opening balance"},
		"MT940LineLost":  {mt940("C240131EUR98,00", ":61:240131D1,00NMSCNONREF"), 1, "does not add up"},
		"MT940BadEntry":  {mt940("C240131EUR99,00", ":61:240131X1,00NMSC"), 5, "is no entry"},
		"MT940BadDate":   {mt940("C240131EUR99,00", ":61:240231D1,00NMSC"), 5, "real day"},
		"MT940BadDay":    {mt940("C240131EUR99,00", ":61:2401319931D1,00NMSC"), 5, "MMDD"},
		"MT940Point":     {mt940("C240131EUR99,00", ":61:240131D1.00NMSC"), 5, "is no entry"},
		"MT940Decimals":  {mt940("C240131EUR99,00", ":61:240131D1,005NMSC"), 5, "at most 2 decimals"},
		"MT940Huge":      {mt940("C240131EUR99,00", ":61:240131D200000000000,00NMSC"), 5, "more than any account"},
		"MT940Balance":   {mt940("C240131EUR"), 6, "is no balance"},
		"MT940Currency":  {":20:S\n:60F:C240130EUX100,00\n", 2, "ISO 4217"},
		"MT940Early":     {":20:S\n:61:240131D1,00NMSC\n", 2, "before the opening balance"},
		"MT940Nothing":   {"{1:F01}{4:\n-}", 0, "no MT940 statement"},
		"CAMTDoctype": {
			"<?xml version=\"1.0\"?>\n<!DOCTYPE Document [<!ENTITY a \"b\">]>\n" + camt(""), 2, "document type",
		},
		"CAMTEntity":      {camt("<Acct>&a;</Acct>"), 1, "damaged or was cut off"},
		"CAMTCutOff":      {camt("")[:120], 1, "damaged or was cut off"},
		"CAMTDeep":        {camt(strings.Repeat("<a>", 100)), 1, "nest deeper"},
		"CAMTNothing":     {"<Document/>", 0, "holds no statement"},
		"CAMTVersion":     {strings.ReplaceAll(camt(""), "001.08", "001.01"), 1, "camt.053.001.02 to camt.053.001.08"},
		"CAMTReport":      {`<Document xmlns="urn:iso:std:iso:20022:tech:xsd:camt.052.001.02"><BkToCstmrAcctRpt/></Document>`, 1, "import the statement"},
		"CAMTEncoding":    {base64.StdEncoding.EncodeToString([]byte(`<?xml version="1.0" encoding="klingon"?>` + camt(""))), 1, `encoding "klingon"`},
		"CAMTBadUTF8":     {base64.StdEncoding.EncodeToString([]byte(camt("\xE0"))), 1, "damaged"},
		"CAMTAmount":      {camt("\n" + camtEntry("1,00", "EUR", "CRDT", "")), 2, "entry 1: an amount must be a plain decimal"},
		"CAMTSign":        {camt("\n" + camtEntry("1.00", "EUR", "PLUS", "")), 2, "neither CRDT nor DBIT"},
		"CAMTCurrency":    {camt("\n" + camtEntry("1.00", "", "CRDT", "")), 2, "ISO 4217"},
		"CAMTDate":        {camt(`<Ntry><Amt Ccy="EUR">1</Amt><CdtDbtInd>CRDT</CdtDbtInd></Ntry>`), 1, "neither BookgDt nor ValDt"},
		"CAMTHuge":        {camt(camtEntry("100000000000.01", "EUR", "CRDT", "")), 1, "more than any account"},
		"CAMTTwice":       {strings.Replace(camt(camtEntry("1", "EUR", "CRDT", "")), "<Stmt>", "<Stmt><Id>S</Id>"+camtEntry("1", "EUR", "CRDT", "")+"</Stmt><Stmt>", 1), 1, "holds the statement S twice"},
		"CSVNoColumns":    {"id,amount,currency\nx,1,eur\n", 0, "format of the file cannot be told"},
		"CSVCutOff":       {stripeHead + "txn_1,2024-01-31,eur,1.00,0,1.00\ntxn_2,2024", 3, "another number of fields"},
		"CSVOpenQuote":    {stripeHead + "txn_1,2024-01-31,eur,1.00,0,1.00\ntxn_2,\"2024", 3, "quotation mark"},
		"CSVDate":         {stripeHead + "txn_1,31.01.2024,eur,1.00,0,1.00\n", 2, "real day"},
		"CSVGrossMissing": {stripeHead + "txn_1,2024-01-31,eur,,0,1.00\n", 2, "gross: is empty"},
		"CSVNetDiffers":   {stripeHead + "txn_1,2024-01-31,eur,1.00,0.10,1.00\n", 2, "is not gross"},
		"CSVGrouping":     {stripeHead + "txn_1,2024-01-31,eur,\"1,23,456.00\",0,\n", 2, "grouped by three"},
		"CSVText":         {stripeHead + "txn_1,2024-01-31,eur,1e3,0,\n", 2, "plain decimal"},
		"CSVCurrency":     {stripeHead + "txn_1,2024-01-31,xyz,1,0,\n", 2, "currency"},
		"CSVUncertain":    {strings.ReplaceAll(stripeHead, ",", ";") + "txn_1;2024-01-31;eur;1,234;;\n", 2, "at most 2 decimals"},
		"CSVLineIsCounted": {
			stripeHead + "\"txn\n1\",2024-01-31,eur,1,0,\ntxn_2,2024-01-31,eur,x,0,\n", 4, "plain decimal",
		},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			statements, err := statement.Parse(example.content, "", money.EUR)
			require.Empty(t, statements)
			var fault *statement.Fault
			require.ErrorAs(t, err, &fault)
			require.Contains(t, fault.Message, example.message)
			require.Equal(t, example.line, fault.Line, fault.Message)
		})
	}
	t.Run("UnknownFormatName", func(t *testing.T) {
		t.Parallel()
		_, err := statement.Parse("x", "ofx", money.EUR)
		require.ErrorContains(t, err, "use one of camt053, mt940, stripe-csv")
	})
	t.Run("MissingColumnsAreNamed", func(t *testing.T) {
		t.Parallel()
		_, err := statement.Parse("id,amount,currency\nx,1,eur\n", statement.StripeCSV, money.EUR)
		require.ErrorContains(t, err, "created")
	})
}

func TestEncodings(t *testing.T) {
	t.Parallel()
	const name = "Žąsė Österling"
	declared := func(label string) string {
		return `<?xml version="1.0" encoding="` + label + `"?>` +
			camt(camtEntry("1.00", "EUR", "CRDT", "<AddtlNtryInf>"+name+"</AddtlNtryInf>"))
	}
	field := mt940("C240131EUR101,00", ":61:240131C1,00NTRFNONREF", ":86:"+name)
	encode := func(m *charmap.Charmap, text string) string {
		encoded, err := m.NewEncoder().String(text)
		require.NoError(t, err)
		return base64.StdEncoding.EncodeToString([]byte(encoded))
	}
	wide := []byte{0xFF, 0xFE}
	for _, unit := range utf16.Encode([]rune(declared("UTF-16"))) {
		wide = append(wide, byte(unit), byte(unit>>8))
	}
	for title, example := range map[string]struct{ content, text string }{
		"DeclaredWindows1257": {encode(charmap.Windows1257, declared("windows-1257")), name},
		"DeclaredISO885913":   {encode(charmap.ISO8859_13, declared("ISO-8859-13")), name},
		"DeclaredISO88591": {
			encode(charmap.ISO8859_1, strings.ReplaceAll(declared("ISO-8859-1"), name, "Österling")), "Österling",
		},
		"TextKeepsItsFormWhateverItDeclares": {declared("windows-1257"), name},
		"UTF16":                              {base64.StdEncoding.EncodeToString(wide), name},
		"UTF8WithBOM":                        {base64.StdEncoding.EncodeToString([]byte("\uFEFF" + declared("UTF-8"))), name},
		"TextWithBOM":                        {"\uFEFF" + declared("utf-8"), name},
		"DataURL":                            {"data:text/xml;base64," + base64.RawURLEncoding.EncodeToString([]byte(declared("UTF-8"))), name},
		"MT940InWindows1257":                 {encode(charmap.Windows1257, field), name},
		"MT940InUTF8":                        {field, name},
		"MT940WithBOM":                       {"\uFEFF" + field, name},
	} {
		t.Run(title, func(t *testing.T) {
			t.Parallel()
			statements, err := statement.Parse(example.content, "", money.EUR)
			require.NoError(t, err)
			require.Equal(t, example.text, statements[0].Lines[0].Description)
		})
	}
}

func TestLineEnds(t *testing.T) {
	t.Parallel()
	files := map[string]string{
		"MT940": mt940("C240131EUR99,00", ":61:240131D1,00NMSCNONREF", ":86:a", "b"),
		"CSV":   stripeHead + "txn_1,2024-01-31,eur,1.00,0,1.00\n",
	}
	for name, content := range files {
		want, err := statement.Parse(content, "", money.EUR)
		require.NoError(t, err)
		for _, end := range []string{"\r\n", "\r"} {
			got, err := statement.Parse(strings.ReplaceAll(content, "\n", end), "", money.EUR)
			require.NoError(t, err)
			require.Equal(t, want, got, "%s with %q", name, end)
		}
	}
}

func TestAmounts(t *testing.T) {
	t.Parallel()
	for text, want := range map[string]string{
		"1234.5": "1234.50", "1,234.50": "1234.50", "1 234,50": "1234.50", "1.234,50": "1234.50", "1,234": "1234.00",
		"1'234.50": "1234.50", "1,234,567": "1234567.00", "1.234.567": "1234567.00", "12,5": "12.50", "-1": "-1.00", "1-": "-1.00",
		"(1.00)": "-1.00", "\u22121": "-1.00", "+1": "1.00", "1\u00A0000,00": "1000.00", "1.000": "1.00", "0.10": "0.10",
	} {
		t.Run(text, func(t *testing.T) {
			t.Parallel()
			statements, err := statement.Parse(stripeHead+`x,2024-01-31,eur,"`+text+"\",,\n", "", money.EUR)
			require.NoError(t, err)
			require.Equal(t, want, statements[0].Lines[0].Amount.String())
		})
	}
}

// TestIdentities holds the law of re-import: a file read again gives the same identities, and no two lines share one,
// however alike they are.
func TestIdentities(t *testing.T) {
	t.Parallel()
	rapid.Check(t, func(t *rapid.T) {
		n := rapid.IntRange(1, 12).Draw(t, "lines")
		rows := stripeHead
		for range n {
			rows += fmt.Sprintf("%s,2024-01-0%d,eur,%d,,\n", rapid.SampledFrom([]string{"", "A", "A~1", "B"}).Draw(t, "id"),
				rapid.IntRange(1, 2).Draw(t, "day"), rapid.IntRange(1, 2).Draw(t, "amount"))
		}
		first, err := statement.Parse(rows, "", money.EUR)
		if err != nil {
			t.Fatal(err)
		}
		second, err := statement.Parse(rows, "", money.EUR)
		if err != nil {
			t.Fatal(err)
		}
		if written(first) != written(second) {
			t.Fatal("the identities changed")
		}
		alternates := map[string]bool{}
		for _, l := range first[0].Lines {
			if alternates[l.AlternateID] {
				t.Fatalf("two lines are %s", l.AlternateID)
			}
			alternates[l.AlternateID] = true
		}
	})
}

// TestLargeFile reads ten million bytes of each format.
func TestLargeFile(t *testing.T) {
	t.Parallel()
	const size = 10_000_000
	repeated := func(unit string) string { return strings.Repeat(unit, size/len(unit)) }
	entry := camtEntry("1.00", "EUR", "CRDT", "<NtryDtls><TxDtls><RmtInf><Ustrd>"+strings.Repeat("x", 100)+"</Ustrd></TxDtls></NtryDtls>")
	entry = strings.Replace(entry, "</Ustrd>", "</Ustrd></RmtInf>", 1)
	field := ":61:240131C1,00NTRFNONREF//R\n:86:" + strings.Repeat("x", 100) + "\n"
	const row = "x,2024-01-31,eur,1.00,0,1.00\n"
	n := size / len(field)
	for name, content := range map[string]string{
		"CAMT":  camt(repeated(entry)),
		"MT940": mt940(fmt.Sprintf("C240131EUR%d,00", 100+n), strings.TrimSuffix(repeated(field), "\n")),
		"CSV":   stripeHead + repeated(row),
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			statements, err := statement.Parse(content, "", money.EUR)
			if name == "CSV" {
				require.ErrorContains(t, err, "more than 100000 lines") // short rows: the limit on lines comes first
				return
			}
			require.NoError(t, err)
			require.Greater(t, len(statements[0].Lines), 20_000)
		})
	}
}
