package tenant

import (
	"context"
	"fmt"

	"github.com/vienkart/vienkart/internal/clock"
)

// Membership is a user's role in a company.
type Membership struct {
	Row
	UserID ID
	Role   Role
	// Locale is the member's language in this company; nil is that of the user.
	Locale    *string
	CreatedAt clock.Time
}

// TableName names the table for the mapper.
func (Membership) TableName() string { return "memberships" }

// CreateCompany stores a company and gives the transaction as its admin, so that what a company needs from the first
// moment is stored with it. It is the one way to write for a company other than the caller's: a company that did not
// exist before.
func CreateCompany(ctx context.Context, tx Tx, c Company) (Tx, error) {
	h := tx.handle()
	if err := h.orm.WithContext(ctx).Create(&c).Error; err != nil {
		return Tx{}, fmt.Errorf("storing the company: %w", err)
	}
	inside := *h.scope.s
	inside.company, inside.role, inside.scopes = c, RoleAdmin, nil
	moved := *h
	moved.scope = Scope{&inside}
	return Tx{ReadTx{&moved}}, nil
}

// UpdateCompany writes the named columns of the caller's own company, and tells every server that what it remembers of it is
// outdated once this transaction commits.
func UpdateCompany(ctx context.Context, tx Tx, c Company, columns ...string) error {
	h := tx.handle()
	err := h.orm.WithContext(ctx).Model(&Company{}).Where("id = ?", h.scope.s.company.ID).Select(columns).Updates(&c).Error
	if err != nil {
		return fmt.Errorf("updating the company: %w", err)
	}
	return RaiseChartVersion(ctx, tx)
}

// ReadCompany reads the caller's own company as it stands in the transaction: the one in the scope was read when the
// request began.
func ReadCompany(ctx context.Context, r Reader) (Company, error) {
	h := r.handle()
	var c Company
	if err := h.orm.WithContext(ctx).Where("id = ?", h.scope.s.company.ID).Take(&c).Error; err != nil {
		return Company{}, fmt.Errorf("reading the company: %w", err)
	}
	return c, nil
}

// CompanyOfUser is a company with the caller's role in it.
type CompanyOfUser struct {
	Company
	Role Role
}

// CompaniesOfUser lists the companies that the calling user is a member of, and nothing for a caller who is no user.
func CompaniesOfUser(ctx context.Context, r Reader) ([]CompanyOfUser, error) {
	const query = `SELECT c.*, m.role FROM memberships m JOIN companies c ON c.id = m.company_id
		WHERE m.user_id = ? ORDER BY c.name, c.id`
	h := r.handle()
	rows := []CompanyOfUser{}
	if err := h.orm.WithContext(ctx).Raw(query, h.scope.s.userID).Scan(&rows).Error; err != nil {
		return nil, fmt.Errorf("listing the companies of the user: %w", err)
	}
	return rows, nil
}

// User is a person who signs in.
type User struct {
	ID        ID
	Email     string
	Name      *string
	Locale    string
	CreatedAt clock.Time
}

// TableName names the table for the mapper.
func (User) TableName() string { return "users" }

// ReadUser reads the calling user; nil when the caller is no user of this server.
func ReadUser(ctx context.Context, r Reader) (*User, error) {
	h := r.handle()
	rows := []User{}
	if err := h.orm.WithContext(ctx).Where("id = ?", h.scope.s.userID).Find(&rows).Error; err != nil {
		return nil, fmt.Errorf("reading the user: %w", err)
	}
	if len(rows) == 0 {
		return nil, nil //nolint:nilnil // none is an answer, not an error
	}
	return &rows[0], nil
}

// CreateUser stores a person; it belongs to no company until a Membership says so.
func CreateUser(ctx context.Context, tx Tx, u User) error {
	if err := tx.handle().orm.WithContext(ctx).Create(&u).Error; err != nil {
		return fmt.Errorf("storing the user: %w", err)
	}
	return nil
}

// LockCompany reads the company of the transaction and holds its row to the end; nil when it is gone. It is for whoever then changes
// or deletes the row, which tells the nodes of a cluster apart.
func LockCompany(ctx context.Context, tx Tx) (*Company, error) {
	rows, err := query[Company](ctx, tx.handle(), "SELECT * FROM companies WHERE id = @company @forupdate", nil)
	if err != nil || len(rows) == 0 {
		return nil, err
	}
	return &rows[0], nil
}
