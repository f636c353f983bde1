package fr0600_test

import (
	"context"
	"encoding/xml"
	"strings"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"github.com/vienkart/vienkart/internal/apperr"
	"github.com/vienkart/vienkart/internal/money"
	"github.com/vienkart/vienkart/internal/tenant"
	"github.com/vienkart/vienkart/internal/testkit"
	"github.com/vienkart/vienkart/internal/vat/fr0600"
	"github.com/vienkart/vienkart/internal/vat/register"
)

// fieldNames are the names of the fields of a file of the form, in their order.
func fieldNames(t testing.TB, ffdata []byte) []string {
	t.Helper()
	var form struct {
		Fields []struct {
			Name string `xml:"Name,attr"`
		} `xml:"Form>Pages>Page>Fields>Field"`
	}
	require.NoError(t, xml.Unmarshal(ffdata, &form))
	names := []string{}
	for _, f := range form.Fields {
		names = append(names, f.Name)
	}
	return names
}

// TestEdgeCases has the cases G of edge-cases.md, by their numbers there: what documents enter and the boxes that come of it.
func TestEdgeCases(t *testing.T) {
	t.Parallel()
	on := "2026-05-10"
	e := testkit.SQLite(t).At(later)
	for name, example := range map[string]struct {
		facts   []fact
		percent int
		boxes   map[string]int64
	}{
		"66_Box36HasBox27": {
			facts: []fact{{purchases, on, "PVM24", "", "", "100", nil}}, percent: 100, boxes: map[string]int64{"27": 100, "35": 100},
		},
		"67_Box25IsGross": {
			facts: []fact{{purchases, on, "PVM1", "21", "500", "100", nil}}, percent: 50,
			boxes: map[string]int64{"25": 100, "35": 50, "36": -50},
		},
		"69_ReverseChargeBuyerHasNoBaseBox": {
			facts: []fact{{purchases, on, "PVM25", "21", "15000", "3150", nil}}, percent: 100,
			boxes: map[string]int64{"25": 3150, "33": 3150, "35": 3150},
		},
		"69_ReverseChargeSellerFillsBox12Only": {
			facts: []fact{{sales, on, "PVM25", "21", "15000", "", nil}}, percent: 100, boxes: map[string]int64{"12": 15000},
		},
		"70_HalfIsRoundedUp": {
			facts: []fact{{sales, on, "PVM1", "21", "11.90", "2.50", nil}}, percent: 100, boxes: map[string]int64{"11": 12, "29": 3, "36": 3},
		},
		"70_NegativeHalfIsRoundedAwayFromZero": {
			facts: []fact{{sales, on, "PVM1", "21", "-11.90", "-2.50", nil}}, percent: 100, boxes: map[string]int64{"11": -12, "29": -3, "36": -3},
		},
		"70_CentsAreAddedBeforeRounding": {
			facts: []fact{
				{sales, on, "PVM1", "21", "2", "0.40", nil}, {sales, on, "PVM1", "21", "2", "0.40", nil}, {sales, on, "PVM1", "21", "2", "0.40", nil},
			},
			percent: 100, boxes: map[string]int64{"11": 6, "29": 1, "36": 1},
		},
		"70_Box36IsFromRoundedBoxes": {
			facts: []fact{
				{sales, on, "PVM1", "21", "2", "0.50", nil}, {sales, on, "PVM3", "5", "10", "0.50", nil},
			},
			percent: 100, boxes: map[string]int64{"11": 12, "29": 1, "31": 1, "36": 2},
		},
		"71_CodesWithoutBoxes": {
			facts: []fact{{sales, on, "PVM100", "", "50", "", nil}, {purchases, on, "PVM48", "", "50", "9", nil}}, percent: 100, boxes: map[string]int64{},
		},
		"71_ExemptServicesFromTheEUAreNotInBox22": {
			facts: []fact{{purchases, on, "PVM42", "", "100", "", nil}}, percent: 100, boxes: map[string]int64{"23": 100, "24": 100},
		},
		"71_SalesAreInBox11": {
			facts: []fact{{sales, on, "PVM1", "21", "100", "21", nil}}, percent: 100, boxes: map[string]int64{"11": 100, "29": 21, "36": 21},
		},
		"71_ZeroRatedPurchasesAreInNoBox": {
			facts: []fact{{purchases, on, "PVM14", "0", "100", "", nil}, {purchases, on, "PVM15", "", "100", "", nil}}, percent: 100,
			boxes: map[string]int64{},
		},
		"71_Boxes17To20": {
			facts: []fact{
				{sales, on, "PVM12", "0", "1", "", nil},
				{sales, on, "PVM13", "0", "2", "", nil},
				{sales, on, "PVM14", "0", "3", "", nil},
				{sales, on, "PVM15", "", "4", "", nil},
			},
			percent: 100, boxes: map[string]int64{"17": 1, "18": 2, "19": 3, "20": 4},
		},
		"74_ExemptEUAcquisitionIsNotInBox21": {
			facts: []fact{{purchases, on, "PVM35", "0", "100", "", nil}, {purchases, on, "PVM36", "", "100", "", nil}}, percent: 100, boxes: map[string]int64{},
		},
		"75_TriangularTrade": {
			facts:   []fact{{sales, on, "PVM19", "", "120", "", nil}, {purchases, on, "PVM19", "", "100", "", nil}},
			percent: 100, boxes: map[string]int64{"20": 120, "22": 100},
		},
		"77_PostponedImport": {
			facts: []fact{{purchases, on, "PVM24", "", "", "100", nil}, {sales, on, "PVM1", "21", "1000", "210", nil}}, percent: 100,
			boxes: map[string]int64{"11": 1000, "27": 100, "29": 210, "35": 100, "36": 210},
		},
		"ImportVATPaid": {
			facts: []fact{{purchases, on, "PVM23", "", "", "100", nil}}, percent: 100, boxes: map[string]int64{"26": 100, "35": 100, "36": -100},
		},
		"ShareOfImportIsTakenToo": {
			facts: []fact{{purchases, on, "PVM24", "", "", "100", nil}}, percent: 40, boxes: map[string]int64{"27": 100, "35": 40, "36": 60},
		},
		"NoDeduction": {
			facts: []fact{{purchases, on, "", "21", "1000", "210", nil}}, percent: 0, boxes: map[string]int64{"25": 210},
		},
		"CreditNoteLowersItsBoxes": {
			facts: []fact{{sales, on, "PVM1", "21", "-200", "-42", func(d *register.Document) { d.InvoiceType = register.CreditNote }}}, percent: 100,
			boxes: map[string]int64{"11": -200, "29": -42, "36": -42},
		},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			c := e.Company(t, taxpayer)
			record(t, c, example.facts...)
			require.Equal(t, example.boxes, filled(compute(t, c, period(t, 2026, 5, 1), example.percent)))
		})
	}
}

