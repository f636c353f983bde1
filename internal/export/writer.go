package export

import (
	"context"
	"sync/atomic"

	"github.com/vienkart/vienkart/internal/money"
)

// Writer takes a report once and writes it in all formats asked for. Calls come in this order: Expect, any Member, Table, any
// Row, any Member. Every call fails when the job was cancelled or a file got too large; a report passes that error on.
type Writer interface {
	// Expect tells how many rows there will be, for the progress.
	Expect(rows int64)
	// Member writes a member of the JSON object. The other formats have no place for it.
	Member(name string, value any) error
	// Table begins the rows: the array of a JSON member, and the one table of the other formats.
	Table(member string, columns ...Column) error
	// Row writes an element of the array, unless value is nil, and lines of the table. A line has a cell for each column.
	Row(value any, lines ...[]any) error
}

// Column is a column of the table.
type Column struct {
	Title string
	// Width is the share of the page, against the widths of the other columns.
	Width int
	// Numeric columns stand at the right.
	Numeric bool
}

// head is what stands above a table.
type head struct {
	title    string
	subtitle string
	on       Span
}

// formatWriter writes one format.
type formatWriter interface {
	Member(name string, value any) error
	Table(member string, columns []Column) error
	Row(value any, lines [][]any) error
	// Close finishes the file.
	Close() error
}

// fan is the Writer of a job.
type fan struct {
	ctx      context.Context //nolint:containedctx // it ends the writing between any two rows, whatever the report does
	writers  []formatWriter
	expected atomic.Int64
	rows     atomic.Int64
	columns  []Column
	sums     []money.Amount
}

// reset forgets what was written.
func (f *fan) reset() {
	f.writers, f.columns, f.sums = nil, nil, nil
	f.expected.Store(0)
	f.rows.Store(0)
}

func (f *fan) Expect(rows int64) { f.expected.Store(rows) }

func (f *fan) Member(name string, value any) error {
	for _, w := range f.writers {
		if err := w.Member(name, value); err != nil {
			return err
		}
	}
	return context.Cause(f.ctx)
}

func (f *fan) Table(member string, columns ...Column) error {
	f.columns, f.sums = columns, make([]money.Amount, len(columns))
	for _, w := range f.writers {
		if err := w.Table(member, columns); err != nil {
			return err
		}
	}
	return context.Cause(f.ctx)
}

func (f *fan) Row(value any, lines ...[]any) error {
	if err := context.Cause(f.ctx); err != nil {
		return err
	}
	if value != nil {
		f.rows.Add(1)
		for _, line := range lines {
			f.add(line)
		}
	}
	for _, w := range f.writers {
		if err := w.Row(value, lines); err != nil {
			return err
		}
	}
	return nil
}

// add keeps the sums of columns of amounts, for the watermark.
func (f *fan) add(line []any) {
	for i, cell := range line {
		amount, ok := cell.(money.Amount)
		if !ok {
			continue
		}
		if f.sums[i].Currency().IsZero() {
			f.sums[i] = money.Zero(amount.Currency())
		}
		f.sums[i] = f.sums[i].Add(amount)
	}
}

// progress is how much is written, in per cent; the last per cent is the commit.
func (f *fan) progress() int {
	expected := f.expected.Load()
	if expected <= 0 {
		return 0
	}
	return int(min(f.rows.Load()*100/expected, 99))
}
