package export

import (
	"archive/zip"
	"bytes"
	"context"
	"encoding/csv"
	"encoding/xml"
	"errors"
	"io"
	"strings"
	"testing"

	"github.com/go-json-experiment/json"
	"github.com/go-json-experiment/json/jsontext"
	"github.com/stretchr/testify/require"
	"github.com/xuri/excelize/v2"
	"golang.org/x/image/font/gofont/gobold"
	"golang.org/x/image/font/gofont/goregular"
	"golang.org/x/image/font/sfnt"
	"pgregory.net/rapid"

	"github.com/vienkart/vienkart/internal/date"
	"github.com/vienkart/vienkart/internal/money"
)

func euro(minor int64) money.Amount { return money.New(minor, money.EUR) }

var january = Span{From: date.MustParse("2026-01-01"), To: date.MustParse("2026-01-31")}

type sale struct {
	Who  string       `json:"who"`
	Paid money.Amount `json:"paid"`
}

// sample writes the same small report in one format.
func sample(t require.TestingT, format Format, sales ...sale) []byte {
	var out bytes.Buffer
	w, err := newFormat(format, &out, head{"Ataskaita „Ąžuolas“", "UAB Žąsis, 2026-01", january})
	require.NoError(t, err)
	f := &fan{ctx: context.Background(), writers: []formatWriter{w}}
	f.Expect(int64(len(sales)))
	require.NoError(t, f.Member("toDate", january.To))
	require.NoError(t, f.Table("rows", Column{Title: "Data", Width: 3}, Column{Title: "Kas", Width: 8}, Column{Title: "Kiek", Width: 4, Numeric: true},
		Column{Title: "Vnt.", Width: 2, Numeric: true}, Column{Title: "Tarifas", Width: 2, Numeric: true}))
	for i, s := range sales {
		require.NoError(t, f.Row(s, []any{january.To, s.Who, s.Paid, i, money.MustDecimal("0.5")}))
	}
	require.NoError(t, f.Row(nil, []any{nil, "Iš viso", euro(1), nil, nil}))
	require.NoError(t, f.Member("totals", []int{len(sales)}))
	require.NoError(t, w.Close())
	return out.Bytes()
}

var hostile = []sale{
	{"=HYPERLINK(\"http://x\")", euro(-12345)},
	{"+1", euro(1)},
	{"-1", euro(99_999_999_999_999_999)},
	{"@cmd", euro(0)},
	{"Jonas, \"Ona\" & <b>\r\nŽ", euro(100)},
}

func TestJSON(t *testing.T) {
	t.Parallel()
	require.Equal(t, `{"toDate":"2026-01-31","rows":[{"who":"a & b","paid":"1.00"}],"totals":[1]}`+"\n", string(sample(t, JSON, sale{"a & b", euro(100)})))
	require.True(t, jsontext.Value(sample(t, JSON)).IsValid(), "a report without rows")
	var back struct {
		Rows []map[string]string `json:"rows"`
	}
	require.NoError(t, json.Unmarshal(sample(t, JSON, hostile...), &back))
	require.Equal(t, hostile[4].Who, back.Rows[4]["who"])
}

func TestCSV(t *testing.T) {
	t.Parallel()
	text := string(sample(t, CSV, hostile...))
	require.True(t, strings.HasPrefix(text, "Data,Kas,Kiek,Vnt.,Tarifas\r\n2026-01-31,\"'=HYPERLINK(\"\"http://x\"\")\",-123.45,0,0.5\r\n"), text)
	records, err := csv.NewReader(strings.NewReader(text)).ReadAll()
	require.NoError(t, err)
	require.Equal(t, []string{"2026-01-31", "'+1", "0.01", "1", "0.5"}, records[2])
	require.Equal(t, []string{"2026-01-31", "'-1", "999999999999999.99", "2", "0.5"}, records[3])
	require.Equal(t, []string{"2026-01-31", "'@cmd", "0.00", "3", "0.5"}, records[4])
	require.Equal(t, []string{"", "Iš viso", "0.01", "", ""}, records[len(records)-1])
}

func TestHarmless(t *testing.T) {
	t.Parallel()
	for text, want := range map[string]string{
		"": "", "a=b": "a=b", "=1": "'=1", "+": "'+", "-x": "'-x", "@a": "'@a", "\t=1": "'\t'=1", "\r=1": "'\r'=1", "\n=1": "'\n'=1", "Žąsis": "Žąsis",
		" =1": "' =1", "\"=1": "'\"=1", "\u200b=1": "'\u200b=1", "＝1": "'＝1", "＠x": "'＠x", "a;=1": "a;'=1", "a; \"=1\"": "a;' \"=1\"", "a\t=1": "a\t'=1",
		"a\r\n@x": "a\r\n'@x", "a;b": "a;b", "a; b-c": "a; b-c", "10-5; 6+7": "10-5; 6+7", ";": ";", "x;;-1": "x;;'-1",
	} {
		require.Equal(t, want, Harmless(text), "%q", text)
		require.Equal(t, want, Harmless(want), "%q is harmless already", want)
	}
}

