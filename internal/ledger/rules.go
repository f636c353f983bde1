package ledger

import (
	"context"
	"fmt"

	"github.com/vienkart/vienkart/internal/apperr"
	"github.com/vienkart/vienkart/internal/audit"
	"github.com/vienkart/vienkart/internal/clock"
	"github.com/vienkart/vienkart/internal/tenant"
)

// ruleRow is a company's own choice of account; a rule without a row has its default.
type ruleRow struct {
	tenant.Row
	RuleKey     Rule
	AccountCode string
	UpdatedAt   clock.Time
}

func (ruleRow) TableName() string { return "posting_rules" }

// AccountCode gives the account of one rule: the company's own choice, else the default.
func AccountCode(ctx context.Context, r tenant.Reader, rule Rule) (string, error) {
	codes, err := AccountCodes(ctx, r, rule)
	return codes[rule], err
}

// AccountCodes gives the accounts of several rules in one query.
func AccountCodes(ctx context.Context, r tenant.Reader, rules ...Rule) (map[Rule]string, error) {
	codes := make(map[Rule]string, len(rules))
	for _, rule := range rules {
		definition, ok := definitionOf(rule)
		if !ok {
			return nil, fmt.Errorf("reading posting rules: there is no rule %q", rule)
		}
		codes[rule] = definition.code
	}
	if len(rules) == 0 {
		return codes, nil
	}
	remembered, err := rememberedChart(ctx, r)
	if err != nil {
		return nil, err
	}
	for rule := range codes {
		if chosen, ok := remembered.rules[rule]; ok {
			codes[rule] = chosen
		}
	}
	return codes, nil
}

// RuleAccount is a posting rule as it stands for a company.
type RuleAccount struct {
	Rule        Rule
	Description string
	DefaultCode string
	AccountCode string
	Overridden  bool
}

// ListRules gives every posting rule, in the order of their definition.
func ListRules(ctx context.Context, r tenant.Reader) ([]RuleAccount, error) {
	rows, err := ruleRows(ctx, r)
	if err != nil {
		return nil, err
	}
	list := make([]RuleAccount, len(ruleDefinitions))
	for i, d := range ruleDefinitions {
		list[i] = RuleAccount{d.rule, d.description, d.code, d.code, false}
		if row, ok := rows[d.rule]; ok {
			list[i].AccountCode, list[i].Overridden = row.AccountCode, true
		}
	}
	return list, nil
}

func ruleRows(ctx context.Context, r tenant.Reader) (map[Rule]ruleRow, error) {
	chosen, err := tenant.Find[ruleRow](ctx, r, "")
	if err != nil {
		return nil, err //nolint:wrapcheck // says what was read
	}
	rows := make(map[Rule]ruleRow, len(chosen))
	for _, row := range chosen {
		rows[row.RuleKey] = row
	}
	return rows, nil
}

// RuleChange chooses another account for a rule; an empty AccountCode goes back to the default.
type RuleChange struct {
	Rule        Rule
	AccountCode string
}

// ChangeRules applies changes, all or none; the fields of its errors are those of the request, such as
// rules.0.accountCode. It decides about documents posted from now on alone.
// Errors: validation for a rule named twice, ledger.unknown_account, ledger.account_not_postable.
func ChangeRules(ctx context.Context, tx tenant.Tx, changes []RuleChange) error {
	if err := checkRuleChanges(ctx, tx, changes); err != nil {
		return err
	}
	rows, err := ruleRows(ctx, tx)
	if err != nil {
		return err
	}
	for _, change := range changes {
		var existing *ruleRow
		if row, ok := rows[change.Rule]; ok {
			existing = &row
		}
		if err := changeRule(ctx, tx, change, existing); err != nil {
			return err
		}
	}
	return tenant.RaiseChartVersion(ctx, tx) //nolint:wrapcheck // says what was raised
}

func checkRuleChanges(ctx context.Context, tx tenant.Tx, changes []RuleChange) error {
	codes := make([]string, 0, len(changes))
	seen := map[Rule]bool{}
	for i, change := range changes {
		if _, ok := definitionOf(change.Rule); !ok {
			return apperr.Invalid(fmt.Sprintf("rules.%d.key", i), "is no posting rule")
		}
		if seen[change.Rule] {
			return apperr.Invalid(fmt.Sprintf("rules.%d.key", i), "is given twice")
		}
		seen[change.Rule] = true
		codes = append(codes, change.AccountCode)
	}
	accounts, err := accountsByCode(ctx, tx, codes)
	if err != nil {
		return err
	}
	for i, code := range codes {
		if code == "" {
			continue
		}
		if err := postable(accounts, code); err != nil {
			if refusal, ok := errorAs(err); ok {
				return refusal.Field(fmt.Sprintf("rules.%d.accountCode", i), "names no account that takes postings")
			}
			return err
		}
	}
	return nil
}

// changeRule stores one choice. A choice of the default is none, so that the row goes.
func changeRule(ctx context.Context, tx tenant.Tx, change RuleChange, existing *ruleRow) error {
	definition, _ := definitionOf(change.Rule)
	before, after := definition.code, change.AccountCode
	if after == "" {
		after = definition.code
	}
	if existing != nil {
		before = existing.AccountCode
	}
	if before == after {
		return nil
	}
	var err error
	switch {
	case after == definition.code:
		_, err = tenant.Delete[ruleRow](ctx, tx, existing.ID)
	case existing != nil:
		existing.AccountCode, existing.UpdatedAt = after, tx.Now()
		err = tenant.Update(ctx, tx, existing, "account_code", "updated_at")
	default:
		row := &ruleRow{RuleKey: change.Rule, AccountCode: after, UpdatedAt: tx.Now()}
		err = tenant.OnDuplicate(tx, tenant.Insert(ctx, tx, row), "posting_rules_key", tenant.RunAgain)
	}
	if err != nil {
		return fmt.Errorf("changing the posting rule %s: %w", change.Rule, err)
	}
	return audit.Record(ctx, tx, audit.Entry{ //nolint:wrapcheck // says what was recorded
		Action: "posting_rule.changed", Entity: "posting_rule", EntityID: string(change.Rule),
		Before: ruleView{change.Rule, before}, After: ruleView{change.Rule, after},
	})
}

// ruleView is a posting rule in the audit log.
type ruleView struct {
	Key         Rule   `json:"key"`
	AccountCode string `json:"accountCode"`
}
