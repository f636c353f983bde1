package account

import (
	"context"

	"github.com/vienkart/vienkart/internal/apperr"
	"github.com/vienkart/vienkart/internal/audit"
	"github.com/vienkart/vienkart/internal/clock"
	"github.com/vienkart/vienkart/internal/tenant"
)

// ErrLastAdmin keeps a company from being without anybody who may change it.
var ErrLastAdmin = apperr.Define("account.last_admin", apperr.Conflict,
	"The member is the last admin of the company: make another member an admin first.")

const entityMember = "member"

// Member is a user with the role in the company.
type Member struct {
	UserID    tenant.ID   `json:"userId" description:"The user."`
	Email     string      `json:"email" description:"E-mail address."`
	Name      string      `json:"name,omitzero" description:"Name of the person."`
	Role      tenant.Role `json:"role" description:"Role in the company."`
	CreatedAt clock.Time  `json:"createdAt" description:"When the user joined."`
}

// ListMembers lists the members of the company by e-mail.
func ListMembers(ctx context.Context, r tenant.Reader) ([]Member, error) {
	return tenant.Query[Member](ctx, r, `SELECT m.user_id, u.email, COALESCE(u.name, '') AS name, m.role, m.created_at
		FROM memberships m JOIN users u ON u.id = m.user_id WHERE m.company_id = @company ORDER BY u.email`) //nolint:wrapcheck // says what failed
}

// memberLine is a member as the audit log keeps it.
type memberLine struct {
	UserID tenant.ID   `json:"userId"`
	Role   tenant.Role `json:"role"`
}

// lockMember holds all memberships of the company, so that two admins cannot demote each other at once, and gives one of
// them and the number of admins. Error: not_found.
func lockMember(ctx context.Context, tx tenant.Tx, user tenant.ID) (*tenant.Membership, int, error) {
	members, err := tenant.LockWhere[tenant.Membership](ctx, tx,
		`SELECT * FROM memberships WHERE company_id = @company ORDER BY id @forupdate`)
	if err != nil {
		return nil, 0, err //nolint:wrapcheck // says what failed
	}
	var found *tenant.Membership
	admins := 0
	for i := range members {
		if members[i].Role == tenant.RoleAdmin {
			admins++
		}
		if members[i].UserID == user {
			found = &members[i]
		}
	}
	if found == nil {
		return nil, 0, tenant.NotFound("member", user) //nolint:wrapcheck // a refusal as it stands
	}
	return found, admins, nil
}

// SetRole gives a member another role. It holds from the member's next request on, whatever their tokens say; API keys that the
// member made and that carry more than the role are revoked, and counted. Errors: not_found, account.last_admin.
func SetRole(ctx context.Context, tx tenant.Tx, user tenant.ID, role tenant.Role) (keysRevoked int, err error) {
	m, admins, err := lockMember(ctx, tx, user)
	if err != nil {
		return 0, err
	}
	if m.Role == tenant.RoleAdmin && role != tenant.RoleAdmin && admins == 1 {
		return 0, lastAdmin()
	}
	before := memberLine{m.UserID, m.Role}
	m.Role = role
	if err := tenant.Update(ctx, tx, m, "role"); err != nil {
		return 0, err //nolint:wrapcheck // says what was updated
	}
	if keysRevoked, err = revokeKeysOf(ctx, tx, user, beyond(role)); err != nil {
		return 0, err
	}
	return keysRevoked, recordMember(ctx, tx, "member.role_changed", user, before, memberLine{m.UserID, role})
}

// RemoveMember ends a membership: the user's tokens for the company stop working at once, and so do the API keys that the user
// made, which it counts. Errors: not_found, account.last_admin.
func RemoveMember(ctx context.Context, tx tenant.Tx, user tenant.ID) (keysRevoked int, err error) {
	m, admins, err := lockMember(ctx, tx, user)
	if err != nil {
		return 0, err
	}
	if m.Role == tenant.RoleAdmin && admins == 1 {
		return 0, lastAdmin()
	}
	if _, err := tenant.Delete[tenant.Membership](ctx, tx, m.ID); err != nil {
		return 0, err //nolint:wrapcheck // says what was deleted
	}
	if keysRevoked, err = revokeKeysOf(ctx, tx, user, everything); err != nil {
		return 0, err
	}
	return keysRevoked, recordMember(ctx, tx, "member.removed", user, memberLine{m.UserID, m.Role}, nil)
}

func lastAdmin() error {
	return ErrLastAdmin.New("This is the last admin of the company; make another member an admin first.")
}

func recordMember(ctx context.Context, tx tenant.Tx, action string, user tenant.ID, before, after any) error {
	return audit.Record(ctx, tx, audit.Entry{ //nolint:wrapcheck // says what was recorded
		Action: action, Entity: entityMember, EntityID: user.String(), Before: before, After: after,
	})
}
