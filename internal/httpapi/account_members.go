package httpapi

import (
	"context"

	"github.com/vienkart/vienkart/internal/account"
	"github.com/vienkart/vienkart/internal/clock"
	"github.com/vienkart/vienkart/internal/tenant"
)

func (h accountHandlers) memberOperations() []Operation {
	return []Operation{
		query("/v1/account/members/list", tenant.ManageCompany, "List the members", listCompanyMembers),
		mutation("/v1/account/members/set-role", tenant.ManageCompany, "Give a member another role", setRole,
			described("It holds from the member's next request on, and API keys the member made that carry more than the role are revoked. The last admin stays one.")),
		mutation("/v1/account/members/remove", tenant.ManageCompany, "Remove a member", removeMember, whileArchived(),
			described("The user's tokens for the company stop working at once, and so do the API keys the user made, whose secrets the user knows. Rotate a key that a program needs before: the new one is yours.")),
		mutation("/v1/account/invites/create", tenant.ManageCompany, "Invite somebody", h.createInvite, about("invite"),
			described("A letter is sent when the server can. The address in the answer is a secret to pass on, in the first answer alone; a replay shows it masked. An earlier open invitation of the same e-mail ends.")),
		query("/v1/account/invites/list", tenant.ManageCompany, "List open invitations", listInvites),
		mutation("/v1/account/invites/revoke", tenant.ManageCompany, "Withdraw an invitation", revokeInvite, whileArchived()),
		open("/v1/account/invites/get", "Look at an invitation", h.getInvite),
		open("/v1/account/invites/accept", "Accept an invitation", h.acceptInvite,
			described("It works once. Who has an account already accepts by the link in the letter, or sends a token of their own along.")),
	}
}

type membersResponse struct {
	Rows []account.Member `json:"rows" description:"The members, by e-mail."`
}

func listCompanyMembers(ctx context.Context, r tenant.ReadTx, _ emptyRequest) (membersResponse, error) {
	rows, err := account.ListMembers(ctx, r)
	return membersResponse{rows}, err
}

type setRoleRequest struct {
	UserID tenant.ID   `json:"userId" description:"The member."`
	Role   tenant.Role `json:"role" description:"The role from now on."`
}

type setRoleResponse struct {
	UserID tenant.ID   `json:"userId" description:"The member."`
	Role   tenant.Role `json:"role" description:"The role from now on."`

	APIKeysRevoked int `json:"apiKeysRevoked" description:"API keys that the user made and that carried more. An addition of this server."`
}

func setRole(ctx context.Context, tx tenant.Tx, in setRoleRequest) (setRoleResponse, error) {
	revoked, err := account.SetRole(ctx, tx, in.UserID, in.Role)
	return setRoleResponse{in.UserID, in.Role, revoked}, err
}

type userIDRequest struct {
	UserID tenant.ID `json:"userId" description:"The member."`
}

type removeMemberResponse struct {
	Removed        bool `json:"removed" description:"Always true."`
	APIKeysRevoked int  `json:"apiKeysRevoked" description:"API keys that the user made. An addition of this server."`
}

func removeMember(ctx context.Context, tx tenant.Tx, in userIDRequest) (removeMemberResponse, error) {
	revoked, err := account.RemoveMember(ctx, tx, in.UserID)
	return removeMemberResponse{true, revoked}, err
}

type createInviteRequest struct {
	Email  string         `json:"email" maxLength:"254" description:"E-mail address of the person."`
	Role   tenant.Role    `json:"role" description:"The role that is offered."`
	Locale account.Locale `json:"locale,omitzero" description:"Language of the letter; lt unless given."`
}

type createInviteResponse struct {
	ID        tenant.ID   `json:"id" description:"Id of the invitation."`
	Email     string      `json:"email" description:"E-mail address of the person."`
	Role      tenant.Role `json:"role" description:"The role that is offered."`
	ExpiresAt clock.Time  `json:"expiresAt" description:"Until when it can be accepted."`
	InviteURL string      `json:"inviteUrl" description:"Address to pass on, in the first answer alone."`
	EmailSent bool        `json:"emailSent" description:"A letter is on its way."`

	deliver func()
}

// Masked is the answer that is stored and replayed.
func (r createInviteResponse) Masked() any {
	r.InviteURL = maskedSecret
	return r
}

func (r createInviteResponse) afterCommit() { r.deliver() }

func (h accountHandlers) createInvite(ctx context.Context, tx tenant.Tx, in createInviteRequest) (createInviteResponse, error) {
	i, err := h.desk.Invite(ctx, tx, in.Email, in.Role, in.Locale)
	if err != nil {
		return createInviteResponse{}, err //nolint:wrapcheck // a refusal of the domain is the answer
	}
	return createInviteResponse{i.ID, i.Email, i.Role, i.ExpiresAt, i.URL, i.WillSend, i.Deliver}, nil
}

type inviteRow struct {
	ID        tenant.ID   `json:"id" description:"Id of the invitation."`
	Email     string      `json:"email" description:"E-mail address of the person."`
	Role      tenant.Role `json:"role" description:"The role that is offered."`
	ExpiresAt clock.Time  `json:"expiresAt" description:"Until when it can be accepted."`
	CreatedAt clock.Time  `json:"createdAt" description:"When it was made."`
	Expired   bool        `json:"expired" description:"It can no longer be accepted."`
}

type invitesResponse struct {
	Rows []inviteRow `json:"rows" description:"Invitations that were neither accepted nor withdrawn, the oldest first."`
}

func listInvites(ctx context.Context, r tenant.ReadTx, _ emptyRequest) (invitesResponse, error) {
	invites, err := account.ListInvites(ctx, r)
	rows := make([]inviteRow, len(invites))
	for i, v := range invites {
		rows[i] = inviteRow{v.ID, v.Email, v.Role, v.ExpiresAt, v.CreatedAt, !v.ExpiresAt.After(r.Now().Time)}
	}
	return invitesResponse{rows}, err
}

type revokeInviteResponse struct {
	Revoked bool `json:"revoked" description:"Always true: one that was withdrawn before stays so."`
}

func revokeInvite(ctx context.Context, tx tenant.Tx, in idRequest) (revokeInviteResponse, error) {
	return revokeInviteResponse{true}, account.RevokeInvite(ctx, tx, in.ID)
}

type getInviteResponse struct {
	Email       string      `json:"email" description:"Who is invited."`
	Role        tenant.Role `json:"role" description:"The role that is offered."`
	CompanyName string      `json:"companyName" description:"The company."`
	Expired     bool        `json:"expired" description:"It can no longer be accepted."`
	UserExists  bool        `json:"userExists" description:"The person has an account already."`
}

func (h accountHandlers) getInvite(ctx context.Context, v account.Visit, in tokenRequest) (getInviteResponse, error) {
	o, err := h.desk.GetInvite(ctx, v, in.Token)
	if err != nil {
		return getInviteResponse{}, err //nolint:wrapcheck // a refusal of the domain is the answer
	}
	return getInviteResponse(*o), nil
}

type acceptInviteRequest struct {
	Token  string         `json:"token" maxLength:"200" description:"The token from the invitation."`
	Name   string         `json:"name,omitzero" maxLength:"255" description:"Name of the person, who does not exist yet."`
	Locale account.Locale `json:"locale,omitzero" description:"The person's language."`
}

func (h accountHandlers) acceptInvite(ctx context.Context, v account.Visit, in acceptInviteRequest) (signedInResponse, error) {
	return signedIn(h.desk.AcceptInvite(ctx, v, in.Token, in.Name, in.Locale))
}
