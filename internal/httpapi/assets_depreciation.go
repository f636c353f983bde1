package httpapi

import (
	"context"

	"github.com/vienkart/vienkart/internal/asset"
	"github.com/vienkart/vienkart/internal/money"
	"github.com/vienkart/vienkart/internal/tenant"
)

type depreciationMonthRequest struct{ ledgerMonth }

type depreciationRow struct {
	AssetID       tenant.ID    `json:"assetId" description:"Id of the asset."`
	Code          string       `json:"code" description:"Inventory code of the asset."`
	Name          string       `json:"name" description:"What the asset is."`
	Amount        money.Amount `json:"amount" description:"What the month takes, in the base currency."`
	AlreadyPosted bool         `json:"alreadyPosted" description:"Whether the amount is in the books."`
}

type depreciationPreview struct {
	Rows  []depreciationRow `json:"rows" description:"The assets, by code."`
	Total money.Amount      `json:"total" description:"Sum of all rows."`
}

func previewDepreciation(ctx context.Context, r tenant.ReadTx, in depreciationMonthRequest) (depreciationPreview, error) {
	rows, total, err := asset.Preview(ctx, r, in.month())
	if err != nil {
		return depreciationPreview{}, err //nolint:wrapcheck // says what failed already
	}
	out := depreciationPreview{Rows: make([]depreciationRow, len(rows)), Total: total}
	for i, row := range rows {
		out.Rows[i] = depreciationRow(row)
	}
	return out, nil
}

type depreciationResult struct {
	Posted               int          `json:"posted" description:"Assets whose month was posted now."`
	Skipped              int          `json:"skipped" description:"Assets whose month was posted before."`
	Total                money.Amount `json:"total" description:"What was posted now."`
	JournalTransactionID *tenant.ID   `json:"journalTransactionId,omitzero" description:"Absent when nothing was posted."`
	ID                   *tenant.ID   `json:"id,omitzero" description:"Id of the run, the document behind the journal transaction; absent when nothing was posted."`
}

func postDepreciation(ctx context.Context, tx tenant.Tx, in depreciationMonthRequest) (depreciationResult, error) {
	run, err := asset.Post(ctx, tx, in.month())
	if err != nil {
		return depreciationResult{}, err //nolint:wrapcheck // a refusal of the domain is the answer
	}
	return depreciationResult{run.Posted, run.Skipped, run.Total, run.JournalTransactionID, run.RunID}, nil
}
