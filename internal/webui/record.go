package webui

import (
	"bytes"
	"encoding/json"
	"fmt"
	"strconv"
	"strings"

	"github.com/vienkart/vienkart/internal/money"
)

// record is a JSON object of the API. Numbers stay text, so that none is rounded on its way to a page.
type record map[string]any

func decodeRecord(b []byte) (record, error) {
	var out record
	d := json.NewDecoder(bytes.NewReader(b))
	d.UseNumber()
	if err := d.Decode(&out); err != nil {
		return nil, fmt.Errorf("reading an answer: %w", err)
	}
	return out, nil
}

// at walks a dotted path.
func (r record) at(path string) any {
	var here any = map[string]any(r)
	for name := range strings.SplitSeq(path, ".") {
		object, ok := here.(map[string]any)
		if !ok {
			return nil
		}
		here = object[name]
	}
	return here
}

// text is the member as text; an absent one is empty.
func (r record) text(path string) string { return plain(r.at(path)) }

func plain(value any) string {
	switch v := value.(type) {
	case nil:
		return ""
	case string:
		return v
	case json.Number:
		return v.String()
	case bool:
		return strconv.FormatBool(v)
	}
	b, err := json.Marshal(value)
	if err != nil {
		return ""
	}
	return string(b)
}

func (r record) isTrue(path string) bool { v, _ := r.at(path).(bool); return v }

func (r record) has(path string) bool { return r.at(path) != nil }

func (r record) record(path string) record {
	object, _ := r.at(path).(map[string]any)
	return object
}

func (r record) list(path string) []record {
	items, _ := r.at(path).([]any)
	out := make([]record, 0, len(items))
	for _, item := range items {
		if object, ok := item.(map[string]any); ok {
			out = append(out, object)
		}
	}
	return out
}

func (r record) texts(path string) []string { return texts(r.at(path)) }

func texts(value any) []string {
	items, _ := value.([]any)
	out := make([]string, len(items))
	for i, item := range items {
		out[i] = plain(item)
	}
	return out
}

// whole is the member as a whole number; anything else is 0.
func (r record) whole(path string) int {
	n, _ := strconv.Atoi(r.text(path))
	return n
}

// decimal is the member as an exact decimal; anything else is 0.
func (r record) decimal(path string) money.Decimal {
	d, _ := money.ParseDecimal(r.text(path))
	return d
}

// firstText is the first of the members that has something in it.
func (r record) firstText(members ...string) string {
	for _, m := range members {
		if s := r.text(m); s != "" {
			return s
		}
	}
	return ""
}
