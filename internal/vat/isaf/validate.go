package isaf

import (
	"encoding/xml"
	"errors"
	"fmt"
	"io"
	"strings"
)

// Codes of VMI's checks of a file as such.
const (
	codeSchema    = "11004"
	codeNamespace = "11005"
	codeEmpty     = "11007"
	codeRoot      = "11010"
)

const instanceNamespace = "http://www.w3.org/2001/XMLSchema-instance"

// Validate reads a file of anybody's and compares it with the schema of i.SAF 1.2: elements, their order and number, types and
// patterns. It reports up to a thousand problems, all of level error, each with the path and the line; none means that the file
// is valid. What business rules say is not looked at.
func Validate(r io.Reader) []Problem {
	v := &validator{decoder: xml.NewDecoder(r)}
	v.run()
	return v.found.list
}

type validator struct {
	decoder *xml.Decoder
	found   problems
	open    []*element
	// rootSeen says that the one root element was read.
	rootSeen bool
}

// element is an element that is being read.
type element struct {
	*particle
	// at is the child that may come next, count how often it stood already.
	at, count int
	isNil     bool
	hasFault  bool
	value     strings.Builder
}

func (v *validator) run() {
	for {
		token, err := v.decoder.Token()
		if err != nil {
			v.end(err)
			return
		}
		switch token := token.(type) {
		case xml.StartElement:
			err = v.start(token)
		case xml.EndElement:
			v.finish()
		case xml.CharData:
			v.characters(token)
		}
		if err != nil {
			v.end(err)
			return
		}
	}
}

// end reports what the end of the file, or of what can be read of it, means.
func (v *validator) end(err error) {
	var syntax *xml.SyntaxError
	switch {
	case !errors.Is(err, io.EOF) || errors.As(err, &syntax):
		v.fault(codeSchema, "the file is not well-formed XML: %s", err)
	case !v.rootSeen:
		v.fault(codeEmpty, "the file has no element")
	}
}

func (v *validator) fault(code, format string, args ...any) {
	var path strings.Builder
	for _, e := range v.open {
		path.WriteString("/" + e.name)
	}
	line, _ := v.decoder.InputPos()
	v.found.file(LevelError, code, "line %d, %s: %s", line, path.String(), fmt.Sprintf(format, args...))
}

func (v *validator) start(token xml.StartElement) error {
	p := v.expected(token.Name)
	if p == nil {
		return v.decoder.Skip() //nolint:wrapcheck // reported by end
	}
	e := &element{particle: p}
	v.open = append(v.open, e)
	for _, a := range token.Attr {
		v.attribute(e, a)
	}
	return nil
}

// expected finds the element of the schema for a start tag; nil when it has no place here.
func (v *validator) expected(name xml.Name) *particle {
	if len(v.open) == 0 {
		return v.expectedRoot(name)
	}
	parent := v.open[len(v.open)-1]
	if name.Space != namespace {
		v.fault(codeNamespace, "%s is not in the namespace %s", name.Local, namespace)
		return nil
	}
	for i := parent.at; i < len(parent.children); i++ {
		child := parent.children[i]
		if child.name != name.Local {
			continue
		}
		v.missing(parent, i)
		if i != parent.at {
			parent.at, parent.count = i, 0
		}
		if parent.count++; parent.count == child.most+1 {
			v.fault(codeSchema, "%s stands more than %d times", child.name, child.most)
		}
		return child
	}
	v.fault(codeSchema, "%s has no place here", name.Local)
	return nil
}

func (v *validator) expectedRoot(name xml.Name) *particle {
	repeated := v.rootSeen
	v.rootSeen = true
	switch {
	case repeated:
		v.fault(codeSchema, "there is a second root element %s", name.Local)
	case name.Local != schemaRoot.name:
		v.fault(codeRoot, "the root element must be %s", schemaRoot.name)
	case name.Space != namespace:
		v.fault(codeNamespace, "the namespace must be %s", namespace)
	default:
		return schemaRoot
	}
	return nil
}

// missing reports the required children of an element that did not stand before the one at a place.
func (v *validator) missing(parent *element, place int) {
	for i := parent.at; i < place; i++ {
		stood := 0
		if i == parent.at {
			stood = parent.count
		}
		if child := parent.children[i]; stood < child.least {
			v.fault(codeSchema, "%s is missing", child.name)
		}
	}
}

func (v *validator) attribute(e *element, a xml.Attr) {
	switch {
	case a.Name.Space == "xmlns" || (a.Name.Space == "" && a.Name.Local == "xmlns"):
	case a.Name.Space != instanceNamespace:
		v.fault(codeSchema, "the attribute %s has no place here", a.Name.Local)
	case a.Name.Local == "schemaLocation" || a.Name.Local == "noNamespaceSchemaLocation":
	case a.Name.Local == "nil" && e.nillable:
		switch collapsed(a.Value) {
		case "true", "1":
			e.isNil = true
		case "false", "0":
		default:
			v.fault(codeSchema, "xsi:nil must be true or false")
		}
	default:
		v.fault(codeSchema, "the attribute xsi:%s has no place here", a.Name.Local)
	}
}

func (v *validator) characters(data xml.CharData) {
	if len(v.open) == 0 {
		return
	}
	e := v.open[len(v.open)-1]
	if e.valueType != "" {
		e.value.Write(data)
		return
	}
	if collapsed(string(data)) != "" && !e.hasFault {
		e.hasFault = true
		v.fault(codeSchema, "must hold elements, not text")
	}
}

// finish looks at an element that ends.
func (v *validator) finish() {
	e := v.open[len(v.open)-1]
	switch {
	case e.valueType == "":
		v.missing(e, len(e.children))
	case e.isNil:
		if e.value.Len() > 0 {
			v.fault(codeSchema, "has a value in spite of xsi:nil")
		}
	default:
		if fault := valueFault(e.valueType, e.value.String()); fault != "" {
			v.fault(codeSchema, "%s", fault)
		}
	}
	v.open = v.open[:len(v.open)-1]
}
