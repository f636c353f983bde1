package saft

import (
	"context"
	"fmt"
	"iter"

	"github.com/vienkart/vienkart/internal/date"
	"github.com/vienkart/vienkart/internal/money"
	"github.com/vienkart/vienkart/internal/tenant"
)

// movement is what happened to an asset on a day, with amounts in minor units of the base currency.
type movement struct {
	ID            tenant.ID
	AssetID       tenant.ID
	Day           date.Date
	TransactionID *tenant.ID
	AmountMinor   int64
	CostMinor     int64
	// BookMinor is what is left afterwards.
	BookMinor int64
	kind      movementKind
}

// movementKind is a sort of asset transaction in the schema.
type movementKind string

const (
	acquired movementKind = "I"
	// modernised is another sort, for the schema names none for what was added to an asset.
	modernised  movementKind = "KT"
	depreciated movementKind = "NUS"
	disposed    movementKind = "NUR"
)

func (k movementKind) isCredit() bool { return k != acquired && k != modernised }

// movementsOf reads acquisitions, modernisations, depreciation and disposals, each by id. What an asset was acquired or modernised by is
// booked with the purchase, so the movement names no transaction of its own.
func movementsOf(ctx context.Context, r tenant.ReadTx, o Options) iter.Seq2[movement, error] {
	return together(acquisitionsOf(ctx, r, o), modernisationsOf(ctx, r, o), depreciationOf(ctx, r, o), disposalsOf(ctx, r, o))
}

func acquisitionsOf(ctx context.Context, r tenant.ReadTx, o Options) iter.Seq2[movement, error] {
	return paged(func(after *movement) ([]movement, error) {
		rows, err := tenant.Query[movement](ctx, r, `SELECT id, id AS asset_id, acquisition_date AS day, cost_minor AS amount_minor, cost_minor,
				cost_minor - opening_minor AS book_minor
			FROM assets WHERE company_id = @company AND acquisition_date BETWEEN ? AND ? AND id > ? ORDER BY id LIMIT ?`,
			o.From, o.To, after.place(), pageRows)
		return of(acquired, rows, err)
	})
}

func modernisationsOf(ctx context.Context, r tenant.ReadTx, o Options) iter.Seq2[movement, error] {
	return paged(func(after *movement) ([]movement, error) {
		rows, err := tenant.Query[movement](ctx, r, `SELECT m.id, m.asset_id, m.modernization_date AS day, m.amount_minor,
				a.cost_minor + COALESCE((SELECT SUM(x.amount_minor) FROM asset_modernizations x WHERE x.company_id = a.company_id
					AND x.asset_id = a.id AND (x.modernization_date < m.modernization_date OR (x.modernization_date = m.modernization_date AND x.id <= m.id))), 0)
					AS cost_minor,
				a.cost_minor + COALESCE((SELECT SUM(x.amount_minor) FROM asset_modernizations x WHERE x.company_id = a.company_id
					AND x.asset_id = a.id AND (x.modernization_date < m.modernization_date OR (x.modernization_date = m.modernization_date AND x.id <= m.id))), 0)
				- a.opening_minor - COALESCE((SELECT SUM(d.amount_minor) FROM asset_depreciations d
					JOIN asset_depreciation_runs n ON n.company_id = d.company_id AND n.id = d.run_id
					JOIN journal_transactions t ON t.company_id = n.company_id AND t.id = n.journal_transaction_id
					WHERE d.company_id = a.company_id AND d.asset_id = a.id AND t.transaction_date <= m.modernization_date), 0) AS book_minor
			FROM asset_modernizations m JOIN assets a ON a.company_id = m.company_id AND a.id = m.asset_id
			WHERE m.company_id = @company AND m.modernization_date BETWEEN ? AND ? AND m.id > ? ORDER BY m.id LIMIT ?`,
			o.From, o.To, after.place(), pageRows)
		return of(modernised, rows, err)
	})
}

