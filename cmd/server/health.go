package main

import (
	"context"

	"github.com/vienkart/vienkart/internal/export"
	"github.com/vienkart/vienkart/internal/idempotency"
	"github.com/vienkart/vienkart/internal/metrics"
	"github.com/vienkart/vienkart/internal/tenant"
	"github.com/vienkart/vienkart/internal/webhook/delivery"
)

// measureWork reads how far behind the background work is.
func measureWork(ctx context.Context, system tenant.System) (metrics.Work, error) {
	events, err := delivery.MeasureBacklog(ctx, system)
	if err != nil {
		return metrics.Work{}, err //nolint:wrapcheck // says what was read
	}
	lag, err := idempotency.SweepLag(ctx, system)
	if err != nil {
		return metrics.Work{}, err //nolint:wrapcheck // says what was read
	}
	exports, err := export.MeasureBacklog(ctx, system)
	if err != nil {
		return metrics.Work{}, err //nolint:wrapcheck // says what was read
	}
	jobs := make(map[string]int64, len(exports.Jobs))
	for status, n := range exports.Jobs {
		jobs[string(status)] = n
	}
	return metrics.Work{
		OutboxWaiting: events.Waiting, WebhookUndelivered: events.Undelivered, SweeperLag: lag, ExportJobs: jobs, ExportWaiting: exports.Waiting,
	}, nil
}
