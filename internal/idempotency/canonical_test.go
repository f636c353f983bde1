package idempotency

import (
	"fmt"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"
)

func canonicalize(t require.TestingT, body string) Canonical {
	c, err := Canonicalize([]byte(body), Limits{})
	require.NoError(t, err, "body: %s", body)
	return c
}

func TestCanonical(t *testing.T) {
	t.Parallel()
	cases := []struct{ name, body, want string }{
		{"R11_EmptyBodyIsAnEmptyObject", ``, `{}`},
		{"R11_BlankBodyIsAnEmptyObject", " \r\n\t", `{}`},
		{"R11_NullIsNotAbsent", `null`, `null`},
		{"R11_NullMemberStays", `{"a":null}`, `{"a":null}`},
		{"R11_LiteralsStay", `[true, false, null]`, `[true,false,null]`},
		{"R11_WhiteSpaceGoes", " { \"a\" : [ 1 ,\n2 ] ,\t\"b\" : { } } ", `{"a":[1,2],"b":{}}`},
		{"R11_MembersAreSorted", `{"b":1,"a":{"d":2,"c":3}}`, `{"a":{"c":3,"d":2},"b":1}`},
		{"R11_ShorterNameComesFirst", `{"ab":1,"a":2,"":3}`, `{"":3,"a":2,"ab":1}`},
		{"R11_QuoteInANameSortsByItsCodePoint", `{"a#":1,"a\"":2,"a!":3}`, `{"a!":3,"a\"":2,"a#":1}`},
		{"R11_NamesSortByCodePointsNotByUTF16", `{"😀":1,"\uffee":2}`, "{\"\uffee\":2,\"😀\":1}"},
		{"R11_EscapedNameSortsUnescaped", `{"\u0062":1,"a":2}`, `{"a":2,"b":1}`},
		{"R11_ArraysKeepOrder", `[3,1,2]`, `[3,1,2]`},
		{"R11_ObjectsInArraysAreSorted", `[{"b":1,"a":2},{"d":1,"c":2}]`, `[{"a":2,"b":1},{"c":2,"d":1}]`},
		{"R11_EscapesAreMinimal", `"\u0041\/\u017e\ud83d\ude00"`, `"A/ž😀"`},
		{"R11_NeededEscapesStay", `"\"\\\b\f\n\r\t\u0000\u001F"`, `"\"\\\b\f\n\r\t\u0000\u001f"`},
		{"R11_HTMLIsNotEscaped", `"\u003ca\u0026b\u003e"`, `"<a&b>"`},
		{"R11_LineSeparatorIsNotEscaped", `"\u2028"`, "\"\u2028\""},
		{"R11_ReplacementCharacterIsText", `"\ufffd"`, "\"\ufffd\""},
		{"R11_NumberTextStaysText", `"1.0"`, `"1.0"`},
	}
	for _, tt := range cases {
		t.Run(tt.name, func(t *testing.T) {
			t.Parallel()
			c := canonicalize(t, tt.body)
			require.Equal(t, tt.want, c.String())
			require.Equal(t, tt.want, string(c.Bytes()))
		})
	}
}

func TestCanonicalNumber(t *testing.T) {
	t.Parallel()
	cases := []struct {
		want      string
		spellings []string
	}{
		{`0`, []string{`0`, `-0`, `0.0`, `-0.00`, `0e5`, `0E-999999999`}},
		{`1`, []string{`1`, `1.0`, `1e0`, `100e-2`, `0.1e1`, `0.001e+3`, `1E-0`, `1e000000000000`}},
		{`-1.5`, []string{`-1.5`, `-1.50`, `-15e-1`, `-0.15e1`}},
		{`121`, []string{`121.00`, `1.21e2`, `12100e-2`}},
		{`0.05`, []string{`0.05`, `5e-2`, `0.0500`, `50e-3`}},
		{`10`, []string{`10`, `1e1`, `1e01`}},
		{`9007199254740992`, []string{`9007199254740992`, `9007199254740992.0`}},
		{`9007199254740993`, []string{`9007199254740993`, `9007199254740993.0`}},
		{`0.1`, []string{`0.1`}},
		{`0.1000000000000000055511151231257827`, []string{`0.1000000000000000055511151231257827`}},
		{`1000000000000000`, []string{`1e15`, `1000000000000000`}},
		{`1e16`, []string{`1e16`, `10000000000000000`}},
		{`0.000000000000001`, []string{`1e-15`}},
		{`0.0000000000000001`, []string{`1e-16`, `0.0000000000000001`}},
		{`1e-17`, []string{`1e-17`, `0.00000000000000001`}},
		{`0.00000000000000123`, []string{`123e-17`}},
		{`1e999999999`, []string{`1e999999999`, `10e999999998`, `100e999999997`}},
		{`-25e-999999999`, []string{`-25e-999999999`, `-2.5E-999999998`}},
	}
	for _, tt := range cases {
		t.Run("R11_"+tt.want, func(t *testing.T) {
			t.Parallel()
			for _, spelling := range tt.spellings {
				require.Equal(t, tt.want, canonicalize(t, spelling).String(), spelling)
			}
		})
	}
}

