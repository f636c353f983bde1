package idempotency

import (
	"encoding/json"
	"fmt"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"
)

// bodyDifferences writes each difference of two bodies as one line.
func bodyDifferences(t *testing.T, first, second string) []string {
	t.Helper()
	return describe(Differences(
		Request{Body: canonicalize(t, first)},
		Request{Body: canonicalize(t, second)},
	))
}

func describe(differences []Difference) []string {
	var lines []string
	for _, d := range differences {
		lines = append(lines, fmt.Sprintf("%s %s: %s -> %s", d.Pointer, d.Kind, string(d.First), string(d.Second)))
	}
	return lines
}

func TestDifferences(t *testing.T) {
	t.Parallel()
	for _, tt := range []struct {
		name, first, second string
		want                []string
	}{
		{"EqualBodies", `{"a":[1,{"b":2}]}`, `{"a":[1.0,{"b":2e0}]}`, nil},
		{"ChangedElement", `{"lines":[{"quantity":1}]}`, `{"lines":[{"quantity":2}]}`, []string{"/lines/0/quantity changed: 1 -> 2"}},
		{"AddedMember", `{"a":1}`, `{"a":1,"b":{"c":2}}`, []string{`/b added:  -> {"c":2}`}},
		{"RemovedMember", `{"a":1,"b":null}`, `{"a":1}`, []string{"/b removed: null -> "}},
		{"NullAgainstAbsent", `{}`, `{"a":null}`, []string{"/a added:  -> null"}},
		{"RenamedMember", `{"b":1,"c":2}`, `{"a":1,"c":2}`, []string{"/a added:  -> 1", "/b removed: 1 -> "}},
		{"AddedTail", `[1]`, `[1,2,3]`, []string{"/1 added:  -> 2", "/2 added:  -> 3"}},
		{"RemovedTail", `[1,2,3]`, `[1]`, []string{"/1 removed: 2 -> ", "/2 removed: 3 -> "}},
		{"OrderOfElements", `[1,2]`, `[2,1]`, []string{"/0 changed: 1 -> 2", "/1 changed: 2 -> 1"}},
		{"IndexesAreInOrderOfNumber", `[0,0,0,0,0,0,0,0,0,0,0]`, `[0,0,1,0,0,0,0,0,0,0,1]`, []string{"/2 changed: 0 -> 1", "/10 changed: 0 -> 1"}},
		{"NumberAgainstText", `{"a":1}`, `{"a":"1"}`, []string{`/a changed: 1 -> "1"`}},
		{"ObjectAgainstArray", `{"a":{}}`, `{"a":[]}`, []string{"/a changed: {} -> []"}},
		{"WholeBody", `{}`, `[]`, []string{" changed: {} -> []"}},
		{"LargeIntegers", `{"a":9007199254740992}`, `{"a":9007199254740993}`, []string{"/a changed: 9007199254740992 -> 9007199254740993"}},
		{"PointerIsEscaped", `{"a/b":{"~":1}}`, `{"a/b":{"~":2}}`, []string{"/a~1b/~0 changed: 1 -> 2"}},
		{"EmptyName", `{"":1}`, `{"":2}`, []string{"/ changed: 1 -> 2"}},
	} {
		t.Run("R61_"+tt.name, func(t *testing.T) {
			t.Parallel()
			require.Equal(t, tt.want, bodyDifferences(t, tt.first, tt.second))
		})
	}
}

func TestDifferencesOutsideTheBody(t *testing.T) {
	t.Parallel()
	t.Run("R14_EachHasItsWord", func(t *testing.T) {
		t.Parallel()
		second := Request{
			Method:    "PUT",
			Route:     "/v1/\xff",
			Query:     "a=2",
			MediaType: "text/json",
			Body:      canonicalize(t, `{"lines":[{"quantity":2}]}`),
		}
		differences := Differences(baseRequest(t), second)
		require.Equal(t, []string{
			`method changed: "POST" -> "PUT"`,
			`path changed: "/v1/sales/invoices/create" -> "/v1/` + "\uFFFD" + `"`,
			`query changed: "a=1&b=2" -> "a=2"`,
			`media type changed: "application/json" -> "text/json"`,
			`/lines/0/quantity changed: 1 -> 2`,
		}, describe(differences))
		require.Equal(t, []string{"method", "path", "query", "media type", "/lines/0/quantity"}, Pointers(differences))
	})
	t.Run("R10_WhatDoesNotCountIsNoDifference", func(t *testing.T) {
		t.Parallel()
		second := baseRequest(t)
		second.Query, second.MediaType = "b=2&a=1", "application/JSON; charset=utf-8"
		require.Empty(t, Differences(baseRequest(t), second))
	})
}

