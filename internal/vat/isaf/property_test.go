package isaf

import (
	"bytes"
	"iter"
	"runtime"
	"slices"
	"strconv"
	"testing"

	"github.com/stretchr/testify/require"
	"pgregory.net/rapid"

	"github.com/vienkart/vienkart/internal/date"
	"github.com/vienkart/vienkart/internal/money"
	"github.com/vienkart/vienkart/internal/tenant"
	"github.com/vienkart/vienkart/internal/vat"
	"github.com/vienkart/vienkart/internal/vat/cash"
	"github.com/vienkart/vienkart/internal/vat/register"
)

// memory is a source of rows that are not in a database.
func memory(documents map[register.Direction][][]register.Row, payments map[register.Direction][]cash.Payment) Source {
	return Source{
		Documents: func(side register.Direction) iter.Seq2[[]register.Row, error] { return each(documents[side]) },
		Payments:  func(side register.Direction) iter.Seq2[cash.Payment, error] { return each(payments[side]) },
	}
}

func each[T any](all []T) iter.Seq2[T, error] {
	return func(yield func(T, error) bool) {
		for _, one := range all {
			if !yield(one, nil) {
				return
			}
		}
	}
}

func company() tenant.Company {
	c := tenant.Company{IsVATPayer: true}
	taxpayer(&c)
	return c
}

// TestAnyRowsGiveAValidFile puts rows with whatever a column can hold through VMI's schema, fifty files in one call.
func TestAnyRowsGiveAValidFile(t *testing.T) {
	t.Parallel()
	var files [][]byte
	rapid.Check(t, func(rt *rapid.T) {
		documents, payments := map[register.Direction][][]register.Row{}, map[register.Direction][]cash.Payment{}
		for _, side := range []register.Direction{register.Sales, register.Purchases} {
			for range rapid.IntRange(0, 4).Draw(rt, "documents") {
				documents[side] = append(documents[side], anyDocument(rt, side))
			}
			for range rapid.IntRange(0, 3).Draw(rt, "payments") {
				payments[side] = append(payments[side], anyPayment(rt, side))
			}
		}
		o := options(t, 2026, 1)
		o.NumbersAsStored = rapid.Bool().Draw(rt, "as stored")
		o.DataType = rapid.SampledFrom([]DataType{Full, Issued, Received}).Draw(rt, "data type")
		o.MaxInvoices = rapid.IntRange(0, 3).Draw(rt, "limit")
		o.Software.Name = rapid.String().Draw(rt, "software")
		f, err := prepare(memory(documents, payments), company(), o)
		require.NoError(rt, err)
		for i, part := range f.Parts {
			var b bytes.Buffer
			require.NoError(rt, f.Write(i, &b))
			require.Empty(rt, Validate(bytes.NewReader(b.Bytes())), "%s", b.Bytes())
			require.True(rt, o.MaxInvoices == 0 || part.pieces() <= o.MaxInvoices)
			if len(files) < 50 {
				files = append(files, slices.Clone(b.Bytes()))
			}
		}
	})
	require.NotEmpty(t, files)
	requireValid(t, files...)
}

var anyText = rapid.OneOf(rapid.StringN(0, 80, -1), rapid.SampledFrom([]string{
	"", " ", "LT", "LT999000070113", "DE123456789", "XI123456789", "ND", "CHE1", "\x00\x1f", "<&>\"'", "\t\n", "A-1", "Šč",
}))

func anyDocument(rt *rapid.T, side register.Direction) []register.Row {
	id, partner := tenant.NewID(), tenant.NewID()
	number := anyText.Draw(rt, "number")
	documentDate := anyDate(rt, "document date")
	var rows []register.Row
	for range rapid.IntRange(1, 5).Draw(rt, "rows") {
		row := register.Row{
			Direction: side, RegisterDate: date.MustParse("2026-01-01").AddDays(rapid.IntRange(0, 30).Draw(rt, "day")),
			DocumentID: id, DocumentNumber: number, DocumentDate: documentDate, SupplyDate: anyDate(rt, "supply date"),
			InvoiceType: rapid.SampledFrom([]register.InvoiceType{register.Invoice, register.CreditNote, register.DebitNote, register.Cancelled}).Draw(rt, "type"),
			Event:       rapid.SampledFrom([]register.Event{register.Recorded, register.Recorded, register.Revoked, register.AdvanceApplied}).Draw(rt, "event"),
			PartnerID:   partner, PartnerName: anyText.Draw(rt, "name"), PartnerCode: anyPointer(rt, "code"),
			PartnerVATCode: anyPointer(rt, "VAT number"), PartnerCountry: anyPointer(rt, "country"),
			AdjustsNumber: anyPointer(rt, "adjusts"), AdjustsDate: anyDate(rt, "adjusts date"),
			SpecialTaxation: rapid.Bool().Draw(rt, "special"), VATCode: anyCode(rt),
			Rate:         money.MustDecimal(rapid.SampledFrom([]string{"0", "5", "21", "9.5", "33.333", "1000", "999.99"}).Draw(rt, "rate")),
			BaseNetMinor: rapid.Int64Range(-money.MaxMinor, money.MaxMinor).Draw(rt, "net"),
			BaseVATMinor: rapid.Int64Range(-money.MaxMinor, money.MaxMinor).Draw(rt, "VAT"),
		}
		if row.InvoiceType == register.Cancelled && row.Event == register.Recorded {
			row.InvoiceType = register.Invoice // the register writes AN on revoked rows alone
		}
		rows = append(rows, row)
	}
	return rows
}

