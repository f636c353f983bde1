package main

import (
	"fmt"
	"io"
	"os"
	"os/exec"
	"slices"
	"strconv"
	"strings"
	"time"

	"github.com/vienkart/vienkart/internal/clock"
)

// row is one line of the table.
type row struct {
	name    string
	tenants int
	clients int
	count   int
	rate    float64
	p50     time.Duration
	p99     time.Duration
	p999    time.Duration
	cpu     cpu
	ratio   float64
}

func summarise(name string, samples [][]time.Duration, took time.Duration) row {
	all := slices.Concat(samples...)
	slices.Sort(all)
	r := row{name: name, count: len(all)}
	if len(all) == 0 {
		return r
	}
	at := func(share float64) time.Duration { return all[min(len(all)-1, int(float64(len(all))*share))] }
	r.rate = float64(len(all)) / took.Seconds()
	r.p50, r.p99, r.p999 = at(0.50), at(0.99), at(0.999)
	return r
}

// finish relates a row to the raw limit: mutations a second against the raw ones.
func (r row) finish(limit row, mutations int) row {
	r.ratio = r.rate * float64(mutations) / limit.rate
	return r
}

// cpu is the processor time of the server and of the database.
type cpu struct{ server, database time.Duration }

func (c cpu) minus(o cpu) cpu { return cpu{c.server - o.server, c.database - o.database} }

// clockTicks is the unit of /proc/PID/stat on Linux.
const clockTicks = 100

func (h *house) cpu() cpu {
	return cpu{processTime(strconv.Itoa(h.server.Process.Pid)), processTime(databasePID())}
}

// processTime reads user and system time from /proc; zero where there is none.
func processTime(pid string) time.Duration {
	stat, err := os.ReadFile("/proc/" + pid + "/stat")
	if err != nil {
		return 0
	}
	_, after, _ := strings.Cut(string(stat), ") ")
	fields := strings.Fields(after)
	if len(fields) < 13 {
		return 0
	}
	user, _ := strconv.Atoi(fields[11])
	system, _ := strconv.Atoi(fields[12])
	return time.Duration(user+system) * time.Second / clockTicks
}

// databasePID is the database server below a supervisor that this process started; empty for one elsewhere.
func databasePID() string {
	supervisors, err := exec.Command("pgrep", "-d,", "-P", strconv.Itoa(os.Getpid())).Output()
	if err != nil {
		return ""
	}
	out, err := exec.Command("pgrep", "-n", "-P", strings.TrimSpace(string(supervisors)), "-x", "mariadbd|mysqld").Output()
	if err != nil {
		return ""
	}
	return strings.TrimSpace(string(out))
}

// table is the result.
type table struct{ rows []row }

func (t *table) add(r row) {
	t.rows = append(t.rows, r)
	fmt.Fprintln(os.Stderr, r.line())
}

const heading = "| operation | tenants | clients | per second | p50 ms | p99 ms | p99.9 ms | CPU s per 1000: server | database | ratio to raw |\n" +
	"|---|---|---|---|---|---|---|---|---|---|\n"

func (r row) line() string {
	ms := func(d time.Duration) string { return strconv.FormatFloat(float64(d.Microseconds())/1000, 'f', 2, 64) }
	per := func(d time.Duration) string {
		if d == 0 || r.count == 0 {
			return ""
		}
		return strconv.FormatFloat(d.Seconds()*1000/float64(r.count), 'f', 3, 64)
	}
	return fmt.Sprintf("| %s | %d | %d | %.0f | %s | %s | %s | %s | %s | %.2f |",
		r.name, r.tenants, r.clients, r.rate, ms(r.p50), ms(r.p99), ms(r.p999), per(r.cpu.server), per(r.cpu.database), r.ratio)
}

func (t *table) write(w io.Writer, results string) error {
	var b strings.Builder
	commit, _ := exec.Command("git", "rev-parse", "--short", "HEAD").Output()
	fmt.Fprintf(&b, "\n## %s, commit %s\n\n%s", now().Format("2006-01-02 15:04"), strings.TrimSpace(string(commit)), heading)
	for _, r := range t.rows {
		b.WriteString(r.line() + "\n")
	}
	if _, err := io.WriteString(w, b.String()); err != nil {
		return fmt.Errorf("printing: %w", err)
	}
	if results == "" {
		return nil
	}
	f, err := os.OpenFile(results, os.O_APPEND|os.O_CREATE|os.O_WRONLY, 0o644)
	if err != nil {
		return fmt.Errorf("opening the results: %w", err)
	}
	if _, err := f.WriteString(b.String()); err != nil {
		return fmt.Errorf("writing the results: %w", err)
	}
	return f.Close()
}

// now reads the one clock of the product.
func now() time.Time { return clock.System{}.Now() }
