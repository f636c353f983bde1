package main

import (
	"context"
	"crypto/tls"
	"fmt"
	"io"
	"net"
	"net/http"
	"os"
	"time"
)

// Limits of asking.
const (
	readyTimeout = 5 * time.Second
	maxReport    = 64 << 10
)

type readyCommand struct{}

// Run asks the server of this machine whether it is ready, prints its report and fails unless it is: a health check for
// containers that hold no other program.
func (readyCommand) Run(ctx context.Context, cfg *config) error {
	address, err := own(cfg.Addr)
	if err != nil {
		return err
	}
	ctx, cancel := context.WithTimeout(ctx, readyTimeout)
	defer cancel()
	r, err := http.NewRequestWithContext(ctx, http.MethodGet, cfg.scheme()+"://"+address+"/readyz", nil)
	if err != nil {
		return fmt.Errorf("VIENKART_ADDR: %w", err)
	}
	client := &http.Client{Transport: &http.Transport{
		Proxy: nil,
		// The certificate is for the name that callers use, and this asks by address, on the same machine, and sends nothing.
		TLSClientConfig: &tls.Config{InsecureSkipVerify: true}, //nolint:gosec // see above
	}}
	answer, err := client.Do(r)
	if err != nil {
		return fmt.Errorf("asking the server: %w", err)
	}
	defer func() { _ = answer.Body.Close() }()
	report, err := io.ReadAll(io.LimitReader(answer.Body, maxReport))
	if err != nil {
		return fmt.Errorf("reading the answer of the server: %w", err)
	}
	_, _ = fmt.Fprintf(os.Stdout, "%s\n", report)
	if answer.StatusCode != http.StatusOK {
		return fmt.Errorf("the server is not ready (%s)", answer.Status)
	}
	return nil
}

// own is where a server that listens on an address is reached from its own machine.
func own(listening string) (string, error) {
	host, port, err := net.SplitHostPort(listening)
	if err != nil {
		return "", fmt.Errorf("VIENKART_ADDR: %w", err)
	}
	if ip := net.ParseIP(host); host == "" || (ip != nil && ip.IsUnspecified()) {
		host = "localhost"
		if ip != nil && ip.To4() != nil {
			host = "127.0.0.1"
		}
	}
	return net.JoinHostPort(host, port), nil
}
