package saft

import (
	"bytes"
	"fmt"
	"iter"
	"math"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"github.com/stretchr/testify/require"
	"pgregory.net/rapid"

	"github.com/vienkart/vienkart/internal/clock"
	"github.com/vienkart/vienkart/internal/date"
	"github.com/vienkart/vienkart/internal/ledger"
	"github.com/vienkart/vienkart/internal/money"
	"github.com/vienkart/vienkart/internal/tenant"
)

// shared is the specification folder beside the repository.
var shared = filepath.Join("..", "..", "..", "..", "shared")

// xmllint checks files against VMI's schema, all in one call. Without the schema or the program it fails under CI and skips elsewhere.
func xmllint(t testing.TB, files ...[]byte) {
	t.Helper()
	schema := filepath.Join(shared, "tax", "SAFT_2_01.xsd")
	program, err := exec.LookPath("xmllint")
	if _, missing := os.Stat(schema); err != nil || missing != nil {
		if os.Getenv("CI") != "" {
			t.Fatal("xmllint (libxml2-utils) OR THE SPECIFICATION FOLDER shared/ IS MISSING")
		}
		t.Skip("NOT TESTED: xmllint (libxml2-utils) OR THE SPECIFICATION FOLDER shared/ IS MISSING")
	}
	folder := t.TempDir()
	arguments := []string{"--noout", "--nonet", "--schema", schema}
	for i, file := range files {
		name := filepath.Join(folder, fmt.Sprintf("%03d.xml", i))
		require.NoError(t, os.WriteFile(name, file, 0o600))
		arguments = append(arguments, name)
	}
	out, err := exec.CommandContext(t.Context(), program, arguments...).CombinedOutput()
	require.NoError(t, err, "%s", out[:min(len(out), 3000)])
}

// january is a month with a moment of creation.
func january() Options {
	return Options{
		From: date.MustParse("2026-01-01"), To: date.MustParse("2026-01-31"), CreatedAt: time.Date(2026, 2, 1, 9, 30, 0, 0, time.UTC),
		Software: Software{"Vienkart", "Vienkart", "1.0"},
	}
}

// fixed is a sequence of what is there.
func fixed[Row any](rows []Row) iter.Seq2[Row, error] {
	return func(yield func(Row, error) bool) {
		for _, row := range rows {
			if !yield(row, nil) {
				return
			}
		}
	}
}

// draw draws parts of the books, with whatever their columns can hold.
type draw struct{ *rapid.T }

func (d draw) text(label string) string { return rapid.StringN(0, 300, -1).Draw(d.T, label) }

func (d draw) maybe(label string) *string {
	if !rapid.Bool().Draw(d.T, label+" is there") {
		return nil
	}
	s := d.text(label)
	return &s
}

func (d draw) country(label string) *string {
	return rapid.SampledFrom([]*string{nil, new("LT"), new("DE"), new("GR")}).Draw(d.T, label)
}

func (d draw) id(label string) tenant.ID {
	return tenant.ID([16]byte(rapid.SliceOfN(rapid.Byte(), 16, 16).Draw(d.T, label)))
}

func (d draw) maybeID(label string) *tenant.ID {
	if !rapid.Bool().Draw(d.T, label+" is there") {
		return nil
	}
	return new(d.id(label))
}

func (d draw) minor(label string) int64 { return rapid.Int64Range(-1e12, 1e12).Draw(d.T, label) }

func (d draw) euro(label string) money.Amount { return money.New(d.minor(label), money.EUR) }

func (d draw) own(label string) money.Amount {
	return money.New(d.minor(label), d.currency(label+" currency"))
}

func (d draw) day(label string) date.Date {
	if !rapid.Bool().Draw(d.T, label+" is there") {
		return date.Date{}
	}
	return date.MustParse("1900-01-01").AddDays(rapid.IntRange(0, 109_000).Draw(d.T, label))
}

// inside is a day of the period.
func (d draw) inside(label string) date.Date {
	return january().From.AddDays(rapid.IntRange(0, 30).Draw(d.T, label))
}

func (d draw) currency(label string) money.Currency {
	return money.MustCurrency(rapid.SampledFrom([]string{"EUR", "USD", "JPY", "KWD"}).Draw(d.T, label))
}

