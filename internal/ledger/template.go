package ledger

import (
	"context"
	"fmt"

	"github.com/vienkart/vienkart/internal/audit"
	"github.com/vienkart/vienkart/internal/tenant"
)

// TemplateAccount is an account of the template. Accounts created from it bear the Lithuanian name.
type TemplateAccount struct {
	Code        string
	Type        AccountType
	Name        string
	EnglishName string
}

// IsHeading reports an account that takes no postings: a class or a group, which has one or two digits.
func (a TemplateAccount) IsHeading() bool { return len(a.Code) < postableDigits }

// postableDigits is how many digits an account of the template has that takes postings.
const postableDigits = 4

// Template is the chart of accounts that a company starts with, by code. Its codes follow the model chart of accounts for
// Lithuanian companies in classes and groups; the selection is ours.
func Template() []TemplateAccount { return append([]TemplateAccount(nil), template...) }

// templateParent is the heading that an account stands under: the longest shorter code it begins with.
func templateParent(code string) string {
	if code == "" {
		return ""
	}
	parent := code[:len(code)-1]
	if len(code) == postableDigits {
		parent = code[:2]
	}
	return parent
}

// ApplyTemplate adds the accounts of the template that the company does not have, and leaves those it has as they are.
// It returns how many accounts the company has afterwards.
func ApplyTemplate(ctx context.Context, tx tenant.Tx) (int, error) {
	existing, err := tenant.Find[Account](ctx, tx, "")
	if err != nil {
		return 0, err //nolint:wrapcheck // says what was read
	}
	ids := make(map[string]tenant.ID, len(existing)+len(template))
	for _, a := range existing {
		ids[a.Code] = a.ID
	}
	missing := []*Account{}
	for _, t := range template {
		if _, ok := ids[t.Code]; ok {
			continue
		}
		a := &Account{
			Row: tenant.Row{ID: tenant.NewID()}, Code: t.Code, Name: t.Name, Type: t.Type, IsPostable: !t.IsHeading(), CreatedAt: tx.Now(),
		}
		// A heading stands before its accounts, so its id is known.
		if parent, ok := ids[templateParent(t.Code)]; ok {
			a.ParentID = &parent
		}
		ids[t.Code] = a.ID
		missing = append(missing, a)
	}
	if len(missing) == 0 {
		return len(existing), nil
	}
	err = tenant.OnDuplicate(tx, tenant.Insert(ctx, tx, missing...), "ledger_accounts_code", tenant.RunAgain)
	if err != nil {
		return 0, fmt.Errorf("applying the template: %w", err)
	}
	return len(ids), audit.Record(ctx, tx, audit.Entry{ //nolint:wrapcheck // says what was recorded
		Action: "account.template_applied", Entity: "account", After: templateView{len(missing), len(ids)},
	})
}

// templateView is a use of the template in the audit log.
type templateView struct {
	Added    int `json:"added"`
	Accounts int `json:"accounts"`
}
