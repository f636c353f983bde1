package saft

import (
	"context"
	"fmt"
	"io"
	"iter"
	"strconv"

	"github.com/vienkart/vienkart/internal/money"
	"github.com/vienkart/vienkart/internal/tenant"
)

// Summary says what is in a file.
type Summary struct {
	FileName                                                string
	Accounts, Customers, Suppliers, Transactions            int
	SalesInvoices, PurchaseInvoices, Payments, AssetEntries int
	// Warnings say what the books lack.
	Warnings []string
}

// Write writes the file of a period. Errors: validation, saft.no_stock, and those of the writer.
func Write(ctx context.Context, r tenant.ReadTx, o Options, w io.Writer) (*Summary, error) {
	if err := o.Complete(); err != nil {
		return nil, err
	}
	c, err := read(ctx, r, o)
	if err != nil {
		return nil, err
	}
	return write(c, o, w)
}

func write(c *content, o Options, w io.Writer) (*Summary, error) {
	f := &file{content: c, options: o, markup: &markup{out: w}, summary: Summary{FileName: o.fileName(c.company)}}
	f.warn()
	if err := f.write(); err != nil {
		return nil, fmt.Errorf("writing SAF-T: %w", err)
	}
	return &f.summary, nil
}

// FileName names a file after the company, the data type and the days.
func (o Options) fileName(c tenant.Company) string {
	return fmt.Sprintf("saft-%s-%s-%s-%s.xml", orUnknown(deref(c.Code)), o.DataType, o.From, o.To)
}

type file struct {
	*markup
	content *content
	options Options
	summary Summary
}

const namespace = "https://www.vmi.lt/cms/saf-t"

func (f *file) write() error {
	f.markup.write(`<?xml version="1.0" encoding="UTF-8"?>` + "\n")
	f.markup.write(`<AuditFile xmlns="` + namespace + `" xmlns:xsi="http://www.w3.org/2001/XMLSchema-instance">` + "\n")
	f.header()
	for _, section := range []func() error{f.masterFiles, f.entries, f.documents} {
		if err := section(); err != nil {
			return err
		}
	}
	f.markup.write("</AuditFile>\n")
	f.flush()
	return f.err
}

// each writes every element of a sequence.
func each[Row any](f *file, rows iter.Seq2[Row, error], write func(Row)) error {
	for row, err := range rows {
		if err != nil {
			return err
		}
		if write(row); f.err != nil {
			return f.err
		}
	}
	return nil
}

// list writes a sequence inside an element, which is left out when there is none, and counts.
func list[Row any](f *file, name string, count *int, rows iter.Seq2[Row, error], write func(Row)) error {
	err := each(f, rows, func(row Row) {
		if *count++; *count == 1 {
			f.markup.write("<" + name + ">\n")
		}
		write(row)
	})
	if err == nil && *count > 0 {
		f.markup.write("</" + name + ">\n")
	}
	return err
}

// totals are what stands before the elements of a section.
type totals struct {
	count         int
	debit, credit money.Amount
}

// reckon goes through a sequence for its totals. Sides gives debit and credit of an element, both without sign.
func reckon[Row any](base money.Currency, rows iter.Seq2[Row, error], sides func(Row) (debit, credit money.Amount)) (totals, error) {
	t := totals{debit: money.Zero(base), credit: money.Zero(base)}
	for row, err := range rows {
		if err != nil {
			return t, err
		}
		debit, credit := sides(row)
		t.count, t.debit, t.credit = t.count+1, t.debit.Add(debit), t.credit.Add(credit)
	}
	return t, nil
}

func (f *file) totals(t totals) {
	f.text("NumberOfEntries", lengthCode, strconv.Itoa(t.count))
	f.amount("TotalDebit", t.debit)
	f.amount("TotalCredit", t.credit)
}

func (f *file) documents() error {
	o := f.options.DataType
	if !o.has(Sales, Purchases, Payments, Assets) {
		return nil
	}
	f.markup.write("<SourceDocuments>\n")
	if o.has(Sales) {
		if err := f.invoices("SalesInvoices", &f.summary.SalesInvoices, f.content.sales); err != nil {
			return err
		}
	}
	if o.has(Purchases) {
		if err := f.invoices("PurchaseInvoices", &f.summary.PurchaseInvoices, f.content.purchases); err != nil {
			return err
		}
	}
	if o.has(Payments) {
		if err := f.paid(); err != nil {
			return err
		}
	}
	if o.has(Assets) {
		if err := f.moved(); err != nil {
			return err
		}
	}
	f.markup.write("</SourceDocuments>\n")
	return nil
}
