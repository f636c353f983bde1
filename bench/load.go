package main

import (
	"context"
	"errors"
	"fmt"
	"strings"
	"sync"
	"time"
)

// load is one operation measured: a client repeats once until the time is up.
type load struct {
	name string
	// mutations is how many mutations one repetition is, for the ratio.
	mutations int
	prepare   func(context.Context, *caller, company) error
	once      func(context.Context, *caller, company) error
	// isHeld has a request of each company running meanwhile.
	isHeld bool
}

var (
	posting = load{name: "post a journal transaction of three entries", mutations: 1, once: postEntry}
	selling = load{name: "create and issue an invoice", mutations: 2, once: createAndIssue}
)

var loads = []load{
	posting,
	selling,
	{name: "create and register a supplier invoice", mutations: 2, once: createAndRegister},
	{name: "replay", mutations: 1, prepare: firstOfReplays, once: replay},
	{name: "reuse refused (422)", mutations: 1, prepare: firstOfReplays, once: reuse},
	{name: "in progress refused (409)", mutations: 1, prepare: firstOfReplays, once: twin, isHeld: true},
	{name: "trial balance", mutations: 1, once: trialBalance},
	{name: "list of invoices, filtered", mutations: 1, once: listInvoices},
}

// measureLoads measures every operation against the raw limit of each engine.
func measureLoads(ctx context.Context, s settings, out *report) error {
	for _, engine := range s.engines {
		err := with(ctx, engine, s.tenants, func(h *house) error { return h.measureLoads(ctx, s, out) })
		if err != nil {
			return fmt.Errorf("on %s: %w", engine, err)
		}
	}
	return nil
}

func (h *house) measureLoads(ctx context.Context, s settings, out *report) error {
	travel, err := h.travel(ctx, loads, h.companies[0])
	if err != nil {
		return err
	}
	raw, err := h.openRaw(ctx)
	if err != nil {
		return err
	}
	defer func() { _ = raw.close() }()
	out.table("Load on "+h.engine.name, columns("ratio to raw")...)
	for _, tenants := range []int{1, s.tenants} {
		limit, err := raw.measure(ctx, s.duration, tenants)
		if err != nil {
			return fmt.Errorf("measuring the raw limit: %w", err)
		}
		out.line(limit.cells(limit)...)
		for _, l := range loads {
			if !strings.Contains(l.name, s.only) {
				continue
			}
			for _, clients := range s.clients {
				r, err := h.run(ctx, l, s.duration, h.companies[:tenants], clients)
				if err != nil {
					return fmt.Errorf("measuring %s: %w", l.name, err)
				}
				r.travel = travel[l.name]
				out.line(r.cells(limit)...)
			}
		}
	}
	return nil
}

// run measures one operation at one number of clients.
func (h *house) run(ctx context.Context, l load, duration time.Duration, companies []company, clients int) (r row, err error) {
	c := h.caller(clients)
	defer c.close()
	if l.prepare != nil {
		for _, to := range companies {
			if err := l.prepare(ctx, c, to); err != nil {
				return row{}, err
			}
		}
	}
	if l.isHeld {
		duration = min(duration, heldAtMost-heldAtMost/4)
		release, err := h.hold(ctx, c, companies)
		if err != nil {
			return row{}, err
		}
		defer func() { err = errors.Join(err, release()) }()
	}
	before, err := h.counted(ctx)
	if err != nil {
		return row{}, err
	}
	r, err = repeat(clients, duration, func(i, n int) error { return l.once(ctx, c, companies[(i+n*clients)%len(companies)]) })
	if err != nil {
		return row{}, err
	}
	after, err := h.counted(ctx)
	r.name, r.mutations, r.tenants, r.counted = l.name, l.mutations, len(companies), after.minus(before)
	return r, err
}

// repeat has clients do something until the time is up. The time ends the loop, never a request: each one is acknowledged or failed,
// so that they can be counted afterwards.
func repeat(clients int, duration time.Duration, once func(client, n int) error) (row, error) {
	samples := make([][]time.Duration, clients)
	failed := make([]error, clients)
	var wait sync.WaitGroup
	start := now()
	for i := range clients {
		wait.Go(func() {
			for n := 0; now().Sub(start) < duration; n++ {
				began := now()
				if failed[i] = once(i, n); failed[i] != nil {
					return
				}
				samples[i] = append(samples[i], now().Sub(began))
			}
		})
	}
	wait.Wait()
	r := summarise(samples, now().Sub(start))
	r.clients = clients
	return r, errors.Join(failed...)
}
