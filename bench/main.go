package main

import (
	"context"
	"errors"
	"flag"
	"fmt"
	"os"
	"os/signal"
	"syscall"
	"time"
)

// settings are the flags.
type settings struct {
	duration time.Duration
	tenants  int
	clients  []int
	only     string
	results  string
}

func main() {
	var s settings
	flag.DurationVar(&s.duration, "duration", 5*time.Second, "how long each row is measured")
	flag.IntVar(&s.tenants, "tenants", 64, "companies; each row is measured for one and for this many")
	flag.StringVar(&s.only, "only", "", "measure only rows whose name contains this")
	flag.StringVar(&s.results, "results", "", "append the table to this file, with date and commit")
	var returns returnsSettings
	returns.register(flag.CommandLine)
	flag.Parse()
	s.clients = []int{1, 8, 32, 64}
	ctx, stop := signal.NotifyContext(context.Background(), os.Interrupt, syscall.SIGTERM)
	defer stop()
	work := func() error { return run(ctx, s) }
	if returns.on {
		work = func() error { return measureReturns(ctx, returns) }
	}
	if err := work(); err != nil {
		fmt.Fprintln(os.Stderr, "bench:", err)
		os.Exit(1)
	}
}

func run(ctx context.Context, s settings) (err error) {
	house, err := open(ctx, s.tenants)
	if err != nil {
		return err
	}
	defer func() { err = errors.Join(err, house.close()) }()
	var t table
	for _, tenants := range []int{1, s.tenants} {
		limit, err := measureRaw(ctx, house, s, tenants)
		if err != nil {
			return fmt.Errorf("measuring the raw limit: %w", err)
		}
		t.add(limit)
		for _, l := range loads {
			if err := measureLoad(ctx, house, s, l, tenants, limit, &t); err != nil {
				return fmt.Errorf("measuring %s: %w", l.name, err)
			}
		}
	}
	if err := house.check(ctx); err != nil {
		return fmt.Errorf("a fast wrong answer: %w", err)
	}
	return t.write(os.Stdout, s.results)
}
