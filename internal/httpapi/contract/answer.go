package contract

import (
	"bytes"
	"encoding/json"
	"errors"
	"fmt"
	"maps"
	"net/http"
	"slices"
	"strconv"
	"strings"

	"github.com/go-json-experiment/json/jsontext"
)

// maxAnswerFaults bounds what one check reports: a wrong list is wrong in every row.
const maxAnswerFaults = 20

// retryWith is what we add to every error body of the contract.
var retryWith = []string{"same_key", "new_key", "never"}

// CheckAnswer checks an actual answer of an operation, of a document that is the contract: of a 200 every member that
// the contract gives, with its type, its listed values, and no null where a value is required; of an error the body of
// errors with retryWith. The 200 of an operation that only we have must be a JSON object. Error: what is wrong where, all
// in one.
func (d *Document) CheckAnswer(path string, status int, body []byte) error {
	if !jsontext.Value(body).IsValid() {
		return fmt.Errorf("checking an answer of %s: the body is not JSON with unique members in UTF-8: %.200q", path, body)
	}
	var value any
	dec := json.NewDecoder(bytes.NewReader(body))
	dec.UseNumber()
	if err := dec.Decode(&value); err != nil {
		return fmt.Errorf("checking an answer of %s: %w", path, err)
	}
	c := &check{contract: d}
	operation, known := d.operations[path]
	switch {
	case status >= http.StatusBadRequest:
		c.value("answer", value, d.at(d.root, "components", "schemas", "Error"))
		c.advice(value)
	case status != http.StatusOK:
		c.fault("answer", "has status %d; success is 200", status)
	case known:
		c.value("answer", value, operation.answer)
	default:
		c.value("answer", value, map[string]any{"type": typeObject})
	}
	if len(c.faults) > 0 {
		return fmt.Errorf("checking an answer of %s: %w", path, errors.Join(c.faults...))
	}
	return nil
}

type check struct {
	contract *Document
	faults   []error
}

func (c *check) fault(at, format string, args ...any) {
	if len(c.faults) < maxAnswerFaults {
		c.faults = append(c.faults, errors.New(at+" "+fmt.Sprintf(format, args...)))
	}
}

func (c *check) advice(value any) {
	body, _ := value.(map[string]any)
	members, _ := body["error"].(map[string]any)
	if advice, _ := members["retryWith"].(string); !slices.Contains(retryWith, advice) {
		c.fault("answer.error.retryWith", "must be one of %s", strings.Join(retryWith, ", "))
	}
}

func (c *check) value(at string, value, schema any) {
	want := c.contract.shape(schema)
	if want.any() {
		return
	}
	if t := typeOf(value); !want.allows(t) {
		c.fault(at, "is %s, the contract gives %s", t, want)
		return
	}
	switch v := value.(type) {
	case map[string]any:
		c.object(at, v, want)
	case []any:
		for i, item := range v {
			c.value(at+"["+strconv.Itoa(i)+"]", item, want.items)
		}
	default:
		if want.enum != nil && !slices.Contains(want.enum, fmt.Sprint(v)) {
			c.fault(at, "is %q, the contract lists %s", fmt.Sprint(v), strings.Join(want.enum, ", "))
		}
	}
}

func (c *check) object(at string, object map[string]any, want shape) {
	for _, name := range want.required {
		if _, ok := object[name]; !ok {
			c.fault(at+"."+name, "is missing")
		}
	}
	for _, name := range slices.Sorted(maps.Keys(object)) {
		schema, ok := want.properties[name]
		switch {
		case ok && object[name] == nil && !want.requires(name):
			// an optional member may be null instead of absent
		case ok:
			c.value(at+"."+name, object[name], schema)
		case want.isMap:
			c.value(at+"."+name, object[name], want.entries)
		}
	}
}

func typeOf(value any) string {
	switch v := value.(type) {
	case string:
		return typeString
	case bool:
		return typeBoolean
	case json.Number:
		if strings.ContainsAny(v.String(), ".eE") {
			return typeNumber
		}
		return typeInteger
	case []any:
		return typeArray
	case map[string]any:
		return typeObject
	}
	return typeNull
}
