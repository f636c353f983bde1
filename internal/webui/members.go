package webui

import (
	"net/http"

	"github.com/vienkart/vienkart/internal/tenant"
)

// Operations of members and invitations.
const (
	opMemberList   = "/v1/account/members/list"
	opMemberRole   = "/v1/account/members/set-role"
	opMemberRemove = "/v1/account/members/remove"
	opInviteCreate = "/v1/account/invites/create"
	opInviteList   = "/v1/account/invites/list"
	opInviteRevoke = "/v1/account/invites/revoke"
)

func (v *visit) roles() []option {
	names := make([]string, len(tenant.Roles))
	for i, role := range tenant.Roles {
		names[i] = string(role)
	}
	return v.choices("role.", names...)
}

func membersPage(record) string { return "/ui/settings/members" }

func showMembers(v *visit) (answer, error) {
	p := v.settingsPage("settings.members")
	if !v.ui.serves(opMemberList) {
		p.add(block{Empty: &empty{Text: v.t("error.notServedText")}})
		return p, nil
	}
	f := &form{
		Title: v.t("members.invite"), Action: "/ui/settings/members", Submit: v.t("members.invite"),
		Fields: []field{
			{Name: "email", Label: v.t("field.email"), Kind: kindEmail, Required: true},
			{Name: "role", Label: v.t("field.role"), Kind: kindSelect, Options: v.roles(), Value: string(tenant.RoleAccountant)},
		},
	}
	if v.r.Method == http.MethodPost {
		secret, err := v.createSecret(f, opInviteCreate, "inviteUrl", func(map[string]any) {})
		if err != nil {
			return nil, err
		}
		p.add(secret...)
	}
	members, err := v.query(opMemberList, nil)
	if err != nil {
		return nil, err
	}
	p.add(block{Table: v.memberTable(members.list("rows"))})
	if !v.ui.serves(opInviteList) {
		return p, nil
	}
	invites, err := v.query(opInviteList, nil)
	if err != nil {
		return nil, err
	}
	p.add(block{Heading: v.t("members.invites"), Table: v.inviteTable(invites.list("rows"))}, block{Form: v.keyed(f)})
	return p, nil
}

func (v *visit) inviteTable(rows []record) *table {
	return v.sheet(sheet{Name: "invites", File: "invitations", Caption: v.t("members.invites"), Rows: rows, None: &empty{Text: v.t("members.noInvites")}, Columns: []column{
		{Title: "field.email", Field: "email"},
		{Title: "field.role", Field: "role", Words: "role."},
		{Title: "field.expiresAt", Field: "expiresAt", Kind: cellTime},
	}, Actions: []rowAction{{"field.action", func(r record) *action {
		return &action{Label: v.t("settings.revoke"), Form: v.keyed(v.idForm("/ui/settings/invites/revoke", "settings.revoke", r.text("id")))}
	}}}})
}

func (v *visit) memberTable(rows []record) *table {
	return v.sheet(sheet{File: "members", Caption: v.t("settings.members"), Rows: rows, Columns: []column{
		{Title: "field.email", Field: "email"},
		{Title: "field.name", Field: "name", Minor: true},
		{Title: "field.role", Field: "role", Words: "role."},
		{Title: "field.createdAt", Field: "createdAt", Kind: cellTime, Minor: true},
	}, Actions: []rowAction{
		{"members.change", func(r record) *action {
			return &action{Label: v.t("members.change"), Form: v.keyed(v.roleForm(r.text("userId"), r.text("role")))}
		}},
		{"members.remove", func(r record) *action {
			return &action{Label: v.t("members.remove"), Form: v.keyed(v.removeForm(r.text("userId")))}
		}},
	}})
}

func (v *visit) roleForm(user, role string) *form {
	return &form{
		Action: "/ui/settings/members/role", Submit: v.t("action.save"),
		Fields: []field{
			{Name: "userId", Kind: kindHidden, Value: user},
			{Name: "role", ID: "role-" + user, Label: v.t("field.role"), Kind: kindSelect, Options: v.roles(), Value: role},
		},
	}
}

func (v *visit) removeForm(user string) *form {
	return &form{
		Action: "/ui/settings/members/remove", Submit: v.t("members.remove"), Danger: true, Lead: v.t("members.removeLead"),
		Fields: []field{{Name: "userId", Kind: kindHidden, Value: user}},
	}
}

// showMembersAgain shows the page after a refused action.
func showMembersAgain(v *visit) (answer, error) {
	v.r.Method = http.MethodGet
	return showMembers(v)
}

func setRole(v *visit) (answer, error) {
	f := v.roleForm("", "")
	return v.runAction(f, once(opMemberRole, f, nil, membersPage), showMembersAgain)
}

func removeMember(v *visit) (answer, error) {
	f := v.removeForm("")
	return v.runAction(f, once(opMemberRemove, f, nil, membersPage), showMembersAgain)
}

func revokeInvite(v *visit) (answer, error) {
	f := v.idForm("/ui/settings/invites/revoke", "settings.revoke", "")
	return v.runAction(f, once(opInviteRevoke, f, nil, membersPage), showMembersAgain)
}