// anyPayment is of any document, in the period.
func anyPayment(rt *rapid.T, side register.Direction) cash.Payment {
	p := cash.Payment{
		Document: anyDocument(rt, side)[0], Reference: anyText.Draw(rt, "reference"),
		Date: date.MustParse("2026-01-01").AddDays(rapid.IntRange(0, 30).Draw(rt, "payment day")),
	}
	for range rapid.IntRange(1, 3).Draw(rt, "parts") {
		amount := func(label string) money.Amount {
			return money.New(rapid.Int64Range(-money.MaxMinor, money.MaxMinor).Draw(rt, label), money.EUR)
		}
		p.Parts = append(p.Parts, cash.Part{Code: anyCode(rt), Net: amount("paid net"), VAT: amount("paid VAT")})
	}
	return p
}

func anyPointer(rt *rapid.T, label string) *string {
	if rapid.Bool().Draw(rt, label+" given") {
		s := anyText.Draw(rt, label)
		return &s
	}
	return nil
}

func anyCode(rt *rapid.T) *string {
	codes := []string{"", "PVM01", "X", "PVM9999"}
	for _, c := range vat.Codes() {
		codes = append(codes, c.Code)
	}
	code := rapid.SampledFrom(codes).Draw(rt, "code of VAT")
	if code == "" {
		return nil
	}
	return &code
}

func anyDate(rt *rapid.T, label string) date.Date {
	days := rapid.SampledFrom([]string{"", "1900-01-01", "2016-06-30", "2016-07-01", "2026-01-15", "2100-01-01", "2199-12-31"})
	if s := days.Draw(rt, label); s != "" {
		return date.MustParse(s)
	}
	if label == "document date" {
		return date.MustParse("2026-01-10")
	}
	return date.Date{}
}

// TestMemoryIsBounded makes the file of 100,000 invoices and payments, each of a customer of its own, and looks at what is held meanwhile.
func TestMemoryIsBounded(t *testing.T) { //nolint:paralleltest // it measures the memory of the whole process
	const (
		invoices = 100_000
		limit    = 64 << 20
	)
	code := "PVM1"
	one := func(side register.Direction, n int) register.Row {
		var id tenant.ID
		copy(id[8:], strconv.Itoa(n))
		vatCode := "LT" + strconv.Itoa(n)
		return register.Row{
			Direction: side, RegisterDate: date.MustParse("2026-01-10"), DocumentID: id, DocumentNumber: "A" + strconv.Itoa(n),
			DocumentDate: date.MustParse("2026-01-10"), InvoiceType: register.Invoice, Event: register.Recorded, PartnerID: id,
			PartnerName: "UAB Pirkėjas numeris " + vatCode, PartnerVATCode: &vatCode, VATCode: &code,
			BaseNetMinor: 10000, BaseVATMinor: 2100,
		}
	}
	rows := func(side register.Direction) iter.Seq2[[]register.Row, error] {
		return func(yield func([]register.Row, error) bool) {
			for n := range invoices / 2 {
				if !yield([]register.Row{one(side, n)}, nil) {
					return
				}
			}
		}
	}
	// Half of the pieces are payments, by other customers.
	payments := func(side register.Direction) iter.Seq2[cash.Payment, error] {
		return func(yield func(cash.Payment, error) bool) {
			for n := invoices / 2; n < invoices; n++ {
				row := one(side, n)
				part := cash.Part{Code: &code, Net: money.New(row.BaseNetMinor, money.EUR), VAT: money.New(row.BaseVATMinor, money.EUR)}
				if !yield(cash.Payment{Document: row, Date: row.DocumentDate, Parts: []cash.Part{part}}, nil) {
					return
				}
			}
		}
	}
	before := heap()
	o := options(t, 2026, 1)
	o.DataType = Issued
	f, err := prepare(Source{Documents: rows, Payments: payments}, company(), o)
	require.NoError(t, err)
	require.Len(t, f.Parts, 1)
	require.Len(t, f.Problems, maxProblems)
	require.Equal(t, invoices-maxProblems, f.Omitted)
	w := &gauge{}
	require.NoError(t, f.Write(0, w))
	require.Greater(t, w.bytes, int64(invoices)*500)
	require.Less(t, w.most-before, uint64(limit))
	t.Logf("%d MiB for %d invoices, a file of %d MiB", (w.most-before)>>20, invoices, w.bytes>>20)
}

// gauge counts bytes and looks at the heap now and then.
type gauge struct {
	bytes int64
	calls int
	most  uint64
}

func (g *gauge) Write(b []byte) (int, error) {
	g.bytes += int64(len(b))
	if g.calls++; g.calls%100 == 1 {
		g.most = max(g.most, heap())
	}
	return len(b), nil
}

func heap() uint64 {
	runtime.GC()
	var m runtime.MemStats
	runtime.ReadMemStats(&m)
	return m.HeapAlloc
}
