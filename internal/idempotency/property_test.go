package idempotency

import (
	"encoding/json"
	"io"
	"maps"
	"math/big"
	"regexp"
	"slices"
	"strings"
	"testing"

	"github.com/go-json-experiment/json/jsontext"
	"github.com/stretchr/testify/require"
	"pgregory.net/rapid"
)

const modelDepth = 4

// drawRequest makes a request around one spelling of the value.
func drawRequest(t *rapid.T, n *node) Request {
	return Request{Method: "POST", Route: "/v1/a", MediaType: "application/json", Body: canonicalize(t, n.spell(t))}
}

func TestSpellingNeverMatters(t *testing.T) {
	t.Parallel()
	rapid.Check(t, func(t *rapid.T) {
		n := drawNode(t, modelDepth)
		first, second := drawRequest(t, n), drawRequest(t, n)
		require.Equal(t, first.Body.String(), second.Body.String())
		require.Equal(t, first.Fingerprint(), second.Fingerprint())
		require.Empty(t, Differences(first, second))
	})
}

func TestCanonicalFormIsItsOwnCanonicalForm(t *testing.T) {
	t.Parallel()
	rapid.Check(t, func(t *rapid.T) {
		once := canonicalize(t, drawNode(t, modelDepth).spell(t))
		require.Equal(t, once.String(), canonicalize(t, once.String()).String())
	})
}

func TestAnyChangedScalarMatters(t *testing.T) {
	t.Parallel()
	rapid.Check(t, func(t *rapid.T) {
		n := drawNode(t, modelDepth)
		first := drawRequest(t, n)
		scalars := map[string]*node{}
		n.scalars("", scalars)
		if len(scalars) == 0 {
			t.Skip("nothing to change")
		}
		pointer := rapid.SampledFrom(slices.Sorted(maps.Keys(scalars))).Draw(t, "changed")
		scalars[pointer].change()
		second := drawRequest(t, n)

		require.NotEqual(t, first.Fingerprint(), second.Fingerprint())
		differences := Differences(first, second)
		require.Len(t, differences, 1)
		require.Equal(t, pointer, differences[0].Pointer)
		require.Equal(t, DifferenceChanged, differences[0].Kind)
	})
}

func TestDifferencesAreEmptyExactlyWhenFingerprintsAreEqual(t *testing.T) {
	t.Parallel()
	small := rapid.SampledFrom([]string{
		`{}`, ``, `[]`, `[1]`, `[1.0]`, `[1,2]`, `[2,1]`, `{"a":null}`, `{"a":1}`, `{"a":1e0}`, `{"b":1,"a":1}`,
		`{"a":1,"b":1}`, `{"a":[1,{"b":2}]}`, `{"a":[1,{"b":3}]}`, `null`, `0`, `-0`, `"0"`,
	})
	request := rapid.Custom(func(t *rapid.T) Request {
		return Request{
			Method:    rapid.SampledFrom([]string{"POST", "PUT"}).Draw(t, "method"),
			Route:     rapid.SampledFrom([]string{"/a", "/b"}).Draw(t, "route"),
			Query:     rapid.SampledFrom([]string{"", "a=1&b=2", "b=2&a=1", "a=1&a=1", "%zz", "%25zz"}).Draw(t, "query"),
			MediaType: rapid.SampledFrom([]string{"", "application/json", "application/JSON; charset=utf-8"}).Draw(t, "media type"),
			Body:      canonicalize(t, small.Draw(t, "body")),
		}
	})
	rapid.Check(t, func(t *rapid.T) {
		first, second := request.Draw(t, "first"), request.Draw(t, "second")
		same := first.Fingerprint() == second.Fingerprint()
		require.Equal(t, same, len(Differences(first, second)) == 0)
	})
}

