package report

import (
	"context"
	"fmt"
	"math/big"

	"github.com/vienkart/vienkart/internal/date"
	"github.com/vienkart/vienkart/internal/ledger"
	"github.com/vienkart/vienkart/internal/money"
	"github.com/vienkart/vienkart/internal/tenant"
)

// debt is what partners owe, or are owed, on items of one sort. Minor units are those of the base currency.
type debt struct {
	PartnerID   tenant.ID
	PartnerName string
	Kind        ledger.ItemKind
	Bucket      int
	Minor       int64
}

// Buckets of age. An item is due until the end of its due date.
const (
	notDue = iota
	upTo30
	upTo60
	upTo90
	over90
	buckets
)

// foreignItem is an open item in another currency than the base currency.
type foreignItem struct {
	PartnerID       tenant.ID
	PartnerName     string
	Kind            ledger.ItemKind
	Bucket          int
	AmountMinor     int64
	BaseAmountMinor int64
	OpenMinor       int64
}

// debtsAsOf adds up what is open at the end of a day by partner, kind and age, those with the same name by id. What was
// settled later counts as open. An item in a foreign currency is worth the share of its base amount that is open: it keeps the
// rate of its document until it is settled or revalued.
func debtsAsOf(ctx context.Context, r tenant.ReadTx, asOf date.Date) ([]debt, error) {
	ages := []any{asOf, asOf.AddDays(-30), asOf.AddDays(-60), asOf.AddDays(-90), asOf, asOf, r.Company().BaseCurrency}
	debts, err := tenant.Query[debt](ctx, r, `SELECT d.*, p.name AS partner_name FROM (
		SELECT i.partner_id, i.kind, CASE WHEN i.due_date >= ? THEN 0 WHEN i.due_date >= ? THEN 1 WHEN i.due_date >= ? THEN 2
			WHEN i.due_date >= ? THEN 3 ELSE 4 END AS bucket, SUM(i.open_minor + COALESCE(later.settled, 0)) AS minor
		FROM open_items i LEFT JOIN (SELECT open_item_id, SUM(amount_minor) AS settled FROM open_item_allocations
			WHERE company_id = @company AND allocation_date > ? GROUP BY open_item_id) later ON later.open_item_id = i.id
		WHERE i.company_id = @company AND i.document_date <= ? AND i.currency = ?
			AND i.open_minor + COALESCE(later.settled, 0) <> 0
		GROUP BY i.partner_id, i.kind, bucket) d
		JOIN partners p ON p.company_id = @company AND p.id = d.partner_id ORDER BY p.name, p.id, d.kind, d.bucket`, ages...)
	if err != nil {
		return nil, fmt.Errorf("adding up open items: %w", err)
	}
	foreign, err := tenant.Query[foreignItem](ctx, r, `SELECT i.partner_id, p.name AS partner_name, i.kind,
		CASE WHEN i.due_date >= ? THEN 0 WHEN i.due_date >= ? THEN 1 WHEN i.due_date >= ? THEN 2
			WHEN i.due_date >= ? THEN 3 ELSE 4 END AS bucket,
		i.amount_minor, i.base_amount_minor, i.open_minor + COALESCE(later.settled, 0) AS open_minor
		FROM open_items i LEFT JOIN (SELECT open_item_id, SUM(amount_minor) AS settled FROM open_item_allocations
			WHERE company_id = @company AND allocation_date > ? GROUP BY open_item_id) later ON later.open_item_id = i.id
		JOIN partners p ON p.company_id = @company AND p.id = i.partner_id
		WHERE i.company_id = @company AND i.document_date <= ? AND i.currency <> ?
			AND i.open_minor + COALESCE(later.settled, 0) <> 0
		ORDER BY p.name, p.id, i.id`, ages...)
	if err != nil {
		return nil, fmt.Errorf("reading open items: %w", err)
	}
	for _, item := range foreign {
		debts = append(debts, debt{item.PartnerID, item.PartnerName, item.Kind, item.Bucket, item.base()})
	}
	return debts, nil
}

// base is the share of the base amount that is open, rounded half away from zero.
func (i foreignItem) base() int64 {
	twice := new(big.Int).Mul(big.NewInt(2*i.OpenMinor), big.NewInt(i.BaseAmountMinor))
	twice.Add(twice, big.NewInt(i.AmountMinor))
	return twice.Quo(twice, big.NewInt(2*i.AmountMinor)).Int64()
}

// PartnerBalances is what each partner owes and is owed.
type PartnerBalances struct {
	AsOf date.Date        `json:"asOf" description:"Day at whose end the balances stood."`
	Rows []PartnerBalance `json:"rows" description:"Partners with a balance, by name."`
}

