package tenant

import (
	"slices"
	"strings"
)

// Role is what a person or key may do in a company.
type Role string

// The roles of the contract.
const (
	RoleAdmin      Role = "admin"
	RoleAccountant Role = "accountant"
	RoleManager    Role = "manager"
	RoleDeveloper  Role = "developer"
	RoleViewer     Role = "viewer"
)

// Roles lists every role, the widest first.
var Roles = []Role{RoleAdmin, RoleAccountant, RoleManager, RoleDeveloper, RoleViewer}

// Enum lists the allowed values for validation and the API document.
func (Role) Enum() []any {
	return []any{RoleAdmin, RoleAccountant, RoleManager, RoleDeveloper, RoleViewer}
}

// Valid reports a known role.
func (r Role) Valid() bool { return slices.Contains(Roles, r) }

// Permission names a right, such as "sales:write". A token's scopes are permissions too and narrow its role.
type Permission string

// The permissions.
const (
	ReadBooks      Permission = "books:read"      // every query of the ledger, documents, partners and reports
	WriteSales     Permission = "sales:write"     // sales invoices, orders and partners
	WritePurchases Permission = "purchases:write" // supplier invoices and partners
	WriteBank      Permission = "bank:write"      // bank accounts, statements, settlements
	WriteLedger    Permission = "ledger:write"    // journal, chart of accounts, posting rules, series, rates, assets
	LockPeriods    Permission = "periods:lock"    // lock and unlock months
	FileReturns    Permission = "returns:file"    // VAT return, i.SAF and their submission
	MakeExports    Permission = "exports:write"   // files of reports, made in the background
	ReadAudit      Permission = "audit:read"      // the audit log
	LookUpKeys     Permission = "keys:read"       // whether a request happened
	ManageKeys     Permission = "api_keys:write"  // API keys and webhooks
	ManageCompany  Permission = "company:write"   // profile, members, company life
	ReviewRefusals Permission = "refusals:review" // refused duplicates with their payloads
	OwnAccount     Permission = "account:read"    // who am I
)

var grants = map[Role][]Permission{
	RoleAccountant: {
		ReadBooks, WriteSales, WritePurchases, WriteBank, WriteLedger, LockPeriods, FileReturns, MakeExports, ReadAudit, LookUpKeys, OwnAccount,
	},
	RoleManager:   {ReadBooks, WriteSales, WritePurchases, WriteBank, MakeExports, LookUpKeys, OwnAccount},
	RoleDeveloper: {ReadBooks, WriteSales, WritePurchases, WriteBank, MakeExports, LookUpKeys, ManageKeys, OwnAccount},
	RoleViewer:    {ReadBooks, OwnAccount},
}

// Has reports whether the role carries the permission. An admin has all.
func (r Role) Has(p Permission) bool { return r == RoleAdmin || slices.Contains(grants[r], p) }

// lower is what a token of one role and a member of another may do together: the lower role, and, where neither role
// contains the other, the permissions that both have.
func lower(token, member Role) (Role, []Permission) {
	role := member
	if slices.Index(Roles, token) > slices.Index(Roles, member) {
		role = token
	}
	var both []Permission
	complete := true
	for _, p := range Permissions() {
		switch {
		case token.Has(p) && member.Has(p):
			both = append(both, p)
		case role.Has(p):
			complete = false
		}
	}
	if complete {
		return role, nil
	}
	return role, both
}

// Permissions lists every permission that a scope of an API key may name.
func Permissions() []Permission {
	return []Permission{
		ReadBooks, WriteSales, WritePurchases, WriteBank, WriteLedger, LockPeriods, FileReturns, MakeExports, ReadAudit, LookUpKeys,
		ManageKeys, ManageCompany, ReviewRefusals, OwnAccount,
	}
}

// parseScopes reads the scope claim: names split by blanks, as in RFC 8693.
func parseScopes(claim string) []Permission {
	fields := strings.Fields(claim)
	scopes := make([]Permission, len(fields))
	for i, f := range fields {
		scopes[i] = Permission(f)
	}
	return scopes
}
