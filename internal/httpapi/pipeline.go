package httpapi

import (
	"context"
	"errors"
	"fmt"
	"io"
	"mime"
	"net/http"
	"strings"
	"time"

	"github.com/go-json-experiment/json"
	"github.com/labstack/echo/v4"

	"github.com/vienkart/vienkart/internal/apperr"
	"github.com/vienkart/vienkart/internal/idempotency"
	"github.com/vienkart/vienkart/internal/tenant"
)

// Headers of protected answers.
const (
	headerReplayed       = "Idempotent-Replayed"
	headerFirstRequestID = "Idempotency-First-Request-Id"
	headerExpires        = "Idempotency-Expires"
)

// quickBody is the size of a body up to which nothing is done with it that takes long, as with an imported file.
const quickBody = 16 << 10

// Keys under which a step leaves its result for the next.
const (
	scopeKey  = "scope"
	keyLookUp = "lookUp"
	callKey   = "call"
	bodyKey   = "body"
)

// authenticate verifies the token and the permission: before anything of the body is read, and before a replay (R35).
func (s *Server) authenticate(o Operation) echo.MiddlewareFunc {
	return func(next echo.HandlerFunc) echo.HandlerFunc {
		if o.IsOpen() {
			return next
		}
		return func(c echo.Context) error {
			call := tenant.Call{
				Authorization: c.Request().Header.Get(echo.HeaderAuthorization), RequestID: requestID(c), Address: c.RealIP(),
				EvenDeleted: o.deleted,
			}
			lookUp := o.lookUp(c.Request().Header)
			if lookUp != nil {
				call.Beside = lookUp.Beside()
			}
			scope, err := s.verifier.Verify(c.Request().Context(), call)
			if err != nil {
				return err //nolint:wrapcheck // a refusal as it stands
			}
			c.Set(scopeKey, scope)
			c.Set(keyLookUp, lookUp)
			if !scope.Can(o.Permission) {
				return tenant.ErrForbidden.New("The role %s or the scopes of the token do not allow this; it needs %s.", scope.Role(), o.Permission)
			}
			return next(c)
		}
	}
}

// lookUp looks up the key of a mutation on the way; nil where there is none, or none that is well formed.
func (o Operation) lookUp(h http.Header) *idempotency.LookUp {
	if !o.Mutation {
		return nil
	}
	key, present, err := idempotency.ParseKey(h.Values(idempotency.Header))
	if err != nil || !present {
		return nil
	}
	return idempotency.NewLookUp(key)
}

// readBody reads key and body and says what was asked, in the canonical form that makes two requests the same.
func (s *Server) readBody(o Operation) echo.MiddlewareFunc {
	return func(next echo.HandlerFunc) echo.HandlerFunc {
		return func(c echo.Context) error {
			r := c.Request()
			if coding := r.Header.Get(echo.HeaderContentEncoding); coding != "" && !strings.EqualFold(coding, "identity") {
				// Whoever looks at requests on the way may unpack what this server would take as it is, or the other way round.
				return errMedia.New("The body must not be packed; send it without Content-Encoding.")
			}
			body, err := limitedBody(r, c.Response(), o.MaxBody)
			if err != nil {
				return err
			}
			if len(body) > 0 && !isJSON(r.Header.Get(echo.HeaderContentType)) {
				return errMedia.New("Send the body with Content-Type: application/json.")
			}
			canonical, err := idempotency.Canonicalize(body, idempotency.Limits{})
			if fault, ok := errors.AsType[*idempotency.BodyError](err); ok {
				return errBody.New("%s", fault.Error()).Detail("pointer", fault.Pointer).Detail("offset", fault.Offset)
			} else if err != nil {
				return fmt.Errorf("reading the body: %w", err)
			}
			if !o.isWhole() {
				c.Set(bodyKey, canonical.Bytes())
				if canonical, err = o.kept(canonical); err != nil {
					return err
				}
			}
			call := idempotency.Call{
				Operation: o.Path, ClaimFirst: len(body) > quickBody,
				Request: idempotency.Request{
					Method: r.Method, Route: r.URL.Path, Query: r.URL.RawQuery,
					MediaType: r.Header.Get(echo.HeaderContentType), Body: canonical,
				},
			}
			c.Set(callKey, call)
			return next(c)
		}
	}
}

func limitedBody(r *http.Request, w http.ResponseWriter, limit int64) ([]byte, error) {
	body, err := io.ReadAll(http.MaxBytesReader(w, r.Body, limit))
	if tooLarge, ok := errors.AsType[*http.MaxBytesError](err); ok {
		return nil, errTooLarge.New("The body is larger than the %d bytes this operation takes.", tooLarge.Limit)
	}
	if err != nil {
		return nil, errBody.New("The body did not arrive whole; send it again.").Because(err)
	}
	return body, nil
}

func isJSON(contentType string) bool {
	media, params, err := mime.ParseMediaType(contentType)
	if err != nil {
		return false
	}
	charset := params["charset"]
	return media == echo.MIMEApplicationJSON && (charset == "" || charset == "utf-8" || charset == "UTF-8")
}

