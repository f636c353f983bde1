package main

import (
	"context"
	"errors"
	"fmt"
	"net/http"
	"os"
	"slices"
	"strconv"
	"time"
)

const (
	// starts is how often a start is measured.
	starts = 10
	// settling is how long a server is left alone before its memory is read: Go gives back what a collection freed after a while.
	settling = 10 * time.Second
	// loadBefore is how long load goes on before idle memory is read again.
	loadBefore = 5 * time.Second
)

// measureStarts measures the time from the start of the process to its first answer, and what memory an idle server holds. What is private
// is not the binary, whose pages the kernel shares and drops as it likes.
func measureStarts(ctx context.Context, s settings, out *report) error {
	out.table("Start and idle memory", "database", "starts", "best ms", "median ms", "MiB idle", "of it private", "idle after load", "of it private")
	for _, name := range s.engines {
		if err := measureStart(ctx, name, out); err != nil {
			return fmt.Errorf("on %s: %w", name, err)
		}
	}
	return nil
}

func measureStart(ctx context.Context, engineName string, out *report) error {
	return with(ctx, engineName, 1, func(h *house) error {
		memory, err := h.idle(ctx)
		if err != nil {
			return err
		}
		if err := h.starts(out, engineName+", migrated and empty", h.migrated(ctx), memory...); err != nil || h.engine.mysql != nil {
			return err
		}
		// SQLite is migrated by the first start, which is what a newcomer waits for.
		return h.starts(out, engineName+", no file yet", h.nothing, "", "", "", "")
	})
}

// starts measures on databases of one kind.
func (h *house) starts(out *report, name string, address func() (string, error), memory ...string) error {
	took := make([]time.Duration, starts)
	for n := range took {
		at, err := address()
		if err != nil {
			return err
		}
		if took[n], err = firstAnswer(h.binary, at); err != nil {
			return err
		}
	}
	slices.Sort(took)
	out.line(append([]string{name, strconv.Itoa(starts), milliseconds(took[0]), milliseconds(took[starts/2])}, memory...)...)
	return nil
}

// migrated gives one database with the schema and nothing in it.
func (h *house) migrated(ctx context.Context) func() (string, error) {
	address := ""
	return func() (string, error) {
		if address != "" {
			return address, nil
		}
		made, admin, err := h.engine.database(ctx)
		if err != nil {
			return "", err
		}
		address = made
		return address, admin.Close()
	}
}

// nothing gives the address of a file that is not there.
func (h *house) nothing() (string, error) {
	folder, err := os.MkdirTemp(h.folder, "new-")
	if err != nil {
		return "", fmt.Errorf("making a folder: %w", err)
	}
	return "sqlite:" + folder + "/vienkart.db", nil
}

// firstAnswer starts a server and waits until it says that it is ready.
func firstAnswer(binary, address string) (took time.Duration, err error) {
	began := now()
	s, err := serve(binary, address)
	if err != nil {
		return 0, err
	}
	defer func() { err = errors.Join(err, s.stop()) }()
	w, err := http.Get(s.url + "/readyz")
	if err != nil {
		return 0, fmt.Errorf("waiting for the first answer: %w", err)
	}
	took = now().Sub(began)
	if err := w.Body.Close(); err != nil {
		return 0, err
	}
	if w.StatusCode != http.StatusOK {
		return 0, fmt.Errorf("the first answer is %d", w.StatusCode)
	}
	return took, nil
}

// idle is the memory of a server that was left alone, and of one that was so after load. It has no metrics, which nobody scrapes.
func (h *house) idle(ctx context.Context) (memory []string, err error) {
	if err := h.server.stop(); err != nil {
		return nil, err
	}
	if h.server, err = serve(h.binary, h.address); err != nil {
		return nil, err
	}
	hold := func() {
		time.Sleep(settling)
		memory = append(memory, mebibytes(h.server.memory(resident)), mebibytes(h.server.memory(private)))
	}
	hold()
	c := h.caller(crowd)
	defer c.close()
	operations := []func(context.Context, *caller, company) error{postEntry, createAndIssue, createAndRegister, trialBalance}
	_, err = repeat(crowd, loadBefore, func(_, n int) error { return operations[n%len(operations)](ctx, c, h.companies[0]) })
	hold()
	return memory, err
}
