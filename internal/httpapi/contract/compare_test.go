package contract_test

import (
	"fmt"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/vienkart/vienkart/internal/httpapi/contract"
)

const path = "/v1/sales/invoices/get"

// document has one operation with the given schemas, and components for ours.
func document(t *testing.T, request, answer string) *contract.Document {
	t.Helper()
	const template = `{"paths":{"%s":{"post":{
		"requestBody":{"content":{"application/json":{"schema":%s}}},
		"responses":{"200":{"content":{"application/json":{"schema":%s}}}}}}},
		"components":{"schemas":{
			"Line":{"type":"object","properties":{"unit":{"type":"string"}},"required":["unit"]},
			"Error":{"type":"object","required":["error"],"properties":{"error":{"type":"object","required":["code","message"],
				"properties":{"code":{"type":"string","enum":["validation","internal"]},"message":{"type":"string"}}}}}}}}`
	d, err := contract.Parse(fmt.Appendf(nil, template, path, request, answer))
	require.NoError(t, err)
	return d
}

// object is a schema of an object with the given members, of which those named in required may not be missing.
func object(members, required string) string {
	if required != "" {
		required = `,"required":["` + strings.ReplaceAll(required, " ", `","`) + `"]`
	}
	return `{"type":"object","properties":{` + members + `}` + required + `}`
}

func TestCompare(t *testing.T) {
	t.Parallel()
	const (
		text    = `{"type":"string"}`
		whole   = `{"type":"integer"}`
		decimal = `{"type":["string","number"]}`
		enum    = `{"type":"string","enum":["a","b"]}`
		lines   = `{"type":"array","items":{"type":"object","properties":{"unit":{"type":"string"}}}}`
	)
	for name, example := range map[string]struct{ theirs, ours, want string }{
		"Same":                      {object(`"a":`+text, "a"), object(`"a":`+text, "a"), ""},
		"WeAddAnOptionalMember":     {object(`"a":`+text, ""), object(`"a":`+text+`,"b":`+text, ""), ""},
		"WeRequireLess":             {object(`"a":`+text, "a"), object(`"a":`+text, ""), ""},
		"WeTakeMoreTypes":           {object(`"a":`+text, ""), object(`"a":`+decimal, ""), ""},
		"WeTakeAnything":            {object(`"a":`+text, ""), object(`"a":{}`, ""), ""},
		"NumberForInteger":          {object(`"a":`+whole, ""), object(`"a":{"type":"number"}`, ""), ""},
		"EnumInAnotherOrder":        {object(`"a":`+enum, ""), object(`"a":{"type":"string","enum":["b","a"]}`, ""), ""},
		"ReferenceIsFollowed":       {object(`"a":`+object(`"unit":`+text, "unit"), ""), object(`"a":{"$ref":"#/components/schemas/Line"}`, ""), ""},
		"EmptyContractTakesObjects": {`{}`, object(`"a":`+text, ""), ""},
		"WeLackAMember":             {object(`"a":`+text, ""), object("", ""), "request.a: the contract has it, we refuse it"},
		"WeRequireAnOptionalMember": {object(`"a":`+text, ""), object(`"a":`+text, "a"), "request.a: we require it, the contract does not"},
		"WeRequireAMemberOfOurs":    {object("", ""), object(`"b":`+text, "b"), "request.b: we require it, the contract does not"},
		"EmptyContractSendsNothing": {`{}`, object(`"a":`+text, "a"), "request.a: we require it, the contract does not"},
		"OtherType":                 {object(`"a":`+text, ""), object(`"a":`+whole, ""), "request.a: the contract takes string, we take integer"},
		"OneTypeOfTwo":              {object(`"a":{"anyOf":[`+text+`,{"type":"number"}]}`, ""), object(`"a":`+text, ""), "request.a: the contract takes string or number, we take string"},
		"OtherEnum":                 {object(`"a":`+enum, ""), object(`"a":{"type":"string","enum":["a"]}`, ""), "request.a: the contract lists a, b, we list a"},
		"EnumWeDoNotList":           {object(`"a":`+enum, ""), object(`"a":`+text, ""), "request.a: the contract lists a, b, we list no values"},
		"EnumOnlyWeList":            {object(`"a":`+text, ""), object(`"a":`+enum, ""), "request.a: the contract takes any text, we take only a, b"},
		"MemberInsideAList":         {object(`"l":`+lines, ""), object(`"l":{"type":"array","items":{"type":"object","properties":{}}}`, ""), "request.l[].unit: the contract has it, we refuse it"},
		"RequiredInsideAList":       {object(`"l":`+lines, ""), object(`"l":{"type":"array","items":{"$ref":"#/components/schemas/Line"}}`, ""), "request.l[].unit: we require it, the contract does not"},
		"MapOfText":                 {object(`"m":{"type":"object","additionalProperties":`+text+`}`, ""), object(`"m":{"type":"object","additionalProperties":`+whole+`}`, ""), "request.m.*: the contract takes string, we take integer"},
		"MapIsFixed":                {object(`"m":{"type":"object","additionalProperties":`+text+`}`, ""), object(`"m":`+object("", ""), ""), "request.m: the contract takes a map with names of the client's choice, we do not"},
	} {
		t.Run("Request"+name, func(t *testing.T) {
			t.Parallel()
			requireDeviation(t, example.want, document(t, example.theirs, `{}`), document(t, example.ours, `{}`))
		})
	}
	for name, example := range map[string]struct{ theirs, ours, want string }{
		"Same":                     {object(`"a":`+text, "a"), object(`"a":`+text, "a"), ""},
		"WeAddAMember":             {object("", ""), object(`"a":`+text, "a"), ""},
		"WeAlwaysGiveIt":           {object(`"a":`+text, ""), object(`"a":`+text, "a"), ""},
		"OptionalMayBeNull":        {object(`"a":`+text, ""), object(`"a":{"type":["string","null"]}`, "a"), ""},
		"IntegerForNumber":         {object(`"a":{"type":"number"}`, ""), object(`"a":`+whole, ""), ""},
		"ListedTextForText":        {object(`"a":`+text, ""), object(`"a":`+enum, ""), ""},
		"ContractGivesAnything":    {object(`"a":{}`, ""), object(`"a":`+whole, ""), ""},
		"WeLackAMember":            {object(`"a":`+text, ""), object("", ""), "answer.a: the contract has it, our answer does not"},
		"WeMayLeaveItOut":          {object(`"a":`+text, "a"), object(`"a":`+text, ""), "answer.a: the contract always gives it, we may leave it out"},
		"WeMayGiveNull":            {object(`"a":`+text, "a"), object(`"a":{"type":["string","null"]}`, "a"), "answer.a: the contract never gives null, we may"},
		"WeMayGiveNullByReference": {object(`"a":`+object("", ""), "a"), object(`"a":{"anyOf":[{"$ref":"#/components/schemas/Line"},{"type":"null"}]}`, "a"), "answer.a: the contract never gives null, we may"},
		"OtherType":                {object(`"a":`+text, ""), object(`"a":`+whole, ""), "answer.a: the contract gives string, we give integer"},
		"MoreTypes":                {object(`"a":`+text, ""), object(`"a":`+decimal, ""), "answer.a: the contract gives string, we give string or number"},
		"WeGiveAnything":           {object(`"a":`+text, ""), object(`"a":{}`, ""), "answer.a: the contract gives string, we give anything"},
		"EnumWeDoNotList":          {object(`"a":`+enum, ""), object(`"a":`+text, ""), "answer.a: the contract lists a, b, we list no values"},
		"OtherEnum":                {object(`"a":`+enum, ""), object(`"a":{"type":"string","enum":["a","c"]}`, ""), "answer.a: the contract lists a, b, we list a, c"},
		"MemberInsideAList":        {object(`"l":`+lines, ""), object(`"l":{"type":"array","items":{"type":"object","properties":{}}}`, ""), "answer.l[].unit: the contract has it, our answer does not"},
		"NullInsideAList":          {object(`"l":{"type":"array","items":`+text+`}`, ""), object(`"l":{"type":"array","items":{"type":["string","null"]}}`, ""), "answer.l[]: the contract never gives null, we may"},
		"MapIsFixed":               {object(`"m":{"type":"object","additionalProperties":`+text+`}`, ""), object(`"m":`+object("", ""), ""), "answer.m: the contract gives a map, we give fixed members"},
	} {
		t.Run("Answer"+name, func(t *testing.T) {
			t.Parallel()
			requireDeviation(t, example.want, document(t, `{}`, example.theirs), document(t, `{}`, example.ours))
		})
	}
}