func depreciationOf(ctx context.Context, r tenant.ReadTx, o Options) iter.Seq2[movement, error] {
	return paged(func(after *movement) ([]movement, error) {
		rows, err := tenant.Query[movement](ctx, r, `SELECT d.id, d.asset_id, t.transaction_date AS day, t.id AS transaction_id, d.amount_minor,
				a.cost_minor + COALESCE((SELECT SUM(m.amount_minor) FROM asset_modernizations m WHERE m.company_id = a.company_id
					AND m.asset_id = a.id AND m.modernization_date <= t.transaction_date), 0) AS cost_minor,
				a.cost_minor + COALESCE((SELECT SUM(m.amount_minor) FROM asset_modernizations m WHERE m.company_id = a.company_id
					AND m.asset_id = a.id AND m.modernization_date <= t.transaction_date), 0) - a.opening_minor -
				COALESCE((SELECT SUM(e.amount_minor) FROM asset_depreciations e WHERE e.company_id = d.company_id AND e.asset_id = d.asset_id
					AND e.year * 12 + e.month <= d.year * 12 + d.month), 0) AS book_minor
			FROM asset_depreciations d JOIN asset_depreciation_runs n ON n.company_id = d.company_id AND n.id = d.run_id
			JOIN journal_transactions t ON t.company_id = n.company_id AND t.id = n.journal_transaction_id
			JOIN assets a ON a.company_id = d.company_id AND a.id = d.asset_id
			WHERE d.company_id = @company AND t.transaction_date BETWEEN ? AND ? AND d.amount_minor > 0 AND d.id > ? ORDER BY d.id LIMIT ?`,
			o.From, o.To, after.place(), pageRows)
		return of(depreciated, rows, err)
	})
}

func disposalsOf(ctx context.Context, r tenant.ReadTx, o Options) iter.Seq2[movement, error] {
	return paged(func(after *movement) ([]movement, error) {
		rows, err := tenant.Query[movement](ctx, r, `SELECT id, asset_id, disposal_date AS day, journal_transaction_id AS transaction_id,
				cost_minor AS amount_minor, cost_minor, 0 AS book_minor
			FROM asset_disposals WHERE company_id = @company AND disposal_date BETWEEN ? AND ? AND id > ? ORDER BY id LIMIT ?`,
			o.From, o.To, after.place(), pageRows)
		return of(disposed, rows, err)
	})
}

func of(kind movementKind, rows []movement, err error) ([]movement, error) {
	if err != nil {
		return nil, fmt.Errorf("reading what happened to assets: %w", err)
	}
	for i := range rows {
		rows[i].kind = kind
	}
	return rows, nil
}

func (m *movement) place() tenant.ID {
	if m == nil {
		return tenant.ID{}
	}
	return m.ID
}

func (f *file) moved() error {
	base := f.content.company.BaseCurrency
	t, err := reckon(base, f.content.movements, func(movement) (money.Amount, money.Amount) { return money.Zero(base), money.Zero(base) })
	if err != nil || t.count == 0 {
		return err
	}
	f.markup.write("<AssetTransactions>\n")
	f.text("NumberOfAssetTransactions", lengthCode, itoa(t.count))
	err = each(f, f.content.movements, func(m movement) {
		f.summary.AssetEntries++
		f.movement(m)
	})
	f.markup.write("</AssetTransactions>\n")
	return err
}

func (f *file) movement(m movement) {
	amount := func(minor int64) money.Amount { return money.New(minor, f.content.company.BaseCurrency) }
	f.in("AssetTransaction", func() {
		f.text("AssetTransactionID", lengthName, short(m.ID)+"-"+string(m.kind))
		f.text("AssetID", lengthMiddle, short(m.AssetID))
		f.text("AssetTransactionType", lengthCode, string(m.kind))
		f.day("AssetTransactionDate", m.Day)
		f.text("TransactionID", lengthName, transactionName(m.TransactionID))
		f.in("AssetTransactionValuations", func() {
			f.in("AssetTransactionValuation", func() {
				f.text("AssetValuationType", lengthCode, acquisitionCost)
				f.amount("AcquisitionAndProductionCostsOnTransaction", amount(m.CostMinor))
				f.amount("BookValueOnTransaction", amount(m.BookMinor))
				f.amount("AssetTransactionAmount", amount(m.AmountMinor))
				f.indicator(m.kind.isCredit())
			})
		})
	})
}
