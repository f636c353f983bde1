package httpapi

import (
	"context"
	"encoding/json"
	"net/http"
	"net/http/httptest"
	"reflect"
	"strings"
	"testing"

	"github.com/go-json-experiment/json/jsontext"
	"github.com/stretchr/testify/require"

	"github.com/vienkart/vienkart/internal/clock"
	"github.com/vienkart/vienkart/internal/date"
	"github.com/vienkart/vienkart/internal/money"
	"github.com/vienkart/vienkart/internal/tenant"
)

type sampleAnswer struct {
	ID      tenant.ID              `json:"id"`
	Total   money.Amount           `json:"total"`
	Rate    money.Decimal          `json:"rate"`
	Day     date.Date              `json:"day"`
	At      clock.Time             `json:"at"`
	Sent    *clock.Time            `json:"sent,omitzero"`
	Paid    *clock.Time            `json:"paid"`
	Parent  *sampleAddress         `json:"parent"`
	Raw     jsontext.Value         `json:"raw,omitzero"`
	Lines   []sampleLine           `json:"lines" description:"Lines."`
	Tree    *sampleAnswer          `json:"tree,omitzero"`
	Matches map[string][]tenant.ID `json:"matches"`
}

func sampleOperations() []Operation {
	create := func(context.Context, tenant.Tx, sampleRequest) (sampleAnswer, error) { return sampleAnswer{}, nil }
	list := func(context.Context, tenant.ReadTx, tenant.ListQuery) (tenant.Page[sampleAnswer], error) {
		return tenant.Page[sampleAnswer]{}, nil
	}
	return []Operation{
		mutation("/v1/sales/sale-samples/create", tenant.WriteSales, "Create a sample", create, described("Longer."), about("sample")),
		query("/v1/sales/sale-samples/list", tenant.ReadBooks, "List samples", list),
	}
}

func sampleDocument(t *testing.T) map[string]any {
	t.Helper()
	encoded, err := document(sampleOperations(), "1.2.3")
	require.NoError(t, err)
	var d map[string]any
	require.NoError(t, json.Unmarshal(encoded, &d))
	return d
}

// at goes down by member names.
func at(t *testing.T, from any, names ...string) any {
	t.Helper()
	for _, name := range names {
		object, ok := from.(map[string]any)
		require.True(t, ok, "no object above %s", name)
		require.Contains(t, object, name)
		from = object[name]
	}
	return from
}

