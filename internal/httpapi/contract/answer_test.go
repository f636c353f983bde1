package contract_test

import (
	"net/http"
	"testing"

	"github.com/stretchr/testify/require"
)

func TestCheckAnswer(t *testing.T) {
	t.Parallel()
	d := document(t, `{}`, object(
		`"id":{"type":"string"},"status":{"type":"string","enum":["draft","issued"]},"number":{"type":"integer"},"rate":{"type":"number"},
		"isPaid":{"type":"boolean"},"lines":{"type":"array","items":{"$ref":"#/components/schemas/Line"}},
		"diff":{},"names":{"type":"object","additionalProperties":{"type":"string"}}`, "id lines"))
	for name, example := range map[string]struct{ body, fault string }{
		"Smallest":            {`{"id":"1","lines":[]}`, ""},
		"Whole":               {`{"id":"1","lines":[{"unit":"h"}],"status":"draft","number":1,"rate":1,"isPaid":true,"diff":[1],"names":{"a":"b"}}`, ""},
		"MemberOfOurs":        {`{"id":"1","lines":[],"more":null}`, ""},
		"OptionalNull":        {`{"id":"1","lines":[],"number":null}`, ""},
		"Missing":             {`{"lines":[]}`, "answer.id is missing"},
		"RequiredNull":        {`{"id":null,"lines":[]}`, "answer.id is null, the contract gives string"},
		"RequiredNullList":    {`{"id":"1","lines":null}`, "answer.lines is null, the contract gives array"},
		"OtherType":           {`{"id":1,"lines":[]}`, "answer.id is integer, the contract gives string"},
		"FractionForInteger":  {`{"id":"1","lines":[],"number":1.5}`, "answer.number is number, the contract gives integer"},
		"ValueOutsideTheEnum": {`{"id":"1","lines":[],"status":"paid"}`, `answer.status is "paid", the contract lists draft, issued`},
		"InsideAList":         {`{"id":"1","lines":[{"unit":"h"},{}]}`, "answer.lines[1].unit is missing"},
		"InsideAMap":          {`{"id":"1","lines":[],"names":{"a":1}}`, "answer.names.a is integer, the contract gives string"},
		"NoObject":            {`[]`, "answer is array, the contract gives object"},
		"NoJSON":              {`{`, "the body is not JSON"},
		"MemberTwice":         {`{"id":"1","id":"2","lines":[]}`, "the body is not JSON with unique members"},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			requireFault(t, example.fault, d.CheckAnswer(path, http.StatusOK, []byte(example.body)))
		})
	}
	for name, example := range map[string]struct {
		status      int
		body, fault string
	}{
		"ErrorOfTheContract": {http.StatusBadRequest, `{"error":{"code":"validation","message":"no","retryWith":"same_key"}}`, ""},
		"OtherCode":          {http.StatusBadRequest, `{"error":{"code":"oops","message":"no","retryWith":"never"}}`, `answer.error.code is "oops"`},
		"NoAdvice":           {http.StatusInternalServerError, `{"error":{"code":"internal","message":"no"}}`, "answer.error.retryWith must be one of same_key, new_key, never"},
		"NoErrorBody":        {http.StatusNotFound, `{"id":"1"}`, "answer.error is missing"},
		"OtherSuccess":       {http.StatusCreated, `{"id":"1"}`, "has status 201; success is 200"},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			requireFault(t, example.fault, d.CheckAnswer(path, example.status, []byte(example.body)))
		})
	}
	t.Run("OperationOfOursIsAnObject", func(t *testing.T) {
		t.Parallel()
		require.NoError(t, d.CheckAnswer("/v1/ours/a/get", http.StatusOK, []byte(`{"a":null}`)))
		require.ErrorContains(t, d.CheckAnswer("/v1/ours/a/get", http.StatusOK, []byte(`[]`)), "answer is array")
	})
}

func requireFault(t *testing.T, want string, err error) {
	t.Helper()
	if want == "" {
		require.NoError(t, err)
		return
	}
	require.ErrorContains(t, err, want)
}