// Another reader of the format understands our workbooks.
func TestXLSX(t *testing.T) {
	t.Parallel()
	book, err := excelize.OpenReader(bytes.NewReader(sample(t, XLSX, hostile...)))
	require.NoError(t, err)
	defer func() { require.NoError(t, book.Close()) }()
	rows, err := book.GetRows("Ataskaita", excelize.Options{RawCellValue: true})
	require.NoError(t, err)
	require.Equal(t, []string{"Ataskaita „Ąžuolas“"}, rows[0])
	require.Equal(t, []string{"Data", "Kas", "Kiek", "Vnt.", "Tarifas"}, rows[3])
	require.Equal(t, []string{"46053", "=HYPERLINK(\"http://x\")", "-123.45", "0", "0.5"}, rows[4])
	require.Equal(t, "999999999999999.99", rows[6][2], "every digit of an amount")
	require.Equal(t, []string{"", "Iš viso", "0.01"}, rows[9])
	formula, err := book.GetCellFormula("Ataskaita", "B5")
	require.NoError(t, err)
	require.Empty(t, formula, "text is never a formula")
	for at, want := range map[string]excelize.CellType{
		"A5": excelize.CellTypeUnset, "B5": excelize.CellTypeInlineString, "B7": excelize.CellTypeInlineString, "C5": excelize.CellTypeUnset,
	} {
		kind, err := book.GetCellType("Ataskaita", at)
		require.NoError(t, err)
		require.Equal(t, want, kind, at)
	}
	shown, err := book.GetRows("Ataskaita")
	require.NoError(t, err)
	require.Equal(t, "2026-01-31", shown[4][0])
	require.Equal(t, "-123.45", shown[4][2])
}

func TestXLSXPartsAreXML(t *testing.T) {
	t.Parallel()
	rapid.Check(t, func(r *rapid.T) {
		content := sample(r, XLSX, sale{rapid.String().Draw(r, "text"), euro(rapid.Int64Range(-1_000_000, 1_000_000).Draw(r, "amount"))})
		archive, err := zip.NewReader(bytes.NewReader(content), int64(len(content)))
		require.NoError(r, err)
		for _, file := range archive.File {
			part, err := file.Open()
			require.NoError(r, err)
			dec := xml.NewDecoder(part)
			for {
				if _, err = dec.Token(); err != nil {
					break
				}
			}
			require.ErrorIs(r, err, io.EOF, file.Name)
		}
	})
}

func TestColumnName(t *testing.T) {
	t.Parallel()
	for index, want := range map[int]string{0: "A", 25: "Z", 26: "AA", 51: "AZ", 52: "BA", 701: "ZZ", 702: "AAA"} {
		require.Equal(t, want, columnName(index))
	}
}

func TestPDF(t *testing.T) {
	t.Parallel()
	many := make([]sale, 300)
	for i := range many {
		many[i] = sale{strings.Repeat("Įmonė „Ąžuolas“ ", i%7), euro(int64(i))}
	}
	content := sample(t, PDF, many...)
	require.True(t, bytes.HasPrefix(content, []byte("%PDF-")))
	require.True(t, bytes.HasSuffix(bytes.TrimSpace(content), []byte("%%EOF")))
	require.Greater(t, bytes.Count(content, []byte("/Type /Page\n")), 5, "rows go on over pages")
	require.Contains(t, string(content), "D:20260131000000", "the dates of the file are those of the report")
}

func TestFontsHaveOurLetters(t *testing.T) {
	t.Parallel()
	for _, font := range [][]byte{goregular.TTF, gobold.TTF} {
		parsed, err := sfnt.Parse(font)
		require.NoError(t, err)
		for _, letter := range "ĄČĘĖĮŠŲŪŽąčęėįšųūž„“–€" {
			glyph, err := parsed.GlyphIndex(nil, letter)
			require.NoError(t, err)
			require.NotZero(t, glyph, "%c", letter)
		}
	}
}

func TestEqualRowsGiveEqualBytes(t *testing.T) {
	t.Parallel()
	for _, format := range Tabular {
		first := sample(t, format, hostile...)
		for range 3 {
			require.Equal(t, first, sample(t, format, hostile...), format)
		}
	}
}

func TestFilesAreBounded(t *testing.T) {
	t.Parallel()
	b := newSpool()
	part := make([]byte, MaxFileBytes/4)
	for range 4 {
		_, err := b.Write(part)
		require.NoError(t, err)
	}
	_, err := b.Write([]byte{1})
	require.ErrorIs(t, err, ErrTooLarge)
	var out bytes.Buffer
	w := newPDF(&out, head{"T", "S", january})
	require.NoError(t, w.Table("rows", []Column{{Title: "A", Width: 1}}))
	w.lines = maxPDFLines
	require.ErrorIs(t, w.Row(nil, [][]any{{"x"}}), ErrTooLarge)
	x, err := newXLSX(&out, head{"T", "S", january})
	require.NoError(t, err)
	x.rows = maxSheetRows
	require.ErrorIs(t, x.Row(nil, [][]any{{"x"}}), ErrTooLarge)
}

func TestFan(t *testing.T) {
	t.Parallel()
	reason := errors.New("enough")
	ctx, stop := context.WithCancelCause(t.Context())
	f := &fan{ctx: ctx}
	require.Zero(t, f.progress(), "before the number of rows is known")
	f.Expect(3)
	require.NoError(t, f.Table("rows", Column{Title: "A"}, Column{Title: "Suma"}))
	for range 2 {
		require.NoError(t, f.Row(1, []any{"x", euro(150)}, []any{"y", euro(-20)}))
	}
	require.NoError(t, f.Row(nil, []any{"Iš viso", euro(999)}))
	require.Equal(t, 66, f.progress())
	require.Equal(t, []sumOfColumn{{"Suma", euro(260)}}, f.columnSums(), "lines of totals are not added again")
	for range 5 {
		require.NoError(t, f.Row(1))
	}
	require.Equal(t, 99, f.progress(), "the last per cent is the commit")
	stop(reason)
	require.ErrorIs(t, f.Row(1), reason)
	require.ErrorIs(t, f.Member("m", 1), reason)
	require.ErrorIs(t, f.Table("t"), reason)
}
