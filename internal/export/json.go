package export

import (
	"fmt"
	"io"

	"github.com/go-json-experiment/json"
	"github.com/go-json-experiment/json/jsontext"
)

// jsonFile writes the answer of the API, row by row.
type jsonFile struct {
	enc     *jsontext.Encoder
	inTable bool
}

func newJSON(w io.Writer) (*jsonFile, error) {
	f := &jsonFile{enc: jsontext.NewEncoder(w, jsontext.EscapeForHTML(false))}
	return f, f.token(jsontext.BeginObject)
}

func (f *jsonFile) token(t jsontext.Token) error {
	if err := f.enc.WriteToken(t); err != nil {
		return fmt.Errorf("writing JSON: %w", err)
	}
	return nil
}

func (f *jsonFile) value(v any) error {
	if err := json.MarshalEncode(f.enc, v, json.Deterministic(true)); err != nil {
		return fmt.Errorf("writing JSON: %w", err)
	}
	return nil
}

// endTable ends the array, if one is under way.
func (f *jsonFile) endTable() error {
	if !f.inTable {
		return nil
	}
	f.inTable = false
	return f.token(jsontext.EndArray)
}

func (f *jsonFile) Member(name string, value any) error {
	if err := f.endTable(); err != nil {
		return err
	}
	if err := f.token(jsontext.String(name)); err != nil {
		return err
	}
	return f.value(value)
}

func (f *jsonFile) Table(member string, _ []Column) error {
	if member == "" {
		return nil
	}
	f.inTable = true
	if err := f.token(jsontext.String(member)); err != nil {
		return err
	}
	return f.token(jsontext.BeginArray)
}

func (f *jsonFile) Row(value any, _ [][]any) error {
	if value == nil || !f.inTable {
		return nil
	}
	return f.value(value)
}

func (f *jsonFile) Close() error {
	if err := f.endTable(); err != nil {
		return err
	}
	return f.token(jsontext.EndObject)
}