func (d draw) decimal(label string) money.Decimal {
	return money.New(rapid.Int64Range(-1e9, 1e9).Draw(d.T, label), money.EUR).Decimal()
}

func many[Row any](d draw, label string, least int, row func() Row) []Row {
	rows := make([]Row, rapid.IntRange(least, 3).Draw(d.T, label))
	for i := range rows {
		rows[i] = row()
	}
	return rows
}

func (d draw) party() party {
	return party{
		partyRow: partyRow{
			ID: d.id("id"), Name: d.text("name"), Code: d.maybe("code"), VATCode: d.maybe("VAT code"), Street: d.maybe("street"),
			City: d.maybe("city"), PostalCode: d.maybe("postal code"), CountryCode: d.country("country"),
		},
		balances: many(d, "balances", 1, func() partyBalance {
			return partyBalance{d.text("account"), money.New(d.minor("opening"), money.EUR), money.New(d.minor("closing"), money.EUR)}
		}),
		open: many(d, "open", 0, func() openDocument {
			return openDocument{
				d.text("number"), d.day("day"), "", d.euro("amount"), d.euro("open"), d.own("own"), d.own("own open"),
				rapid.Bool().Draw(d.T, "credit"),
			}
		}),
	}
}

func (d draw) transaction() transaction {
	return transaction{
		transactionRow{
			d.id("id"), d.inside("day"), d.maybe("description"), d.maybeID("document"), clock.At(time.Date(2026, 1, 5, 8, 0, 0, 0, time.UTC)),
			d.maybeID("customer"), d.maybeID("supplier"),
		},
		many(d, "entries", 1, func() entry {
			e := entry{LineNo: 1, AccountCode: d.text("account"), Currency: d.currency("currency"), Base: money.EUR, Description: d.maybe("line")}
			own, base := rapid.Int64Range(1, 1e12).Draw(d.T, "own"), rapid.Int64Range(0, 1e12).Draw(d.T, "base")
			if rapid.Bool().Draw(d.T, "credit") {
				e.CreditMinor, e.BaseCreditMinor = own, base
			} else {
				e.DebitMinor, e.BaseDebitMinor = own, base
			}
			return e
		}),
	}
}

func (d draw) invoice(isSale bool) invoice {
	return invoice{
		isSale: isSale,
		invoiceRow: invoiceRow{
			ID: d.id("id"), Number: d.text("number"), DocumentDate: d.day("document"), PostingDate: d.day("posting"), SupplyDate: d.day("supply"),
			Type: rapid.SampledFrom([]string{"invoice", "credit_note", "advance"}).Draw(d.T, "type"), Currency: d.currency("currency"),
			ExchangeRate: money.New(rapid.Int64Range(1, 20_000).Draw(d.T, "rate"), money.EUR).Decimal(),
			NetMinor:     d.minor("net"), GrossMinor: d.minor("gross"), PartnerID: d.id("partner"), Code: d.maybe("code"), VATCode: d.maybe("VAT code"),
			CountryCode: d.country("country"), TransactionID: d.maybeID("transaction"), Adjusts: d.maybe("adjusts"), CancelledOn: d.day("cancelled"),
			DebtAccount: d.maybe("debt"), IncomeAccount: d.maybe("income"),
		},
		lines: many(d, "lines", 1, func() invoiceLine {
			return invoiceLine{
				SortOrder: rapid.IntRange(0, math.MaxInt16).Draw(d.T, "order"), Description: d.text("description"), Unit: d.text("unit"),
				Quantity: d.decimal("quantity"), UnitPrice: d.decimal("price"), PriceIncludesVAT: rapid.Bool().Draw(d.T, "with VAT"),
				VATRate: d.decimal("VAT rate"), VATCode: d.maybe("VAT code"), AccountCode: d.maybe("account"), NetMinor: d.minor("net"),
				VATMinor: d.minor("VAT"),
			}
		}),
		settlements: many(d, "settlements", 0, func() settlement {
			return settlement{
				d.id("settled"), rapid.SampledFrom([]ledger.ItemKind{ledger.ItemReceivable, ledger.ItemPayable}).Draw(d.T, "kind"), d.day("due"),
				d.day("settled on"), d.minor("settled amount"),
			}
		}),
	}
}

