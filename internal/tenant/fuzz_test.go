package tenant_test

import (
	"context"
	"slices"
	"strings"
	"testing"

	"github.com/go-json-experiment/json"
	"github.com/golang-jwt/jwt/v5"
	"github.com/stretchr/testify/require"

	"github.com/vienkart/vienkart/internal/apperr"
	"github.com/vienkart/vienkart/internal/clock"
	"github.com/vienkart/vienkart/internal/tenant"
	"github.com/vienkart/vienkart/internal/testkit"
)

// FuzzID: an id is read from the one form with hyphens, and a message about any other text is short.
func FuzzID(f *testing.F) {
	for _, seed := range []string{
		"0198c0de-0000-7000-8000-000000000000", "0198C0DE-0000-7000-8000-00000000000A", "{0198c0de-0000-7000-8000-00000000000}",
		"urn:uuid:0198c0de-0000-7000-8000-000000000000", "0198c0de000070008000000000000000", "", "' OR 1 = 1 --", strings.Repeat("a", 1000),
	} {
		f.Add(seed)
	}
	f.Fuzz(func(t *testing.T, s string) {
		id, err := tenant.ParseID(s)
		if err != nil {
			require.Less(t, len(err.Error()), 400)
			return
		}
		require.Equal(t, strings.ToLower(s), id.String())
	})
}

// filtered is a list with a column of each sort that is easily said in Go.
var filtered = tenant.Listing{
	Sources: []tenant.Source{{From: "ledger_accounts", Fields: map[string]tenant.Field{
		"id": tenant.IDField("id"), "code": tenant.TextField("code"), "name": tenant.TextField("name"), "isPostable": tenant.BoolField("is_postable"),
		"createdAt": tenant.TimeField("created_at"),
	}}},
	Order: []tenant.Sort{{Field: "code"}},
}

// FuzzFilter sends any conditions and orders to a list. They are refused with the member at fault, or give rows of the own company, and
// of texts exactly those that the same comparison in Go gives.
func FuzzFilter(f *testing.F) {
	for _, seed := range []string{
		`{}`, `{"filter":[{"field":"code","op":"eq","value":"1"}]}`, `{"filter":[{"field":"name","op":"contains","value":"%"}]}`,
		`{"filter":[{"field":"name","op":"contains","value":"_!%ž"},{"field":"code","op":"ne","value":"2"}]}`,
		`{"filter":[{"field":"code","op":"in","value":["1","3",""]}],"sort":[{"field":"name","dir":"desc"}]}`,
		`{"filter":[{"field":"code","op":"eq","value":"1' OR '1'='1"}]}`, `{"filter":[{"field":"code) OR (1=1","op":"eq","value":"1"}]}`,
		`{"filter":[{"field":"id","op":"eq","value":"0198c0de-0000-7000-8000-000000000000"}]}`, `{"filter":[{"field":"isPostable","op":"eq","value":true}]}`,
		`{"filter":[{"field":"createdAt","op":"gte","value":"2026-01-01"}],"page":2,"pageSize":1}`, `{"page":999999999,"pageSize":200}`,
		`{"filter":[{"field":"code","op":"gte","value":1e999999999}]}`, `{"filter":[{"field":"code","op":"lte","value":[["1"]]}],"sort":[{"field":"id"}]}`,
	} {
		f.Add([]byte(seed))
	}
	e := testkit.SQLite(f)
	own, other := e.Company(f), e.Company(f)
	names := map[string]string{"1": "a%b", "2": "A_B", "3": "Žąsis!", "4": "a\tb'\"", "5": ""}
	for _, c := range []*testkit.Company{own, other} {
		c.Mutate(f, func(ctx context.Context, tx tenant.Tx) error {
			for code, name := range names {
				row := &account{Code: code, Name: name, Type: "asset", IsPostable: true, CreatedAt: clock.At(e.Store.Clock().Now())}
				if err := tenant.Insert(ctx, tx, row); err != nil {
					return err
				}
			}
			return nil
		})
	}
	f.Fuzz(func(t *testing.T, request []byte) {
		var q tenant.ListQuery
		if json.Unmarshal(request, &q, json.RejectUnknownMembers(true)) != nil {
			return
		}
		own.Read(t, func(ctx context.Context, r tenant.ReadTx) error {
			page, err := tenant.ListRows[account](ctx, r, q, filtered)
			if err != nil {
				require.ErrorIs(t, err, apperr.ErrValidation, "%s", request)
				require.Less(t, len(err.Error()), 2000)
				return nil
			}
			require.LessOrEqual(t, len(page.Rows), page.PageSize)
			require.LessOrEqual(t, page.Total, len(names), "rows of another company")
			for _, row := range page.Rows {
				_, err := tenant.Get[account](ctx, r, row.ID)
				require.NoError(t, err, "a row of another company")
			}
			if want, known := matchingCodes(q, names); known {
				require.Equal(t, len(want), page.Total, "%s: want %v", request, want)
			}
			return nil
		})
	})
}