func TestShare(t *testing.T) {
	t.Parallel()
	c := testkit.SQLite(t).At(later).Company(t, taxpayer)
	record(t, c, fact{purchases, "2026-05-10", "", "21", "1.19", "0.25", nil})
	for percent := range 96 {
		ret := compute(t, c, period(t, 2026, 5, 1), percent)
		require.Equal(t, int64(percent), ret.Whole("28"), "73: any other share stands as it is")
		require.False(t, mentions(ret, "96 to 99"))
	}
	for percent := 96; percent <= 100; percent++ {
		ret := compute(t, c, period(t, 2026, 5, 1), percent)
		require.Equal(t, 100, ret.DeductionPercent, "73: the form refuses 96 to 99")
		require.Equal(t, int64(100), ret.Whole("28"))
		require.Equal(t, percent < 100, mentions(ret, "96 to 99"))
	}
	require.Equal(t, "0.0825", compute(t, c, period(t, 2026, 5, 1), 33).Exact("35").String(), "exact, not to the cent")
	for _, percent := range []int{-1, 101} {
		c.Read(t, func(ctx context.Context, r tenant.ReadTx) error {
			_, err := fr0600.Compute(ctx, r, period(t, 2026, 5, 1), percent)
			require.ErrorIs(t, err, apperr.ErrValidation)
			return nil
		})
	}
}

