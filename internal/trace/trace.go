// Package trace carries the id of a distributed trace through a request and into every line that it logs.
//
// Owns: reading the header traceparent of W3C Trace Context, and the slog handler that adds the id.
//
// Does not own: spans; the server makes none and sends none.
//
// Invariants: a header that the standard does not allow is ignored as if it were absent; only the 32 hexadecimal digits of
// an id reach the log.
package trace

import (
	"context"
	"log/slog"
	"strings"
)

// Header is the name of the header, in the form of net/http.
const Header = "Traceparent"

// logKey is what the id is called in the log.
const logKey = "traceId"

// Lengths of the parts of a header: version-trace-parent-flags.
const (
	versionDigits = 2
	traceDigits   = 32
	parentDigits  = 16
	flagDigits    = 2
	headerParts   = 4
)

type contextKey struct{}

// With remembers the trace that the headers name. More than one is as bad as none.
func With(ctx context.Context, headers []string) context.Context {
	if len(headers) != 1 {
		return ctx
	}
	id, ok := Parse(headers[0])
	if !ok {
		return ctx
	}
	return context.WithValue(ctx, contextKey{}, id)
}

// ID is the trace of a request, or "" when its caller named none.
func ID(ctx context.Context) string {
	id, _ := ctx.Value(contextKey{}).(string)
	return id
}

// Parse reads the trace id of a traceparent. A version that is yet to come may have more parts at the end; version ff will
// never come, and an id of zeros alone is none.
// https://www.w3.org/TR/trace-context/#traceparent-header
func Parse(header string) (id string, ok bool) {
	parts := strings.SplitN(header, "-", headerParts+1)
	if len(parts) < headerParts || !isHex(parts[0], versionDigits) || parts[0] == "ff" {
		return "", false
	}
	if parts[0] == "00" && len(parts) > headerParts {
		return "", false
	}
	isValid := isHex(parts[1], traceDigits) && !isZero(parts[1]) && isHex(parts[2], parentDigits) && !isZero(parts[2]) &&
		isHex(parts[3], flagDigits)
	if !isValid {
		return "", false
	}
	return parts[1], true
}

func isZero(s string) bool { return strings.Trim(s, "0") == "" }

func isHex(s string, digits int) bool {
	return len(s) == digits && strings.Trim(s, "0123456789abcdef") == ""
}

// Handler adds the trace of the context to every record.
type Handler struct{ next slog.Handler }

// NewHandler wraps a handler.
func NewHandler(next slog.Handler) Handler { return Handler{next} }

// Enabled asks the wrapped handler.
func (h Handler) Enabled(ctx context.Context, level slog.Level) bool {
	return h.next.Enabled(ctx, level)
}

// Handle adds the id and hands the record on.
func (h Handler) Handle(ctx context.Context, r slog.Record) error {
	if id := ID(ctx); id != "" {
		r = r.Clone()
		r.AddAttrs(slog.String(logKey, id))
	}
	return h.next.Handle(ctx, r) //nolint:wrapcheck // nothing to add
}

// WithAttrs wraps what the wrapped handler makes of it.
func (h Handler) WithAttrs(attrs []slog.Attr) slog.Handler { return Handler{h.next.WithAttrs(attrs)} }

// WithGroup wraps what the wrapped handler makes of it.
func (h Handler) WithGroup(name string) slog.Handler { return Handler{h.next.WithGroup(name)} }
