package httpapi

import (
	"context"
	"errors"
	"slices"
	"sync"
	"testing"

	"github.com/go-json-experiment/json"
	"github.com/stretchr/testify/require"

	"github.com/vienkart/vienkart/internal/account"
	"github.com/vienkart/vienkart/internal/apperr"
	"github.com/vienkart/vienkart/internal/clock"
	"github.com/vienkart/vienkart/internal/files"
	"github.com/vienkart/vienkart/internal/fx"
	"github.com/vienkart/vienkart/internal/numbering"
	"github.com/vienkart/vienkart/internal/partner"
	"github.com/vienkart/vienkart/internal/tenant"
	"github.com/vienkart/vienkart/internal/testkit"
)

// object is any JSON object.
type object = map[string]any

// resources are the operations of companies, partners, reference data and the audit log.
func resources(t *testing.T) []Operation {
	t.Helper()
	tokens, err := tenant.NewTokens(tenant.TokenConfig{
		Secret: "0123456789abcdef0123456789abcdef", Issuer: "vienkart", Audience: "vienkart",
	}, clock.System{})
	require.NoError(t, err)
	desk := account.NewDesk(tokens, account.DeskOptions{})
	return slices.Concat(
		partnerOperations(), accountOperations(tokens, desk, files.Depot{}), storedFileOperations(files.Depot{}), referenceOperations(), auditOperations(),
	)
}

// ask sends a body to an operation as the pipeline does, in one transaction, and again for the loser of a race.
func ask(t *testing.T, c *testkit.Company, path, body string) (object, error) {
	t.Helper()
	operations := resources(t)
	at := slices.IndexFunc(operations, func(o Operation) bool { return o.Path == "/v1/"+path })
	require.GreaterOrEqual(t, at, 0, path)
	o := operations[at]
	var answer object
	read := func(out any, err error) error {
		if err != nil {
			return err
		}
		b, err := encode(out)
		require.NoError(t, err)
		return json.Unmarshal(b, &answer)
	}
	in, err := o.decode([]byte(body))
	if err != nil {
		return nil, err
	}
	if !o.Mutation {
		err = c.Engine.Store.Snapshot(t.Context(), c.Scope, func(ctx context.Context, r tenant.ReadTx) error { return read(o.query(ctx, r, in)) })
		return answer, err
	}
	for range 3 {
		err = c.TryMutate(t.Context(), func(ctx context.Context, tx tenant.Tx) error { return read(o.mutate(ctx, tx, in)) })
		lost, ok := errors.AsType[*tenant.DuplicateError](err)
		if !ok {
			return answer, err
		}
		c.Read(t, func(ctx context.Context, r tenant.ReadTx) error {
			err = lost.Resolve(ctx, r)
			return nil
		})
		if err != nil {
			return nil, err
		}
	}
	return answer, err
}

func must(t *testing.T, c *testkit.Company, path, body string) object {
	t.Helper()
	answer, err := ask(t, c, path, body)
	require.NoError(t, err, "%s %s", path, body)
	return answer
}

// text is a member that must be text.
func text(t *testing.T, member any) string {
	t.Helper()
	s, ok := member.(string)
	require.True(t, ok, "%v is no text", member)
	return s
}

// inside is a member, by its path, of what must be an object.
func inside(t *testing.T, value any, path ...string) any {
	t.Helper()
	for _, name := range path {
		o, ok := value.(object)
		require.True(t, ok, "%v is no object", value)
		value = o[name]
	}
	return value
}

func rows(t *testing.T, answer object) []any {
	t.Helper()
	list, ok := answer["rows"].([]any)
	require.True(t, ok)
	return list
}

