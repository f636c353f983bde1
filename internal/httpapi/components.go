package httpapi

import (
	"fmt"
	"maps"
	"reflect"
	"regexp"
	"slices"
	"strings"
	"unicode"
)

// componentNames are the names of a struct in the document: one for both directions, unless requests read it more
// liberally than answers write it.
type componentNames struct{ asked, answered string }

func (n componentNames) in(d direction) string {
	if d == asked {
		return n.asked
	}
	return n.answered
}

// nameComponents names every struct that the operations can reach. A name is the type's own, with the package in front
// when two packages use the same one. Errors: two types of one package that differ in case alone.
func nameComponents(operations []Operation) (map[reflect.Type]componentNames, error) {
	refusal := reflect.TypeFor[errorBody]()
	requests, answers := map[reflect.Type]bool{}, map[reflect.Type]bool{}
	reach(refusal, answers)
	for _, o := range operations {
		reach(o.Request, requests)
		reach(o.Response, answers)
	}
	all := maps.Clone(requests)
	maps.Copy(all, answers)
	delete(all, refusal)
	byName := map[string][]reflect.Type{}
	for t := range all {
		byName[readable(t.Name())] = append(byName[readable(t.Name())], t)
	}
	names := map[reflect.Type]componentNames{refusal: {errorSchema, errorSchema}}
	taken := map[string]reflect.Type{errorSchema: refusal}
	for _, name := range slices.Sorted(maps.Keys(byName)) {
		for _, t := range byName[name] {
			unique := name
			if len(byName[name]) > 1 || name == errorSchema {
				unique = capital(packageName(t)) + name
			}
			if other, exists := taken[unique]; exists {
				return nil, fmt.Errorf("naming the component of %s: %s is the name of %s already", t, unique, other)
			}
			taken[unique] = t
			names[t] = componentNames{asked: unique, answered: unique}
			if requests[t] && answers[t] && differs(t, map[reflect.Type]bool{}) {
				names[t] = componentNames{asked: unique + "Input", answered: unique}
			}
		}
	}
	return names, nil
}

// reach collects the named structs inside a type.
func reach(t reflect.Type, found map[reflect.Type]bool) {
	t = indirect(t)
	if isLeaf(t) || found[t] {
		return
	}
	switch t.Kind() {
	case reflect.Slice, reflect.Array, reflect.Map:
		reach(t.Elem(), found)
	case reflect.Struct:
		if t.Name() != "" {
			found[t] = true
		}
		for _, m := range membersOf(t) {
			reach(m.typ, found)
		}
	default: // nothing inside
	}
}

// differs reports a type whose schema depends on the direction: it holds a decimal, which may come as a number, or a
// pointer that is written as null.
func differs(t reflect.Type, seen map[reflect.Type]bool) bool {
	t = indirect(t)
	if t == decimalType {
		return true
	}
	if isLeaf(t) || seen[t] {
		return false
	}
	seen[t] = true
	switch t.Kind() {
	case reflect.Slice, reflect.Array, reflect.Map:
		return t.Elem().Kind() == reflect.Pointer || differs(t.Elem(), seen)
	case reflect.Struct:
		return slices.ContainsFunc(membersOf(t), func(m member) bool {
			return (m.required && m.typ.Kind() == reflect.Pointer) || differs(m.typ, seen)
		})
	default:
		return false
	}
}

// packagePath is the part of a type argument's name before the type itself.
var packagePath = regexp.MustCompile(`[^\[\],]*[/.]`)

// readable writes a Go name as the name of a component: "Page[example.org/x.partner]" as "PartnerPage".
func readable(name string) string {
	generic, arguments, _ := strings.Cut(strings.TrimRight(name, "]"), "[")
	var out strings.Builder
	for part := range strings.FieldsFuncSeq(packagePath.ReplaceAllString(arguments, ""), func(r rune) bool {
		return !unicode.IsLetter(r) && !unicode.IsDigit(r)
	}) {
		out.WriteString(capital(part))
	}
	return out.String() + capital(generic)
}

func capital(s string) string {
	if s == "" {
		return s
	}
	return strings.ToUpper(s[:1]) + s[1:]
}

// argumentPackage is the package of a generic type's argument, in the type's name.
var argumentPackage = regexp.MustCompile(`\[.*?([^/\[\].]+)\.[^/.\]]+\]`)

// packageName tells two types of one name apart: a page of rows by the package of its rows.
func packageName(t reflect.Type) string {
	if argument := argumentPackage.FindStringSubmatch(t.Name()); argument != nil {
		return argument[1]
	}
	path := t.PkgPath()
	return path[strings.LastIndexByte(path, '/')+1:]
}
