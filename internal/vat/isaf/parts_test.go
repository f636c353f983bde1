package isaf

import (
	"fmt"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/vienkart/vienkart/internal/apperr"
	"github.com/vienkart/vienkart/internal/tenant"
	"github.com/vienkart/vienkart/internal/testkit"
)

func TestParts(t *testing.T) {
	t.Parallel()
	testkit.EachEngine(t, func(t *testing.T, e *testkit.Engine) {
		c := e.Company(t, taxpayer)
		var documents []document
		for n := range 7 {
			d := sale(group{"PVM1", "21", "100", "21"})
			if n < 3 {
				d = bought(group{"", "21", "100", "21"})
			}
			d.number = fmt.Sprintf("A%d", n)
			documents = append(documents, d)
		}
		record(t, c, documents...)
		o := options(t, 2026, 1)
		o.MaxInvoices = 2

		f := file(t, c, o)
		requireValid(t, f.parts...)
		numbers := []string{}
		all := ""
		for i, p := range f.Parts {
			numbers = append(numbers, p.Number)
			text := string(f.parts[i])
			require.Contains(t, text, "<NumberOfParts>4</NumberOfParts>")
			require.Contains(t, text, "<PartNumber>"+p.Number+"</PartNumber>")
			require.Equal(t, p.pieces(), strings.Count(text, "<InvoiceNo>"))
			require.Equal(t, p.Customers, strings.Count(text, "<Customer>"), "parties of the part alone")
			require.LessOrEqual(t, int64(len(text)), p.Bytes)
			all += text
		}
		require.Equal(t, []string{"F", "F_2", "F_3", "F_4"}, numbers)
		require.Equal(t, "isaf-900000105-2026-01-F_2.xml", f.Parts[1].FileName)
		for n := range 7 {
			require.Equal(t, 1, strings.Count(all, fmt.Sprintf("<InvoiceNo>A%d</InvoiceNo>", n)), "each once")
		}

		// 61: the two registers apart never share a part number.
		o.DataType = Issued
		require.Equal(t, "S", file(t, c, o).Parts[0].Number)
		o.DataType = Received
		require.Equal(t, "P", file(t, c, o).Parts[0].Number)

		// 62: a correction bears the numbers of what was filed; parts that are no longer needed are emptied.
		o.DataType, o.PartNumber, o.MaxInvoices, o.FiledParts = Full, "VILNIUS_1", 0, 3
		f = file(t, c, o)
		requireValid(t, f.parts...)
		require.Len(t, f.parts, 3)
		require.Equal(t, 7, f.Parts[0].pieces())
		require.Equal(t, "VILNIUS_1_3", f.Parts[2].Number)
		require.NotContains(t, string(f.parts[2]), "SourceDocuments")

		// A size of which two invoices do not fit gives one each.
		o.FiledParts, o.MaxBytes = 0, 1
		require.Len(t, file(t, c, o).Parts, 7)
	})
}

func TestHeader(t *testing.T) {
	t.Parallel()
	t.Run("15_LongVersionIsCut", func(t *testing.T) {
		t.Parallel()
		o := options(t, 2026, 1)
		o.Software.Version = "1.0.0-rc1+0123456789abcdef0123"
		f := file(t, testkit.SQLite(t).Company(t, taxpayer), o)
		requireValid(t, f.parts...)
		require.Contains(t, string(f.parts[0]), "<SoftwareVersion>1.0.0-rc1+0123456789abcd</SoftwareVersion>")
	})
	t.Run("23_CodeIsDigitsAlone", func(t *testing.T) {
		t.Parallel()
		for code, blocked := range map[string]bool{"900000105": false, "LT305000000": true, "": true, "0": true, "123456789012": true} {
			c := testkit.SQLite(t).Company(t, func(c *tenant.Company) { taxpayer(c); c.Code = &code })
			o := options(t, 2026, 1)
			if !blocked {
				require.Contains(t, string(file(t, c, o).parts[0]), "<RegistrationNumber>"+code+"</RegistrationNumber>")
				continue
			}
			c.Read(t, readBlocked(t, o))
		}
	})
	t.Run("FuturePeriodIsRefused", func(t *testing.T) {
		t.Parallel()
		f := file(t, testkit.SQLite(t).Company(t, taxpayer), options(t, 2028, 4))
		require.Equal(t, []string{"-", "12003!"}[1:], f.codes())
	})
	t.Run("OpenPeriodIsWarnedOf", func(t *testing.T) {
		t.Parallel()
		require.Equal(t, []string{"-"}, file(t, testkit.SQLite(t).Company(t, taxpayer), options(t, 2028, 3)).codes())
	})
}

func TestOptions(t *testing.T) {
	t.Parallel()
	for name, change := range map[string]func(*Options){
		"07_LowerCasePartNumberIsRefused": func(o *Options) { o.PartNumber = "Vilnius" },
		"07_DashInPartNumberIsRefused":    func(o *Options) { o.PartNumber = "2026-01" },
		"PartNumberLeavesRoomForParts":    func(o *Options) { o.PartNumber = "ABCDEFGHIJKLMNOP" },
		"NegativeLimitIsRefused":          func(o *Options) { o.MaxInvoices = -1 },
		"NegativeFiledPartsIsRefused":     func(o *Options) { o.FiledParts = -1 },
		"MissingPeriodIsRefused":          func(o *Options) { o.Period = Period{} },
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			o := options(t, 2026, 1)
			change(&o)
			require.ErrorIs(t, o.complete(), apperr.ErrValidation)
		})
	}
	for name, in := range map[string][3]int{
		"31_QuarterIsRefused": {2026, 1, 3}, "MonthThirteenIsRefused": {2026, 13, 1}, "BeforeTheBeginningIsRefused": {2016, 9, 1},
		"HalfYearFromMarchIsRefused": {2026, 3, 6}, "FarYearIsRefused": {2100, 1, 1},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			_, err := NewPeriod(in[0], in[1], in[2])
			require.ErrorIs(t, err, apperr.ErrValidation)
		})
	}
}
