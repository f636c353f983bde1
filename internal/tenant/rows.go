package tenant

import (
	"context"
	"errors"
	"fmt"
	"strings"

	"gorm.io/gorm"
	"gorm.io/gorm/clause"

	"github.com/vienkart/vienkart/internal/apperr"
	"github.com/vienkart/vienkart/internal/database"
)

// Row is embedded by every row that a company owns. The helpers set and check it.
type Row struct {
	CompanyID ID `gorm:"primaryKey"`
	ID        ID `gorm:"primaryKey"`
}

func (r *Row) row() *Row { return r }

// owned is a pointer to a struct that embeds Row and names its table.
type owned[T any] interface {
	*T
	row() *Row
	TableName() string
}

func (h *handle) model(ctx context.Context, model any) *gorm.DB {
	return h.orm.WithContext(ctx).Model(model).Where("company_id = ?", h.scope.s.company.ID)
}

func where(q *gorm.DB, condition text, args []any) *gorm.DB {
	if condition == "" {
		return q
	}
	// The parentheses are ours: an OR in the condition must not reach past the company.
	return q.Where("("+string(condition)+")", args...)
}

// NotFound is the error for an object the company does not have, whether or not another company has it.
func NotFound(entity string, id ID) error {
	return apperr.ErrNotFound.New("There is no %s with the id %s.", entity, id)
}

func entityName(table string) string {
	return strings.TrimSuffix(strings.ReplaceAll(table, "_", " "), "s")
}

// Get reads the row with an id. Error: not_found.
func Get[T any, P owned[T]](ctx context.Context, r Reader, id ID) (*T, error) {
	return take[T, P](ctx, r, id, "")
}

// Lock reads the row with an id and holds it to the end of the transaction. Error: not_found.
func Lock[T any, P owned[T]](ctx context.Context, tx Tx, id ID) (*T, error) {
	row, err := take[T, P](ctx, tx, id, clause.LockingStrengthUpdate)
	if err == nil {
		err = tx.handle().holdAlone(ctx, P(row).TableName(), id)
	}
	return row, err
}

// LockWhere reads rows by a query that ends in @forupdate, and holds them to the end of the transaction.
func LockWhere[T any, P owned[T]](ctx context.Context, tx Tx, t text, args ...any) ([]T, error) {
	h := tx.handle()
	rows, err := query[T](ctx, h, t, args)
	if err != nil || len(rows) == 0 {
		return rows, err
	}
	ids := make([]ID, len(rows))
	for i := range rows {
		ids[i] = P(&rows[i]).row().ID
	}
	return rows, h.holdAlone(ctx, P(&rows[0]).TableName(), ids...)
}

func take[T any, P owned[T]](ctx context.Context, r Reader, id ID, strength string) (*T, error) {
	var v T
	h := r.handle()
	err := h.locking(h.model(ctx, &v), strength).Where("id = ?", id).Take(&v).Error
	if errors.Is(err, gorm.ErrRecordNotFound) {
		return nil, NotFound(entityName(P(&v).TableName()), id)
	}
	if err != nil {
		return nil, fmt.Errorf("reading %s: %w", P(&v).TableName(), err)
	}
	return &v, nil
}

func (h *handle) locking(q *gorm.DB, strength string) *gorm.DB {
	if strength == "" || h.db.Dialect() == database.SQLite {
		return q
	}
	return q.Clauses(clause.Locking{Strength: strength})
}

// Find reads the rows that meet a condition, in the order of ids.
func Find[T any, P owned[T]](ctx context.Context, r Reader, condition text, args ...any) ([]T, error) {
	var v T
	rows := []T{}
	if err := where(r.handle().model(ctx, &v), condition, args).Order("id").Find(&rows).Error; err != nil {
		return nil, fmt.Errorf("reading %s: %w", P(&v).TableName(), err)
	}
	return rows, nil
}

// First reads one row that meets a condition, the one with the lowest id; nil when there is none.
func First[T any, P owned[T]](ctx context.Context, r Reader, condition text, args ...any) (*T, error) {
	rows := []T{}
	var v T
	if err := where(r.handle().model(ctx, &v), condition, args).Order("id").Limit(1).Find(&rows).Error; err != nil {
		return nil, fmt.Errorf("reading %s: %w", P(&v).TableName(), err)
	}
	if len(rows) == 0 {
		return nil, nil //nolint:nilnil // none is an answer, not an error
	}
	return &rows[0], nil
}

// Count counts the rows that meet a condition.
func Count[T any, P owned[T]](ctx context.Context, r Reader, condition text, args ...any) (int64, error) {
	var v T
	var n int64
	if err := where(r.handle().model(ctx, &v), condition, args).Count(&n).Error; err != nil {
		return 0, fmt.Errorf("counting %s: %w", P(&v).TableName(), err)
	}
	return n, nil
}

// Insert stores rows in one statement, which is kept for later. It sets the company, and an id where there is none.
func Insert[T any, P owned[T]](ctx context.Context, tx Tx, rows ...P) error {
	if len(rows) == 0 {
		return nil
	}
	h := tx.handle()
	for _, p := range rows {
		r := p.row()
		r.CompanyID = h.scope.s.company.ID
		if r.ID.IsZero() {
			r.ID = NewID()
		}
	}
	query, args, err := insertion[T](ctx, h, rows)
	if err == nil {
		err = h.sql.Later(ctx, query, args...)
	}
	if err != nil {
		return fmt.Errorf("storing %s: %w", rows[0].TableName(), err)
	}
	return nil
}

// Update writes the named columns of a row, found by its id. Error: not_found when it is gone.
func Update[T any, P owned[T]](ctx context.Context, tx Tx, row P, columns ...string) error {
	id := row.row().ID
	// Model is a fresh value: the row's own primary key must not add a condition of its own.
	result := tx.handle().model(ctx, new(T)).Where("id = ?", id).Select(columns).Updates(row)
	if result.Error != nil {
		return fmt.Errorf("updating %s: %w", row.TableName(), result.Error)
	}
	if result.RowsAffected == 0 {
		return NotFound(entityName(row.TableName()), id)
	}
	return nil
}

// Delete removes the row with an id and reports whether it was there.
func Delete[T any, P owned[T]](ctx context.Context, tx Tx, id ID) (bool, error) {
	var v T
	result := tx.handle().model(ctx, &v).Where("id = ?", id).Delete(&v)
	if result.Error != nil {
		return false, fmt.Errorf("deleting %s: %w", P(&v).TableName(), result.Error)
	}
	return result.RowsAffected > 0, nil
}

// DeleteWhere removes the rows that meet a condition, which may not be empty.
func DeleteWhere[T any, P owned[T]](ctx context.Context, tx Tx, condition text, args ...any) (int64, error) {
	if condition == "" {
		panic("tenant: DeleteWhere without a condition")
	}
	var v T
	result := where(tx.handle().model(ctx, &v), condition, args).Delete(&v)
	if result.Error != nil {
		return 0, fmt.Errorf("deleting %s: %w", P(&v).TableName(), result.Error)
	}
	return result.RowsAffected, nil
}