func mentions(ret *fr0600.Return, text string) bool {
	for _, w := range ret.Warnings {
		if strings.Contains(w.Message, text) {
			return true
		}
	}
	return false
}

func TestVersions(t *testing.T) {
	t.Parallel()
	c := testkit.SQLite(t).At(later).Company(t, taxpayer)
	require.Len(t, compute(t, c, period(t, 2025, 12, 1), fr0600.Full).Boxes, 26, "no 29A before 2026")
	require.False(t, mentions(compute(t, c, period(t, 2025, 12, 1), fr0600.Full), "29A"))
	ret := compute(t, c, period(t, 2026, 1, 1), fr0600.Full)
	require.Len(t, ret.Boxes, 27)
	require.True(t, mentions(ret, "29A"), "what is not confirmed is said")
}

func TestPeriods(t *testing.T) {
	t.Parallel()
	half := period(t, 2026, 7, 6)
	require.Equal(t, []string{"2026-07-01", "2026-12-31"}, []string{half.From.String(), half.To.String()})
	for name, in := range map[string][3]int{
		"MonthZero": {2026, 0, 1}, "MonthThirteen": {2026, 13, 1}, "TwoMonths": {2026, 1, 2}, "IntoNextYear": {2026, 12, 3},
		"BeforeTheForm": {2009, 12, 1}, "FarYear": {2100, 1, 1},
	} {
		t.Run(name+"IsRefused", func(t *testing.T) {
			t.Parallel()
			_, err := fr0600.NewPeriod(in[0], in[1], in[2])
			require.ErrorIs(t, err, apperr.ErrValidation)
		})
	}
}

func TestCancelledDocuments(t *testing.T) {
	t.Parallel()
	testkit.EachEngine(t, func(t *testing.T, e *testkit.Engine) {
		c := e.At(later).Company(t, taxpayer)
		ids := record(t, c, fact{sales, "2026-05-10", "PVM1", "21", "100", "21", nil}, fact{sales, "2026-05-11", "PVM1", "21", "50", "10.50", nil})
		c.Mutate(t, func(ctx context.Context, tx tenant.Tx) error { return register.Revoke(ctx, tx, ids[0]) })
		ret := compute(t, c, period(t, 2026, 5, 1), fr0600.Full)
		require.Equal(t, map[string]int64{"11": 50, "29": 11, "36": 11}, filled(ret))
		require.Equal(t, 1, ret.SalesInvoices)
		c.Read(t, func(ctx context.Context, r tenant.ReadTx) error {
			documents, err := fr0600.DocumentsOfBox(ctx, r, period(t, 2026, 5, 1), 100, "11")
			require.NoError(t, err)
			require.Len(t, documents, 1)
			require.Equal(t, ids[1], documents[0].DocumentID)
			_, err = fr0600.DocumentsOfBox(ctx, r, period(t, 2026, 5, 1), 100, "37")
			require.ErrorIs(t, err, apperr.ErrValidation)
			return nil
		})
	})
}

func TestAnotherTenantIsNotInTheReturn(t *testing.T) {
	t.Parallel()
	testkit.EachEngine(t, func(t *testing.T, e *testkit.Engine) {
		mine, other := e.At(later).Company(t, taxpayer), e.At(later).Company(t, taxpayer)
		record(t, other, fact{sales, "2026-05-10", "PVM1", "21", "100", "21", nil})
		ret := compute(t, mine, period(t, 2026, 5, 1), fr0600.Full)
		require.Empty(t, filled(ret))
		require.Empty(t, ret.Breakdown)
		require.Zero(t, ret.SalesInvoices)
	})
}

