package contract

import (
	"fmt"
	"maps"
	"slices"
	"strings"
)

// Deviation is one place where a client of the contract would be let down.
type Deviation struct {
	Operation string
	// At is "request" or "answer" with the members below it, such as "request.lines[].quantity".
	At string
	// What says what the contract has and what we have instead.
	What string
}

func (d Deviation) String() string { return fmt.Sprintf("%s %s: %s", d.Operation, d.At, d.What) }

// Report is the outcome of a comparison. The lists are in order of path.
type Report struct {
	Total      int      // operations of the contract
	Served     []string // of them, those we serve
	Missing    []string // those we do not
	Extra      []string // ours that the contract lacks
	Deviations []Deviation
}

// Deviating counts the served operations that deviate.
func (r Report) Deviating() int {
	operations := map[string]bool{}
	for _, d := range r.Deviations {
		operations[d.Operation] = true
	}
	return len(operations)
}

// Compare looks at every operation of the contract that we serve.
func Compare(contract, ours *Document) Report {
	r := Report{Total: len(contract.operations)}
	for _, path := range contract.Paths() {
		served, ok := ours.operations[path]
		if !ok {
			r.Missing = append(r.Missing, path)
			continue
		}
		r.Served = append(r.Served, path)
		c := &comparison{contract: contract, ours: ours, operation: path}
		c.request("request", contract.operations[path].request, served.request)
		c.answer("answer", contract.operations[path].answer, served.answer)
		r.Deviations = append(r.Deviations, c.found...)
	}
	for _, path := range ours.Paths() {
		if _, ok := contract.operations[path]; !ok {
			r.Extra = append(r.Extra, path)
		}
	}
	return r
}

type comparison struct {
	contract, ours *Document
	operation      string
	found          []Deviation
}

func (c *comparison) deviate(at, format string, args ...any) {
	c.found = append(c.found, Deviation{c.operation, at, fmt.Sprintf(format, args...)})
}

// request checks that whatever the contract lets a client send is accepted.
func (c *comparison) request(at string, theirs, mine any) {
	want, have := c.contract.shape(theirs), c.ours.shape(mine)
	for _, name := range have.required {
		if !want.requires(name) {
			c.deviate(at+"."+name, "we require it, the contract does not")
		}
	}
	if have.any() || (want.any() && have.has(typeObject)) {
		return
	}
	if want.any() {
		c.deviate(at, "the contract takes anything, we take %s", have)
		return
	}
	for _, t := range want.types {
		if !have.allows(t) {
			c.deviate(at, "the contract takes %s, we take %s", want, have)
			return
		}
	}
	c.enumeration(at, want, have, true)
	for _, name := range slices.Sorted(maps.Keys(want.properties)) {
		property, ok := have.properties[name]
		switch {
		case ok:
			c.request(at+"."+name, want.properties[name], property)
		case have.isMap:
			c.request(at+"."+name, want.properties[name], have.entries)
		default:
			c.deviate(at+"."+name, "the contract has it, we refuse it")
		}
	}
	if want.has(typeArray) {
		c.request(at+"[]", want.items, have.items)
	}
	if want.isMap {
		if !have.isMap {
			c.deviate(at, "the contract takes a map with names of the client's choice, we do not")
			return
		}
		c.request(at+".*", want.entries, have.entries)
	}
}

// answer checks that whatever a client of the contract reads is there.
func (c *comparison) answer(at string, theirs, mine any) {
	want, have := c.contract.shape(theirs), c.ours.shape(mine)
	if want.any() {
		return
	}
	if have.any() {
		c.deviate(at, "the contract gives %s, we give anything", want)
		return
	}
	for _, t := range have.types {
		if !want.allows(t) {
			c.deviate(at, "the contract gives %s, we give %s", want, have)
			return
		}
	}
	c.enumeration(at, want, have, false)
	for _, name := range slices.Sorted(maps.Keys(want.properties)) {
		property, ok := have.properties[name]
		if !ok {
			c.deviate(at+"."+name, "the contract has it, our answer does not")
			continue
		}
		if want.requires(name) {
			if !have.requires(name) {
				c.deviate(at+"."+name, "the contract always gives it, we may leave it out")
			}
			if c.ours.shape(property).nullable {
				c.deviate(at+"."+name, "the contract never gives null, we may")
			}
		}
		c.answer(at+"."+name, want.properties[name], property)
	}
	if want.has(typeArray) {
		if c.ours.shape(have.items).nullable {
			c.deviate(at+"[]", "the contract never gives null, we may")
		}
		c.answer(at+"[]", want.items, have.items)
	}
	if want.isMap {
		if !have.isMap {
			c.deviate(at, "the contract gives a map, we give fixed members")
			return
		}
		c.answer(at+".*", want.entries, have.entries)
	}
}

// enumeration compares listed values. An answer of ours may list the values of what is free text in the contract: a
// client that reads text reads them. A request may not: the client would send others. A request of ours may take values
// beside those of the contract.
func (c *comparison) enumeration(at string, want, have shape, isRequest bool) {
	switch {
	case slices.Equal(want.enum, have.enum):
	case want.enum == nil && isRequest:
		c.deviate(at, "the contract takes any text, we take only %s", strings.Join(have.enum, ", "))
	case want.enum == nil:
	case isRequest && containsAll(have.enum, want.enum):
	case have.enum == nil:
		c.deviate(at, "the contract lists %s, we list no values", strings.Join(want.enum, ", "))
	default:
		c.deviate(at, "the contract lists %s, we list %s", strings.Join(want.enum, ", "), strings.Join(have.enum, ", "))
	}
}

func containsAll(list, wanted []string) bool {
	return !slices.ContainsFunc(wanted, func(v string) bool { return !slices.Contains(list, v) })
}
