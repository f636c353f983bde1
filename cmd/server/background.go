package main

import (
	"context"
	"log/slog"
	"sync"
	"time"

	"github.com/vienkart/vienkart/internal/account"
	"github.com/vienkart/vienkart/internal/clock"
	"github.com/vienkart/vienkart/internal/export"
	"github.com/vienkart/vienkart/internal/files"
	"github.com/vienkart/vienkart/internal/httpapi"
	"github.com/vienkart/vienkart/internal/idempotency"
	"github.com/vienkart/vienkart/internal/invoice/letter"
	"github.com/vienkart/vienkart/internal/tenant"
	"github.com/vienkart/vienkart/internal/webhook/delivery"
)

// Pauses of the background work.
const (
	flushEvery = time.Second
	sweepEvery = 5 * time.Second
	// sweepRest is how many times as long as a full batch took it is rested before the next, so that a backlog does not hold up traffic:
	// on a busy database, which takes longer, it is worked off more slowly.
	sweepRest = 9
	lastFlush = 5 * time.Second
	// seenEvery is how exactly it is known when a key or a session was used last.
	seenEvery = time.Minute
	// tidyEvery is how often ended sessions, links and attempts are removed.
	tidyEvery = 5 * time.Minute
	// orphansEvery is how often the folder of files is searched for what no row refers to.
	orphansEvery = 24 * time.Hour
)

// background is what a server does beside answering.
type background struct {
	cancel context.CancelFunc
	wait   sync.WaitGroup
	system tenant.System
	runner *idempotency.Runner
	depot  files.Depot
}

func startBackground(system tenant.System, d httpapi.Dependencies, postman *letter.Postman, exportWorkers int) *background {
	ctx, cancel := context.WithCancel(context.Background())
	b := &background{cancel: cancel, system: system, runner: d.Runner, depot: d.Depot}
	b.wait.Go(func() { every(ctx, flushEvery, b.flush) })
	b.wait.Go(func() { every(ctx, sweepEvery, b.sweep) })
	b.wait.Go(func() { every(ctx, seenEvery, b.seen) })
	b.wait.Go(func() { every(ctx, tidyEvery, b.tidy) })
	b.wait.Go(func() { delivery.NewDispatcher(system, d.Webhooks).Run(ctx) })
	b.wait.Go(func() { postman.Run(ctx) })
	b.wait.Go(func() { b.orphans(ctx); every(ctx, orphansEvery, b.orphans) })
	for range exportWorkers {
		worker := &export.Worker{System: system, Reports: httpapi.ReportExports(version)}
		b.wait.Go(func() { worker.Run(ctx) })
	}
	return b
}

// stop ends the work and writes what it had not written yet.
func (b *background) stop() {
	b.cancel()
	b.wait.Wait()
	b.runner.Drain()
	ctx, cancel := context.WithTimeout(context.Background(), lastFlush)
	defer cancel()
	b.flush(ctx)
	b.seen(ctx)
}

func every(ctx context.Context, pause time.Duration, work func(context.Context)) {
	ticker := time.NewTicker(pause)
	defer ticker.Stop()
	for {
		select {
		case <-ctx.Done():
			return
		case <-ticker.C:
			work(ctx)
		}
	}
}

func (b *background) flush(ctx context.Context) {
	if err := b.runner.FlushReplays(ctx, b.system); err != nil && ctx.Err() == nil {
		slog.Warn("replays not counted", "error", err)
	}
}

func (b *background) sweep(ctx context.Context) {
	for ctx.Err() == nil {
		began := clock.System{}.Now()
		n, err := idempotency.Sweep(ctx, b.system)
		if err != nil {
			if ctx.Err() == nil {
				slog.Warn("expired keys not swept", "error", err)
			}
			return
		}
		if n < idempotency.SweepBatch {
			return
		}
		select {
		case <-ctx.Done():
		case <-time.After(min(sweepEvery, sweepRest*clock.System{}.Now().Sub(began))):
		}
	}
}

func (b *background) seen(ctx context.Context) {
	if err := tenant.FlushSightings(ctx, b.system); err != nil && ctx.Err() == nil {
		slog.Warn("when keys were used was not written", "error", err)
	}
}

func (b *background) tidy(ctx context.Context) {
	if err := account.Sweep(ctx, b.system); err != nil && ctx.Err() == nil {
		slog.Warn("ended sessions not removed", "error", err)
	}
}

func (b *background) orphans(ctx context.Context) {
	if _, err := b.depot.Sweep(ctx, b.system); err != nil && ctx.Err() == nil {
		slog.Warn("the folder of files was not swept", "error", err)
	}
}
