package main

import (
	"fmt"
	"io"
	"os"
	"os/exec"
	"strconv"
	"strings"
	"time"

	"github.com/vienkart/vienkart/internal/clock"
)

// report is what is printed in the end, and kept if the run was right.
type report struct{ text strings.Builder }

func newReport(s settings) *report {
	r := &report{}
	commit, _ := exec.Command("git", "rev-parse", "--short", "HEAD").Output()
	fmt.Fprintf(&r.text, "\n## %s, commit %s, %s a row\n", now().Format("2006-01-02 15:04"), strings.TrimSpace(string(commit)), s.duration)
	return r
}

// table begins a table; its rows follow by line.
func (r *report) table(title string, columns ...string) {
	fmt.Fprintf(&r.text, "\n%s\n\n", title)
	fmt.Fprintln(os.Stderr, title)
	r.line(columns...)
	fmt.Fprintf(&r.text, "|%s\n", strings.Repeat("---|", len(columns)))
}

// line adds a row, and shows it at once to who waits.
func (r *report) line(cells ...string) {
	line := "| " + strings.Join(cells, " | ") + " |\n"
	r.text.WriteString(line)
	_, _ = io.WriteString(os.Stderr, line)
}

func (r *report) write(w io.Writer, results string) error {
	if _, err := io.WriteString(w, r.text.String()); err != nil {
		return fmt.Errorf("printing: %w", err)
	}
	if results == "" {
		return nil
	}
	f, err := os.OpenFile(results, os.O_APPEND|os.O_CREATE|os.O_WRONLY, 0o644)
	if err != nil {
		return fmt.Errorf("opening the results: %w", err)
	}
	if _, err := f.WriteString(r.text.String()); err != nil {
		return fmt.Errorf("writing the results: %w", err)
	}
	return f.Close()
}

// now reads the one clock of the product.
func now() time.Time { return clock.System{}.Now() }

func number(n float64, decimals int) string { return strconv.FormatFloat(n, 'f', decimals, 64) }

// unlessZero is number for a measurement that some engines do not have.
func unlessZero(n float64, decimals int) string {
	if n == 0 {
		return ""
	}
	return number(n, decimals)
}

func milliseconds(d time.Duration) string { return number(float64(d.Microseconds())/1000, 2) }

func mebibytes(n int64) string { return number(float64(n)/(1<<20), 1) }
