package idempotency

import (
	"bytes"
	"cmp"
	"strings"

	"github.com/go-json-experiment/json/jsontext"
)

const (
	// MaxDifferences is how many differences Differences returns at most. More
	// are of no use to a reader, and a hostile pair of bodies has half a million.
	MaxDifferences = 1000

	// MaxPointers is how many places Pointers names at most in a refusal.
	MaxPointers = 20

	// MaxPointerLength is the longest JSON pointer, in bytes, that names a
	// difference. Below it a long member name would be repeated for every
	// difference beneath, so the nearest place that fits is named instead.
	MaxPointerLength = 255
)

// The places outside the body where requests can differ.
const (
	PlaceMethod    = "method"
	PlacePath      = "path"
	PlaceQuery     = "query"
	PlaceMediaType = "media type"
	// PlaceBody stands for the body as a whole, whose JSON pointer is empty.
	PlaceBody = "body"
)

// DifferenceKind says what happened between the first request and the second.
type DifferenceKind string

// The kinds of difference.
const (
	// DifferenceAdded is a member or element that only the second request has.
	DifferenceAdded DifferenceKind = "added"
	// DifferenceRemoved is a member or element that only the first request has.
	DifferenceRemoved DifferenceKind = "removed"
	// DifferenceChanged is a value that both have, and not the same.
	DifferenceChanged DifferenceKind = "changed"
)

// Difference is one place where two requests differ. It holds values of both,
// so it is for the company's own administrator; refusals show Pointers only.
type Difference struct {
	// Pointer is the JSON pointer (RFC 6901) of a place in the body, empty for
	// the body as a whole, or one of the Place words (PlaceMethod and so on).
	Pointer string
	Kind    DifferenceKind
	// First and Second are the values in canonical JSON, of length 0 where
	// absent. An absent value prints as null, so go by Kind to tell it from null.
	First, Second jsontext.Value
}

// Differences returns where the second request departs from the first: method,
// path, query and media type before the places in the body in canonical order,
// MaxDifferences at most. Array elements are compared by index. It returns
// nothing exactly when the fingerprints are equal.
func Differences(first, second Request) []Difference {
	var c comparison
	c.compareText(PlaceMethod, first.Method, second.Method)
	c.compareText(PlacePath, first.Route, second.Route)
	c.compareText(PlaceQuery, canonicalQuery(first.Query), canonicalQuery(second.Query))
	c.compareText(PlaceMediaType, canonicalMediaType(first.MediaType), canonicalMediaType(second.MediaType))
	c.compareValue("", first.Body.value(), second.Body.value())
	return c.found
}

// Pointers returns the places of the differences and none of their values, in
// the same order, MaxPointers at most.
func Pointers(differences []Difference) []string {
	differences = differences[:min(len(differences), MaxPointers)]
	pointers := make([]string, 0, len(differences))
	for _, d := range differences {
		pointers = append(pointers, cmp.Or(d.Pointer, PlaceBody))
	}
	return pointers
}

// comparison gathers differences until there are MaxDifferences.
type comparison struct {
	found []Difference
}

func (c *comparison) add(d Difference) {
	if len(c.found) < MaxDifferences {
		c.found = append(c.found, d)
	}
}

func (c *comparison) compareText(place, first, second string) {
	if first != second {
		c.add(Difference{
			Pointer: place,
			Kind:    DifferenceChanged,
			First:   quoteText(first),
			Second:  quoteText(second),
		})
	}
}

// quoteText returns the text as a JSON string. A path may hold bytes that are
// not UTF-8; they are shown as the replacement character.
func quoteText(text string) jsontext.Value {
	quoted, _ := jsontext.AppendQuote(nil, strings.ToValidUTF8(text, "\uFFFD"))
	return quoted
}

// compareValue compares two canonical values. Equal values have equal bytes, so
// only what differs is taken apart.
func (c *comparison) compareValue(pointer string, first, second jsontext.Value) {
	if bytes.Equal(first, second) {
		return
	}
	if first.Kind() == second.Kind() && (first.Kind() == '{' || first.Kind() == '[') {
		parent := container{pointer: pointer, kind: first.Kind()}
		before, after := readParts(first), readParts(second)
		if parent.fits(before) && parent.fits(after) {
			c.compareParts(parent, before, after)
			return
		}
	}
	c.add(Difference{Pointer: pointer, Kind: DifferenceChanged, First: first, Second: second})
}
