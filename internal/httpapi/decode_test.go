package httpapi

import (
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/vienkart/vienkart/internal/apperr"
	"github.com/vienkart/vienkart/internal/clock"
	"github.com/vienkart/vienkart/internal/date"
	"github.com/vienkart/vienkart/internal/money"
	"github.com/vienkart/vienkart/internal/tenant"
)

type sampleColour string

func (sampleColour) Enum() []any { return []any{sampleColour("red"), sampleColour("green")} }

type sampleAddress struct {
	City string `json:"city,omitzero" maxLength:"5"`
}

type sampleLine struct {
	Quantity money.Decimal     `json:"quantity"`
	Unit     string            `json:"unit,omitzero" minLength:"2"`
	Price    *money.Decimal    `json:"price,omitzero" minimum:"0"`
	Extra    map[string]string `json:"extra,omitzero"`
}

type sampleRequest struct {
	sampleAddress
	PartnerID tenant.ID      `json:"partnerId" description:"Customer."`
	Colour    sampleColour   `json:"colour,omitzero"`
	Number    int            `json:"number,omitzero" minimum:"1" maximum:"20"`
	Small     int8           `json:"small,omitzero"`
	IsPaid    bool           `json:"isPaid"`
	Issued    date.Date      `json:"issued,omitzero"`
	Sent      *clock.Time    `json:"sent,omitzero"`
	Currency  money.Currency `json:"currency,omitzero"`
	Code      *string        `json:"code,omitzero" pattern:"^[A-Z]+$"`
	Notes     string         `json:"notes,omitzero"`
	File      []byte         `json:"file,omitzero"`
	Lines     []sampleLine   `json:"lines" minItems:"1" maxItems:"3"`
	Sub       *sampleAddress `json:"sub,omitzero"`
}

const sampleID = "0198c0de-0000-7000-8000-000000000000"

// decodeSample decodes a body whose required members are filled in unless it names them.
func decodeSample(members string) (sampleRequest, error) {
	var in sampleRequest
	body := `{"partnerId":"` + sampleID + `","lines":[{"quantity":1}]`
	if members != "" {
		body += "," + members
	}
	err := decodeRequest([]byte(body+"}"), &in)
	return in, err
}

func faultsOf(t *testing.T, err error) map[string][]string {
	t.Helper()
	var refusal *apperr.Error
	require.ErrorAs(t, err, &refusal)
	require.ErrorIs(t, err, apperr.ErrValidation)
	return refusal.Fields()
}