func TestDocument(t *testing.T) {
	t.Parallel()
	t.Run("OfTheRouteTableIsWritten", func(t *testing.T) {
		t.Parallel()
		_, err := Document()
		require.NoError(t, err)
	})
	t.Run("SameBytesEachTime", func(t *testing.T) {
		t.Parallel()
		first, err := document(sampleOperations(), "1")
		require.NoError(t, err)
		for range 5 {
			again, err := document(sampleOperations(), "1")
			require.NoError(t, err)
			require.Equal(t, string(first), string(again))
		}
	})
	t.Run("PathTwiceIsRefused", func(t *testing.T) {
		t.Parallel()
		_, err := document(append(sampleOperations(), sampleOperations()...), "1")
		require.ErrorContains(t, err, "is listed twice")
	})
	t.Run("EveryReferenceLeadsSomewhere", func(t *testing.T) {
		t.Parallel()
		d := sampleDocument(t)
		var walk func(any)
		walk = func(value any) {
			switch v := value.(type) {
			case map[string]any:
				if reference, ok := v["$ref"].(string); ok {
					require.NotNil(t, at(t, d, strings.Split(strings.TrimPrefix(reference, "#/"), "/")...), reference)
				}
				for _, inner := range v {
					walk(inner)
				}
			case []any:
				for _, inner := range v {
					walk(inner)
				}
			}
		}
		walk(d)
	})
	t.Run("ComponentsHaveReadableNames", func(t *testing.T) {
		t.Parallel()
		components, _ := at(t, sampleDocument(t), "components", "schemas").(map[string]any)
		names := make([]string, 0, len(components))
		for name := range components {
			names = append(names, name)
		}
		require.ElementsMatch(t, []string{
			"Error", "ErrorMembers", "Filter", "ListQuery", "SampleAddress", "SampleAnswer", "SampleAnswerPage", "SampleLine", "SampleLineInput",
			"SampleRequest", "Sort",
		}, names)
	})
	t.Run("OperationIsDescribed", func(t *testing.T) {
		t.Parallel()
		o := at(t, sampleDocument(t), "paths", "/v1/sales/sale-samples/create", "post")
		require.Equal(t, []any{"sales"}, at(t, o, "tags"))
		require.Equal(t, "salesSaleSamplesCreate", at(t, o, "operationId"))
		require.Equal(t, "Create a sample", at(t, o, "summary"))
		require.Equal(t, "Longer.", at(t, o, "description"))
		require.Equal(t, "sales:write", at(t, o, "x-permission"))
		require.Equal(t, []any{map[string]any{"bearer": []any{}}}, at(t, o, "security"))
		require.Equal(t, []any{
			map[string]any{"$ref": "#/components/parameters/Idempotency-Key"}, map[string]any{"$ref": "#/components/parameters/Vienkart-Simulate"},
		}, at(t, o, "parameters"))
		headers := at(t, o, "responses", "200", "headers")
		for _, name := range []string{"X-Request-Id", "Idempotent-Replayed", "Idempotency-Expires", "Idempotency-First-Request-Id"} {
			require.Contains(t, headers, name)
		}
		for _, status := range []string{"400", "401", "403", "404", "409", "413", "415", "422", "429", "500", "503"} {
			require.Contains(t, at(t, o, "responses"), status)
		}
	})
	t.Run("QueryTakesNoKey", func(t *testing.T) {
		t.Parallel()
		require.NotContains(t, at(t, sampleDocument(t), "paths", "/v1/sales/sale-samples/list", "post"), "parameters")
	})
}

func TestSchemas(t *testing.T) {
	t.Parallel()
	d := sampleDocument(t)
	request := at(t, d, "components", "schemas", "SampleRequest", "properties")
	answer := at(t, d, "components", "schemas", "SampleAnswer", "properties")
	for name, example := range map[string]struct {
		object any
		member string
		want   string
	}{
		"IdIsUUID":                 {request, "partnerId", `{"type":"string","format":"uuid","description":"Customer."}`},
		"EnumIsListed":             {request, "colour", `{"type":"string","enum":["red","green"]}`},
		"LimitsAreWritten":         {request, "number", `{"type":"integer","format":"int64","minimum":1,"maximum":20}`},
		"EmbeddedMemberIsInPlace":  {request, "city", `{"type":"string","maxLength":5}`},
		"PatternIsWritten":         {request, "code", `{"type":"string","pattern":"^[A-Z]+$"}`},
		"CurrencyIsThreeLetters":   {request, "currency", `{"type":"string","pattern":"^[A-Z]{3}$"}`},
		"BytesAreBase64":           {request, "file", `{"type":"string","contentEncoding":"base64"}`},
		"ListIsReferredTo":         {request, "lines", `{"type":"array","items":{"$ref":"#/components/schemas/SampleLineInput"},"minItems":1,"maxItems":3}`},
		"SharedStructHasOneName":   {request, "sub", `{"$ref":"#/components/schemas/SampleAddress"}`},
		"AmountIsText":             {answer, "total", `{"type":"string","pattern":"^-?[0-9]+(\\.[0-9]+)?$"}`},
		"DecimalIsTextInAnAnswer":  {answer, "rate", `{"type":"string","pattern":"^-?[0-9]{1,12}(\\.[0-9]{1,10})?$"}`},
		"DateIsADate":              {answer, "day", `{"type":"string","format":"date"}`},
		"InstantIsADateTime":       {answer, "at", `{"type":"string","format":"date-time"}`},
		"AbsentPointerIsNeverNull": {answer, "sent", `{"type":"string","format":"date-time"}`},
		"WrittenPointerMayBeNull":  {answer, "paid", `{"type":["string","null"],"format":"date-time"}`},
		"WrittenStructMayBeNull":   {answer, "parent", `{"anyOf":[{"$ref":"#/components/schemas/SampleAddress"},{"type":"null"}]}`},
		"RawValueIsAnything":       {answer, "raw", `{}`},
		"TypeMayHoldItself":        {answer, "tree", `{"$ref":"#/components/schemas/SampleAnswer"}`},
		"MapHasEntries":            {answer, "matches", `{"type":"object","additionalProperties":{"type":"array","items":{"type":"string","format":"uuid"}}}`},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			got, err := json.Marshal(at(t, example.object, example.member))
			require.NoError(t, err)
			require.JSONEq(t, example.want, string(got))
		})
	}
	t.Run("DecimalMayBeANumberInARequest", func(t *testing.T) {
		t.Parallel()
		quantity := at(t, d, "components", "schemas", "SampleLineInput", "properties", "quantity")
		require.Equal(t, []any{"string", "number"}, at(t, quantity, "type"))
	})
	t.Run("RequiredIsWhatMayNotBeLeftOut", func(t *testing.T) {
		t.Parallel()
		require.Equal(t, []any{"partnerId", "isPaid", "lines"}, at(t, d, "components", "schemas", "SampleRequest", "required"))
	})
	t.Run("ErrorIsTheContractsWithRetryWith", func(t *testing.T) {
		t.Parallel()
		members := at(t, d, "components", "schemas", "ErrorMembers")
		require.Equal(t, []any{"code", "message", "requestId", "retryWith"}, at(t, members, "required"))
		require.Equal(t, []any{"same_key", "new_key", "never"}, at(t, members, "properties", "retryWith", "enum"))
	})
}

