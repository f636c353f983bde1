package httpapi

import (
	"bytes"
	"errors"
	"reflect"
	"strconv"
	"strings"
	"unicode/utf8"

	"github.com/go-json-experiment/json"
	"github.com/go-json-experiment/json/jsontext"

	"github.com/vienkart/vienkart/internal/apperr"
	"github.com/vienkart/vienkart/internal/money"
)

const someFieldsInvalid = "Some fields are not valid; see fieldErrors."

// maxEcho bounds how much of a caller's own text comes back in a message, in bytes.
const maxEcho = 200

// decodeRequest reads a request body into a pointer to its struct and checks it. An empty body counts as {}, and null
// counts as an absent member. Errors: validation, with a fault for the first member that cannot be decoded, or for up
// to maxFaults members that break a rule.
func decodeRequest(body []byte, into any) error {
	if len(bytes.TrimSpace(body)) == 0 {
		body = []byte("{}")
	}
	err := json.Unmarshal(body, into, json.RejectUnknownMembers(true), json.WithUnmarshalers(decimals))
	if err != nil {
		return explainDecoding(err)
	}
	return validate(body, into)
}

// decimals reads null as an absent decimal, as every other member does, and tells a wrong JSON type in plain words.
var decimals = json.UnmarshalFromFunc(func(dec *jsontext.Decoder, d *money.Decimal) error {
	switch dec.PeekKind() {
	case 'n':
		*d = money.Decimal{}
		return dec.SkipValue()
	case '"', '0':
		value, err := dec.ReadValue()
		if err != nil {
			return err //nolint:wrapcheck // a fault of JSON syntax, explained by the caller
		}
		return d.UnmarshalJSON(value)
	default:
		if err := dec.SkipValue(); err != nil {
			return err //nolint:wrapcheck // as above
		}
		return errNotDecimal
	}
})

var errNotDecimal = errors.New(`must be a decimal such as "21" or "0.5"`)

func explainDecoding(err error) error {
	if syntax, ok := errors.AsType[*jsontext.SyntacticError](err); ok {
		return explainSyntax(syntax)
	}
	semantic, ok := errors.AsType[*json.SemanticError](err)
	if !ok {
		return apperr.ErrValidation.New("The body cannot be read as JSON.").Because(err)
	}
	path := dotted(semantic.JSONPointer)
	switch {
	case errors.Is(semantic.Err, json.ErrUnknownName):
		return apperr.ErrValidation.New(someFieldsInvalid).
			Field(path, "%s", unknownMember(semantic.JSONPointer.LastToken(), semantic.GoType))
	case path == "":
		return apperr.ErrValidation.New("The body must be a JSON object, such as {}, not %s.", kindName(semantic.JSONKind))
	}
	return apperr.ErrValidation.New(someFieldsInvalid).Field(path, "%s", misfit(semantic))
}

func explainSyntax(syntax *jsontext.SyntacticError) error {
	if errors.Is(syntax, jsontext.ErrDuplicateName) {
		return apperr.ErrValidation.New(someFieldsInvalid).
			Field(dotted(syntax.JSONPointer), "is given twice; send each member once")
	}
	reason := "it is not well formed"
	if syntax.Err != nil {
		reason = syntax.Err.Error()
	}
	where := ""
	if path := dotted(syntax.JSONPointer); path != "" {
		where = " (in " + path + ")"
	}
	return apperr.ErrValidation.New("The body is not valid JSON at byte %d%s: %s. Send one JSON object in UTF-8.",
		syntax.ByteOffset, where, shorten(reason))
}

// misfit says what a member must be, in plain words.
func misfit(e *json.SemanticError) string {
	if e.Err == nil || e.GoType == nil {
		return expected(e.GoType, e.JSONKind)
	}
	t := indirect(e.GoType)
	switch {
	case errors.Is(e.Err, strconv.ErrRange):
		return "is out of range"
	case errors.Is(e.Err, strconv.ErrSyntax), isText(t) && t != decimalType && e.JSONKind != '"':
		return expected(t, e.JSONKind)
	}
	return shorten(e.Err.Error())
}

func expected(t reflect.Type, got jsontext.Kind) string {
	if t == nil {
		return "has the wrong JSON type"
	}
	want := expectedType(indirect(t))
	if got == 0 || (got == '0' && isWhole(indirect(t))) {
		return want
	}
	return want + ", not " + kindName(got)
}

func expectedType(t reflect.Type) string {
	switch {
	case allowedValues(t) != nil:
		return oneOf(allowedValues(t))
	case t == bytesType:
		return "must be text in base64"
	case isText(t), t.Kind() == reflect.String:
		return "must be text"
	case isWhole(t):
		return "must be a whole number"
	case t.Kind() == reflect.Bool:
		return "must be true or false"
	case t.Kind() == reflect.Slice, t.Kind() == reflect.Array:
		return "must be a list"
	}
	return "must be an object"
}

func kindName(k jsontext.Kind) string {
	switch k {
	case 'n':
		return "null"
	case 't', 'f':
		return "true or false"
	case '"':
		return "text"
	case '0':
		return "a number"
	case '{':
		return "an object"
	case '[':
		return "a list"
	default:
		return "that"
	}
}

// dotted writes a JSON pointer as "lines.0.quantity".
func dotted(p jsontext.Pointer) string {
	var tokens []string
	for token := range p.Tokens() {
		tokens = append(tokens, token)
	}
	return shorten(strings.Join(tokens, "."))
}

func shorten(s string) string {
	if len(s) <= maxEcho {
		return s
	}
	cut := maxEcho
	for cut > 0 && !utf8.RuneStart(s[cut]) {
		cut--
	}
	return s[:cut] + "..."
}
