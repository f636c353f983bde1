package httpapi

import (
	"context"
	"fmt"
	"log/slog"
	"net/http"
	"net/netip"
	"runtime/debug"

	"github.com/go-json-experiment/json"
	"github.com/labstack/echo/v4"

	"github.com/vienkart/vienkart/internal/account"
	"github.com/vienkart/vienkart/internal/apperr"
	"github.com/vienkart/vienkart/internal/fault"
	"github.com/vienkart/vienkart/internal/files"
	"github.com/vienkart/vienkart/internal/health"
	"github.com/vienkart/vienkart/internal/idempotency"
	"github.com/vienkart/vienkart/internal/invoice/letter"
	"github.com/vienkart/vienkart/internal/tenant"
	"github.com/vienkart/vienkart/internal/trace"
	"github.com/vienkart/vienkart/internal/webhook/delivery"
)

// Dependencies are what the operations stand on. The zero value is enough to describe them.
type Dependencies struct {
	Store   *tenant.Store
	Tokens  *tenant.Tokens
	Runner  *idempotency.Runner
	Version string
	// Desk signs people in.
	Desk *account.Desk
	// Letters takes what is mailed to customers; nil sends nothing.
	Letters *letter.Office
	// Depot keeps files.
	Depot files.Depot
	// TrustedProxies may say in X-Forwarded-For for whom they ask. Anybody else is taken for who they are.
	TrustedProxies []netip.Prefix
	// RequestsPerSecond is what one company may send; 0 is without limit.
	RequestsPerSecond int
	// Webhooks is what the operator decided about endpoints of tenants.
	Webhooks delivery.Policy
	// Ready says whether the server can serve.
	Ready func(context.Context) health.Report
	// Observer is told of answers; nil is told nothing.
	Observer Observer
}

// Server answers the API.
type Server struct {
	deps     Dependencies
	verifier *tenant.Verifier
	limits   *limiter
	// operations are the paths of the route table.
	operations map[string]bool
}

// New builds the API's handler.
func New(d Dependencies) (http.Handler, error) {
	if d.Observer == nil {
		d.Observer = unobserved{}
	}
	s := &Server{
		deps: d, verifier: tenant.NewVerifier(d.Tokens, d.Store), limits: newLimiter(d.RequestsPerSecond), operations: map[string]bool{},
	}
	e := echo.New()
	e.HideBanner, e.HidePort = true, true
	e.HTTPErrorHandler = s.handleError
	e.IPExtractor = addressOf(d.TrustedProxies)
	e.Use(s.identify, s.observe, s.log, recovered)
	operations := routes(d)
	for _, o := range operations {
		s.operations[o.Path] = true
		e.POST(o.Path, s.run(o), s.authenticate(o), s.readBody(o))
	}
	document, err := document(operations, d.Version)
	if err != nil {
		return nil, fmt.Errorf("describing the API: %w", err)
	}
	e.GET("/openapi.json", func(c echo.Context) error { return c.Blob(http.StatusOK, echo.MIMEApplicationJSON, document) })
	e.GET("/docs*", echo.WrapHandler(docsHandler()))
	e.GET("/healthz", func(c echo.Context) error { return c.JSON(http.StatusOK, map[string]string{"status": "ok"}) })
	e.GET("/readyz", s.ready)
	return e, nil
}

// ready lists the checks. Liveness beside it never asks the database: a server that is restarted because the database is
// down comes up no sooner.
func (s *Server) ready(c echo.Context) error {
	report := s.deps.Ready(c.Request().Context())
	status := http.StatusOK
	if !report.Serves() {
		status = http.StatusServiceUnavailable
	}
	body, err := encode(report)
	if err != nil {
		return err
	}
	return c.Blob(status, echo.MIMEApplicationJSON, body)
}

// encode is the one way an answer becomes bytes: a nil list is [], members keep their order, maps are sorted.
func encode(v any) ([]byte, error) {
	b, err := json.Marshal(v, json.Deterministic(true))
	if err != nil {
		return nil, fmt.Errorf("encoding the answer: %w", err)
	}
	return b, nil
}

const requestIDKey = "requestId"

func requestID(c echo.Context) string {
	id, _ := c.Get(requestIDKey).(string)
	return id
}

// identify gives the request its id and the headers every answer bears.
func (s *Server) identify(next echo.HandlerFunc) echo.HandlerFunc {
	return func(c echo.Context) error {
		id := tenant.NewID().String()
		c.Set(requestIDKey, id)
		h := c.Response().Header()
		h.Set(echo.HeaderXRequestID, id)
		h.Set("Cache-Control", "no-store")
		h.Set(echo.HeaderXContentTypeOptions, "nosniff")
		// An answer is data: opened by itself in a browser it runs nothing, and no page may frame it.
		h.Set(echo.HeaderContentSecurityPolicy, "default-src 'none'; frame-ancestors 'none'")
		h.Set(echo.HeaderReferrerPolicy, "no-referrer")
		r := c.Request()
		ctx := trace.With(r.Context(), r.Header.Values(trace.Header))
		c.SetRequest(r.WithContext(fault.Arm(ctx, r.Header)))
		return next(c)
	}
}

// log writes one line per request, after the answer.
func (s *Server) log(next echo.HandlerFunc) echo.HandlerFunc {
	return func(c echo.Context) error {
		start := s.deps.Store.Clock().Now()
		if err := next(c); err != nil {
			c.Error(err)
		}
		r, w := c.Request(), c.Response()
		attrs := []any{
			"method", r.Method, "path", r.URL.Path, "status", w.Status, "requestId", requestID(c),
			"milliseconds", s.deps.Store.Clock().Now().Sub(start).Milliseconds(),
		}
		if scope, ok := c.Get(scopeKey).(tenant.Scope); ok {
			attrs = append(attrs, "company", scope.Company().ID.String())
		}
		if w.Header().Get(headerReplayed) != "" {
			attrs = append(attrs, "replayed", true)
		}
		slog.InfoContext(r.Context(), "request", attrs...)
		return nil
	}
}

// recovered turns a panic of a query into a 500; a mutation's panic is caught nearer, so that its transaction rolls back.
func recovered(next echo.HandlerFunc) echo.HandlerFunc {
	return func(c echo.Context) (err error) {
		defer func() {
			if p := recover(); p != nil {
				err = apperr.ErrInternal.New("Something went wrong on our side; nothing was kept. Tell support the requestId.").
					Because(fmt.Errorf("panic: %v\n%s", p, debug.Stack()))
			}
		}()
		return next(c)
	}
}
