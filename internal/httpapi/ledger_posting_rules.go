package httpapi

import (
	"context"

	"github.com/vienkart/vienkart/internal/ledger"
	"github.com/vienkart/vienkart/internal/tenant"
)

func postingRuleOperations() []Operation {
	return []Operation{
		query("/v1/ledger/posting-rules/list", tenant.ReadBooks, "List the posting rules", listPostingRules),
		mutation("/v1/ledger/posting-rules/update", tenant.WriteLedger, "Choose accounts for posting rules", updatePostingRules,
			described("Decides about documents posted from now on. A rule sent without accountCode goes back to its default.")),
	}
}

type postingRuleRow struct {
	Key         ledger.Rule `json:"key" description:"Key of the rule."`
	Description string      `json:"description" description:"What the account is used for."`
	DefaultCode string      `json:"defaultCode" description:"Account unless the company chooses another."`
	AccountCode string      `json:"accountCode" description:"Account in use."`
	Overridden  bool        `json:"overridden" description:"Whether the company chose the account."`
}

type postingRulesResponse struct {
	Rows []postingRuleRow `json:"rows" description:"Every posting rule."`
}

func listPostingRules(ctx context.Context, r tenant.ReadTx, _ emptyRequest) (postingRulesResponse, error) {
	return postingRules(ctx, r)
}

func postingRules(ctx context.Context, r tenant.Reader) (postingRulesResponse, error) {
	rules, err := ledger.ListRules(ctx, r)
	if err != nil {
		return postingRulesResponse{}, err //nolint:wrapcheck // says what failed already
	}
	rows := make([]postingRuleRow, len(rules))
	for i, rule := range rules {
		rows[i] = postingRuleRow{rule.Rule, rule.Description, rule.DefaultCode, rule.AccountCode, rule.Overridden}
	}
	return postingRulesResponse{rows}, nil
}

type updatePostingRulesRequest struct {
	Rules []postingRuleChange `json:"rules" minItems:"1" maxItems:"100" description:"The rules to change, all or none."`
}

type postingRuleChange struct {
	Key         ledger.Rule `json:"key" description:"Key of the rule."`
	AccountCode string      `json:"accountCode,omitzero" maxLength:"20" description:"Account to use; the default when absent."`
}

func updatePostingRules(ctx context.Context, tx tenant.Tx, in updatePostingRulesRequest) (postingRulesResponse, error) {
	changes := make([]ledger.RuleChange, len(in.Rules))
	for i, rule := range in.Rules {
		changes[i] = ledger.RuleChange{Rule: rule.Key, AccountCode: rule.AccountCode}
	}
	if err := ledger.ChangeRules(ctx, tx, changes); err != nil {
		return postingRulesResponse{}, err //nolint:wrapcheck // a refusal of the domain is the answer
	}
	return postingRules(ctx, tx)
}