// matchingCodes does in Go what conditions on texts mean; known is false where it cannot tell.
func matchingCodes(q tenant.ListQuery, names map[string]string) (codes []string, known bool) {
	for code, name := range names {
		fits := true
		for _, c := range q.Filter {
			text := map[string]string{"code": code, "name": name}
			value, isText := text[c.Field]
			var wanted string
			if !isText || json.Unmarshal(c.Value, &wanted) != nil || c.Value.Kind() != '"' || strings.ContainsRune(wanted, 0) {
				return nil, false
			}
			switch c.Op {
			case "eq":
				fits = fits && value == wanted
			case "ne":
				fits = fits && value != wanted
			case "gte":
				fits = fits && value >= wanted
			case "lte":
				fits = fits && value <= wanted
			case "contains":
				fits = fits && strings.Contains(lowerASCII(value), lowerASCII(wanted))
			default:
				return nil, false
			}
		}
		if fits {
			codes = append(codes, code)
		}
	}
	slices.Sort(codes)
	return codes, true
}

// lowerASCII folds case as SQLite's LIKE does.
func lowerASCII(s string) string {
	return strings.Map(func(r rune) rune {
		if r >= 'A' && r <= 'Z' {
			return r + 'a' - 'A'
		}
		return r
	}, s)
}

// FuzzToken: no header lets anybody in but those that hold the one token that was signed.
func FuzzToken(f *testing.F) {
	e := testkit.SQLite(f)
	company := e.Company(f).Scope.Company().ID.String()
	made, err := tenant.NewTokens(tenant.TokenConfig{Secret: secret, Issuer: "vienkart", Audience: "vienkart-api"}, clock.System{})
	require.NoError(f, err)
	// The words are the same in every run, so that what the fuzzer found before still leads near a token; who it names is not.
	good, err := jwt.NewWithClaims(jwt.SigningMethodHS256, claims(company)).SignedString([]byte(secret))
	require.NoError(f, err)
	none, err := jwt.NewWithClaims(jwt.SigningMethodNone, claims(company)).SignedString(jwt.UnsafeAllowNoneSignatureType)
	require.NoError(f, err)
	parts := strings.Split(good, ".")
	for _, seed := range []string{
		"Bearer " + good, "bearer  " + good, "Bearer " + none, "Bearer " + parts[0] + "." + parts[1] + ".", "Bearer " + good + "." + parts[2],
		"Bearer " + good + "=", "Basic YTpi", "Bearer ..", "Bearer e30.e30.e30", "",
	} {
		f.Add(seed)
	}
	verifier := tenant.NewVerifier(made, e.Store)
	f.Fuzz(func(t *testing.T, authorization string) {
		scope, err := verifier.Verify(t.Context(), tenant.Call{Authorization: authorization})
		if err != nil {
			require.ErrorIs(t, err, tenant.ErrUnauthorized)
			require.Less(t, len(err.Error()), 400)
			return
		}
		require.Equal(t, company, scope.Company().ID.String())
		_, token, _ := strings.Cut(authorization, " ")
		require.Equal(t, good, strings.TrimSpace(token), "somebody forged a token")
	})
}
