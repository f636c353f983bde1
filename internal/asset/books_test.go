package asset_test

import (
	"context"
	"errors"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/vienkart/vienkart/internal/apperr"
	"github.com/vienkart/vienkart/internal/asset"
	"github.com/vienkart/vienkart/internal/audit"
	"github.com/vienkart/vienkart/internal/date"
	"github.com/vienkart/vienkart/internal/ledger"
	"github.com/vienkart/vienkart/internal/money"
	"github.com/vienkart/vienkart/internal/tenant"
	"github.com/vienkart/vienkart/internal/testkit"
)

// books is a company with the accounts of the template and two groups.
type books struct {
	*testkit.Company
	machines, software tenant.ID
}

func newBooks(t *testing.T, e *testkit.Engine) books {
	t.Helper()
	b := books{Company: e.Company(t)}
	b.Mutate(t, func(ctx context.Context, tx tenant.Tx) error {
		_, err := ledger.ApplyTemplate(ctx, tx)
		return err
	})
	b.machines = b.group(t, asset.CreateGroupInput{Code: "M", Name: "Machines", AssetAccountCode: "1220", DepreciationAccountCode: "1227"})
	life := 36
	b.software = b.group(t, asset.CreateGroupInput{
		Code: "S", Name: "Software", AssetAccountCode: "1130", DepreciationAccountCode: "1138", ExpenseAccountCode: "6302",
		DefaultUsefulLifeMonths: &life,
	})
	return b
}

func (b books) group(t *testing.T, in asset.CreateGroupInput) tenant.ID {
	t.Helper()
	var id tenant.ID
	b.Mutate(t, func(ctx context.Context, tx tenant.Tx) error {
		g, err := asset.CreateGroup(ctx, tx, in)
		require.NoError(t, err)
		id = g.ID
		return nil
	})
	return id
}

func eur(s string) money.Amount {
	a, err := money.Parse(s, money.EUR)
	if err != nil {
		panic(err)
	}
	return a
}

func month(s string) date.Month { return date.MonthOf(date.MustParse(s + "-01")) }

func (b books) tryAsset(t *testing.T, in asset.CreateInput) (*asset.State, error) {
	t.Helper()
	if in.GroupID.IsZero() {
		in.GroupID = b.machines
	}
	if in.Code == "" {
		in.Code = "A1"
	}
	if in.Name == "" {
		in.Name = "Press " + in.Code
	}
	if in.AcquisitionDate.IsZero() {
		in.AcquisitionDate = date.MustParse("2024-12-05")
	}
	return result(t, b.Company, func(ctx context.Context, tx tenant.Tx) (*asset.State, error) { return asset.Create(ctx, tx, in) })
}

func (b books) asset(t *testing.T, in asset.CreateInput) *asset.State {
	t.Helper()
	a, err := b.tryAsset(t, in)
	require.NoError(t, err)
	return a
}

// result runs a mutation that gives something and commits it when it succeeds.
func result[T any](t *testing.T, c *testkit.Company, fn func(context.Context, tenant.Tx) (T, error)) (out T, err error) {
	t.Helper()
	err = c.TryMutate(t.Context(), func(ctx context.Context, tx tenant.Tx) (err error) {
		out, err = fn(ctx, tx)
		return err
	})
	return out, err
}

func (b books) tryPost(t *testing.T, m string) (*asset.Result, error) {
	t.Helper()
	return result(t, b.Company, func(ctx context.Context, tx tenant.Tx) (*asset.Result, error) { return asset.Post(ctx, tx, month(m)) })
}

func (b books) post(t *testing.T, m string) *asset.Result {
	t.Helper()
	r, err := b.tryPost(t, m)
	require.NoError(t, err)
	return r
}

// postYear posts the twelve months of a year.
func (b books) postYear(t *testing.T, year int) {
	t.Helper()
	for m := date.MonthOf(date.New(year, 1, 1)); m.Year == year; m = m.Next() {
		b.post(t, m.String())
	}
}