func TestOtherCurrencyIsRefused(t *testing.T) {
	t.Parallel()
	c := testkit.SQLite(t).Company(t, taxpayer, func(c *tenant.Company) { c.BaseCurrency = money.MustCurrency("SEK") })
	c.Read(t, func(ctx context.Context, r tenant.ReadTx) error {
		_, err := fr0600.Compute(ctx, r, period(t, 2026, 5, 1), fr0600.Full)
		require.ErrorIs(t, err, fr0600.ErrCurrency)
		return nil
	})
}

// TestWarnings has the checks of the form's script and ours: documents, and words of the warning they must give.
func TestWarnings(t *testing.T) {
	t.Parallel()
	on := "2026-05-10"
	e := testkit.SQLite(t).At(later)
	for name, example := range map[string]struct {
		facts   []fact
		company func(*tenant.Company)
		level   fr0600.Level
		says    string
	}{
		"21Without34":     {facts: []fact{{purchases, on, "PVM16", "21", "100", "", nil}}, level: fr0600.LevelError, says: "box 34 must have"},
		"34Without21":     {facts: []fact{{purchases, on, "PVM16", "21", "", "21", nil}}, level: fr0600.LevelError, says: "box 21 must have"},
		"34OutOfRange":    {facts: []fact{{purchases, on, "PVM16", "21", "100", "30", nil}}, level: fr0600.LevelWarning, says: "4.5 to 21.5"},
		"ServicesNoVAT":   {facts: []fact{{purchases, on, "PVM39", "", "100", "", nil}}, level: fr0600.LevelWarning, says: "less than box 23"},
		"24Above23":       {facts: []fact{{purchases, on, "PVM21", "21", "100", "21", nil}, {purchases, on, "PVM20", "21", "-50", "-10.50", nil}}, level: fr0600.LevelWarning, says: "Box 24 is a part"},
		"ImportPaid":      {facts: []fact{{purchases, on, "PVM23", "", "", "10", nil}}, level: fr0600.LevelWarning, says: "paid to customs"},
		"ImportBoth":      {facts: []fact{{purchases, on, "PVM23", "", "", "10", nil}, {purchases, on, "PVM24", "", "", "10", nil}}, level: fr0600.LevelWarning, says: "either paid"},
		"RatesFarOff":     {facts: []fact{{sales, on, "PVM1", "21", "100", "50", nil}}, level: fr0600.LevelWarning, says: "stands for a value of 238.1"},
		"Triangular":      {facts: []fact{{purchases, on, "PVM19", "", "100", "", nil}}, level: fr0600.LevelWarning, says: "sold on in box 20"},
		"SellerAndBuyer":  {facts: []fact{{sales, on, "PVM25", "21", "100", "", nil}, {purchases, on, "PVM25", "21", "100", "21", nil}}, level: fr0600.LevelWarning, says: "The seller fills box 12 only"},
		"LargeSupply":     {facts: []fact{{sales, on, "PVM5", "", "100000000", "", nil}}, level: fr0600.LevelWarning, says: "Box 13 is above"},
		"LargeExport":     {facts: []fact{{sales, on, "PVM12", "0", "1000000000", "", nil}}, level: fr0600.LevelWarning, says: "Box 17 is above"},
		"InputBelow32":    {facts: []fact{{purchases, on, "PVM20", "21", "100", "21", nil}, {purchases, on, "", "21", "-10", "-2.10", nil}}, level: fr0600.LevelWarning, says: "Box 25 is less than"},
		"UncertainBoxes":  {facts: []fact{{purchases, on, "PVM49", "6", "100", "6", nil}}, level: fr0600.LevelWarning, says: "PVM49 (purchases) enters is not confirmed"},
		"UnknownCode":     {facts: []fact{{sales, on, "PVM01", "21", "100", "21", nil}}, level: fr0600.LevelWarning, says: "PVM01 enter no box"},
		"LateNine":        {facts: []fact{{sales, on, "PVM2", "9", "100", "9", nil}}, level: fr0600.LevelWarning, says: "check A0"},
		"CashAccounting":  {facts: []fact{{purchases, on, "", "21", "100", "21", func(d *register.Document) { d.SpecialTaxation = true }}}, level: fr0600.LevelWarning, says: "1 documents with 21.00"},
		"NoVATNumber":     {company: func(c *tenant.Company) { c.VATCode = nil }, level: fr0600.LevelError, says: "no VAT number"},
		"WrongVATNumber":  {company: func(c *tenant.Company) { s := "LT123456789"; c.VATCode = &s }, level: fr0600.LevelError, says: "VAT number is refused"},
		"NoCode":          {company: func(c *tenant.Company) { c.Code = nil }, level: fr0600.LevelError, says: "has no code"},
		"WrongCode":       {company: func(c *tenant.Company) { s := "900000106"; c.Code = &s }, level: fr0600.LevelError, says: "code is doubtful"},
		"WrongPersonCode": {company: func(c *tenant.Company) { s := "38001010001"; c.Code = &s }, level: fr0600.LevelWarning, says: "code is doubtful"},
		"NoVATPayer":      {company: func(c *tenant.Company) { c.IsVATPayer = false }, level: fr0600.LevelWarning, says: "not marked as a VAT payer"},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			changes := []func(*tenant.Company){taxpayer}
			if example.company != nil {
				changes = append(changes, example.company)
			}
			c := e.Company(t, changes...)
			record(t, c, example.facts...)
			var levels []fr0600.Level
			for _, w := range compute(t, c, period(t, 2026, 5, 1), fr0600.Full).Warnings {
				if strings.Contains(w.Message, example.says) {
					levels = append(levels, w.Level)
				}
			}
			require.Equal(t, []fr0600.Level{example.level}, levels)
		})
	}
}