func TestNameComponents(t *testing.T) {
	t.Parallel()
	t.Run("OtherPackageGoesInFront", func(t *testing.T) {
		t.Parallel()
		type Sort struct {
			Name string `json:"name"`
		}
		o := Operation{Request: reflect.TypeFor[Sort](), Response: reflect.TypeFor[tenant.Sort]()}
		names, err := nameComponents([]Operation{o})
		require.NoError(t, err)
		require.Equal(t, "HttpapiSort", names[o.Request].asked)
		require.Equal(t, "TenantSort", names[o.Response].answered)
	})
	t.Run("SameNameInOnePackageIsRefused", func(t *testing.T) {
		t.Parallel()
		type Address struct {
			City string `json:"city"`
		}
		type address struct {
			Address Address `json:"address"`
		}
		_, err := nameComponents([]Operation{{Request: reflect.TypeFor[address](), Response: reflect.TypeFor[emptyRequest]()}})
		require.ErrorContains(t, err, "is the name of")
	})
}

func TestDocs(t *testing.T) {
	t.Parallel()
	get := func(path string) *httptest.ResponseRecorder {
		w := httptest.NewRecorder()
		docsHandler().ServeHTTP(w, httptest.NewRequest(http.MethodGet, path, nil))
		return w
	}
	for path, media := range map[string]string{
		"/docs": "text/html", "/docs/": "text/html", "/docs/start.js": "text/javascript", "/docs/swagger-ui.css": "text/css",
		"/docs/swagger-ui-bundle.js": "javascript", "/docs/favicon-32x32.png": "image/png",
	} {
		t.Run("Serves"+path, func(t *testing.T) {
			t.Parallel()
			w := get(path)
			require.Equal(t, http.StatusOK, w.Code)
			require.Contains(t, w.Header().Get("Content-Type"), media)
			require.Contains(t, w.Header().Get("Content-Security-Policy"), "script-src 'self'; style-src 'self';")
			require.NotEmpty(t, w.Body.Bytes())
		})
	}
	t.Run("UnknownFileIsNotFound", func(t *testing.T) {
		t.Parallel()
		require.Equal(t, http.StatusNotFound, get("/docs/none.js").Code)
	})
	t.Run("PageNeedsNothingFromOutside", func(t *testing.T) {
		t.Parallel()
		require.NotContains(t, get("/docs").Body.String(), "//")
		require.NotContains(t, get("/docs").Body.String(), "<script>")
	})
}
