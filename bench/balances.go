package main

import (
	"context"
	"fmt"
	"os"
	"strings"
	"time"
)

// Journal lines that the server posts itself: ten in each of the transactions, which lie in all months of 2025.
const (
	transactionsOfOriginals = 100
	linesOfTransaction      = 10
	linesOfOriginals        = transactionsOfOriginals * linesOfTransaction
)

// measureBalances measures the trial balance of long journals, with all months open and with all locked.
func measureBalances(ctx context.Context, s settings, out *report) error {
	sizes, err := s.large.entries.multiples(linesOfOriginals)
	if err != nil {
		return err
	}
	return onBooks(ctx, out, "Trial balance of two months after a year of so many journal lines", func(b books) error {
		for _, n := range sizes {
			if err := b.balances(ctx, n); err != nil {
				return fmt.Errorf("measuring balances of %d journal lines: %w", n, err)
			}
		}
		return nil
	})
}

func (b books) balances(ctx context.Context, n int) error {
	to, err := b.journal(ctx, n)
	if err != nil {
		return err
	}
	const path, request = "/v1/reports/trial-balance", `{"fromDate":"2025-11-01","toDate":"2025-12-31"}`
	if err := b.answer(ctx, to, "all months open", n, path, request); err != nil {
		return err
	}
	c := b.caller(1)
	defer c.close()
	for month := range 12 {
		if _, err := c.mutate(ctx, to, "/v1/ledger/periods/lock", fmt.Sprintf(`{"year":2025,"month":%d}`, month+1)); err != nil {
			return err
		}
	}
	return b.answer(ctx, to, "all months locked", n, path, request)
}

// journal makes a company with so many journal lines.
func (b books) journal(ctx context.Context, n int) (company, error) {
	began := now()
	to, err := b.foundPayer(ctx, fmt.Sprintf("UAB %d eilučių", n), 0)
	if err != nil {
		return to, err
	}
	c := b.caller(1)
	defer c.close()
	accounts := []string{"2410", "2710", "5000", "5001", "6000", "6300", "4430", "4492", "2441", "2040"}
	for i := range transactionsOfOriginals {
		lines := make([]string, linesOfTransaction)
		for l := range lines {
			side := map[bool]string{true: "debit", false: "credit"}[l%2 == 0]
			lines[l] = fmt.Sprintf(`{"accountCode":%q,%q:"%d.00"}`, accounts[(i+l)%len(accounts)], side, 10+i)
		}
		body := fmt.Sprintf(`{"date":"2025-%02d-%02d","description":"Original","entries":[%s]}`, 1+i%12, 1+i%28, strings.Join(lines, ","))
		if _, err := c.mutate(ctx, to, postPath, body); err != nil {
			return to, err
		}
	}
	f, err := b.filler(ctx, to)
	if err != nil {
		return to, err
	}
	if err := f.end(ctx, f.entries(ctx, n/linesOfOriginals-1)); err != nil {
		return to, err
	}
	fmt.Fprintf(os.Stderr, "%d journal lines in %s\n", n, now().Sub(began).Round(time.Second))
	return to, nil
}