func (d draw) payment() payment {
	return payment{
		d.id("id"), d.id("transaction"), d.inside("day"), d.maybe("description"), d.maybe("IBAN"), d.maybe("document"), d.text("account"),
		d.maybeID("customer"), d.maybeID("supplier"), d.currency("currency"), d.minor("amount"), d.minor("base"),
	}
}

func (d draw) asset() asset {
	return asset{
		d.id("id"), d.text("name"), d.text("account"), d.text("depreciation"), d.day("acquired"), d.day("start"), d.minor("cost"),
		rapid.IntRange(1, 2400).Draw(d.T, "life"), d.minor("opening"), d.minor("added before"), d.minor("added"), d.minor("depreciated before"),
		d.minor("depreciated"), d.day("disposed"),
	}
}

func (d draw) movement() movement {
	return movement{
		d.id("id"), d.id("asset"), d.day("day"), d.maybeID("transaction"), d.minor("amount"), d.minor("cost"), d.minor("book"),
		rapid.SampledFrom([]movementKind{acquired, modernised, depreciated, disposed}).Draw(d.T, "kind"),
	}
}

func (d draw) books() *content {
	return &content{
		company: tenant.Company{
			Name: d.text("name"), Code: d.maybe("code"), VATCode: d.maybe("VAT code"), City: d.maybe("city"), PostalCode: d.maybe("postal code"),
			Street: d.maybe("street"), Phone: d.maybe("phone"), Email: d.maybe("email"), IBAN: d.maybe("IBAN"), CountryCode: "LT",
			BaseCurrency: money.EUR, IsVATPayer: rapid.Bool().Draw(d.T, "payer"),
		},
		zone: time.UTC,
		accounts: many(d, "accounts", 0, func() account {
			return account{
				d.text("code"), d.text("name"), rapid.SampledFrom([]ledger.AccountType{ledger.AccountAsset, ledger.AccountIncome, "other"}).Draw(d.T, "sort"),
				ledger.Classified{Code: d.text("table"), Name: d.text("table name")},
				money.New(d.minor("opening"), money.EUR), money.New(d.minor("closing"), money.EUR),
			}
		}),
		units:        many(d, "units", 0, func() string { return d.text("unit") }),
		customers:    fixed(many(d, "customers", 0, d.party)),
		suppliers:    fixed(many(d, "suppliers", 0, d.party)),
		transactions: fixed(many(d, "transactions", 0, d.transaction)),
		sales:        fixed(many(d, "sales", 0, func() invoice { return d.invoice(true) })),
		purchases:    fixed(many(d, "purchases", 0, func() invoice { return d.invoice(false) })),
		payments:     fixed(many(d, "payments", 0, d.payment)),
		assets:       fixed(many(d, "assets", 0, d.asset)),
		movements:    fixed(many(d, "movements", 0, d.movement)),
	}
}

// TestAnyBooksGiveAValidFile puts books with whatever a column can hold through VMI's schema, all files in one call.
func TestAnyBooksGiveAValidFile(t *testing.T) {
	t.Parallel()
	var files [][]byte
	rapid.Check(t, func(rt *rapid.T) {
		d := draw{rt}
		o := january()
		o.DataType = rapid.SampledFrom([]DataType{"", Full, Ledger, Sales, Purchases, Payments, Assets}).Draw(rt, "data type")
		o.Software.Version = d.text("version")
		require.NoError(rt, o.Complete())
		var b bytes.Buffer
		_, err := write(d.books(), o, &b)
		require.NoError(rt, err)
		files = append(files, b.Bytes())
	})
	xmllint(t, files...)
}

func TestWriteStopsAtTheFirstFault(t *testing.T) {
	t.Parallel()
	broken := &content{company: tenant.Company{BaseCurrency: money.EUR, CountryCode: "LT"}, zone: time.UTC}
	fault := fmt.Errorf("the database is gone")
	failing := func(yield func(transaction, error) bool) { yield(transaction{}, fault) }
	broken.customers, broken.suppliers, broken.transactions = fixed[party](nil), fixed[party](nil), failing
	o := january()
	o.DataType = Ledger
	_, err := write(broken, o, &strings.Builder{})
	require.ErrorIs(t, err, fault)
	broken.transactions = fixed[transaction](nil)
	_, err = write(broken, o, full{})
	require.ErrorIs(t, err, errFull)
}

var errFull = fmt.Errorf("the disk is full")

type full struct{}

func (full) Write([]byte) (int, error) { return 0, errFull }
