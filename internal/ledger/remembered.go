package ledger

import (
	"context"
	"maps"

	"github.com/vienkart/vienkart/internal/date"
	"github.com/vienkart/vienkart/internal/memory"
	"github.com/vienkart/vienkart/internal/tenant"
)

// What every posting asks is remembered per company: accounts and posting rules for as long as the chart's version stays,
// which each request's authentication reads; and which row is a month's, which never changes. Only committed rows are
// remembered, and what is not found is looked up.

// chart is the accounts and the chosen posting rules of a company at one version.
type chart struct {
	version  int64
	accounts map[string]Account
	rules    map[Rule]string
}

type monthKey struct {
	company tenant.ID
	month   date.Month
}

var (
	charts memory.Map[tenant.ID, *chart]
	months memory.Map[monthKey, tenant.ID]
)

// rememberedChart is the company's chart at the version that the request was authenticated with.
func rememberedChart(ctx context.Context, r tenant.Reader) (*chart, error) {
	company, version := r.Company().ID, tenant.ScopeOf(r).ChartVersion()
	if c, ok := charts.Get(company); ok && c.version == version {
		return c, nil
	}
	return loadChart(ctx, r, company, version)
}

func loadChart(ctx context.Context, r tenant.Reader, company tenant.ID, version int64) (*chart, error) {
	accounts, err := tenant.QueryCommitted[Account](ctx, r, "SELECT * FROM ledger_accounts WHERE company_id = @company")
	if err != nil {
		return nil, err //nolint:wrapcheck // says what was read
	}
	rules, err := tenant.QueryCommitted[ruleRow](ctx, r, "SELECT * FROM posting_rules WHERE company_id = @company")
	if err != nil {
		return nil, err //nolint:wrapcheck // says what was read
	}
	c := &chart{version: version, accounts: make(map[string]Account, len(accounts)), rules: make(map[Rule]string, len(rules))}
	for _, a := range accounts {
		c.accounts[a.Code] = a
	}
	for _, row := range rules {
		c.rules[row.RuleKey] = row.AccountCode
	}
	charts.Put(company, c)
	return c, nil
}

// missing are the codes that the chart does not have.
func (c *chart) missing(codes []string) []string {
	var list []string
	for _, code := range codes {
		if _, ok := c.accounts[code]; !ok {
			list = append(list, code)
		}
	}
	return list
}

// accountsByCode finds accounts; a code that the company does not have is not in the answer. A code that is not remembered
// may be new, or made by this very transaction.
func accountsByCode(ctx context.Context, r tenant.Reader, codes []string) (map[string]Account, error) {
	c, err := rememberedChart(ctx, r)
	if err != nil {
		return nil, err
	}
	unknown := c.missing(codes)
	if len(unknown) == 0 {
		return c.accounts, nil
	}
	if c, err = loadChart(ctx, r, r.Company().ID, c.version); err != nil {
		return nil, err
	}
	if unknown = c.missing(unknown); len(unknown) == 0 {
		return c.accounts, nil
	}
	rows, err := tenant.Find[Account](ctx, r, "code IN ?", unknown)
	if err != nil || len(rows) == 0 {
		return c.accounts, err //nolint:wrapcheck // says what was read
	}
	accounts := maps.Clone(c.accounts)
	for _, a := range rows {
		accounts[a.Code] = a
	}
	return accounts, nil
}
