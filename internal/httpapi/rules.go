package httpapi

import (
	"fmt"
	"reflect"
	"regexp"
	"strconv"

	"github.com/vienkart/vienkart/internal/money"
)

// rules are the limits in the tags of one member.
type rules struct {
	minLength, maxLength *int // characters of text
	minItems, maxItems   *int
	minimum, maximum     *money.Decimal
	pattern              *regexp.Regexp
}

// unkept are tags that other tools know and this validator does not: accepting them would promise what nobody checks.
var unkept = []string{"enum", "exclusiveMinimum", "exclusiveMaximum", "multipleOf", "uniqueItems", "minProperties", "maxProperties", "const"}

// readRules reads the tags of a field whose type, without pointers, is t.
func readRules(tag reflect.StructTag, t reflect.Type) (rules, error) {
	var (
		r    rules
		errs []error
	)
	count := func(name string, applies bool) *int {
		value, ok := tag.Lookup(name)
		if !ok {
			return nil
		}
		n, err := strconv.Atoi(value)
		if err != nil || n < 0 || !applies {
			errs = append(errs, fmt.Errorf("tag %s:%q does not fit %s", name, value, t))
			return nil
		}
		return &n
	}
	bound := func(name string) *money.Decimal {
		value, ok := tag.Lookup(name)
		if !ok {
			return nil
		}
		d, err := money.ParseDecimal(value)
		if err != nil || (!isWhole(t) && t != decimalType) {
			errs = append(errs, fmt.Errorf("tag %s:%q does not fit %s", name, value, t))
			return nil
		}
		return &d
	}
	text := t.Kind() == reflect.String && !isText(t)
	list := (t.Kind() == reflect.Slice || t.Kind() == reflect.Map) && !isLeaf(t)
	r.minLength, r.maxLength = count("minLength", text), count("maxLength", text)
	r.minItems, r.maxItems = count("minItems", list), count("maxItems", list)
	r.minimum, r.maximum = bound("minimum"), bound("maximum")
	if value, ok := tag.Lookup("pattern"); ok {
		pattern, err := regexp.Compile(value)
		if err != nil || !text {
			errs = append(errs, fmt.Errorf("tag pattern:%q does not fit %s", value, t))
		}
		r.pattern = pattern
	}
	for _, name := range unkept {
		if _, ok := tag.Lookup(name); ok {
			errs = append(errs, fmt.Errorf("tag %s is not checked by this server", name))
		}
	}
	if len(errs) > 0 {
		return r, errs[0]
	}
	return r, nil
}
