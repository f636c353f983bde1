package fr0600_test

import (
	"bytes"
	"context"
	"encoding/json"
	"os"
	"path/filepath"
	"strconv"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"github.com/vienkart/vienkart/internal/date"
	"github.com/vienkart/vienkart/internal/money"
	"github.com/vienkart/vienkart/internal/tenant"
	"github.com/vienkart/vienkart/internal/testkit"
	"github.com/vienkart/vienkart/internal/testkit/vatmonth"
	"github.com/vienkart/vienkart/internal/vat"
	"github.com/vienkart/vienkart/internal/vat/fr0600"
	"github.com/vienkart/vienkart/internal/vat/register"
)

// readShared reads a file of the specification folder beside the repository. Without the folder the test fails in CI, where it
// must be there, and is skipped elsewhere.
func readShared(t testing.TB, name string) []byte {
	t.Helper()
	root := filepath.Join("..", "..", "..", "..", "shared")
	if _, err := os.Stat(root); os.IsNotExist(err) {
		const message = "THE SPECIFICATION FOLDER shared/ IS MISSING beside the repository, so %s is not checked"
		if os.Getenv("CI") != "" {
			t.Fatalf(message, name)
		}
		t.Skipf(message, name)
	}
	content, err := os.ReadFile(filepath.Join(root, filepath.FromSlash(name)))
	require.NoError(t, err)
	return content
}

func taxpayer(c *tenant.Company) {
	code, vatCode := "900000105", "LT999000060116"
	c.Code, c.VATCode = &code, &vatCode
}

// later is a moment after all periods of the tests.
var later = time.Date(2026, 12, 20, 9, 0, 0, 0, time.UTC)

func period(t testing.TB, year, month, months int) fr0600.Period {
	t.Helper()
	p, err := fr0600.NewPeriod(year, month, months)
	require.NoError(t, err)
	return p
}

func compute(t testing.TB, c *testkit.Company, p fr0600.Period, percent int) *fr0600.Return {
	t.Helper()
	var ret *fr0600.Return
	c.Read(t, func(ctx context.Context, r tenant.ReadTx) (err error) {
		ret, err = fr0600.Compute(ctx, r, p, percent)
		return err
	})
	requireAddsUp(t, c, ret)
	return ret
}

// requireAddsUp checks that the documents behind every box add up to its exact value.
func requireAddsUp(t testing.TB, c *testkit.Company, ret *fr0600.Return) {
	t.Helper()
	c.Read(t, func(ctx context.Context, r tenant.ReadTx) error {
		for _, v := range ret.Boxes {
			if v.Box == "28" {
				continue
			}
			documents, err := ret.DocumentsOf(ctx, r, v.Box)
			require.NoError(t, err)
			var sum money.Decimal
			for _, d := range documents {
				sum = sum.Add(d.Amount)
			}
			require.Equal(t, v.Exact.String(), sum.String(), "box %s", v.Box)
		}
		return nil
	})
}

// filled are the boxes that hold something, in whole euro; box 28 is left out.
func filled(ret *fr0600.Return) map[string]int64 {
	boxes := map[string]int64{}
	for _, v := range ret.Boxes {
		if v.Whole != 0 && v.Box != "28" {
			boxes[string(v.Box)] = v.Whole
		}
	}
	return boxes
}

func TestGoldenMonth(t *testing.T) {
	t.Parallel()
	var want struct {
		Exact map[string]string `json:"exact"`
		Whole map[string]int64  `json:"whole_euro"`
	}
	require.NoError(t, json.Unmarshal(readShared(t, "tax/samples/valid/2026-01-full.fr0600.json"), &want))
	sample := readShared(t, "tax/samples/valid/2026-01-full.xml")
	testkit.EachEngine(t, func(t *testing.T, e *testkit.Engine) {
		c := e.At(later).Company(t, taxpayer)
		vatmonth.Record(t, c, sample)
		ret := compute(t, c, period(t, 2026, 1, 1), fr0600.Full)
		for _, v := range ret.Boxes {
			require.Equal(t, want.Whole[string(v.Box)], v.Whole, "box %s", v.Box)
			exact := want.Exact[string(v.Box)]
			if exact == "" {
				exact = "0"
			}
			require.Zero(t, v.Exact.Cmp(money.MustDecimal(exact)), "box %s: %s", v.Box, v.Exact)
		}
		require.Equal(t, 9, ret.SalesInvoices, "a cancelled number is no invoice")
		require.Equal(t, 9, ret.PurchaseInvoices)
		requireBreakdown(t, ret)

		// A quarter has the same documents.
		require.Equal(t, filled(ret), filled(compute(t, c, period(t, 2026, 1, 3), fr0600.Full)))
		require.Empty(t, filled(compute(t, c, period(t, 2026, 2, 1), fr0600.Full)))
	})
}