// PartnerBalance is one partner's.
type PartnerBalance struct {
	PartnerID   tenant.ID    `json:"partnerId" description:"Id of the partner."`
	PartnerName string       `json:"partnerName" description:"Name of the partner."`
	Receivable  money.Amount `json:"receivable" description:"What the partner owes, in the base currency."`
	Payable     money.Amount `json:"payable" description:"What the partner is owed, in the base currency."`
	Net         money.Amount `json:"net" description:"Receivable less payable."`
}

// AsOfInput asks for how things stood at the end of a day.
type AsOfInput struct {
	AsOf date.Date `json:"asOf,omitzero" description:"Day at whose end to look; today unless given."`
}

// On fills in today.
func (in AsOfInput) On(today date.Date) AsOfInput {
	if in.AsOf.IsZero() {
		in.AsOf = today
	}
	return in
}

// BalancesOfPartners adds up the open items of each partner.
func BalancesOfPartners(ctx context.Context, r tenant.ReadTx, in AsOfInput) (PartnerBalances, error) {
	in = in.On(r.Today())
	debts, err := debtsAsOf(ctx, r, in.AsOf)
	if err != nil {
		return PartnerBalances{}, err
	}
	base := r.Company().BaseCurrency
	none := money.Zero(base)
	rows := byPartner(debts, func(d debt) PartnerBalance { return PartnerBalance{d.PartnerID, d.PartnerName, none, none, none} },
		func(row *PartnerBalance, d debt) {
			amount := money.New(d.Minor, base)
			if d.Kind == ledger.ItemReceivable {
				row.Receivable = row.Receivable.Add(amount)
			} else {
				row.Payable = row.Payable.Add(amount)
			}
			row.Net = row.Receivable.Sub(row.Payable)
		})
	return PartnerBalances{in.AsOf, rows}, nil
}

// DebtAgingInput asks for the age of debts.
type DebtAgingInput struct {
	Side DebtSide `json:"side,omitzero" description:"Whose debts; receivables unless given."`
	AsOfInput
}

// DebtSide says who owes.
type DebtSide string

// The sides.
const (
	Receivables DebtSide = "receivables"
	Payables    DebtSide = "payables"
)

// Enum lists the allowed values.
func (DebtSide) Enum() []any { return []any{Receivables, Payables} }

// DebtAging is what is open by partner and age.
type DebtAging struct {
	AsOf date.Date     `json:"asOf" description:"Day at whose end the debts stood."`
	Side DebtSide      `json:"side" description:"Whose debts."`
	Rows []PartnerDebt `json:"rows" description:"Partners with a debt, by name."`
}

// PartnerDebt is one partner's debt in the base currency, by days since it was due.
type PartnerDebt struct {
	PartnerID   tenant.ID    `json:"partnerId" description:"Id of the partner."`
	PartnerName string       `json:"partnerName" description:"Name of the partner."`
	Current     money.Amount `json:"current" description:"Not due yet, or due on the day itself."`
	D1To30      money.Amount `json:"d1to30" description:"Due 1 to 30 days ago."`
	D31To60     money.Amount `json:"d31to60" description:"Due 31 to 60 days ago."`
	D61To90     money.Amount `json:"d61to90" description:"Due 61 to 90 days ago."`
	Over90      money.Amount `json:"over90" description:"Due more than 90 days ago."`
	Total       money.Amount `json:"total" description:"All of it."`
}

// AgeDebts sorts what is open by how long it has been due. Whatever was settled after the day counts as open.
func AgeDebts(ctx context.Context, r tenant.ReadTx, in DebtAgingInput) (DebtAging, error) {
	in.AsOfInput = in.On(r.Today())
	if in.Side == "" {
		in.Side = Receivables
	}
	kind := ledger.ItemReceivable
	if in.Side == Payables {
		kind = ledger.ItemPayable
	}
	debts, err := debtsAsOf(ctx, r, in.AsOf)
	if err != nil {
		return DebtAging{}, err
	}
	base := r.Company().BaseCurrency
	none := money.Zero(base)
	var ofSide []debt
	for _, d := range debts {
		if d.Kind == kind {
			ofSide = append(ofSide, d)
		}
	}
	rows := byPartner(ofSide, func(d debt) PartnerDebt {
		return PartnerDebt{d.PartnerID, d.PartnerName, none, none, none, none, none, none}
	}, func(row *PartnerDebt, d debt) {
		amount := money.New(d.Minor, base)
		bucket := [buckets]*money.Amount{
			notDue: &row.Current, upTo30: &row.D1To30, upTo60: &row.D31To60, upTo90: &row.D61To90, over90: &row.Over90,
		}[d.Bucket]
		*bucket = bucket.Add(amount)
		row.Total = row.Total.Add(amount)
	})
	return DebtAging{in.AsOf, in.Side, rows}, nil
}