func TestCanonicalIsRefused(t *testing.T) {
	t.Parallel()
	const exponent = "must not have a number with a decimal exponent of more than 9 digits"
	cases := []struct {
		name, body string
		want       BodyError
	}{
		{"R11_DuplicateMember", `{"a":1,"a":1}`, BodyError{"/a", 7, "must not have the same member twice"}},
		{"R11_DuplicateMemberDeepInside", `{"lines":[{"x":1},{"q/~":1,"b":2,"q/~":3}]}`, BodyError{"/lines/1/q~1~0", 33, "must not have the same member twice"}},
		{"R11_DuplicateMemberSpelledWithAnEscape", `{"a":1,"\u0061":2}`, BodyError{"/a", 7, "must not have the same member twice"}},
		{"R11_ByteOrderMark", "\xef\xbb\xbf{}", BodyError{"", 0, "must not begin with a byte order mark; send plain UTF-8"}},
		{"R11_SecondValue", `{} {}`, BodyError{"", 2, "must be one JSON value, with nothing after it"}},
		{"R11_RubbishAfterTheValue", `{"a":1}x`, BodyError{"", 7, "must be one JSON value, with nothing after it"}},
		{"R11_InvalidUTF8", "{\"a\":\"\xff\"}", BodyError{"/a", 6, "must be valid JSON: invalid UTF-8"}},
		{"R11_InvalidUTF8InAName", "{\"\xc5\":1}", BodyError{"", 2, "must be valid JSON: invalid UTF-8"}},
		{"R11_LoneHighSurrogate", `["\ud83d"]`, BodyError{"/0", 2, "must be valid JSON: invalid surrogate pair"}},
		{"R11_LoneLowSurrogate", `["\ude00"]`, BodyError{"/0", 2, "must be valid JSON: invalid surrogate pair"}},
		{"R11_CutShort", `{"a":[1,`, BodyError{"/a", 8, "must be valid JSON: it ends in the middle of a value"}},
		{"R11_NameWithoutQuotes", `{a:1}`, BodyError{"", 1, "must be valid JSON: invalid character 'a' at start of value"}},
		{"R11_NameThatIsANumber", `{1:1}`, BodyError{"", 1, "must be valid JSON: object member name must be a string"}},
		{"R11_TrailingComma", `[1,]`, BodyError{"", 2, "must be valid JSON: invalid character ',' at start of value"}},
		{"R11_ControlCharacterInText", "[\"a\tb\"]", BodyError{"/0", 3, "must be valid JSON: invalid character '\\t' in string (expecting non-control character)"}},
		{"R11_NotANumber", `[NaN]`, BodyError{"/0", 1, "must be valid JSON: invalid character 'N' at start of value"}},
		{"R11_LeadingZero", `[01]`, BodyError{"", 2, "must be valid JSON: invalid character '1' after array element (expecting ',' or ']')"}},
		{"R11_SpelledExponentTooLong", `{"a":[0,1e1000000000]}`, BodyError{"/a/1", 20, exponent}},
		{"R11_SpelledExponentTooLongEvenOfZero", `0e-1000000000`, BodyError{"", 13, exponent}},
		{"R11_NormalisedExponentTooLong", `10e999999999`, BodyError{"", 12, exponent}},
		{"R11_NormalisedNegativeExponentTooLong", `0.1e-999999999`, BodyError{"", 14, exponent}},
	}
	for _, tt := range cases {
		t.Run(tt.name, func(t *testing.T) {
			t.Parallel()
			_, err := Canonicalize([]byte(tt.body), Limits{})
			var refusal *BodyError
			require.ErrorAs(t, err, &refusal)
			// What follows in a message comes from the decoder and may change.
			require.True(t, strings.HasPrefix(refusal.Message, tt.want.Message), refusal.Message)
			require.Equal(t, tt.want.Pointer, refusal.Pointer)
			require.Equal(t, tt.want.Offset, refusal.Offset)
		})
	}
}

func TestBodyErrorIsASentence(t *testing.T) {
	t.Parallel()
	require.EqualError(t, &BodyError{Offset: 2, Message: "must be one JSON value, with nothing after it"},
		"The request body must be one JSON value, with nothing after it (byte 2).")
	require.EqualError(t, &BodyError{Pointer: "/a", Offset: 7, Message: "must not have the same member twice"},
		"The request body must not have the same member twice (at /a, byte 7).")
}