// Putting the differences into the first body gives the second one: nothing is
// missing and no pointer leads astray.
func TestDifferencesLeadFromFirstToSecond(t *testing.T) {
	t.Parallel()
	rapid.Check(t, func(t *rapid.T) {
		n := drawNode(t, modelDepth)
		first, second := drawRequest(t, n), drawRequest(t, n.edited(t, modelDepth))
		differences := Differences(first, second)
		patched := decode(t, first.Body.Bytes())
		for _, d := range slices.Backward(differences) {
			patched = patch(t, patched, jsontext.Pointer(d.Pointer), d)
		}
		encoded, err := json.Marshal(patched)
		require.NoError(t, err)
		require.Equal(t, second.Body.String(), canonicalize(t, string(encoded)).String())
		for _, d := range differences {
			require.Equal(t, d.Kind == DifferenceAdded, len(d.First) == 0)
			require.Equal(t, d.Kind == DifferenceRemoved, len(d.Second) == 0)
		}
	})
}

// patch applies one difference. Added elements come back to front, so a hole is
// filled before anyone looks.
func patch(t *rapid.T, whole any, pointer jsontext.Pointer, d Difference) any {
	if pointer == "" {
		return decode(t, d.Second)
	}
	head, rest := firstToken(pointer)
	switch container := whole.(type) {
	case map[string]any:
		if rest == "" && d.Kind == DifferenceRemoved {
			delete(container, head)
		} else {
			container[head] = patch(t, container[head], rest, d)
		}
		return container
	case []any:
		var index int
		require.NoError(t, json.Unmarshal([]byte(head), &index))
		if rest == "" && d.Kind == DifferenceRemoved {
			require.Len(t, container, index+1)
			return container[:index]
		}
		for len(container) <= index {
			container = append(container, nil)
		}
		container[index] = patch(t, container[index], rest, d)
		return container
	default:
		t.Fatalf("pointer %s leads into a scalar", d.Pointer)
		return nil
	}
}

func firstToken(pointer jsontext.Pointer) (string, jsontext.Pointer) {
	for token := range pointer.Tokens() {
		whole := string(jsontext.Pointer("").AppendToken(token))
		return token, pointer[len(whole):]
	}
	return "", ""
}

func decode(t require.TestingT, text []byte) any {
	decoder := json.NewDecoder(strings.NewReader(string(text)))
	decoder.UseNumber()
	var value any
	require.NoError(t, decoder.Decode(&value))
	require.ErrorIs(t, decoder.Decode(new(any)), io.EOF)
	return value
}

func FuzzCanonicalize(f *testing.F) {
	for _, seed := range []string{
		"", " ", "null", "-0", "1e999999999", "1e-999999999", "100e-2", "9007199254740993", `"\ud83d\ude00"`, `"\ud83d"`,
		`{"b":1,"a":[1.0,{"d":null,"c":"\u0041"}]}`, `{"a":1,"\u0061":2}`, "\xef\xbb\xbf{}", "{} {}", "[[[[]]]]", `{"":{"":""}}`,
		`{"a\"":1,"a#":2,"a!":3}`, "{\"\xff\":1}", `0.00000000000000001`, string(invoiceBody()),
	} {
		f.Add([]byte(seed))
	}
	f.Fuzz(func(t *testing.T, body []byte) {
		canonical, err := Canonicalize(body, Limits{})
		if err != nil {
			var refusal *BodyError
			require.ErrorAs(t, err, &refusal)
			require.LessOrEqual(t, refusal.Offset, int64(len(body)))
			return
		}
		require.Equal(t, canonical.String(), canonicalize(t, canonical.String()).String())
		if strings.TrimSpace(string(body)) == "" {
			require.Equal(t, "{}", canonical.String())
			return
		}
		// The standard library must read the same values from both.
		if !longExponent.Match(body) {
			require.Equal(t, asFractions(t, decode(t, body)), asFractions(t, decode(t, canonical.Bytes())))
		}
	})
}

// longExponent finds numbers that take too long to work out as fractions.
var longExponent = regexp.MustCompile(`[eE][+-]?[0-9]{4,}`)

// asFractions replaces every number by its exact value.
func asFractions(t require.TestingT, value any) any {
	switch v := value.(type) {
	case json.Number:
		fraction, ok := new(big.Rat).SetString(v.String())
		require.True(t, ok)
		return fraction.String()
	case []any:
		for i := range v {
			v[i] = asFractions(t, v[i])
		}
	case map[string]any:
		for name := range v {
			v[name] = asFractions(t, v[name])
		}
	}
	return value
}
