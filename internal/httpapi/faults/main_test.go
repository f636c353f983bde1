package faults_test

import (
	"fmt"
	"os"
	"slices"
	"strconv"
	"sync"
	"testing"
	"time"

	"github.com/vienkart/vienkart/internal/clock"
)

// The environment of a run.
const (
	// longVariable is how long each fault is injected again and again, such as 90s; without it a few of each are.
	longVariable = "VIENKART_FAULTS"
	// seedVariable draws the faults of an earlier run again. What the machine does in between is not drawn, so the run is
	// alike and not the same.
	seedVariable = "VIENKART_FAULTS_SEED"
)

var (
	long time.Duration
	seed uint64
)

// summary collects one line per run.
var summary struct {
	mu                     sync.Mutex
	lines                  []string
	total                  verdict
	runs, injected, failed int
}

func note(r *rig, v verdict) {
	summary.mu.Lock()
	defer summary.mu.Unlock()
	l := fmt.Sprintf("%-58s %s", r.name, line(r.injected, int(r.failed.Load()), v))
	summary.lines = append(summary.lines, l)
	if long > 0 {
		_, _ = fmt.Fprintln(os.Stdout, l) // whoever waits for a quarter of an hour wants to see something
	}
	summary.runs++
	summary.injected += r.injected
	summary.failed += int(r.failed.Load())
	t := &summary.total
	t.acknowledged, t.unanswered = t.acknowledged+v.acknowledged, t.unanswered+v.unanswered
	t.lost, t.duplicated, t.half = t.lost+v.lost, t.duplicated+v.duplicated, t.half+v.half
}

func line(injected, failed int, v verdict) string {
	return fmt.Sprintf("faults injected %d, calls failed %d, mutations acknowledged %d, given up %d, effects lost %d, duplicated %d, halved %d",
		injected, failed, v.acknowledged, v.unanswered, v.lost, v.duplicated, v.half)
}

func TestMain(m *testing.M) {
	seed = uint64(clock.System{}.Now().UnixNano())
	var err error
	if text := os.Getenv(seedVariable); text != "" {
		if seed, err = strconv.ParseUint(text, 10, 64); err != nil {
			panic(seedVariable + ": " + err.Error())
		}
	}
	if text := os.Getenv(longVariable); text != "" {
		if long, err = time.ParseDuration(text); err != nil {
			panic(longVariable + ": " + err.Error())
		}
	}
	code := m.Run()
	slices.Sort(summary.lines)
	for _, l := range summary.lines {
		_, _ = fmt.Fprintln(os.Stdout, l)
	}
	_, _ = fmt.Fprintf(os.Stdout, "SEED %d, %d RUNS: %s\n", seed, summary.runs, line(summary.injected, summary.failed, summary.total))
	os.Exit(code)
}
