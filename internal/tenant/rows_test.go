package tenant_test

import (
	"context"
	"testing"

	"github.com/go-json-experiment/json/jsontext"
	"github.com/stretchr/testify/require"

	"github.com/vienkart/vienkart/internal/apperr"
	"github.com/vienkart/vienkart/internal/clock"
	"github.com/vienkart/vienkart/internal/tenant"
	"github.com/vienkart/vienkart/internal/testkit"
)

// account is a row of a table that every company has.
type account struct {
	tenant.Row
	Code       string
	Name       string
	Type       string
	IsPostable bool
	CreatedAt  clock.Time
}

func (account) TableName() string { return "ledger_accounts" }

func add(t *testing.T, c *testkit.Company, codes ...string) []*account {
	t.Helper()
	var rows []*account
	for _, code := range codes {
		rows = append(rows, &account{Code: code, Name: "Sąskaita " + code, Type: "asset", CreatedAt: clock.At(c.Engine.Store.Clock().Now())})
	}
	c.Mutate(t, func(ctx context.Context, tx tenant.Tx) error { return tenant.Insert(ctx, tx, rows...) })
	return rows
}

func TestRowsOfAnotherCompanyAreOutOfReach(t *testing.T) {
	t.Parallel()
	testkit.EachEngine(t, func(t *testing.T, e *testkit.Engine) {
		a, b := e.Company(t), e.Company(t)
		mine, theirs := add(t, a, "1", "2")[0], add(t, b, "1", "2", "3")[0]
		a.Read(t, func(ctx context.Context, r tenant.ReadTx) error {
			rows, err := tenant.Find[account](ctx, r, "code = '1' OR code = '2' OR 1 = 1")
			require.NoError(t, err)
			require.Len(t, rows, 2, "an OR in a condition does not reach past the company")
			rows, err = tenant.Find[account](ctx, r, "code = '1'\nor code = '3'")
			require.NoError(t, err)
			require.Len(t, rows, 1)
			_, err = tenant.Get[account](ctx, r, mine.ID)
			require.NoError(t, err)
			_, err = tenant.Get[account](ctx, r, theirs.ID)
			require.ErrorIs(t, err, apperr.ErrNotFound)
			n, err := tenant.Count[account](ctx, r, "")
			require.NoError(t, err)
			require.EqualValues(t, 2, n)
			found, err := tenant.First[account](ctx, r, "id = ?", theirs.ID)
			require.NoError(t, err)
			require.Nil(t, found)
			return nil
		})
		a.Mutate(t, func(ctx context.Context, tx tenant.Tx) error {
			_, err := tenant.Lock[account](ctx, tx, theirs.ID)
			require.ErrorIs(t, err, apperr.ErrNotFound)
			require.ErrorIs(t, tenant.Update(ctx, tx, &account{Row: theirs.Row, Name: "taken"}, "name"), apperr.ErrNotFound)
			was, err := tenant.Delete[account](ctx, tx, theirs.ID)
			require.NoError(t, err)
			require.False(t, was)
			n, err := tenant.DeleteWhere[account](ctx, tx, "code = '3' OR 1 = 1")
			require.NoError(t, err)
			require.EqualValues(t, 2, n)
			return nil
		})
		b.Read(t, func(ctx context.Context, r tenant.ReadTx) error {
			rows, err := tenant.Find[account](ctx, r, "")
			require.NoError(t, err)
			require.Len(t, rows, 3)
			require.Equal(t, "Sąskaita 1", rows[0].Name)
			return nil
		})
	})
}

func TestRawSQLMustNameTheCompany(t *testing.T) {
	t.Parallel()
	c := testkit.SQLite(t).Company(t)
	c.Read(t, func(ctx context.Context, r tenant.ReadTx) error {
		require.Panics(t, func() { _, _ = tenant.Query[string](ctx, r, "SELECT code FROM ledger_accounts") })
		return nil
	})
	require.Panics(t, func() { tenant.Scope{}.Company() })
	require.Panics(t, func() { tenant.ReadTx{}.Scope() })
}

func TestASnapshotSeesOneMoment(t *testing.T) {
	t.Parallel()
	testkit.EachEngine(t, func(t *testing.T, e *testkit.Engine) {
		c := e.Company(t)
		add(t, c, "1")
		c.Read(t, func(ctx context.Context, r tenant.ReadTx) error {
			before, err := tenant.Count[account](ctx, r, "")
			require.NoError(t, err)
			add(t, c, "2")
			after, err := tenant.Count[account](ctx, r, "")
			require.NoError(t, err)
			require.Equal(t, before, after, "rows committed after the start are not in it")
			return nil
		})
	})
}

func TestOnDuplicate(t *testing.T) {
	t.Parallel()
	testkit.EachEngine(t, func(t *testing.T, e *testkit.Engine) {
		c := e.Company(t)
		add(t, c, "1")
		again := &account{Code: "1", Name: "n", Type: "asset", CreatedAt: clock.At(e.Store.Clock().Now())}
		err := c.TryMutate(t.Context(), func(ctx context.Context, tx tenant.Tx) error {
			return tenant.OnDuplicate(tx, tenant.Insert(ctx, tx, again), "another_index", noAnswer)
		})
		var duplicate *tenant.DuplicateError
		require.Error(t, err)
		require.NotErrorAs(t, err, &duplicate, "an index that is not named stays what it is")
		for name, end := range map[string]func(context.Context, tenant.Tx) error{
			"AtCommit": func(context.Context, tenant.Tx) error { return nil },
			"AtFlush":  tenant.Flush,
			"AtAQuery": func(ctx context.Context, tx tenant.Tx) error {
				_, err := tenant.Count[account](ctx, tx, "")
				return err
			},
		} {
			t.Run(name, func(t *testing.T) {
				err := c.TryMutate(t.Context(), func(ctx context.Context, tx tenant.Tx) error {
					again := *again
					if err := tenant.OnDuplicate(tx, tenant.Insert(ctx, tx, &again), "ledger_accounts_code", noAnswer); err != nil {
						return err
					}
					return end(ctx, tx)
				})
				require.ErrorAs(t, err, &duplicate)
			})
		}
	})
}

