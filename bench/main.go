package main

import (
	"context"
	"errors"
	"flag"
	"fmt"
	"os"
	"os/signal"
	"slices"
	"strconv"
	"strings"
	"syscall"
	"time"
)

// settings are the flags.
type settings struct {
	parts    list
	engines  list
	duration time.Duration
	tenants  int
	clients  []int
	only     string
	results  string
	large    large
}

// large is how large books become in the parts that fill them.
type large struct {
	invoices list // of returns
	listed   list
	entries  list
	tenants  int
	grown    int // invoices
	expired  int // keys
}

// list is a flag of words parted by commas.
type list []string

func (l *list) String() string { return strings.Join(*l, ",") }

// Set reads the flag.
func (l *list) Set(text string) error {
	*l = strings.Split(text, ",")
	return nil
}

// multiples reads numbers that must be multiples of a unit.
func (l list) multiples(unit int) ([]int, error) {
	numbers := make([]int, len(l))
	for i, text := range l {
		n, err := strconv.Atoi(text)
		if err != nil || n < unit || n%unit != 0 {
			return nil, fmt.Errorf("%q is no multiple of %d", text, unit)
		}
		numbers[i] = n
	}
	return numbers, nil
}

// parts are what can be measured, in their order.
var parts = []struct {
	name    string
	measure func(context.Context, settings, *report) error
}{
	{"load", measureLoads},
	{"start", measureStarts},
	{"returns", measureReturns},
	{"lists", measureLists},
	{"balances", measureBalances},
	{"growth", measureGrowth},
	{"dents", measureDents},
}

func main() {
	s := settings{
		parts: list{"load", "start"}, engines: list{mariaDB, sqlite}, clients: []int{1, 8, 32, 64},
		large: large{invoices: list{"1000", "10000", "100000"}, listed: list{"1000000"}, entries: list{"100000", "10000000"}},
	}
	flag.Var(&s.parts, "part", "what is measured, parted by commas: load, start, returns, lists, balances, growth, dents")
	flag.Var(&s.engines, "engine", "engines of the parts load and start, parted by commas: "+mariaDB+", "+sqlite)
	flag.DurationVar(&s.duration, "duration", 5*time.Second, "how long each row of load, growth and dents is measured")
	flag.IntVar(&s.tenants, "tenants", 64, "companies; each row of load is measured for one and for this many")
	flag.StringVar(&s.only, "only", "", "measure only rows of load whose name contains this")
	flag.StringVar(&s.results, "results", "", "append the results to this file, with date and commit")
	flag.Var(&s.large.invoices, "invoices", "returns: invoices of the month of each company, in thousands")
	flag.Var(&s.large.listed, "listed", "lists: invoices of each company, in thousands")
	flag.Var(&s.large.entries, "entries", "balances: journal lines of each company, in thousands")
	flag.IntVar(&s.large.tenants, "grown-tenants", 10_000, "growth: companies in the end")
	flag.IntVar(&s.large.grown, "grown-invoices", 1_000_000, "growth: invoices of one company in the end, in thousands")
	flag.IntVar(&s.large.expired, "expired", 1_000_000, "growth, dents: expired keys")
	flag.Parse()
	ctx, stop := signal.NotifyContext(context.Background(), os.Interrupt, syscall.SIGTERM)
	defer stop()
	if err := run(ctx, s); err != nil {
		fmt.Fprintln(os.Stderr, "bench:", err)
		os.Exit(1)
	}
}

func run(ctx context.Context, s settings) error {
	out := newReport(s)
	known := 0
	for _, part := range parts {
		if !slices.Contains(s.parts, part.name) {
			continue
		}
		known++
		began := now()
		if err := part.measure(ctx, s, out); err != nil {
			// What was measured before is kept for the reader, not for the file.
			return errors.Join(fmt.Errorf("measuring %s: %w", part.name, err), out.write(os.Stdout, ""))
		}
		fmt.Fprintf(os.Stderr, "%s: %s\n", part.name, now().Sub(began).Round(time.Second))
	}
	if known != len(s.parts) {
		return fmt.Errorf("of the parts %s only %d are known", s.parts.String(), known)
	}
	return out.write(os.Stdout, s.results)
}