// run is the end of the chain: the pipeline of mutations or of queries.
func (s *Server) run(o Operation) echo.HandlerFunc {
	switch {
	case o.IsOpen():
		return func(c echo.Context) error { return s.runOpen(c, o) }
	case o.Personal:
		return func(c echo.Context) error { return s.runPersonal(c, o) }
	case o.Mutation:
		return func(c echo.Context) error { return s.runMutation(c, o) }
	}
	return func(c echo.Context) error { return s.runQuery(c, o) }
}

func (s *Server) runQuery(c echo.Context, o Operation) error {
	scope, call := given(c)
	if err := s.limits.admit(c, scope); err != nil {
		return err
	}
	in, err := o.decode(call.Request.Body.Bytes())
	if err != nil {
		return err
	}
	snapshot := s.deps.Store.Snapshot
	if o.Report {
		snapshot = s.deps.Store.ReportSnapshot
	}
	var body []byte
	err = snapshot(c.Request().Context(), scope, func(ctx context.Context, r tenant.ReadTx) error {
		out, err := o.query(ctx, r, in)
		if err != nil {
			return err
		}
		body, err = encode(out)
		return err
	})
	if err != nil {
		return err //nolint:wrapcheck // classified by handleError
	}
	return c.Blob(http.StatusOK, echo.MIMEApplicationJSON, body) //nolint:wrapcheck // the client hung up
}

func given(c echo.Context) (tenant.Scope, idempotency.Call) {
	scope, _ := c.Get(scopeKey).(tenant.Scope)      // an open operation has none
	return scope, c.Get(callKey).(idempotency.Call) //nolint:errcheck,forcetypeassert // set by the step before
}

func (s *Server) runMutation(c echo.Context, o Operation) error {
	scope, call := given(c)
	key, present, err := idempotency.ParseKey(c.Request().Header.Values(idempotency.Header))
	if err != nil {
		return idempotency.ErrKeyInvalid.New("%s", err.Error())
	}
	if !present && scope.Company().RequireIdempotencyKey {
		return idempotency.ErrKeyMissing.New("The company requires an %s header on every mutation; send one key per operation, the same on a retry.",
			idempotency.Header)
	}
	call.Scope, call.Key = scope, key
	call.Found, _ = c.Get(keyLookUp).(*idempotency.LookUp) // nil without a key
	return s.simulated(c, scope, func() error { return s.runWork(c, o, call) })
}

// runWork runs a mutation, or answers it from the store.
func (s *Server) runWork(c echo.Context, o Operation, call idempotency.Call) error {
	body := call.Request.Body.Bytes()
	if whole, ok := c.Get(bodyKey).([]byte); ok {
		body = whole
	}
	var after func()
	call.Admit = func() error { return s.admit(c, o, call.Scope) }
	call.Work = func(ctx context.Context, tx tenant.Tx) (idempotency.Answer, error) {
		in, err := o.decode(body)
		if err != nil {
			return idempotency.Answer{}, err
		}
		out, err := o.mutate(ctx, tx, in)
		if err != nil {
			return idempotency.Answer{}, err
		}
		if f, ok := out.(followed); ok {
			after = f.afterCommit
		}
		return o.answer(out)
	}
	outcome, err := s.deps.Runner.Run(c.Request().Context(), call)
	if err != nil {
		return err //nolint:wrapcheck // a refusal as it stands
	}
	if after != nil && !outcome.Replayed {
		after()
	}
	h := c.Response().Header()
	if outcome.Replayed {
		h.Set(headerReplayed, "true")
		h.Set(headerFirstRequestID, outcome.FirstRequestID)
	}
	if !outcome.Expires.IsZero() {
		h.Set(headerExpires, outcome.Expires.UTC().Format(time.RFC3339))
	}
	if outcome.Location != "" {
		h.Set(echo.HeaderLocation, outcome.Location)
	}
	return c.Blob(outcome.Status, outcome.ContentType, outcome.Body) //nolint:wrapcheck // the client hung up; the work is stored
}

// masked is an answer with a secret that is shown once (R38).
type masked interface{ Masked() any }

// answer encodes what a mutation gives: once, and those bytes are stored and sent.
func (o Operation) answer(out any) (idempotency.Answer, error) {
	body, err := encode(out)
	if err != nil {
		return idempotency.Answer{}, err
	}
	a := idempotency.Answer{Status: http.StatusOK, ContentType: echo.MIMEApplicationJSON, Body: body}
	if m, ok := out.(masked); ok {
		if a.Masked, err = encode(m.Masked()); err != nil {
			return idempotency.Answer{}, err
		}
	}
	if o.Resource != "" {
		var named struct {
			ID string `json:"id"`
		}
		if err := json.Unmarshal(body, &named); err != nil {
			return idempotency.Answer{}, apperr.ErrInternal.New("The answer has no id.").Because(err)
		}
		a.ResourceType, a.ResourceID = o.Resource, named.ID
	}
	return a, nil
}
