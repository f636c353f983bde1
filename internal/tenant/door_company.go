package tenant

import (
	"context"
	"errors"
	"fmt"

	"gorm.io/gorm"
)

// Visitor says who is at the door, for the records of what they do inside.
type Visitor struct {
	RequestID string
	Address   string
}

// inside gives the transaction as a user's in a company.
func (t DoorTx) inside(c Company, user ID, role Role, v Visitor) Tx {
	moved := *t.handle()
	moved.scope = Scope{&scope{
		company: c, actor: Actor{Type: ActorUser, ID: user.String()}, role: role, userID: user, requestID: v.RequestID, address: v.Address,
	}}
	return Tx{ReadTx{&moved}}
}

// CompaniesOf lists the companies that a user is a member of, the first joined first.
func CompaniesOf(ctx context.Context, t DoorTx, user ID) ([]CompanyOfUser, error) {
	const query = `SELECT c.*, m.role FROM memberships m JOIN companies c ON c.id = m.company_id
		WHERE m.user_id = ? ORDER BY m.created_at, c.id`
	rows := []CompanyOfUser{}
	if err := t.handle().orm.WithContext(ctx).Raw(query, user).Scan(&rows).Error; err != nil {
		return nil, fmt.Errorf("listing the companies of a user: %w", err)
	}
	return rows, nil
}

// EnterAsMember gives the transaction as a member's in a company. Error: not_found for who is no member.
func EnterAsMember(ctx context.Context, t DoorTx, user, company ID, v Visitor) (Tx, error) {
	companies, err := CompaniesOf(ctx, t, user)
	if err != nil {
		return Tx{}, err
	}
	for _, c := range companies {
		if c.ID == company && c.Status != CompanyDeleted {
			return t.inside(c.Company, user, c.Role, v), nil
		}
	}
	return Tx{}, NotFound("company", company)
}

// FoundCompany stores a company whose first admin is the user, and gives the transaction there.
func FoundCompany(ctx context.Context, t DoorTx, user ID, c Company, v Visitor) (Tx, error) {
	if err := t.handle().orm.WithContext(ctx).Create(&c).Error; err != nil {
		return Tx{}, fmt.Errorf("storing the company: %w", err)
	}
	return t.inside(c, user, RoleAdmin, v), nil
}

// Invitation is an invite that was found by a token of it, with its company.
type Invitation struct {
	invite  Invite
	company Company
	mailed  bool
}

// Invite is the row.
func (i Invitation) Invite() Invite { return i.invite }

// Company is where the invite leads.
func (i Invitation) Company() Company { return i.company }

// FromMail reports that the token was the one that only the mailbox got.
func (i Invitation) FromMail() bool { return i.mailed }

// FindInvitation looks an invite up by the hash of one of its tokens; nil when there is none.
func FindInvitation(ctx context.Context, t DoorTx, tokenHash []byte) (*Invitation, error) {
	found := &Invitation{}
	orm := t.handle().orm.WithContext(ctx)
	err := orm.Where("token_hash = ?", tokenHash).Take(&found.invite).Error
	if errors.Is(err, gorm.ErrRecordNotFound) {
		found.mailed = true
		err = orm.Where("mail_token_hash = ?", tokenHash).Take(&found.invite).Error
	}
	if errors.Is(err, gorm.ErrRecordNotFound) {
		return nil, nil //nolint:nilnil // none is an answer, not an error
	}
	if err == nil {
		err = orm.Where("id = ?", found.invite.CompanyID).Take(&found.company).Error
	}
	if err != nil {
		return nil, fmt.Errorf("reading an invitation: %w", err)
	}
	return found, nil
}

// EnterInvited gives the transaction as the invited user's, with the role of the invite, to whom holds its token.
func EnterInvited(t DoorTx, i Invitation, user ID, v Visitor) Tx {
	return t.inside(i.company, user, i.invite.Role, v)
}