func TestPointers(t *testing.T) {
	t.Parallel()
	differ := func(first, second string) []Difference {
		return Differences(Request{Body: canonicalize(t, first)}, Request{Body: canonicalize(t, second)})
	}
	t.Run("R14_NoValueIsShown", func(t *testing.T) {
		t.Parallel()
		pointers := Pointers(differ(`{"a":"secret one","b":["secret two"]}`, `{"a":"open","c":1}`))
		require.Equal(t, []string{"/a", "/b", "/c"}, pointers)
	})
	t.Run("R14_WholeBodyHasAWord", func(t *testing.T) {
		t.Parallel()
		require.Equal(t, []string{"body"}, Pointers(differ(`{}`, `[]`)))
	})
	t.Run("R14_TwentyAtMost", func(t *testing.T) {
		t.Parallel()
		pointers := Pointers(differ(`[]`, `[`+strings.Repeat("0,", 20)+`0]`))
		require.Len(t, pointers, 20)
		require.Equal(t, "/19", pointers[19])
	})
	t.Run("R14_NoDifferenceIsAnEmptyList", func(t *testing.T) {
		t.Parallel()
		encoded, err := json.Marshal(Pointers(nil))
		require.NoError(t, err)
		require.Equal(t, "[]", string(encoded))
	})
}

func TestDifferencesAreBounded(t *testing.T) {
	t.Parallel()
	t.Run("NumberOfDifferences", func(t *testing.T) {
		t.Parallel()
		first := `{"a":[` + strings.Repeat("0,", 2000) + `0],"b":0}`
		second := `{"a":[` + strings.Repeat("1,", 2000) + `1],"b":1}`
		differences := Differences(Request{Body: canonicalize(t, first)}, Request{Body: canonicalize(t, second)})
		require.Len(t, differences, MaxDifferences)
		require.Equal(t, "/a/999", differences[999].Pointer)
	})
	t.Run("LengthOfAMemberName", func(t *testing.T) {
		t.Parallel()
		fits, long := strings.Repeat("x", MaxPointerLength-len("/a/")), strings.Repeat("x", MaxPointerLength-len("/a/")+1)
		body := `{"a":{"%s":%d}}`
		require.Equal(t, []string{"/a/" + fits + " changed: 1 -> 2"},
			bodyDifferences(t, fmt.Sprintf(body, fits, 1), fmt.Sprintf(body, fits, 2)))
		require.Equal(t, []string{fmt.Sprintf(`/a changed: {"%s":1} -> {"%s":2}`, long, long)},
			bodyDifferences(t, fmt.Sprintf(body, long, 1), fmt.Sprintf(body, long, 2)))
	})
	t.Run("LengthOfAnEscapedMemberName", func(t *testing.T) {
		t.Parallel()
		name := strings.Repeat("~", MaxPointerLength/2+1)
		require.Equal(t, []string{fmt.Sprintf(` changed: {"%s":1} -> {"%s":2}`, name, name)},
			bodyDifferences(t, `{"`+name+`":1}`, `{"`+name+`":2}`))
	})
	t.Run("LengthOfAnIndex", func(t *testing.T) {
		t.Parallel()
		name := strings.Repeat("x", MaxPointerLength-len("//0"))
		zeros, ones := strings.Repeat("0,", 8)+"0", strings.Repeat("1,", 8)+"1"
		require.Len(t, bodyDifferences(t, `{"`+name+`":[`+zeros+`]}`, `{"`+name+`":[`+ones+`]}`), 9)
		require.Len(t, bodyDifferences(t, `{"`+name+`":[`+zeros+`,0]}`, `{"`+name+`":[`+ones+`,1]}`), 1)
	})
}

func TestChangedCanonicalPanics(t *testing.T) {
	t.Parallel()
	broken := Request{Body: Canonical{json: []byte(`{"a":1`)}}
	require.Panics(t, func() {
		Differences(broken, Request{})
	})
}