func TestDecodeRequest(t *testing.T) {
	t.Parallel()
	for name, example := range map[string]struct{ members, path, message string }{
		"UnknownMemberIsNamed":         {`"zzz":1`, "zzz", "is not a member of this object; remove it"},
		"MisspeltMemberIsSuggested":    {`"coluor":"red"`, "coluor", "is not a member of this object; did you mean colour?"},
		"OtherCaseIsSuggested":         {`"NOTES":""`, "NOTES", "is not a member of this object; did you mean notes?"},
		"EmbeddedMemberIsSuggested":    {`"cty":""`, "cty", "is not a member of this object; did you mean city?"},
		"NestedMemberHasItsPath":       {`"sub":{"citty":"x"}`, "sub.citty", "is not a member of this object; did you mean city?"},
		"TextNotNumber":                {`"notes":1`, "notes", "must be text, not a number"},
		"NumberNotText":                {`"number":"1"`, "number", "must be a whole number, not text"},
		"FractionIsRefused":            {`"number":1.5`, "number", "must be a whole number"},
		"TooLargeForTypeIsRefused":     {`"small":200`, "small", "is out of range"},
		"BoolNotText":                  {`"isPaid":"yes"`, "isPaid", "must be true or false, not text"},
		"ObjectNotList":                {`"sub":[]`, "sub", "must be an object, not a list"},
		"ListNotObject":                {`"file":{}`, "file", "must be text in base64, not an object"},
		"EnumOfWrongTypeListsValues":   {`"colour":3`, "colour", "must be one of red, green, not a number"},
		"IdOfWrongType":                {`"sub":{},"sent":5`, "sent", "must be text, not a number"},
		"InstantTellsItsForm":          {`"sent":"now"`, "sent", `"now" is not an RFC 3339 instant such as 2026-01-31T08:00:00Z`},
		"DateTellsItsForm":             {`"issued":"2026-02-30"`, "issued", `a date must be a real day written as YYYY-MM-DD, in the years 1900 to 2199, not "2026-02-30"`},
		"CurrencyTellsItsForm":         {`"currency":"eur"`, "currency", `a currency must be an upper-case ISO 4217 code such as EUR, not "eur"`},
		"DuplicateMemberIsRefused":     {`"notes":"a","notes":"b"`, "notes", "is given twice; send each member once"},
		"ValueOutsideEnum":             {`"colour":"blue"`, "colour", "must be one of red, green"},
		"BelowMinimum":                 {`"number":-1`, "number", "must be 1 or more"},
		"AboveMaximum":                 {`"number":21`, "number", "must be 20 or less"},
		"EmbeddedLimitIsKept":          {`"city":"ąčęėįš"`, "city", "must have 5 characters or less, not 6"},
		"PatternIsKept":                {`"code":"a1"`, "code", "must match ^[A-Z]+$"},
		"GivenEmptyPointerIsChecked":   {`"code":""`, "code", "must match ^[A-Z]+$"},
		"ControlCharacterIsRefused":    {`"notes":"a\u0000b"`, "notes", "must not contain the control character U+0000"},
		"NestedLimitHasItsPath":        {`"sub":{"city":"Marijampolė"}`, "sub.city", "must have 5 characters or less, not 11"},
		"LateControlCharacterIsNoText": {`"notes":"\u009f"`, "notes", "must not contain the control character U+009F"},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			_, err := decodeSample(example.members)
			require.Equal(t, map[string][]string{example.path: {example.message}}, faultsOf(t, err))
		})
	}
	t.Run("GoodRequestIsRead", func(t *testing.T) {
		t.Parallel()
		in, err := decodeSample(`"city":"ąčęėį","colour":"green","number":20,"issued":"2026-01-31","currency":"EUR","notes":"a\tb\r\nc",` +
			`"code":"A","sub":{},"isPaid":true,"file":"AQI="`)
		require.NoError(t, err)
		require.Equal(t, "ąčęėį", in.City)
		require.Equal(t, date.MustParse("2026-01-31"), in.Issued)
		require.Equal(t, []byte{1, 2}, in.File)
		require.Equal(t, money.DecimalFromInt(1), in.Lines[0].Quantity)
	})
	t.Run("NullCountsAsAbsent", func(t *testing.T) {
		t.Parallel()
		in, err := decodeSample(`"colour":null,"number":null,"issued":null,"currency":null,"code":null,"sub":null,"city":null`)
		require.NoError(t, err)
		require.Zero(t, in.Issued)
	})
	t.Run("EmptyBodyIsAnEmptyObject", func(t *testing.T) {
		t.Parallel()
		var q tenant.ListQuery
		require.NoError(t, decodeRequest([]byte(" \n"), &q))
		require.NoError(t, decodeRequest(nil, &q))
	})
	t.Run("BodyMustBeAnObject", func(t *testing.T) {
		t.Parallel()
		for body, message := range map[string]string{
			`[]`:    "The body must be a JSON object, such as {}, not a list.",
			`"x"`:   "The body must be a JSON object, such as {}, not text.",
			`{`:     `The body is not valid JSON at byte 1: unexpected EOF. Send one JSON object in UTF-8.`,
			`{} {}`: `The body is not valid JSON at byte 3: invalid character '{' after top-level value. Send one JSON object in UTF-8.`,
		} {
			var in emptyRequest
			err := decodeRequest([]byte(body), &in)
			require.ErrorIs(t, err, apperr.ErrValidation, body)
			require.Equal(t, message, err.Error())
		}
	})
	t.Run("LongInputIsNotEchoed", func(t *testing.T) {
		t.Parallel()
		long := strings.Repeat("ą", 5000)
		for _, members := range []string{`"` + long + `":1`, `"issued":"` + long + `"`, `"sent":"` + long + `"`} {
			_, err := decodeSample(members)
			for path, messages := range faultsOf(t, err) {
				require.Less(t, len(path), 2*maxEcho)
				require.Less(t, len(messages[0]), 2*maxEcho)
			}
		}
	})
}