func TestPartners(t *testing.T) {
	t.Parallel()
	testkit.EachEngine(t, func(t *testing.T, e *testkit.Engine) {
		c, other := e.Company(t), e.Company(t)
		made := must(t, c, "partners/create", `{"type":"company","name":"UAB Alfa","code":"900 000 008","vatCode":"LT999000018",
			"email":"a@b.lt","paymentTermDays":0,"creditLimit":"100","address":{"city":"Vilnius","countryCode":"LT"}}`)
		require.Equal(t, "900000008", made["code"])
		require.Len(t, made["warnings"], 2)
		require.Equal(t, "100.00", made["creditLimit"])
		require.Equal(t, object{"city": "Vilnius", "countryCode": "LT"}, made["address"])
		require.InDelta(t, 0, made["paymentTermDays"], 0)
		require.NotContains(t, made, "notes")
		byID := `{"id":"` + text(t, made["id"]) + `"}`
		require.Equal(t, made, must(t, c, "partners/get", byID))

		found := must(t, c, "partners/find-or-create", `{"name":"Kitas","code":"900000008"}`)
		require.Equal(t, object{"id": made["id"], "created": false, "partner": made}, found)
		changed := must(t, c, "partners/update", `{"id":"`+text(t, made["id"])+`","vatCode":"","code":"900000009","isSupplier":true}`)
		require.Equal(t, []any{}, changed["warnings"])
		require.NotContains(t, changed, "vatCode")
		require.Equal(t, []any{changed}, rows(t, must(t, c, "partners/list", `{"filter":[{"field":"isSupplier","op":"eq","value":true}]}`)))
		require.Empty(t, rows(t, must(t, other, "partners/list", `{}`)))

		credit := must(t, c, "partners/credit-check", `{"partnerId":"`+text(t, made["id"])+`","additionalAmount":"100.01"}`)
		require.Equal(t, true, credit["exceeded"])
		require.Equal(t, "-0.01", credit["available"])
		check := must(t, c, "partners/validate-vat", `{"vatCode":"lt 999000017"}`)
		require.Equal(t, true, check["valid"])
		require.Equal(t, "LT", check["countryCode"])
		require.Equal(t, "999000017", check["vatNumber"])
		require.NotEmpty(t, check["checkedAt"])

		for path, body := range map[string]string{
			"partners/get": byID, "partners/delete": byID, "partners/update": byID[:len(byID)-1] + `,"name":"X"}`,
			"partners/credit-check": `{"partnerId":"` + text(t, made["id"]) + `"}`, "partners/validate-vat": `{"partnerId":"` + text(t, made["id"]) + `"}`,
		} {
			_, err := ask(t, other, path, body)
			require.ErrorIs(t, err, apperr.ErrNotFound, path)
		}
		require.Equal(t, made["id"], must(t, c, "partners/delete", byID)["id"])
		_, err := ask(t, c, "partners/get", byID)
		require.ErrorIs(t, err, apperr.ErrNotFound)
	})
}

func TestPartnersRefuse(t *testing.T) {
	t.Parallel()
	c := testkit.SQLite(t).Company(t)
	must(t, c, "partners/create", `{"name":"A","code":"1"}`)
	for body, code := range map[string]error{
		`{}`:                                     apperr.ErrValidation,
		`{"name":"A","kodas":"1"}`:               apperr.ErrValidation,
		`{"name":"A","type":"firma"}`:            apperr.ErrValidation,
		`{"name":"A","vatCode":"LT\t999000017"}`: apperr.ErrValidation,
		`{"name":"A","address":{"countryCode":"Lithuania"}}`: apperr.ErrValidation,
		`{"name":"A","groupId":"x"}`:                         errPartnerUnsupported,
		`{"name":"A","priceListId":"x"}`:                     errPartnerUnsupported,
		`{"name":"A","statusId":"x"}`:                        errPartnerUnsupported,
		`{"name":"B","code":"1"}`:                            partner.ErrDuplicateCode,
	} {
		_, err := ask(t, c, "partners/create", body)
		require.ErrorIs(t, err, code, body)
	}
	require.NotEmpty(t, must(t, c, "partners/create", `{"name":"A","groupId":null,"priceListId":"","address":null}`)["id"])
}

func TestFindOrCreateTwins(t *testing.T) {
	t.Parallel()
	testkit.EachEngine(t, func(t *testing.T, e *testkit.Engine) {
		c := e.Company(t)
		const twins = 20
		answers, errs := make([]object, twins), make([]error, twins)
		var wait sync.WaitGroup
		for i := range twins {
			wait.Go(func() {
				answers[i], errs[i] = ask(t, c, "partners/find-or-create", `{"name":"UAB Alfa","code":"900000009","email":"a@b.lt"}`)
			})
		}
		wait.Wait()
		created := 0
		for i := range twins {
			require.NoError(t, errs[i])
			require.Equal(t, answers[0]["id"], answers[i]["id"])
			if answers[i]["created"] == true {
				created++
			}
		}
		require.Equal(t, 1, created)
		require.Len(t, rows(t, must(t, c, "partners/list", `{}`)), 1)
	})
}

