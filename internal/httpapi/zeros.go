package httpapi

import (
	"bytes"

	"github.com/go-json-experiment/json/jsontext"

	"github.com/vienkart/vienkart/internal/money"
)

// zeroNumbers lists the members of a well-formed body, as dotted paths, whose value is the number 0, as a number or
// as text.
func zeroNumbers(body []byte) map[string]bool {
	zeros := map[string]bool{}
	dec := jsontext.NewDecoder(bytes.NewReader(body))
	for {
		token, err := dec.ReadToken()
		if err != nil {
			return zeros // the end: the body was decoded before
		}
		if kind := token.Kind(); kind != '0' && kind != '"' {
			continue
		}
		if d, err := money.ParseDecimal(token.String()); err == nil && d.IsZero() {
			zeros[dotted(dec.StackPointer())] = true
		}
	}
}