func requireDeviation(t *testing.T, want string, theirs, ours *contract.Document) {
	t.Helper()
	report := contract.Compare(theirs, ours)
	if want == "" {
		require.Empty(t, report.Deviations)
		require.Zero(t, report.Deviating())
		return
	}
	require.Len(t, report.Deviations, 1)
	require.Equal(t, path+" "+want, report.Deviations[0].String())
	require.Equal(t, 1, report.Deviating())
}

func TestReport(t *testing.T) {
	t.Parallel()
	parse := func(paths string) *contract.Document {
		d, err := contract.Parse([]byte(`{"paths":{` + paths + `}}`))
		require.NoError(t, err)
		return d
	}
	report := contract.Compare(parse(`"/v1/a":{"post":{}},"/v1/b":{"post":{}}`), parse(`"/v1/a":{"post":{}},"/v1/c":{"post":{}}`))
	t.Run("CountsBothSides", func(t *testing.T) {
		t.Parallel()
		require.Equal(t, contract.Report{Total: 2, Served: []string{"/v1/a"}, Missing: []string{"/v1/b"}, Extra: []string{"/v1/c"}}, report)
	})
	t.Run("IsWritten", func(t *testing.T) {
		t.Parallel()
		var out strings.Builder
		_, err := report.WriteTo(&out)
		require.NoError(t, err)
		require.Equal(t, "1 of 2 operations served, 0 deviate\n1 operations that the contract lacks:\n  /v1/c\n", out.String())
	})
}

func TestParse(t *testing.T) {
	t.Parallel()
	t.Run("NoJSONIsRefused", func(t *testing.T) {
		t.Parallel()
		_, err := contract.Parse([]byte("openapi: 3.1.0"))
		require.ErrorContains(t, err, "reading an OpenAPI document")
	})
	t.Run("NoPathsIsRefused", func(t *testing.T) {
		t.Parallel()
		_, err := contract.Parse([]byte("{}"))
		require.ErrorContains(t, err, "it has no paths")
	})
	t.Run("CircleOfReferencesEnds", func(t *testing.T) {
		t.Parallel()
		d, err := contract.Parse([]byte(`{"paths":{"/v1/a":{"$ref":"#/paths/~1v1~1a"}}}`))
		require.NoError(t, err)
		require.Empty(t, d.Paths())
	})
}
