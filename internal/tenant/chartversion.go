package tenant

import (
	"context"
	"fmt"
)

// RaiseChartVersion tells every server that accounts, posting rules or the company itself have changed in a way that what they
// remember of them is wrong once this transaction commits. The version comes with each request's authentication, so a
// request that begins after the commit sees the change.
func RaiseChartVersion(ctx context.Context, tx Tx) error {
	result, err := Exec(ctx, tx, "UPDATE chart_versions SET version = version + 1 WHERE company_id = @company")
	if err != nil {
		return fmt.Errorf("raising the version of the chart: %w", err)
	}
	if n, err := result.RowsAffected(); err != nil || n > 0 {
		return err //nolint:wrapcheck // no driver fails here
	}
	// A race for the first change ends in a duplicate; the pipeline runs the loser again and it finds the row.
	_, err = Exec(ctx, tx, "INSERT INTO chart_versions (company_id, id, version) VALUES (@company, ?, 1)", NewID())
	if err != nil {
		return fmt.Errorf("raising the version of the chart: %w", err)
	}
	return nil
}

// ChartVersion is the version of the company's chart and posting rules when the request was authenticated.
func (s Scope) ChartVersion() int64 { return s.must().chartVersion }

// QueryCommitted reads committed rows of the handle's company outside its transaction, for what is remembered beyond it.
func QueryCommitted[T any](ctx context.Context, r Reader, t text, args ...any) ([]T, error) {
	h := r.handle()
	query, all := h.prepare(t, args)
	rows := []T{}
	if err := h.db.ORM(ctx, h.db.Reader()).Raw(query, all...).Scan(&rows).Error; err != nil {
		return nil, fmt.Errorf("querying: %w", err)
	}
	return rows, nil
}
