package main

import (
	"context"
	"errors"
	"fmt"
	"io"
	"net"
	"net/http"
	"os"
	"sync/atomic"
	"time"
)

// receiver takes events.
type receiver struct {
	server  *http.Server
	address string
	events  atomic.Int64
}

func receive(ctx context.Context) (*receiver, error) {
	listener, err := (&net.ListenConfig{}).Listen(ctx, "tcp", "127.0.0.1:0")
	if err != nil {
		return nil, fmt.Errorf("listening for events: %w", err)
	}
	r := &receiver{address: listener.Addr().String()}
	r.server = &http.Server{ReadHeaderTimeout: time.Minute, Handler: http.HandlerFunc(func(_ http.ResponseWriter, q *http.Request) {
		_, _ = io.Copy(io.Discard, q.Body)
		r.events.Add(1)
	})}
	go func() {
		if err := r.server.Serve(listener); !errors.Is(err, http.ErrServerClosed) {
			fmt.Fprintln(os.Stderr, "the receiver of events ended:", err)
		}
	}()
	return r, nil
}

// quiet waits until what is due has arrived.
func (r *receiver) quiet() {
	for before := int64(-1); before != r.events.Load(); time.Sleep(2 * time.Second) {
		before = r.events.Load()
	}
}
