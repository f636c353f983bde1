package idempotency

import (
	"encoding/hex"
	"testing"

	"github.com/stretchr/testify/require"
)

func baseRequest(t require.TestingT) Request {
	return Request{
		Method:    "POST",
		Route:     "/v1/sales/invoices/create",
		Query:     "a=1&b=2",
		MediaType: "application/json",
		Body:      canonicalize(t, `{"lines":[{"quantity":1}]}`),
	}
}

func TestFingerprint(t *testing.T) {
	t.Parallel()
	same := map[string]func(*Request){
		"R10_QueryOrder":           func(r *Request) { r.Query = "b=2&a=1" },
		"R10_QueryEscaping":        func(r *Request) { r.Query = "%61=1&b=%32" },
		"R10_EmptyQueryPairs":      func(r *Request) { r.Query = "&a=1&&b=2&" },
		"R10_MediaTypeLetterCase":  func(r *Request) { r.MediaType = "Application/JSON" },
		"R10_CharsetUTF8":          func(r *Request) { r.MediaType = `application/json; charset="UTF-8"` },
		"R10_OtherMediaParameters": func(r *Request) { r.MediaType = "application/json; indent=2" },
		"R11_BodySpelling":         func(r *Request) { r.Body = canonicalize(t, ` { "lines" : [ { "quantity" : 1.0 } ] } `) },
	}
	for name, change := range same {
		t.Run(name+"DoesNotCount", func(t *testing.T) {
			t.Parallel()
			request := baseRequest(t)
			change(&request)
			require.Equal(t, baseRequest(t).Fingerprint(), request.Fingerprint())
		})
	}
	different := map[string]func(*Request){
		"R13_Method":              func(r *Request) { r.Method = "PUT" },
		"R13_Route":               func(r *Request) { r.Route = "/v1/sales/invoices/issue" },
		"R13_RouteLetterCase":     func(r *Request) { r.Route = "/v1/sales/Invoices/create" },
		"R10_QueryValue":          func(r *Request) { r.Query = "a=1&b=3" },
		"R10_RepeatedQueryPair":   func(r *Request) { r.Query = "a=1&a=1&b=2" },
		"R10_QuerySwappedValues":  func(r *Request) { r.Query = "a=2&b=1" },
		"R10_MalformedQueryPair":  func(r *Request) { r.Query = "a=1&b=%2" },
		"R10_NoQuery":             func(r *Request) { r.Query = "" },
		"R10_MediaType":           func(r *Request) { r.MediaType = "text/json" },
		"R10_MediaTypeAbsent":     func(r *Request) { r.MediaType = "" },
		"R10_OtherCharset":        func(r *Request) { r.MediaType = "application/json; charset=iso-8859-13" },
		"R13_Body":                func(r *Request) { r.Body = canonicalize(t, `{"lines":[{"quantity":2}]}`) },
		"R11_NullMemberAgainstNo": func(r *Request) { r.Body = canonicalize(t, `{"lines":[{"quantity":1}],"note":null}`) },
		"R11_NumberAgainstText":   func(r *Request) { r.Body = canonicalize(t, `{"lines":[{"quantity":"1"}]}`) },
	}
	for name, change := range different {
		t.Run(name+"Counts", func(t *testing.T) {
			t.Parallel()
			request := baseRequest(t)
			change(&request)
			require.NotEqual(t, baseRequest(t).Fingerprint(), request.Fingerprint())
		})
	}
}

func TestFingerprintPartsDoNotRunTogether(t *testing.T) {
	t.Parallel()
	first := Request{Method: "POST", Route: "/ab"}
	second := Request{Method: "POST/", Route: "ab"}
	require.NotEqual(t, first.Fingerprint(), second.Fingerprint())
}

func TestFingerprintOfLargeIntegersIsExact(t *testing.T) {
	t.Parallel()
	first := Request{Body: canonicalize(t, `{"amount":9007199254740992}`)}
	second := Request{Body: canonicalize(t, `{"amount":9007199254740993}`)}
	require.NotEqual(t, first.Fingerprint(), second.Fingerprint())
}

// Stored claims outlive a release: the recipe may only change together with
// fingerprintVersion.
func TestFingerprintRecipeIsFixed(t *testing.T) {
	t.Parallel()
	fingerprint := baseRequest(t).Fingerprint()
	require.Equal(t, "2f62f6476f65bd81440cc76977b38a78a42485b871418175b6012bfd4c701c32", fingerprint.String())
	require.Equal(t, hex.EncodeToString(fingerprint[:]), fingerprint.String())
}

func TestCanonicalQuery(t *testing.T) {
	t.Parallel()
	for _, tt := range []struct{ name, raw, want string }{
		{"Empty", "", ""},
		{"SortedByKeyThenValue", "b=1&a=2&a=10", "a=10&a=2&b=1"},
		{"KeyIsComparedBeforeTheEqualSign", "a=1&a%20=1", "a=1&a+=1"},
		{"DuplicatesAreKept", "a=1&a=1", "a=1&a=1"},
		{"ValueMayBeAbsent", "a", "a="},
		{"PlusIsABlank", "a=b+c", "a=b+c"},
		{"SemicolonIsText", "a=1;b=2", "a=1%3Bb%3D2"},
		{"MalformedPairStays", "b=%zz&a=1", "a=1&b=%zz"},
		{"MalformedPairIsNotTheEscapedOne", "b=%25zz", "b=%25zz"},
	} {
		t.Run("R10_"+tt.name, func(t *testing.T) {
			t.Parallel()
			require.Equal(t, tt.want, canonicalQuery(tt.raw))
		})
	}
}

func TestCanonicalMediaType(t *testing.T) {
	t.Parallel()
	for _, tt := range []struct{ name, header, want string }{
		{"Empty", " ", ""},
		{"LetterCase", "Application/JSON", "application/json"},
		{"UTF8IsDropped", "application/json;charset=UTF-8", "application/json"},
		{"OtherCharsetIsKept", "application/json; Charset=ISO-8859-13", "application/json; charset=iso-8859-13"},
		{"ParametersAreDropped", "multipart/form-data; boundary=x", "multipart/form-data"},
		{"UnreadableStays", " Application/JSON; charset ", "application/json; charset"},
	} {
		t.Run("R10_"+tt.name, func(t *testing.T) {
			t.Parallel()
			require.Equal(t, tt.want, canonicalMediaType(tt.header))
		})
	}
}