func TestAccount(t *testing.T) {
	t.Parallel()
	testkit.EachEngine(t, func(t *testing.T, e *testkit.Engine) {
		c, other := e.Company(t), e.Company(t)
		self := must(t, c, "account/me", `{}`)
		require.Equal(t, c.Scope.Company().ID.String(), self["activeCompanyId"])
		require.Equal(t, "admin", self["role"])
		require.Len(t, self["companies"], 1)

		profile := must(t, c, "account/companies/update", `{"timeZone":"Europe/Riga","requireIdempotencyKey":true,"vatCode":"LT999000017"}`)
		require.Equal(t, "Europe/Riga", profile["timeZone"])
		require.Equal(t, profile, must(t, c, "account/companies/profile", `{}`))
		profile = must(t, c, "account/companies/update", `{"cashAccounting":{"from":"2026-01-01","until":"2026-12-31"}}`)
		require.Equal(t, map[string]any{"from": "2026-01-01", "until": "2026-12-31"}, profile["cashAccounting"])
		require.Equal(t, profile["cashAccounting"], must(t, c, "account/companies/update", `{"name":"UAB Kita"}`)["cashAccounting"], "what is not named stays")
		profile = must(t, c, "account/companies/update", `{"cashAccounting":{"from":"2026-02-01"}}`)
		require.Equal(t, map[string]any{"from": "2026-02-01"}, profile["cashAccounting"], "both days are replaced")
		require.NotContains(t, must(t, c, "account/companies/update", `{"cashAccounting":{}}`), "cashAccounting")
		opened := must(t, c, "account/companies/create", `{"name":"UAB Nauja","countryCode":"LT","isSandbox":true}`)
		require.Equal(t, "admin", opened["role"])
		for body, code := range map[string]error{
			`{"vatCode":"LT999000018"}`:                                             account.ErrIdentifier,
			`{"timeZone":"Vilnius"}`:                                                account.ErrTimeZone,
			`{"cashAccounting":{"until":"2026-01-01"}}`:                             apperr.ErrValidation,
			`{"cashAccounting":{"from":"2026-01-02","until":"2026-01-01"}}`:         apperr.ErrValidation,
			`{"logo":{"fileName":"a.png","mimeType":"image/png","content":"AA=="}}`: files.ErrType,
		} {
			_, err := ask(t, c, "account/companies/update", body)
			require.ErrorIs(t, err, code, body)
		}
		_, err := ask(t, c, "account/companies/create", `{"name":"A","countryCode":"LV","cashAccounting":{"from":"2026-01-01"}}`)
		require.ErrorIs(t, err, apperr.ErrValidation, "a choice of Lithuanian VAT payers")
		_, err = ask(t, c, "account/companies/create", `{"name":"A","countryCode":"US"}`)
		require.ErrorIs(t, err, apperr.ErrValidation)

		foreign := `{"companyId":"` + other.Scope.Company().ID.String() + `"}`
		for _, path := range []string{"account/companies/select", "account/companies/archive"} {
			_, err := ask(t, c, path, foreign)
			require.ErrorIs(t, err, apperr.ErrNotFound, path)
		}
		own := `{"companyId":"` + c.Scope.Company().ID.String() + `"}`
		require.Equal(t, c.Scope.Company().ID.String(), must(t, c, "account/companies/select", own)["activeCompanyId"])
		require.Equal(t, "archived", must(t, c, "account/companies/archive", own)["status"])
	})
}

func TestAPIKeys(t *testing.T) {
	t.Parallel()
	testkit.EachEngine(t, func(t *testing.T, e *testkit.Engine) {
		c, other := e.Company(t), e.Company(t)
		key := must(t, c, "account/api-keys/create", `{"name":"Parduotuvė","scopes":["sales:write"]}`)
		require.Equal(t, []any{"sales:write"}, key["scopes"])
		require.Greater(t, len(text(t, key["key"])), 100)
		listed := rows(t, must(t, c, "account/api-keys/list", `{}`))
		require.Len(t, listed, 1)
		require.NotContains(t, listed[0], "key")
		require.NotContains(t, listed[0], "revokedAt")
		byID := `{"id":"` + text(t, key["id"]) + `"}`
		_, err := ask(t, other, "account/api-keys/revoke", byID)
		require.ErrorIs(t, err, apperr.ErrNotFound)
		for range 2 {
			require.Equal(t, true, must(t, c, "account/api-keys/revoke", byID)["revoked"])
		}
		require.Contains(t, rows(t, must(t, c, "account/api-keys/list", `{}`))[0], "revokedAt")
		_, err = ask(t, c, "account/api-keys/create", `{"name":"x","scopes":["everything"]}`)
		require.ErrorIs(t, err, apperr.ErrValidation)
	})
}