func (b books) modernize(t *testing.T, in asset.ModernizeInput) (*asset.State, error) {
	t.Helper()
	return result(t, b.Company, func(ctx context.Context, tx tenant.Tx) (*asset.State, error) { return asset.Modernize(ctx, tx, in) })
}

func (b books) dispose(t *testing.T, in asset.DisposeInput) (*asset.State, error) {
	t.Helper()
	return result(t, b.Company, func(ctx context.Context, tx tenant.Tx) (*asset.State, error) {
		a, _, err := asset.Dispose(ctx, tx, in)
		return a, err
	})
}

func (b books) get(t *testing.T, id tenant.ID) asset.State {
	t.Helper()
	var a asset.State
	b.Read(t, func(ctx context.Context, r tenant.ReadTx) error {
		found, err := asset.Get(ctx, r, id)
		require.NoError(t, err)
		a = *found
		return nil
	})
	return a
}

func (b books) preview(t *testing.T, m string) ([]asset.PreviewRow, string) {
	t.Helper()
	var rows []asset.PreviewRow
	var total money.Amount
	b.Read(t, func(ctx context.Context, r tenant.ReadTx) (err error) {
		rows, total, err = asset.Preview(ctx, r, month(m))
		return err
	})
	return rows, total.String()
}

// balance is debit less credit of an account at the end of the calendar.
func (b books) balance(t *testing.T, account string) string {
	t.Helper()
	var balance money.Amount
	b.Read(t, func(ctx context.Context, r tenant.ReadTx) (err error) {
		balance, err = ledger.Balance(ctx, r, account, date.MustParse("2199-12-31"))
		return err
	})
	return balance.String()
}

// journal writes the lines of a transaction as text.
func (b books) journal(t *testing.T, id tenant.ID) []string {
	t.Helper()
	var lines []string
	b.Read(t, func(ctx context.Context, r tenant.ReadTx) error {
		posted, err := ledger.GetTransaction(ctx, r, id)
		require.NoError(t, err)
		lines = append(lines, posted.TransactionDate.String()+" "+*posted.DocumentType)
		for _, e := range posted.Entries {
			side, minor := "Dr", e.DebitMinor
			if minor == 0 {
				side, minor = "Cr", e.CreditMinor
			}
			lines = append(lines, side+" "+e.AccountCode+" "+money.New(minor, money.EUR).String())
		}
		return nil
	})
	return lines
}

// booked lists what is posted for an asset, by month.
func (b books) booked(t *testing.T, id tenant.ID) []string {
	t.Helper()
	var amounts []string
	b.Read(t, func(ctx context.Context, r tenant.ReadTx) error {
		rows, err := tenant.Query[asset.Depreciation](ctx, r,
			"SELECT * FROM asset_depreciations WHERE company_id = @company AND asset_id = ? ORDER BY year, month", id)
		require.NoError(t, err)
		for _, d := range rows {
			amounts = append(amounts, money.New(d.AmountMinor, money.EUR).String())
		}
		return nil
	})
	return amounts
}

// actions counts the lines of the audit log by action.
func (b books) actions(t *testing.T) map[string]int {
	t.Helper()
	counts := map[string]int{}
	b.Read(t, func(ctx context.Context, r tenant.ReadTx) error {
		page, err := audit.List(ctx, r, tenant.ListQuery{PageSize: tenant.MaxPageSize})
		require.NoError(t, err)
		for _, line := range page.Rows {
			counts[line.Action]++
		}
		return nil
	})
	return counts
}

// refusal is what a refusal tells a client besides its code.
type refusal struct {
	fields  map[string][]string
	details map[string]any
}

func refused(t *testing.T, err error, code *apperr.Code) refusal {
	t.Helper()
	require.ErrorIs(t, err, code)
	e, ok := errors.AsType[*apperr.Error](err)
	require.True(t, ok)
	return refusal{e.Fields(), e.Details()}
}
