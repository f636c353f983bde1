package httpapi

import (
	"context"
	"fmt"
	"log/slog"
	"net/http"
	"time"

	"github.com/labstack/echo/v4"
	"github.com/swaggest/openapi-go/openapi31"

	"github.com/vienkart/vienkart/internal/apperr"
	"github.com/vienkart/vienkart/internal/idempotency"
	"github.com/vienkart/vienkart/internal/tenant"
)

// headerSimulate asks a sandbox company's server to misbehave, so that a client's retries can be tried out.
const headerSimulate = "Vienkart-Simulate"

// The misbehaviours.
const (
	simulateDrop       = "drop-response"
	simulateInProgress = "in-progress"
	simulateSlow       = "slow"
	simulateError      = "error"
)

// simulatedDelay is longer than an impatient client waits, and shorter than a patient one.
const simulatedDelay = 5 * time.Second

// simulated runs a mutation with the misbehaviour that the request asks for. For a real company the wish is ignored and
// the answer says so.
func (s *Server) simulated(c echo.Context, scope tenant.Scope, run func() error) error {
	wish := c.Request().Header.Get(headerSimulate)
	if wish == "" {
		return run()
	}
	h := c.Response().Header()
	if !scope.Company().IsSandbox {
		h.Set(headerSimulate, "ignored: only a sandbox company simulates")
		return run()
	}
	h.Set(headerSimulate, wish)
	switch wish {
	case simulateError:
		return apperr.ErrInternal.New("This error was asked for by %s; nothing was kept.", headerSimulate)
	case simulateInProgress:
		return idempotency.ErrInProgress.New(idempotency.MessageInProgress)
	case simulateSlow:
		pause(c.Request().Context(), simulatedDelay)
		return run()
	case simulateDrop:
		return s.dropped(c, run)
	}
	h.Del(headerSimulate)
	return apperr.ErrValidation.New("%s must be %s, %s, %s or %s.", headerSimulate, simulateDrop, simulateInProgress, simulateSlow, simulateError)
}

func pause(ctx context.Context, d time.Duration) {
	timer := time.NewTimer(d)
	defer timer.Stop()
	select {
	case <-timer.C:
	case <-ctx.Done(): // a client that hangs up does not stop the work
	}
}

// dropped does the work and closes the connection without an answer, as a network does that breaks at the worst moment.
// A refusal is answered: nothing was done that a client could be in doubt about.
func (s *Server) dropped(c echo.Context, run func() error) error {
	whole := c.Response().Writer
	lost := &discard{header: whole.Header().Clone()}
	c.Response().Writer = lost
	err := run()
	c.Response().Writer = whole
	if err != nil {
		return err
	}
	connection, _, err := http.NewResponseController(whole).Hijack()
	if err != nil {
		return fmt.Errorf("dropping the connection: %w", err)
	}
	slog.InfoContext(c.Request().Context(), "the answer was dropped, as the request asked", "requestId", requestID(c))
	return connection.Close() //nolint:wrapcheck // nobody is left to tell
}

// discard takes an answer that nobody gets.
type discard struct{ header http.Header }

func (d *discard) Header() http.Header         { return d.header }
func (d *discard) Write(b []byte) (int, error) { return len(b), nil }
func (d *discard) WriteHeader(int)             {}

func simulateParameter() *openapi31.Parameter {
	p := openapi31.Parameter{Name: headerSimulate, In: openapi31.ParameterInHeader}
	p.Schema = schema{"type": "string", "enum": []string{simulateDrop, simulateInProgress, simulateSlow, simulateError}}
	return p.WithDescription("For trying out a client, in sandbox companies alone: " + simulateDrop + " does the work and closes the connection " +
		"without an answer, so that a retry with the same key finds the stored one; " + simulateInProgress + " answers 409 before anything is " +
		"done; " + simulateSlow + " waits 5 seconds first; " + simulateError + " answers 500 and keeps nothing. A real company ignores it and " +
		"says so in a header of the same name.")
}