// TestR38 keeps the secret of a key out of the stored answer.
func TestR38APIKeyIsMasked(t *testing.T) {
	t.Parallel()
	first := createAPIKeyResponse{ID: tenant.NewID(), Name: "n", Scopes: []tenant.Permission{}, Key: "eyJ.secret.token"}
	stored, err := encode(first.Masked())
	require.NoError(t, err)
	require.NotContains(t, string(stored), "secret")
	require.Contains(t, string(stored), maskedSecret)
	require.Contains(t, string(stored), first.ID.String())
	require.Equal(t, "eyJ.secret.token", first.Key)
}

func TestSeries(t *testing.T) {
	t.Parallel()
	testkit.EachEngine(t, func(t *testing.T, e *testkit.Engine) {
		c, other := e.Company(t), e.Company(t)
		made := must(t, c, "reference/series/create", `{"documentType":"sale_invoice","prefix":"VNT","year":2026,"startAt":100}`)
		require.InDelta(t, 100, made["nextNumber"], 0)
		preset := must(t, c, "reference/series/create", `{"documentType":"credit_note","year":2026}`)
		require.Equal(t, "KR26", preset["prefix"])
		require.Len(t, rows(t, must(t, c, "reference/series/list", `{"filter":[{"field":"year","op":"eq","value":2026}]}`)), 2)
		require.Empty(t, rows(t, must(t, other, "reference/series/list", `{}`)))
		for body, code := range map[string]error{
			`{"documentType":"sale_invoice","prefix":"","year":2026}`:                      errSeriesPrefix, // B-064
			`{"documentType":"sale_invoice","prefix":" ","year":2026}`:                     errSeriesPrefix,
			`{"documentType":"sale_invoice","prefix":"sf","year":2026}`:                    errSeriesPrefix,
			`{"documentType":"sale_invoice","prefix":"SF-1","year":2026}`:                  errSeriesPrefix,
			`{"documentType":"sale_invoice","prefix":"ABCDEFGHIJKLMNOPQRSTU","year":2026}`: errSeriesPrefix,
			`{"documentType":"sale_invoice","prefix":"VNT","year":2026}`:                   numbering.ErrSeriesExists,
			`{"documentType":"sale_invoice","prefix":"VNT","year":2027,"startAt":5}`:       numbering.ErrOverlap,
			`{"documentType":"invoice","prefix":"SF","year":2026}`:                         apperr.ErrValidation,
			`{"documentType":"sale_invoice","prefix":"SF","year":1999}`:                    apperr.ErrValidation,
			`{"documentType":"sale_invoice","prefix":"SF","year":2200}`:                    apperr.ErrValidation,
		} {
			_, err := ask(t, c, "reference/series/create", body)
			require.ErrorIs(t, err, code, body)
		}
	})
}

func TestExchangeRates(t *testing.T) {
	t.Parallel()
	testkit.EachEngine(t, func(t *testing.T, e *testkit.Engine) {
		c, other := e.Company(t), e.Company(t)
		for _, rate := range []string{"1.0842", "1.09"} {
			answer := must(t, c, "reference/exchange-rates/set", `{"currency":"USD","date":"2026-03-10","rate":"`+rate+`"}`)
			require.Equal(t, object{"currencyCode": "USD", "date": "2026-03-10", "rate": rate}, answer)
		}
		for _, path := range []string{"reference/exchange-rates/list", "reference/exchange-rates/overrides/list"} {
			require.Equal(t, []any{object{"currencyCode": "USD", "date": "2026-03-10", "rate": "1.09"}}, rows(t, must(t, c, path, `{}`)))
			require.Empty(t, rows(t, must(t, other, path, `{}`)))
		}
		for body, code := range map[string]error{
			`{"currency":"EUR","date":"2026-03-10","rate":"1"}`:    fx.ErrBaseCurrency,
			`{"currency":"USD","date":"2026-03-10","rate":"0"}`:    apperr.ErrValidation,
			`{"currency":"usd","date":"2026-03-10","rate":"1"}`:    apperr.ErrValidation,
			`{"currency":"USD","date":"2026-02-30","rate":"1"}`:    apperr.ErrValidation,
			`{"currency":"USD","date":"2026-03-10","rate":"1,08"}`: apperr.ErrValidation,
			`{"currency":"USD","date":"2026-03-10"}`:               apperr.ErrValidation,
		} {
			_, err := ask(t, c, "reference/exchange-rates/set", body)
			require.ErrorIs(t, err, code, body)
		}
		const gone = `{"currency":"USD","date":"2026-03-10"}`
		require.Equal(t, false, must(t, other, "reference/exchange-rates/overrides/delete", gone)["deleted"])
		require.Equal(t, true, must(t, c, "reference/exchange-rates/overrides/delete", gone)["deleted"])
		require.Equal(t, false, must(t, c, "reference/exchange-rates/overrides/delete", gone)["deleted"])

		lines := rows(t, must(t, c, "audit/list", `{"sort":[{"field":"id"}]}`))
		require.Len(t, lines, 3)
		require.Equal(t, "exchange_rate.set", inside(t, lines[1], "action"))
		require.Equal(t, "1.0842", inside(t, lines[1], "diff", "before", "rate"))
		require.Equal(t, "1.09", inside(t, lines[1], "diff", "after", "rate"))
		require.NotEmpty(t, inside(t, lines[1], "requestId"))
		require.Equal(t, "system", inside(t, lines[1], "actorType"))
		require.IsType(t, float64(0), inside(t, lines[1], "id"))
		require.Empty(t, rows(t, must(t, other, "audit/list", `{}`)))
	})
}

