package idempotency

import (
	"bytes"
	"errors"
	"fmt"
	"io"
	"slices"

	"github.com/go-json-experiment/json/jsontext"
)

// MaxDepth is how deep arrays and objects may nest in a request body. Invoices
// nest four deep; the limit keeps a hostile body from growing the stack.
const MaxDepth = 64

// emptyObject is the canonical form of a body that is not there.
const emptyObject = "{}"

// Limits bounds what Canonicalize accepts. The zero value stands for the
// ordinary limits of the API.
type Limits struct {
	// Depth is how deep arrays and objects may nest; 0 stands for MaxDepth.
	Depth int
}

// Canonical is a JSON body in the one spelling that all equal bodies share:
// no white space, members sorted by the code points of their names, strings
// with the fewest escapes (RFC 8785, section 3.2.2.2), numbers by exact decimal
// value. The zero value is the canonical form of an empty body, {}.
type Canonical struct {
	json jsontext.Value
}

// Bytes returns the canonical JSON. The caller must not change it.
func (c Canonical) Bytes() []byte { return c.value() }

// String returns the canonical JSON as text.
func (c Canonical) String() string { return string(c.value()) }

func (c Canonical) value() jsontext.Value {
	if c.json == nil {
		return jsontext.Value(emptyObject)
	}
	return c.json
}

// Canonicalize brings a request body into its canonical form. A body that is
// empty or only white space counts as {}, because operations take an object all
// of whose members may be absent. A canonical form comes back unchanged.
//
// It refuses whatever two readers could understand differently: a repeated
// member, invalid UTF-8, half a surrogate pair, a byte order mark, text after
// the value, nesting deeper than the limit, a number whose decimal exponent
// takes more than nine digits. Every error is a *BodyError.
func Canonicalize(body []byte, limits Limits) (Canonical, error) {
	if bytes.HasPrefix(body, []byte("\xef\xbb\xbf")) {
		return Canonical{}, &BodyError{Message: "must not begin with a byte order mark; send plain UTF-8"}
	}
	depth := limits.Depth
	if depth == 0 {
		depth = MaxDepth
	}
	w := canonicalWriter{
		body:     body,
		decoder:  jsontext.NewDecoder(bytes.NewBuffer(body)),
		maxDepth: depth,
		out:      make([]byte, 0, len(body)),
	}
	if err := w.value(); err != nil {
		if errors.Is(err, io.EOF) {
			return Canonical{}, nil
		}
		return Canonical{}, err
	}
	end := w.decoder.InputOffset()
	if _, err := w.decoder.ReadToken(); !errors.Is(err, io.EOF) {
		return Canonical{}, &BodyError{Offset: end, Message: "must be one JSON value, with nothing after it"}
	}
	return Canonical{json: w.out}, nil
}

// canonicalWriter copies the values that decoder reads from body to out in
// canonical form.
type canonicalWriter struct {
	body     []byte
	decoder  *jsontext.Decoder
	maxDepth int
	out      []byte
	members  []memberSpan // of all objects still open, innermost last
	spare    []byte       // working space of a single step
}

// memberSpan is where a member of an object stands in out.
type memberSpan struct {
	name       []byte // unescaped
	start, end int
}

// value writes the next value. At the end of the body it returns io.EOF.
func (w *canonicalWriter) value() error {
	switch w.decoder.PeekKind() {
	case '{':
		return w.object()
	case '[':
		return w.array()
	default:
	}
	raw, err := w.decoder.ReadValue()
	if err != nil {
		return bodyErrorFrom(err)
	}
	switch raw.Kind() {
	case '"':
		w.text(raw)
		return nil
	case '0':
		return w.number(raw)
	default:
		w.out = append(w.out, raw...)
		return nil
	}
}