func TestBodyErrorPointerIsShort(t *testing.T) {
	t.Parallel()
	_, err := Canonicalize([]byte(`{"lines":{"`+strings.Repeat("x", 300)+`":1e1000000000}}`), Limits{})
	var refusal *BodyError
	require.ErrorAs(t, err, &refusal)
	require.Equal(t, "/lines", refusal.Pointer)
}

func TestCanonicalDepth(t *testing.T) {
	t.Parallel()
	arrays := func(n int) string { return strings.Repeat("[", n) + strings.Repeat("]", n) }
	objects := func(n int) string { return strings.Repeat(`{"a":`, n) + "1" + strings.Repeat("}", n) }

	t.Run("R11_64LevelsAreAccepted", func(t *testing.T) {
		t.Parallel()
		require.Equal(t, arrays(64), canonicalize(t, arrays(64)).String())
		require.Equal(t, objects(64), canonicalize(t, objects(64)).String())
	})
	t.Run("R11_65LevelsAreRefused", func(t *testing.T) {
		t.Parallel()
		for _, body := range []string{arrays(65), objects(65), strings.Repeat("[", 1<<20)} {
			_, err := Canonicalize([]byte(body), Limits{})
			require.ErrorContains(t, err, "must not nest arrays and objects deeper than 64")
		}
	})
	t.Run("R11_AnOperationMaySetItsOwnLimit", func(t *testing.T) {
		t.Parallel()
		_, err := Canonicalize([]byte(arrays(2)), Limits{Depth: 1})
		require.ErrorContains(t, err, "deeper than 1")
		_, err = Canonicalize([]byte(arrays(65)), Limits{Depth: 65})
		require.NoError(t, err)
	})
}

func TestCanonicalLeavesTheBodyAlone(t *testing.T) {
	t.Parallel()
	const text = `{"b":[1.0,"\u0041"],"a":{"d":1e2,"c":null}}`
	body := []byte(text)
	_, err := Canonicalize(body, Limits{})
	require.NoError(t, err)
	require.Equal(t, text, string(body))
}

// A short body must not become a long one: exponents are never written out in
// full, and what is written out is bounded.
func TestCanonicalGrowthIsBounded(t *testing.T) {
	t.Parallel()
	for _, number := range []string{`1e999999999`, `1e-999999999`, `1e15`, `1e16`, `1e-16`, `1e-17`} {
		body := "[" + strings.Repeat(number+",", 1000) + number + "]"
		canonical := canonicalize(t, body)
		require.Less(t, len(canonical.Bytes()), 4*len(body), number)
	}
}

func TestZeroCanonicalIsAnEmptyObject(t *testing.T) {
	t.Parallel()
	require.Equal(t, "{}", Canonical{}.String())
	require.Equal(t, canonicalize(t, "{ }").Bytes(), Canonical{}.Bytes())
}

// invoiceBody is an invoice of the size clients send, about 2 KB.
func invoiceBody() []byte {
	var lines []string
	for i := range 12 {
		lines = append(lines, fmt.Sprintf(`    {"description": "Konsultacijos, %d-oji diena", "quantity": "%d.00",
      "unit": "val.", "unitPrice": 85.50, "vatCode": "PVM1", "discountPercent": 0, "accountCode": "5001"}`, i+1, i+1))
	}
	return []byte(fmt.Sprintf(`{
  "partnerId": "0197a1c2-7a30-7c11-9a55-0d1f3b2c4e5f", "series": "VK", "issueDate": "2026-03-31",
  "dueDate": "2026-04-30", "currency": "EUR", "language": "lt", "note": "A\u010di\u016b!\nIki",
  "lines": [
%s
  ],
  "tags": ["2026-Q1", "paslaugos"], "paid": false, "reference": null
}`, strings.Join(lines, ",\n")))
}

func BenchmarkCanonicalize(b *testing.B) {
	body := invoiceBody()
	b.SetBytes(int64(len(body)))
	b.ReportAllocs()
	for b.Loop() {
		if _, err := Canonicalize(body, Limits{}); err != nil {
			b.Fatal(err)
		}
	}
}

func BenchmarkFingerprint(b *testing.B) {
	body, err := Canonicalize(invoiceBody(), Limits{})
	require.NoError(b, err)
	request := Request{Method: "POST", Route: "/v1/sales/invoices/create", MediaType: "application/json", Body: body}
	b.ReportAllocs()
	for b.Loop() {
		request.Fingerprint()
	}
}
