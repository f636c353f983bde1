package httpapi

import (
	"net/http"

	"github.com/labstack/echo/v4"
	"github.com/swaggest/openapi-go/openapi31"

	"github.com/vienkart/vienkart/internal/idempotency"
)

// errorSchema is the name of the component of every refusal.
const errorSchema = "Error"

// errorStatuses are the refusals that every operation may answer with.
var errorStatuses = []struct {
	status            int
	name, description string
	retryAfter        bool
}{
	{http.StatusBadRequest, "BadRequest", "The body is not JSON, or a field is missing or malformed; fieldErrors names it. The key is not consumed.", false},
	{http.StatusUnauthorized, "Unauthorized", "No usable token.", false},
	{http.StatusForbidden, "Forbidden", "The role or the scopes of the token do not allow the operation.", false},
	{http.StatusNotFound, "NotFound", "The company has no such object.", false},
	{http.StatusConflict, "Conflict", "The state of an object forbids it, the document exists already, or the first request with this key still runs.", true},
	{http.StatusRequestEntityTooLarge, "BodyTooLarge", "The body is larger than the operation allows. The key is not consumed.", false},
	{http.StatusUnsupportedMediaType, "NotJSON", "The body was not sent as application/json. The key is not consumed.", false},
	{http.StatusUnprocessableEntity, "Refused", "A rule of business forbids it, or the key was used with another request.", false},
	{http.StatusTooManyRequests, "TooManyRequests", "Too many requests; wait.", true},
	{http.StatusInternalServerError, "InternalError", "A fault of the server. Nothing was kept.", false},
	{http.StatusServiceUnavailable, "Unavailable", "The database is busy or out of reach, or the outcome is unknown: retry with the same key to find out.", true},
}

// errorAnswers are the answers that all operations share, each with the body of refusals.
func errorAnswers(body schema) map[string]openapi31.ResponseOrReference {
	answers := map[string]openapi31.ResponseOrReference{}
	for _, e := range errorStatuses {
		answer := openapi31.Response{Description: e.description}
		answer.WithContentItem(echo.MIMEApplicationJSON, openapi31.MediaType{Schema: body})
		answer.Headers = headerReferences(echo.HeaderXRequestID)
		if e.retryAfter {
			answer.Headers = headerReferences(echo.HeaderXRequestID, echo.HeaderRetryAfter)
		}
		answers[e.name] = openapi31.ResponseOrReference{Response: &answer}
	}
	return answers
}

func headersOf(o Operation) map[string]openapi31.HeaderOrReference {
	if !o.Mutation {
		return headerReferences(echo.HeaderXRequestID)
	}
	return headerReferences(echo.HeaderXRequestID, headerReplayed, headerFirstRequestID, headerExpires)
}

func headerReferences(names ...string) map[string]openapi31.HeaderOrReference {
	headers := map[string]openapi31.HeaderOrReference{}
	for _, name := range names {
		headers[name] = openapi31.HeaderOrReference{Reference: &openapi31.Reference{Ref: "#/components/headers/" + name}}
	}
	return headers
}

func answerHeaders() map[string]openapi31.HeaderOrReference {
	headers := map[string]openapi31.HeaderOrReference{}
	for name, header := range map[string]struct {
		description string
		schema      schema
	}{
		echo.HeaderXRequestID: {"Names this request; a replay has a fresh one.", schema{"type": "string"}},
		headerReplayed:        {"Present when the answer is the stored one of the first request.", schema{"type": "string", "enum": []string{"true"}}},
		headerFirstRequestID:  {"On a replay, the id of the request that did the work.", schema{"type": "string"}},
		headerExpires:         {"When the key will be forgotten.", schema{"type": "string"}},
		echo.HeaderRetryAfter: {"Seconds to wait before a retry.", schema{"type": "integer"}},
	} {
		h := openapi31.Header{Schema: header.schema}
		headers[name] = openapi31.HeaderOrReference{Header: h.WithDescription(header.description)}
	}
	return headers
}

func keyParameter() *openapi31.Parameter {
	p := openapi31.Parameter{Name: idempotency.Header, In: openapi31.ParameterInHeader}
	p.Schema = schema{"type": "string", "minLength": 1, "maxLength": 255}
	return p.WithDescription("A name for this request, 1 to 255 characters without control characters, such as a UUID. Sent again with the same " +
		"body it books nothing twice; with another body it is refused. It is remembered for 24 hours unless the server is set otherwise. " +
		"Required when the company demands keys.")
}