func TestDecodeDecimal(t *testing.T) {
	t.Parallel()
	for name, example := range map[string]struct{ line, path, message string }{
		"NumberIsRead":            {`{"quantity":2.50}`, "", ""},
		"TextIsRead":              {`{"quantity":"2.50"}`, "", ""},
		"GivenZeroIsThere":        {`{"quantity":0}`, "", ""},
		"GivenZeroTextIsThere":    {`{"quantity":"0.00"}`, "", ""},
		"AbsentIsMissing":         {`{}`, "lines.0.quantity", "is required"},
		"NullIsMissing":           {`{"quantity":null}`, "lines.0.quantity", "is required"},
		"OptionalNullIsAbsent":    {`{"quantity":1,"price":null}`, "", ""},
		"TrueIsRefused":           {`{"quantity":true}`, "lines.0.quantity", `must be a decimal such as "21" or "0.5"`},
		"ObjectIsRefused":         {`{"quantity":{}}`, "lines.0.quantity", `must be a decimal such as "21" or "0.5"`},
		"ExponentIsRefused":       {`{"quantity":1e2}`, "lines.0.quantity", `a decimal must be written plainly, such as "21" or "0.0333", not "1e2"`},
		"MinimumIsKept":           {`{"quantity":1,"price":"-0.01"}`, "lines.0.price", "must be 0 or more"},
		"TextLimitInAList":        {`{"quantity":1,"unit":"h"}`, "lines.0.unit", "must have 2 characters or more, not 1"},
		"ControlCharacterInAMap":  {`{"quantity":1,"extra":{"a":"\u0007"}}`, "lines.0.extra.a", "must not contain the control character U+0007"},
		"ControlCharacterInAName": {`{"quantity":1,"extra":{"\u0007":"a"}}`, "lines.0.extra.\u0007", "must not contain the control character U+0007"},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			var in sampleRequest
			err := decodeRequest([]byte(`{"partnerId":"`+sampleID+`","lines":[`+example.line+`]}`), &in)
			if example.path == "" {
				require.NoError(t, err)
				return
			}
			require.Equal(t, map[string][]string{example.path: {example.message}}, faultsOf(t, err))
		})
	}
}

