package main

import (
	"context"
	"fmt"
	"os"
	"slices"
	"strconv"
	"time"
)

// originals are how many documents the server makes itself; the others are copies of them.
const originals = 1000

// bookColumns are what book.line fills.
var bookColumns = []string{"what", "rows", "seconds", "CPU s: server", "database", "server's memory above idle, MiB", "file, MiB"}

// books measures the server at work on large books.
type books struct {
	*house
	out *report
}

// onBooks has a house of large books measured.
func onBooks(ctx context.Context, out *report, title string, measure func(books) error) error {
	return with(ctx, mariaDB, 1, func(h *house) error {
		out.table(title, bookColumns...)
		return measure(books{h, out})
	})
}

// sold makes a company with so many invoices of March 2026.
func (h *house) sold(ctx context.Context, n int) (company, error) {
	began := now()
	to, err := h.foundPayer(ctx, fmt.Sprintf("UAB %d", n), originals)
	if err != nil {
		return to, err
	}
	c := h.caller(1)
	defer c.close()
	for i := range to.customers {
		if err := c.sell(ctx, to, to.invoice(i)); err != nil {
			return to, err
		}
	}
	f, err := h.filler(ctx, to)
	if err != nil {
		return to, err
	}
	copies := n/originals - 1
	if err := f.end(ctx, f.invoices(ctx, copies)); err != nil {
		return to, err
	}
	h.known.copied(sale, int64(copies)*originals)
	fmt.Fprintf(os.Stderr, "%d invoices in %s\n", n, now().Sub(began).Round(time.Second))
	return to, nil
}

// invoice is the draft of one: three lines, of which every fifth document has one at another rate.
func (to company) invoice(i int) string {
	rate := map[bool]string{true: "5", false: "21"}[i%5 == 0]
	return fmt.Sprintf(`{"partnerId":%q,"issueDate":"2026-03-%02d","lines":[{"description":"a","unitPriceExclVat":"%d.99"},`+
		`{"description":"b","unitPriceExclVat":"20.00"},{"description":"c","unitPriceExclVat":"30.00","vatRatePercent":%q}]}`,
		to.customers[i], 1+i%28, 10+i, rate)
}

// repetitions is how often an answer is measured; the median counts.
const repetitions = 7

// answer measures the median of some calls.
func (b books) answer(ctx context.Context, to company, name string, rows int, path, body string) error {
	return b.from(ctx, func(c *caller, idle int64, before counted) error {
		took := make([]time.Duration, repetitions)
		for i := range took {
			began := now()
			if err := c.query(ctx, to, path, body); err != nil {
				return err
			}
			took[i] = now().Sub(began)
		}
		slices.Sort(took)
		used, err := b.counted(ctx)
		if err != nil {
			return err
		}
		used = used.minus(before)
		used.server, used.database = used.server/repetitions, used.database/repetitions
		b.line(name, rows, took[repetitions/2], used, b.server.memory(peak)-idle, 0)
		return nil
	})
}

// from begins with a fresh server that has answered something, and tells the memory that it holds then.
func (b books) from(ctx context.Context, measure func(c *caller, idle int64, before counted) error) error {
	if err := b.restart(); err != nil {
		return err
	}
	c := b.caller(1)
	defer c.close()
	for range 20 {
		if err := trialBalance(ctx, c, b.companies[0]); err != nil {
			return err
		}
	}
	time.Sleep(time.Second)
	before, err := b.counted(ctx)
	if err != nil {
		return err
	}
	return measure(c, b.server.memory(resident), before)
}

func (b books) line(name string, rows int, took time.Duration, used counted, memory, file int64) {
	size := ""
	if file > 0 {
		size = mebibytes(file)
	}
	b.out.line(name, strconv.Itoa(rows), number(took.Seconds(), 3), number(used.server.Seconds(), 2), number(used.database.Seconds(), 2),
		mebibytes(memory), size)
}
