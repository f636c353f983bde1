package delivery

import (
	"context"
	"errors"
	"log/slog"
	"net/http"
	"sync"
	"time"

	"github.com/vienkart/vienkart/internal/tenant"
)

// Dispatcher sends events from one server. Any number of servers may run one each on the same database.
type Dispatcher struct {
	system tenant.System
	policy Policy
	client *http.Client
	slots  chan struct{}

	mu    sync.Mutex
	lanes map[tenant.ID]bool // subscriptions being served
	work  sync.WaitGroup
}

// NewDispatcher prepares one; Run starts it.
func NewDispatcher(system tenant.System, policy Policy) *Dispatcher {
	return &Dispatcher{
		system: system, policy: policy, client: newClient(policy.AllowPrivate),
		slots: make(chan struct{}, concurrency), lanes: map[tenant.ID]bool{},
	}
}

// Run hands out and sends events until ctx ends, then lets attempts under way finish.
func (d *Dispatcher) Run(ctx context.Context) {
	defer d.client.CloseIdleConnections()
	defer d.work.Wait()
	d.work.Go(func() { d.sweeping(ctx) })
	timer := time.NewTimer(0)
	defer timer.Stop()
	for {
		select {
		case <-ctx.Done():
			return
		case <-timer.C:
		}
		isMore, err := d.fanOut(ctx)
		complain(ctx, "events not handed out", err)
		complain(ctx, "due deliveries not found", d.startLanes(ctx))
		if isMore && err == nil {
			timer.Reset(0)
		} else {
			timer.Reset(pollEvery)
		}
	}
}

// complain logs what will be tried again.
func complain(ctx context.Context, what string, err error) {
	if err != nil && !errors.Is(err, context.Canceled) {
		slog.WarnContext(ctx, "webhooks: "+what, "error", err)
	}
}

func (d *Dispatcher) sweeping(ctx context.Context) {
	ticker := time.NewTicker(sweepEvery)
	defer ticker.Stop()
	for {
		complain(ctx, "old events not swept", d.sweep(ctx))
		select {
		case <-ctx.Done():
			return
		case <-ticker.C:
		}
	}
}