func (w *canonicalWriter) object() error {
	if err := w.open(); err != nil {
		return err
	}
	start, outer := len(w.out), len(w.members)
	w.out = append(w.out, '{')
	for w.decoder.PeekKind() != '}' {
		if len(w.members) > outer {
			w.out = append(w.out, ',')
		}
		if err := w.member(); err != nil {
			return err
		}
	}
	if err := w.close(); err != nil {
		return err
	}
	w.sortMembers(start, w.members[outer:])
	w.members = w.members[:outer]
	w.out = append(w.out, '}')
	return nil
}

func (w *canonicalWriter) member() error {
	raw, err := w.decoder.ReadValue()
	if err != nil {
		return bodyErrorFrom(err)
	}
	// The decoder may reuse what it returned, the body stays.
	end := w.decoder.InputOffset()
	raw = w.body[end-int64(len(raw)) : end]
	start := len(w.out)
	name := w.text(raw)
	w.out = append(w.out, ':')
	if err := w.value(); err != nil {
		return err
	}
	w.members = append(w.members, memberSpan{name: name, start: start, end: len(w.out)})
	return nil
}

// sortMembers puts the members written since start in order. The order of
// UTF-8 bytes is the order of code points.
func (w *canonicalWriter) sortMembers(start int, members []memberSpan) {
	byName := func(a, b memberSpan) int { return bytes.Compare(a.name, b.name) }
	if slices.IsSortedFunc(members, byName) {
		return
	}
	slices.SortFunc(members, byName)
	w.spare = append(w.spare[:0], w.out[start:]...)
	w.out = append(w.out[:start], '{')
	for i, m := range members {
		if i > 0 {
			w.out = append(w.out, ',')
		}
		w.out = append(w.out, w.spare[m.start-start:m.end-start]...)
	}
}

func (w *canonicalWriter) array() error {
	if err := w.open(); err != nil {
		return err
	}
	w.out = append(w.out, '[')
	for first := true; w.decoder.PeekKind() != ']'; first = false {
		if !first {
			w.out = append(w.out, ',')
		}
		if err := w.value(); err != nil {
			return err
		}
	}
	if err := w.close(); err != nil {
		return err
	}
	w.out = append(w.out, ']')
	return nil
}

// open reads the bracket that opens an array or object.
func (w *canonicalWriter) open() error {
	if _, err := w.decoder.ReadToken(); err != nil {
		return bodyErrorFrom(err)
	}
	if w.decoder.StackDepth() > w.maxDepth {
		return w.refuse("must not nest arrays and objects deeper than %d", w.maxDepth)
	}
	return nil
}

// close reads the bracket that closes an array or object.
func (w *canonicalWriter) close() error {
	if _, err := w.decoder.ReadToken(); err != nil {
		return bodyErrorFrom(err)
	}
	return nil
}

// text writes a string with the fewest escapes and returns it unescaped; the
// result may share memory with raw. The decoder has already refused what does
// not form valid text, so quoting cannot fail.
func (w *canonicalWriter) text(raw []byte) []byte {
	if !bytes.ContainsRune(raw, '\\') {
		w.out = append(w.out, raw...)
		return raw[1 : len(raw)-1]
	}
	plain, _ := jsontext.AppendUnquote(nil, raw)
	w.out, _ = jsontext.AppendQuote(w.out, plain)
	return plain
}

func (w *canonicalWriter) number(raw []byte) error {
	w.spare = slices.Grow(w.spare[:0], len(raw))
	n, ok := parseDecimal(w.spare, raw)
	if !ok {
		return w.refuse("must not have a number with a decimal exponent of more than %d digits", maxExponentDigits)
	}
	w.out = n.append(w.out)
	return nil
}

// refuse returns an error about the value the decoder has just read.
func (w *canonicalWriter) refuse(format string, args ...any) error {
	return &BodyError{
		Pointer: shortPointer(string(w.decoder.StackPointer())),
		Offset:  w.decoder.InputOffset(),
		Message: fmt.Sprintf(format, args...),
	}
}