func TestWarningsOfThePeriod(t *testing.T) {
	t.Parallel()
	c := testkit.SQLite(t).At(time.Date(2026, 5, 31, 9, 0, 0, 0, time.UTC)).Company(t, taxpayer)
	require.True(t, mentions(compute(t, c, period(t, 2026, 5, 1), fr0600.Full), "may still change"))
	require.True(t, mentions(compute(t, c, period(t, 2026, 6, 1), fr0600.Full), "has not begun"))
	require.False(t, mentions(compute(t, c, period(t, 2026, 4, 1), fr0600.Full), "may still change"))
	require.True(t, mentions(compute(t, c, period(t, 2026, 2, 3), fr0600.Full), "no calendar quarter"))
	require.False(t, mentions(compute(t, c, period(t, 2026, 1, 3), fr0600.Full), "no calendar quarter"))
	quiet := compute(t, c, period(t, 2025, 12, 1), fr0600.Full)
	require.Empty(t, quiet.Warnings, "a period without anything to look at has no warning")
	require.NotEmpty(t, quiet.Notes())
}

// TestNineOfEarlierSupplies has what is right at 9 % in 2026.
func TestNineOfEarlierSupplies(t *testing.T) {
	t.Parallel()
	c := testkit.SQLite(t).At(later).Company(t, taxpayer)
	record(t, c,
		fact{sales, "2026-01-10", "PVM2", "9", "-100", "-9", func(d *register.Document) { d.InvoiceType = register.CreditNote }},
		fact{sales, "2026-01-10", "PVM2", "9", "50", "4.50", func(d *register.Document) { d.SupplyDate = d.Date.AddDays(-20) }},
	)
	require.False(t, mentions(compute(t, c, period(t, 2026, 1, 1), fr0600.Full), "9 % ended"))
}
