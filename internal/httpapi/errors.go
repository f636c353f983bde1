package httpapi

import (
	"errors"
	"log/slog"
	"net/http"
	"strconv"

	"github.com/labstack/echo/v4"

	"github.com/vienkart/vienkart/internal/apperr"
	"github.com/vienkart/vienkart/internal/database"
	"github.com/vienkart/vienkart/internal/idempotency"
)

// Errors that only the edge can raise.
var (
	errNoRoute  = apperr.Define("route.unknown", apperr.NotFound, "There is no such operation; see /docs.")
	errMethod   = apperr.Define("route.method", apperr.MethodNotAllowed, "Every operation is a POST with a JSON body.")
	errMedia    = apperr.Define("body.media_type", apperr.UnsupportedMedia, "The body must be sent as application/json, and not packed.")
	errTooLarge = apperr.Define("body.too_large", apperr.TooLarge, "The body is over the operation's limit; no key was touched.")
	errBody     = apperr.Define("body.malformed", apperr.Validation, "The body is not one JSON value with unique members.")
	errLimited  = apperr.Define("rate_limited", apperr.RateLimited, "The company sends more requests a second than it may.")
	errArchived = apperr.Define("company.archived", apperr.Conflict, "An archived company can be read and not changed.")
)

// errorBody is the contract's error with what we add: details and retryWith.
type errorBody struct {
	Error errorMembers `json:"error"`
}

type errorMembers struct {
	Code        errorCode           `json:"code" description:"Sort of error; details.reason has the exact one."`
	Message     string              `json:"message" description:"What is wrong and what to do."`
	RequestID   string              `json:"requestId" description:"Id of the request, for support."`
	FieldErrors map[string][]string `json:"fieldErrors,omitzero" description:"Faults per member, such as lines.0.quantity."`
	Details     map[string]any      `json:"details,omitzero" description:"reason is the stable code of docs/errors.md; more depends on it, such as existingId."`
	RetryWith   apperr.Retry        `json:"retryWith" description:"Which Idempotency-Key to retry with; following it never books twice."`
}

// errorCode is the contract's enumeration.
type errorCode string

const (
	codeValidation   errorCode = "validation"
	codeUnauthorized errorCode = "unauthorized"
	codeForbidden    errorCode = "forbidden"
	codeNotFound     errorCode = "not_found"
	codeConflict     errorCode = "conflict"
	codeReuse        errorCode = idempotency.CodeReuse
	codeInProgress   errorCode = idempotency.CodeInProgress
	codeRateLimited  errorCode = "rate_limited"
	codeInternal     errorCode = "internal"
)

// Enum lists the allowed values for the API document.
func (errorCode) Enum() []any {
	return []any{
		codeValidation, codeUnauthorized, codeForbidden, codeNotFound, codeConflict, codeReuse, codeInProgress, codeRateLimited, codeInternal,
	}
}

// wire is how a kind of refusal looks over HTTP.
type wire struct {
	status int
	code   errorCode
}

var wires = map[apperr.Kind]wire{
	apperr.Internal:         {http.StatusInternalServerError, codeInternal},
	apperr.Validation:       {http.StatusBadRequest, codeValidation},
	apperr.Unauthorized:     {http.StatusUnauthorized, codeUnauthorized},
	apperr.Forbidden:        {http.StatusForbidden, codeForbidden},
	apperr.NotFound:         {http.StatusNotFound, codeNotFound},
	apperr.Conflict:         {http.StatusConflict, codeConflict},
	apperr.Duplicate:        {http.StatusConflict, codeConflict},
	apperr.Rule:             {http.StatusUnprocessableEntity, codeValidation},
	apperr.TooLarge:         {http.StatusRequestEntityTooLarge, codeValidation},
	apperr.RateLimited:      {http.StatusTooManyRequests, codeRateLimited},
	apperr.Unavailable:      {http.StatusServiceUnavailable, codeInternal},
	apperr.KeyReuse:         {http.StatusUnprocessableEntity, codeReuse},
	apperr.InProgress:       {http.StatusConflict, codeInProgress},
	apperr.MethodNotAllowed: {http.StatusMethodNotAllowed, codeValidation},
	apperr.UnsupportedMedia: {http.StatusUnsupportedMediaType, codeValidation},
}

// handleError writes any error as a body of the contract. Unknown errors become a plain 500 and are logged once, here.
func (s *Server) handleError(err error, c echo.Context) {
	if c.Response().Committed {
		return
	}
	e := s.refusal(err)
	c.Set(refusalKey, e)
	w := wires[e.Kind()]
	if w.status >= http.StatusInternalServerError {
		slog.ErrorContext(c.Request().Context(), "request failed", "error", err, "requestId", requestID(c), "path", c.Path())
	}
	h := c.Response().Header()
	switch e.Kind() {
	case apperr.InProgress:
		h.Set(echo.HeaderRetryAfter, strconv.Itoa(idempotency.RetryAfterSeconds))
	case apperr.RateLimited, apperr.Unavailable:
		h.Set(echo.HeaderRetryAfter, "1")
	case apperr.Unauthorized:
		h.Set(echo.HeaderWWWAuthenticate, "Bearer")
	case apperr.MethodNotAllowed:
		h.Set(echo.HeaderAllow, http.MethodPost)
	default:
	}
	details := map[string]any{"reason": e.Code().Name()}
	for k, v := range e.Details() {
		details[k] = v
	}
	body, encodeErr := encode(errorBody{errorMembers{
		Code: w.code, Message: e.Message(), RequestID: requestID(c), FieldErrors: e.Fields(), Details: details, RetryWith: e.Code().Retry(),
	}})
	if encodeErr != nil {
		slog.ErrorContext(c.Request().Context(), "error body does not encode", "error", encodeErr, "requestId", requestID(c))
	}
	_ = c.Blob(w.status, echo.MIMEApplicationJSON, body) // a client that hung up does not get it
}

// refusal makes a refusal of any error.
func (s *Server) refusal(err error) *apperr.Error {
	if e, ok := errors.AsType[*apperr.Error](err); ok {
		return e
	}
	if e, ok := errors.AsType[*echo.HTTPError](err); ok {
		switch e.Code {
		case http.StatusNotFound:
			return errNoRoute.New("There is no such operation; the list is at /docs.")
		case http.StatusMethodNotAllowed:
			return errMethod.New("Send a POST with a JSON body.")
		}
	}
	if database.IsUnavailable(err) || database.IsTransient(err) {
		return apperr.ErrUnavailable.New("The database is busy or out of reach; send it again in a moment.").Because(err)
	}
	return apperr.ErrInternal.New("Something went wrong on our side; nothing was kept. Tell support the requestId.").Because(err)
}