func TestReferenceLists(t *testing.T) {
	t.Parallel()
	c := testkit.SQLite(t).Company(t)
	codes := func(answer object) (list []string) {
		for _, row := range rows(t, answer) {
			list = append(list, text(t, inside(t, row, "code")))
		}
		return list
	}
	for body, want := range map[string][]string{
		`{"filter":[{"field":"code","op":"eq","value":"EUR"}]}`:                                                      {"EUR"},
		`{"filter":[{"field":"name","op":"contains","value":"US DOLLAR"}]}`:                                          {"USD", "USN"},
		`{"filter":[{"field":"code","op":"in","value":["EUR","JPY","ZZZ"]}],"sort":[{"field":"code","dir":"desc"}]}`: {"JPY", "EUR"},
		`{"filter":[{"field":"minorUnits","op":"eq","value":4}]}`:                                                    {"CLF", "UYW"},
		`{"pageSize":2}`:               {"AED", "AFN"},
		`{"pageSize":2,"page":2}`:      {"ALL", "AMD"},
		`{"page":9223372036854775807}`: nil,
	} {
		require.Equal(t, want, codes(must(t, c, "reference/currencies/list", body)), body)
	}
	all := must(t, c, "reference/currencies/list", `{"pageSize":200}`)
	require.InDelta(t, len(rows(t, all)), all["total"], 0)
	for _, wrong := range []string{
		`{"filter":[{"field":"symbol","op":"eq","value":"x"}]}`, `{"sort":[{"field":"symbol"}]}`,
		`{"filter":[{"field":"code","op":"gte","value":"x"}]}`, `{"filter":[{"field":"code","op":"in","value":"EUR"}]}`,
		`{"filter":[{"field":"code","op":"eq","value":true}]}`,
	} {
		_, err := ask(t, c, "reference/currencies/list", wrong)
		require.ErrorIs(t, err, apperr.ErrValidation, wrong)
	}
	require.Equal(t, []string{"vnt"}, codes(must(t, c, "reference/units/list", `{"filter":[{"field":"nameLt","op":"eq","value":"vienetas"}]}`)))
}

func TestCountries(t *testing.T) {
	t.Parallel()
	require.True(t, slices.IsSortedFunc(countries, func(a, b country) int {
		if a.code < b.code {
			return -1
		}
		return 1
	}), "by code, each once")
	c := testkit.SQLite(t).Company(t)
	eu, eea := 0, 0
	for _, row := range rows(t, must(t, c, "reference/countries/list", `{}`)) {
		if inside(t, row, "isEu") == true {
			eu++
		}
		if inside(t, row, "isEea") == true {
			eea++
		}
		for _, language := range []string{"lt", "en", "ru"} {
			require.NotEmpty(t, inside(t, row, "names", language))
		}
	}
	require.Equal(t, 27, eu)
	require.Equal(t, 30, eea)
	require.Len(t, homeCountry("").Enum(), 30)
	require.Len(t, units, len(uniqueUnits()))
}

func uniqueUnits() map[string]bool {
	unique := map[string]bool{}
	for _, u := range units {
		unique[u.Code] = true
	}
	return unique
}
