package main

import (
	"context"
	"encoding/json"
	"fmt"
	"net/http"
	"time"
)

// measureReturns has the server make FR0600 and i.SAF for months of many invoices.
func measureReturns(ctx context.Context, s settings, out *report) error {
	sizes, err := s.large.invoices.multiples(originals)
	if err != nil {
		return err
	}
	return onBooks(ctx, out, "VAT return and i.SAF of a month of so many invoices", func(b books) error {
		for _, n := range sizes {
			to, err := b.sold(ctx, n)
			if err != nil {
				return err
			}
			if err := b.returns(ctx, to, n); err != nil {
				return fmt.Errorf("measuring returns of %d invoices: %w", n, err)
			}
		}
		return nil
	})
}

// returns makes the return and every part of i.SAF as jobs of the server.
func (b books) returns(ctx context.Context, to company, n int) error {
	if err := b.job(ctx, to, "FR0600", n, `{"reportType":"fr0600","params":{"year":2026,"month":3},"formats":["json","xml"]}`); err != nil {
		return err
	}
	c := b.caller(1)
	answer, err := c.post(ctx, to, "/v1/declarations/lt/isaf/generate", "", `{"year":2026,"month":3}`, http.StatusOK)
	c.close()
	if err != nil {
		return err
	}
	var filing struct {
		Parts []struct{} `json:"parts"`
	}
	if err := json.Unmarshal(answer, &filing); err != nil {
		return fmt.Errorf("reading the parts of i.SAF: %w", err)
	}
	for part := range filing.Parts {
		name := fmt.Sprintf("i.SAF, part %d of %d", part+1, len(filing.Parts))
		body := fmt.Sprintf(`{"reportType":"isaf","params":{"year":2026,"month":3,"part":%d},"formats":["xml"]}`, part+1)
		if err := b.job(ctx, to, name, n, body); err != nil {
			return err
		}
	}
	return nil
}

// jobCard is what the server tells of a job.
type jobCard struct {
	ID         string    `json:"id"`
	Status     string    `json:"status"`
	Error      string    `json:"error"`
	StartedAt  time.Time `json:"startedAt"`
	FinishedAt time.Time `json:"finishedAt"`
	Outputs    []struct {
		SizeBytes int64 `json:"sizeBytes"`
	} `json:"outputs"`
}

// job has the server make files, beginning idle, and prints what it took.
func (b books) job(ctx context.Context, to company, name string, rows int, body string) error {
	return b.from(ctx, func(c *caller, idle int64, before counted) error {
		answer, err := c.mutate(ctx, to, "/v1/reports/jobs/create", body)
		if err != nil {
			return err
		}
		var card jobCard
		for card.Status != "completed" {
			if err := json.Unmarshal(answer, &card); err != nil {
				return fmt.Errorf("reading a job: %w", err)
			}
			if card.Status == "failed" {
				return fmt.Errorf("%s: %s", name, card.Error)
			}
			time.Sleep(50 * time.Millisecond)
			if answer, err = c.post(ctx, to, "/v1/reports/jobs/get", "", fmt.Sprintf(`{"id":%q}`, card.ID), http.StatusOK); err != nil {
				return err
			}
		}
		used, err := b.counted(ctx)
		if err != nil {
			return err
		}
		var bytes int64
		for _, output := range card.Outputs {
			bytes += output.SizeBytes
		}
		b.line(name, rows, card.FinishedAt.Sub(card.StartedAt), used.minus(before), b.server.memory(peak)-idle, bytes)
		return nil
	})
}
