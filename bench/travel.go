package main

import (
	"context"
	"errors"
	"fmt"
	"net/url"
	"slices"

	"github.com/vienkart/vienkart/internal/testkit/tap"
)

// travel is what one repetition of an operation sends to the database: statements, and how often the server waits for an answer.
type travel struct{ statements, trips int }

// warm are the repetitions that fill what a server remembers, tapped those that are counted; their median is free of what the server
// does beside.
const (
	warm   = 3
	tapped = 9
)

// travel counts by a server of its own, whose statements pass a tap: the tap would slow down what is measured. SQLite has no way to
// travel.
func (h *house) travel(ctx context.Context, of []load, to company) (found map[string]travel, err error) {
	if h.engine.mysql == nil {
		return nil, nil
	}
	address, err := url.Parse(h.address)
	if err != nil {
		return nil, fmt.Errorf("reading the address of the database: %w", err)
	}
	wire, err := tap.Open(ctx, address.Host)
	if err != nil {
		return nil, err
	}
	defer wire.Close()
	address.Host = wire.Address()
	aside, err := serve(h.binary, address.String())
	if err != nil {
		return nil, err
	}
	defer func() { err = errors.Join(err, aside.stop()) }()
	c := newCaller(aside.url, h.known, 1)
	defer c.close()
	found = map[string]travel{}
	for _, l := range of {
		if found[l.name], err = h.count(ctx, c, wire, l, to); err != nil {
			return nil, fmt.Errorf("counting the statements of %s: %w", l.name, err)
		}
	}
	return found, nil
}

func (h *house) count(ctx context.Context, c *caller, wire *tap.Tap, l load, to company) (t travel, err error) {
	if l.prepare != nil {
		if err := l.prepare(ctx, c, to); err != nil {
			return t, err
		}
	}
	if l.isHeld {
		release, err := h.hold(ctx, c, []company{to})
		if err != nil {
			return t, err
		}
		defer func() { err = errors.Join(err, release()) }()
	}
	var statements, trips []int
	for i := range warm + tapped {
		wire.Take()
		if err := l.once(ctx, c, to); err != nil {
			return t, err
		}
		if i >= warm {
			sent, exchanges := wire.TakeCounted()
			statements, trips = append(statements, len(sent)), append(trips, exchanges)
		}
	}
	slices.Sort(statements)
	slices.Sort(trips)
	return travel{statements[tapped/2], trips[tapped/2]}, nil
}
