package main

import (
	"context"
	"errors"
	"fmt"
	"slices"
	"strconv"
	"time"
)

// rounds is how often a rate is measured with and without what runs beside; the medians are compared.
const rounds = 5

// measureDents measures what the sweeper of keys and the dispatcher of events take from the rate while they work, in turns with rounds
// in which they have nothing to do.
func measureDents(ctx context.Context, s settings, out *report) error {
	return with(ctx, mariaDB, s.tenants, func(h *house) error {
		out.table("What work beside takes from the rate", "operation", "beside it", "rounds", "per second without", "with", "less, %", "done beside, per second")
		if err := h.dentOfSweeper(ctx, s, out); err != nil {
			return err
		}
		return h.dentOfDispatcher(ctx, s, out)
	})
}

// beside is work that a server does in a round or leaves.
type beside struct {
	begin, end func(context.Context) error
	done       func(context.Context) (int64, error)
}

func (h *house) dent(ctx context.Context, s settings, out *report, l load, name string, b beside) error {
	var without, with []float64
	var done int64
	// The first rounds fill what the server remembers.
	if _, err := h.run(ctx, l, s.duration, h.companies, crowd); err != nil {
		return err
	}
	for range rounds {
		r, err := h.run(ctx, l, s.duration, h.companies, crowd)
		if err != nil {
			return err
		}
		without = append(without, r.rate)
		if err := b.begin(ctx); err != nil {
			return fmt.Errorf("beginning the %s: %w", name, err)
		}
		before, err := b.done(ctx)
		if err != nil {
			return err
		}
		if r, err = h.run(ctx, l, s.duration, h.companies, crowd); err != nil {
			return err
		}
		with = append(with, r.rate)
		after, err := b.done(ctx)
		if err != nil {
			return err
		}
		done += after - before
		if err := b.end(ctx); err != nil {
			return fmt.Errorf("ending the %s: %w", name, err)
		}
	}
	slices.Sort(without)
	slices.Sort(with)
	base, dented := without[rounds/2], with[rounds/2]
	out.line(l.name, name, strconv.Itoa(rounds), number(base, 0), number(dented, 0), number(100*(1-dented/base), 1),
		number(float64(done)/(rounds*s.duration.Seconds()), 0))
	return nil
}

// expired counts the keys that are due to be swept.
func (h *house) expired(ctx context.Context) (n int64, err error) {
	err = h.admin.Reader().QueryRowContext(ctx, "SELECT COUNT(*) FROM idempotency_keys WHERE expires_at < UTC_TIMESTAMP(6)").Scan(&n)
	return n, err
}

// dentOfSweeper has keys to sweep in every second round; those that are left are removed after it.
func (h *house) dentOfSweeper(ctx context.Context, s settings, out *report) error {
	return h.dent(ctx, s, out, posting, "sweeper", beside{
		begin: func(ctx context.Context) error {
			if err := h.keys(ctx, h.companies, s.large.expired/rounds, "DATE_SUB(UTC_TIMESTAMP(6), INTERVAL 1 DAY)"); err != nil {
				return err
			}
			before, err := h.expired(ctx)
			for left := before; left == before && err == nil; left, err = h.expired(ctx) {
				time.Sleep(100 * time.Millisecond)
			}
			return err
		},
		done: func(ctx context.Context) (int64, error) {
			left, err := h.expired(ctx)
			if left == 0 && err == nil {
				err = errors.New("the sweeper was done before the round; make -expired larger")
			}
			return -left, err
		},
		end: func(ctx context.Context) error {
			for {
				result, err := h.admin.Patient().ExecContext(ctx, "DELETE FROM idempotency_keys WHERE expires_at < UTC_TIMESTAMP(6) LIMIT 10000")
				if err != nil {
					return err
				}
				if n, err := result.RowsAffected(); n == 0 || err != nil {
					return err
				}
			}
		},
	})
}

// dentOfDispatcher has every company subscribed to the events of invoices in every second round.
func (h *house) dentOfDispatcher(ctx context.Context, s settings, out *report) error {
	to, err := receive(ctx)
	if err != nil {
		return err
	}
	defer func() { _ = to.server.Close() }()
	c := h.caller(1)
	defer c.close()
	subscriptions := make([]string, len(h.companies))
	for i, of := range h.companies {
		answer, err := c.mutate(ctx, of, "/v1/webhooks/subscriptions/create", fmt.Sprintf(`{"url":"http://%s/","events":["*"]}`, to.address))
		if err != nil {
			return err
		}
		id, err := idOf(answer)
		if err != nil {
			return err
		}
		subscriptions[i] = id.String()
	}
	switchTo := func(ctx context.Context, active bool) error {
		for i, of := range h.companies {
			if _, err := c.mutate(ctx, of, "/v1/webhooks/subscriptions/update", fmt.Sprintf(`{"id":%q,"isActive":%t}`, subscriptions[i], active)); err != nil {
				return err
			}
		}
		return nil
	}
	if err := switchTo(ctx, false); err != nil {
		return err
	}
	return h.dent(ctx, s, out, selling, "dispatcher", beside{
		begin: func(ctx context.Context) error { return switchTo(ctx, true) },
		done:  func(context.Context) (int64, error) { return to.events.Load(), nil },
		end: func(ctx context.Context) error {
			to.quiet()
			return switchTo(ctx, false)
		},
	})
}
