package httpapi

import (
	"fmt"
	"reflect"
	"strings"
)

// maxTypos is how far a misspelt member may be from the one that was meant.
const maxTypos = 2

// unknownMember names a member that the object does not have, and the one that was probably meant.
func unknownMember(name string, object reflect.Type) string {
	const unknown = "is not a member of this object; remove it"
	if object == nil || object.Kind() != reflect.Struct {
		return unknown
	}
	meant, closest := "", maxTypos+1
	for _, m := range membersOf(object) {
		distance := typos(name, m.name)
		if distance < closest && 2*distance < len(m.name) {
			meant, closest = m.name, distance
		}
	}
	if meant == "" {
		return unknown
	}
	return fmt.Sprintf("is not a member of this object; did you mean %s?", meant)
}

// typos counts letters changed, added or left out, up to maxTypos+1; another case is no typo.
func typos(a, b string) int {
	if strings.EqualFold(a, b) {
		return 0
	}
	if len(a)-len(b) > maxTypos || len(b)-len(a) > maxTypos {
		return maxTypos + 1
	}
	previous, current := make([]int, len(b)+1), make([]int, len(b)+1)
	for j := range previous {
		previous[j] = j
	}
	for i := range len(a) {
		current[0] = i + 1
		for j := range len(b) {
			change := 1
			if a[i] == b[j] {
				change = 0
			}
			current[j+1] = min(previous[j]+change, previous[j+1]+1, current[j]+1)
		}
		previous, current = current, previous
	}
	return min(previous[len(b)], maxTypos+1)
}