func noAnswer(context.Context, tenant.ReadTx) error { return nil }

func value(s string) jsontext.Value { return jsontext.Value(s) }

func TestListRows(t *testing.T) {
	t.Parallel()
	listing := tenant.Listing{
		Sources: []tenant.Source{{From: "ledger_accounts", Fields: map[string]tenant.Field{
			"code": tenant.TextField("code"), "name": tenant.TextField("name"), "isPostable": tenant.BoolField("is_postable"),
			"createdAt": tenant.TimeField("created_at"), "id": tenant.IDField("id"),
		}}},
		Order: []tenant.Sort{{Field: "code"}},
	}
	testkit.EachEngine(t, func(t *testing.T, e *testkit.Engine) {
		c, other := e.Company(t), e.Company(t)
		add(t, c, "10", "20", "30", "100%", "a_b")
		add(t, other, "10", "99")
		list := func(q tenant.ListQuery) (tenant.Page[account], error) {
			var page tenant.Page[account]
			var err error
			c.Read(t, func(ctx context.Context, r tenant.ReadTx) error {
				page, err = tenant.ListRows[account](ctx, r, q, listing)
				return nil
			})
			return page, err
		}
		codes := func(q tenant.ListQuery) []string {
			page, err := list(q)
			require.NoError(t, err)
			out := []string{}
			for _, row := range page.Rows {
				out = append(out, row.Code)
			}
			return out
		}
		filter := func(field, op, v string) tenant.ListQuery {
			return tenant.ListQuery{Filter: []tenant.Filter{{Field: field, Op: tenant.FilterOp(op), Value: value(v)}}}
		}
		require.Equal(t, []string{"10", "100%", "20", "30", "a_b"}, codes(tenant.ListQuery{}))
		require.Equal(t, []string{"20"}, codes(tenant.ListQuery{Page: 3, PageSize: 1}))
		require.Equal(t, []string{"a_b", "30"}, codes(tenant.ListQuery{PageSize: 2, Sort: []tenant.Sort{{Field: "code", Dir: "desc"}}}))
		require.Equal(t, []string{"20"}, codes(filter("code", "eq", `"20"`)))
		require.Equal(t, []string{"20"}, codes(filter("code", "eq", `20`)), "a number may stand for its text")
		require.Equal(t, []string{"20", "30"}, codes(filter("code", "in", `["20","30","99"]`)))
		require.Empty(t, codes(filter("code", "in", `[]`)))
		require.Equal(t, []string{"100%"}, codes(filter("code", "contains", `"0%"`)), "a wildcard in the value is text")
		require.Equal(t, []string{"a_b"}, codes(filter("code", "contains", `"_"`)))
		require.Len(t, codes(filter("name", "contains", `"skaita"`)), 5)
		require.Equal(t, []string{"30", "a_b"}, codes(filter("code", "gte", `"30"`)))
		require.Len(t, codes(filter("createdAt", "gte", `"2020-01-01"`)), 5)
		require.Empty(t, codes(filter("isPostable", "eq", `true`)))
		require.Empty(t, codes(filter("code", "eq", `"99"`)), "another company's row")
		require.Empty(t, codes(filter("code", "eq", `"' OR 1=1 --"`)))
		for name, q := range map[string]tenant.ListQuery{
			"UnknownField":    filter("secret", "eq", `"x"`),
			"UnknownOperator": filter("code", "like", `"x"`),
			"NotAnID":         filter("id", "eq", `"x"`),
			"Object":          filter("code", "eq", `{}`),
			"Null":            filter("code", "eq", `null`),
			"ListWithEq":      filter("code", "eq", `["1","2"]`),
			"ContainsOnBool":  filter("isPostable", "contains", `true`),
			"HugePage":        {PageSize: 1000},
			"NegativePage":    {Page: -1},
			"DeepPage":        {Page: 1 << 40},
			"UnknownSort":     {Sort: []tenant.Sort{{Field: "company_id"}}},
			"UnknownDir":      {Sort: []tenant.Sort{{Field: "code", Dir: "; DROP TABLE ledger_accounts"}}},
		} {
			_, err := list(q)
			require.ErrorIs(t, err, apperr.ErrValidation, name)
		}
	})
}

// A row is read after what was kept for later, and where that fails its own error comes back: what a request is answered hangs
// on it.
func TestQueryRowTellsOfWhatWasKept(t *testing.T) {
	t.Parallel()
	testkit.EachEngine(t, func(t *testing.T, e *testkit.Engine) {
		c := e.Company(t)
		add(t, c, "1")
		err := c.TryMutate(t.Context(), func(ctx context.Context, tx tenant.Tx) error {
			again := &account{Code: "1", Name: "x", Type: "asset", CreatedAt: tx.Now()}
			require.NoError(t, tenant.Insert(ctx, tx, again), "it is kept")
			var n int
			_, err := tenant.QueryRow(ctx, tx, "SELECT COUNT(*) FROM ledger_accounts WHERE company_id = @company", nil, &n)
			return err
		})
		index, ok := e.DB.DuplicateIndex(err)
		require.True(t, ok, err)
		require.Equal(t, "ledger_accounts_code", index)
	})
}