func TestValidate(t *testing.T) {
	t.Parallel()
	t.Run("EveryFaultIsNamed", func(t *testing.T) {
		t.Parallel()
		var in sampleRequest
		err := decodeRequest([]byte(`{"number":99,"lines":[{},{},{"unit":"x"},{}]}`), &in)
		require.Equal(t, map[string][]string{
			"partnerId":        {"is required"},
			"number":           {"must be 20 or less"},
			"lines":            {"must have 3 items or less, not 4"},
			"lines.0.quantity": {"is required"},
			"lines.1.quantity": {"is required"},
			"lines.2.quantity": {"is required"},
			"lines.2.unit":     {"must have 2 characters or more, not 1"},
			"lines.3.quantity": {"is required"},
		}, faultsOf(t, err))
	})
	t.Run("FaultsAreBounded", func(t *testing.T) {
		t.Parallel()
		var in struct {
			Lines []sampleLine `json:"lines"`
		}
		err := decodeRequest([]byte(`{"lines":[{}`+strings.Repeat(",{}", 500)+`]}`), &in)
		require.Len(t, faultsOf(t, err), maxFaults)
	})
	t.Run("BlankTextIsMissing", func(t *testing.T) {
		t.Parallel()
		var in struct {
			Name  string  `json:"name"`
			Code  *string `json:"code"`
			Notes string  `json:"notes,omitzero"`
		}
		err := decodeRequest([]byte(`{"name":" \t\n","code":"","notes":"  "}`), &in)
		require.Equal(t, map[string][]string{"name": {"is required"}, "code": {"is required"}}, faultsOf(t, err))
	})
	t.Run("EmptyListIsThereAndAbsentIsNot", func(t *testing.T) {
		t.Parallel()
		var in struct {
			IDs []tenant.ID `json:"ids"`
		}
		require.NoError(t, decodeRequest([]byte(`{"ids":[]}`), &in))
		in.IDs = nil
		require.Equal(t, map[string][]string{"ids": {"is required"}}, faultsOf(t, decodeRequest([]byte(`{}`), &in)))
	})
	t.Run("FalseIsThere", func(t *testing.T) {
		t.Parallel()
		var in struct {
			IsPaid bool `json:"isPaid"`
		}
		require.NoError(t, decodeRequest([]byte(`{"isPaid":false}`), &in))
	})
	t.Run("NullInAListIsRefused", func(t *testing.T) {
		t.Parallel()
		var in struct {
			Lines []*sampleAddress `json:"lines"`
		}
		require.Equal(t, map[string][]string{"lines.0": {"must not be null"}}, faultsOf(t, decodeRequest([]byte(`{"lines":[null]}`), &in)))
	})
	t.Run("ListQueryIsChecked", func(t *testing.T) {
		t.Parallel()
		var q tenant.ListQuery
		require.NoError(t, decodeRequest([]byte(`{"page":2,"sort":[{"field":"code","dir":"desc"}],"filter":[{"field":"a","op":"in","value":[1,"b"]}]}`), &q))
		require.JSONEq(t, `[1,"b"]`, string(q.Filter[0].Value))
		q = tenant.ListQuery{}
		err := decodeRequest([]byte(`{"pageSize":201,"sort":[{"dir":"up"}],"filter":[{"field":"a","op":"like"}]}`), &q)
		require.Equal(t, map[string][]string{
			"pageSize":       {"must be 200 or less"},
			"sort.0.field":   {"is required"},
			"sort.0.dir":     {"must be one of asc, desc"},
			"filter.0.op":    {"must be one of eq, ne, contains, gte, lte, in"},
			"filter.0.value": {"is required"},
		}, faultsOf(t, err))
	})
}

func TestTypos(t *testing.T) {
	t.Parallel()
	for name, example := range map[string]struct {
		a, b string
		want int
	}{
		"Equal":        {"lines", "lines", 0},
		"OtherCase":    {"LINES", "lines", 0},
		"Changed":      {"linez", "lines", 1},
		"Swapped":      {"qunatity", "quantity", 2},
		"LeftOut":      {"quanty", "quantity", 2},
		"Far":          {"qty", "quantity", 3},
		"EqualLengths": {"abcdef", "uvwxyz", 3},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			require.Equal(t, example.want, typos(example.a, example.b))
		})
	}
}

func TestReadRules(t *testing.T) {
	t.Parallel()
	fault := func(object any) string { return firstFault(object) }
	t.Run("LimitOfAnotherTypeIsRefused", func(t *testing.T) {
		t.Parallel()
		require.Equal(t, `tag maxLength:"5" does not fit []string`, fault(struct {
			Names []string `json:"names" maxLength:"5"`
		}{}))
		require.Equal(t, `tag minimum:"1" does not fit string`, fault(struct {
			Amount string `json:"amount" minimum:"1"`
		}{}))
	})
	t.Run("NoNumberIsRefused", func(t *testing.T) {
		t.Parallel()
		require.Equal(t, `tag maxItems:"many" does not fit []string`, fault(struct {
			Names []string `json:"names" maxItems:"many"`
		}{}))
	})
	t.Run("BadPatternIsRefused", func(t *testing.T) {
		t.Parallel()
		require.Equal(t, `tag pattern:"[" does not fit string`, fault(struct {
			Name string `json:"name" pattern:"["`
		}{}))
	})
	t.Run("TagThatNobodyChecksIsRefused", func(t *testing.T) {
		t.Parallel()
		require.Equal(t, "tag enum is not checked by this server", fault(struct {
			Name string `json:"name" enum:"a,b"`
		}{}))
	})
}