// requireBreakdown checks that the parts of each box add up to it.
func requireBreakdown(t testing.TB, ret *fr0600.Return) {
	t.Helper()
	sums := map[vat.Box]money.Decimal{}
	for _, f := range ret.Breakdown {
		for _, box := range f.TaxableBoxes {
			sums[box] = sums[box].Add(f.Net.Decimal())
		}
		for _, box := range f.VATBoxes {
			sums[box] = sums[box].Add(f.VAT.Decimal())
		}
	}
	for _, v := range ret.Boxes {
		if v.Box != "28" && v.Box != "36" {
			require.Equal(t, v.Exact.String(), sums[v.Box].String(), "box %s", v.Box)
		}
	}
}

// fact is a document of one row: side, day, code, rate, net and VAT.
type fact struct {
	side       register.Direction
	day        string
	code, rate string
	net, vat   string
	change     func(*register.Document)
}

func record(t testing.TB, c *testkit.Company, facts ...fact) []tenant.ID {
	t.Helper()
	var ids []tenant.ID
	c.Mutate(t, func(ctx context.Context, tx tenant.Tx) error {
		p := vatmonth.Partner(ctx, t, tx, "Partner of "+tenant.NewID().String())
		for n, f := range facts {
			d := register.Document{
				Direction: f.side, RegisterDate: date.MustParse(f.day), Type: "test_invoice", ID: tenant.NewID(),
				Number: "A" + strconv.Itoa(n), Date: date.MustParse(f.day), InvoiceType: register.Invoice, Event: register.Recorded,
				Partner: register.Partner{ID: p, Name: "Partner"},
				Groups:  []register.Group{vatmonth.Group(t, f.code, f.rate, f.net, f.vat)},
			}
			if f.change != nil {
				f.change(&d)
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

const (
	sales     = register.Sales
	purchases = register.Purchases
)

// TestGoldenNumbers has the months of tax-facts.md 3.6.
func TestGoldenNumbers(t *testing.T) {
	t.Parallel()
	testkit.EachEngine(t, func(t *testing.T, e *testkit.Engine) {
		c := e.At(later).Company(t, taxpayer)
		record(t, c,
			fact{sales, "2026-01-05", "PVM1", "21", "4000", "840", nil}, fact{sales, "2026-01-06", "PVM58", "12", "500", "60", nil},
			fact{sales, "2026-01-07", "PVM3", "5", "2000", "100", nil}, fact{purchases, "2026-01-08", "PVM16", "21", "4000", "840", nil},
			fact{purchases, "2026-01-09", "", "21", "2000", "420", nil},
			fact{sales, "2026-02-05", "PVM12", "0", "8000", "", nil}, fact{sales, "2026-02-06", "PVM13", "0", "6000", "", nil},
			fact{sales, "2026-02-07", "PVM15", "", "3000", "", nil}, fact{purchases, "2026-02-08", "PVM21", "21", "2500", "525", nil},
			fact{purchases, "2026-02-09", "PVM20", "21", "1800", "378", nil},
			fact{sales, "2026-03-05", "PVM25", "21", "15000", "", nil}, fact{sales, "2026-03-06", "PVM5", "", "4000", "", nil},
			fact{purchases, "2026-03-07", "PVM25", "21", "15000", "3150", nil}, fact{purchases, "2026-03-08", "PVM1", "21", "300", "63", nil},
		)
		for month, want := range map[int]map[string]int64{
			1: {"11": 6500, "21": 4000, "25": 1260, "29": 840, "29A": 60, "31": 100, "34": 840, "35": 1260, "36": 580},
			2: {"17": 8000, "18": 6000, "20": 3000, "23": 4300, "24": 2500, "25": 903, "32": 903, "35": 903},
			3: {"12": 15000, "13": 4000, "25": 3213, "33": 3150, "35": 3213, "36": -63},
			4: {},
		} {
			require.Equal(t, want, filled(compute(t, c, period(t, 2026, month, 1), fr0600.Full)), "month %d", month)
		}
	})
}

func TestFFData(t *testing.T) {
	t.Parallel()
	sample := readShared(t, "tax/ffdata/FR0600_v02_sample_2025-11.ffdata")
	name, street, city, email := `UAB "Pavyzdys"`, "Pavyzdžio g. 1", "Vilnius", "info@pavyzdys.example"
	e := testkit.SQLite(t).At(time.Date(2025, 12, 20, 9, 0, 0, 0, time.UTC))
	c := e.Company(t, taxpayer, func(c *tenant.Company) {
		number := "LT999000010116"
		c.Name, c.Street, c.City, c.Email, c.VATCode = name, &street, &city, &email, &number
	})
	record(t, c,
		fact{sales, "2025-11-03", "PVM1", "21", "1000", "210", nil}, fact{sales, "2025-11-03", "PVM2", "9", "500", "45", nil},
		fact{sales, "2025-11-03", "PVM3", "5", "100", "5", nil}, fact{sales, "2025-11-03", "PVM25", "21", "15500", "", nil},
		fact{sales, "2025-11-03", "PVM5", "", "250", "", nil}, fact{sales, "2025-11-03", "PVM12", "0", "8000", "", nil},
		fact{sales, "2025-11-03", "PVM13", "0", "6000", "", nil}, fact{sales, "2025-11-03", "PVM15", "", "3000", "", nil},
		fact{purchases, "2025-11-03", "PVM16", "21", "4000", "840", nil}, fact{purchases, "2025-11-03", "PVM21", "21", "50", "10.50", nil},
		fact{purchases, "2025-11-03", "PVM20", "21", "80", "16.80", nil}, fact{purchases, "2025-11-03", "PVM25", "21", "15000", "3150", nil},
		fact{purchases, "2025-11-03", "", "21", "1093.81", "229.70", nil}, fact{purchases, "2025-11-03", "PVM24", "", "", "100", nil},
	)
	ret := compute(t, c, period(t, 2025, 11, 1), fr0600.Full)
	var b bytes.Buffer
	require.NoError(t, ret.WriteFFData(&b, fr0600.Form{Program: "Pavyzdys", ActivityCode: "620100"}))
	require.Equal(t, vatmonth.Tree(t, sample), vatmonth.Tree(t, b.Bytes()))
	require.Equal(t, fieldNames(t, readShared(t, "tax/ffdata/FR0600_v02_blank.ffdata")), fieldNames(t, b.Bytes()))
	require.Contains(t, b.String(), `<FFData Version="1" CreatedByApp="Pavyzdys" CreatedByLogin="Pavyzdys" CreatedOn="2025-12-20">`)
	b.Reset()
	require.NoError(t, ret.WriteFFData(&b, fr0600.Form{Program: "A&B", Corrected: true}))
	require.Contains(t, b.String(), `<Field Name="E8">2</Field>`)
	require.Contains(t, b.String(), `CreatedByApp="A&amp;B"`)
}

// TestBoxesOfEveryCode enters a document under each code of the classifier on each side, and compares with the classifier's table.
func TestBoxesOfEveryCode(t *testing.T) {
	t.Parallel()
	c := testkit.SQLite(t).At(later).Company(t, taxpayer)
	facts := []fact{}
	for _, code := range vat.Codes() {
		facts = append(facts, fact{sales, "2026-05-05", code.Code, "", "100", "10", nil}, fact{purchases, "2026-05-05", code.Code, "", "100", "10", nil})
	}
	record(t, c, facts...)
	ret := compute(t, c, period(t, 2026, 4, 3), fr0600.Full)
	require.Len(t, ret.Breakdown, 2*len(vat.Codes()))
	want := map[vat.Box]int64{}
	for _, code := range vat.Codes() {
		for _, boxes := range []vat.Boxes{code.SaleBoxes, code.PurchaseBoxes} {
			for _, box := range boxes.Base {
				want[box] += 100
			}
			for _, box := range boxes.VAT {
				want[box] += 10
			}
		}
	}
	want["36"] = want["27"] + want["29"] + want["29A"] + want["30"] + want["31"] + want["32"] + want["33"] + want["34"] - want["35"]
	want["28"] = 100
	for _, v := range ret.Boxes {
		require.Equal(t, want[v.Box], v.Whole, "box %s", v.Box)
	}
	require.Len(t, ret.Boxes, 27, "11 to 36 and 29A")
}
