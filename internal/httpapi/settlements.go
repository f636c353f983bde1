package httpapi

import (
	"context"

	"github.com/vienkart/vienkart/internal/bank"
	"github.com/vienkart/vienkart/internal/date"
	"github.com/vienkart/vienkart/internal/money"
	"github.com/vienkart/vienkart/internal/payout"
	"github.com/vienkart/vienkart/internal/payout/report"
	"github.com/vienkart/vienkart/internal/tenant"
)

// maxReport is the body limit of an import: a report of 10 MB also in base64.
const maxReport = 16 << 20

// settlementOperations are the payouts of payment providers.
func settlementOperations() []Operation {
	settlement := about("settlement")
	return []Operation{
		mutation("/v1/bank/settlements/import", tenant.WriteBank, "Import a settlement report", importSettlements, settlement, bodyUpTo(maxReport),
			described("Reads Stripe's itemised payout reconciliation or its unified payments, as text or in base64: all payouts, or none. "+
				"A payout is one settlement: importing it again replaces its lines until it is posted, and is skipped afterwards. "+
				"Payments and refunds are matched with the invoice that their reference or description names. Where the file has a row of the "+
				"payout itself, the lines must come to it. A movement that another settlement has is refused. Up to 400 payouts and "+
				"50,000 lines at once.")),
		query("/v1/bank/settlements/list", tenant.ReadBooks, "List settlements", listSettlements),
		query("/v1/bank/settlements/get", tenant.ReadBooks, "Show a settlement with its lines", getSettlement),
		mutation("/v1/bank/settlements/match", tenant.WriteBank, "Match a line with an invoice", matchSettlementLine, about("settlement_line"),
			described("Without invoiceId the match is taken away. Later imports keep what was decided here.")),
		mutation("/v1/bank/settlements/post", tenant.WriteBank, "Post a settlement", postSettlement, settlement,
			described("Books the payout once: the net to the bank, what the provider kept to fees, payments to their invoices, and the rest to "+
				"suspense. With commissionPercent, payments without an invoice are the sales of others: that part of each is own revenue, the "+
				"rest is owed to the seller. Refunds open their invoice again, up to what was applied. Posting again is refused with the journal "+
				"transaction as existingId.")),
	}
}

type importSettlementsRequest struct {
	BankAccountID tenant.ID       `json:"bankAccountId" description:"Bank account that the payouts went to."`
	Provider      payout.Provider `json:"provider,omitzero" description:"Who paid out; stripe unless given."`
	Content       string          `json:"content" description:"The report: delimited text, or the same in base64."`
}

type importSettlementsResponse struct {
	Format            report.Format `json:"format" description:"What the report was taken for, by its columns."`
	Imported          int           `json:"imported" description:"Settlements that are new."`
	Updated           int           `json:"updated" description:"Settlements whose lines were replaced."`
	Skipped           int           `json:"skipped" description:"Settlements that are posted and stay as they are."`
	SkippedUnassigned int           `json:"skippedUnassigned" description:"Rows that belong to no payout yet."`
	SkippedPayoutRows int           `json:"skippedPayoutRows" description:"Rows that are the sum of a payout."`
	SkippedNotSettled int           `json:"skippedNotSettled" description:"Payments that brought no money."`
	Batches           []payout.Card `json:"batches" description:"The settlements of the report, in its order."`
}

func importSettlements(ctx context.Context, tx tenant.Tx, in importSettlementsRequest) (importSettlementsResponse, error) {
	if _, err := settlementBank(ctx, tx, in.BankAccountID); err != nil {
		return importSettlementsResponse{}, err
	}
	if in.Provider == "" {
		in.Provider = payout.Stripe
	}
	result, err := payout.Import(ctx, tx, payout.ImportInput(in))
	if err != nil {
		return importSettlementsResponse{}, err //nolint:wrapcheck // a refusal of the domain is the answer
	}
	out := importSettlementsResponse{
		Format: result.Format, Imported: result.Imported, Updated: result.Updated, Skipped: result.Skipped,
		SkippedUnassigned: result.SkippedUnassigned, SkippedPayoutRows: result.SkippedPayoutRows,
		SkippedNotSettled: result.SkippedNotSettled, Batches: make([]payout.Card, len(result.Settlements)),
	}
	for i, s := range result.Settlements {
		out.Batches[i] = s.Card()
	}
	return out, nil
}

// settlementBank finds the bank account of a settlement.
func settlementBank(ctx context.Context, r tenant.Reader, id tenant.ID) (payout.BankAccount, error) {
	a, err := bank.GetAccount(ctx, r, id)
	if err != nil {
		return payout.BankAccount{}, err //nolint:wrapcheck // a refusal of the domain is the answer
	}
	return payout.BankAccount{Name: a.Name, AccountCode: a.AccountCode, Currency: a.Currency}, nil
}

func listSettlements(ctx context.Context, r tenant.ReadTx, q tenant.ListQuery) (tenant.Page[payout.Card], error) {
	page, err := payout.List(ctx, r, q)
	return tenant.MapPage(page, payout.State.Card), err
}

type settlementWithLines struct {
	payout.Card
	Lines []payout.LineCard `json:"lines" description:"The movements, in the order of the report."`
}

func getSettlement(ctx context.Context, r tenant.ReadTx, in idRequest) (settlementWithLines, error) {
	s, lines, err := payout.Get(ctx, r, in.ID)
	if err != nil {
		return settlementWithLines{}, err //nolint:wrapcheck // a refusal of the domain is the answer
	}
	out := settlementWithLines{Card: s.Card(), Lines: make([]payout.LineCard, len(lines))}
	for i, l := range lines {
		out.Lines[i] = l.Card(s.Currency)
	}
	return out, nil
}

type matchSettlementLineRequest struct {
	LineID    tenant.ID `json:"lineId" description:"Line of a settlement that is not posted."`
	InvoiceID tenant.ID `json:"invoiceId,omitzero" description:"Issued sales document in the currency of the payout; absent to take the match away."`
}

func matchSettlementLine(ctx context.Context, tx tenant.Tx, in matchSettlementLineRequest) (payout.LineCard, error) {
	l, s, err := payout.Decide(ctx, tx, payout.DecideInput(in))
	if err != nil {
		return payout.LineCard{}, err //nolint:wrapcheck // a refusal of the domain is the answer
	}
	return l.Card(s.Currency), nil
}

type postSettlementRequest struct {
	ID                tenant.ID      `json:"id" description:"Id of the settlement."`
	Date              date.Date      `json:"date,omitzero" description:"Day of the posting; the day the payout arrives unless given, or today where the report does not say."`
	CommissionPercent *money.Decimal `json:"commissionPercent,omitzero" minimum:"0" maximum:"100" description:"Own share, in per cent, of each payment without an invoice; the rest is owed to its seller."`
}

type settlementSummary struct {
	ReceivableApplied money.Amount `json:"receivableApplied" description:"What invoices were paid with, less what opened them again."`
	CommissionAmount  money.Amount `json:"commissionAmount" description:"Own share of the sales of others."`
	SellerAmount      money.Amount `json:"sellerAmount" description:"What is owed to sellers."`
	FeeAmount         money.Amount `json:"feeAmount" description:"What the provider kept."`
	SuspenseAmount    money.Amount `json:"suspenseAmount" description:"What is not explained; negative when more went back than came in."`
}

type postSettlementResponse struct {
	payout.Card
	Warnings []string          `json:"warnings" description:"What an accountant should look at."`
	Summary  settlementSummary `json:"summary" description:"Where the payout went; all of it less the fees is the net."`
}

func postSettlement(ctx context.Context, tx tenant.Tx, in postSettlementRequest) (postSettlementResponse, error) {
	result, err := payout.Post(ctx, tx, payout.PostInput(in), settlementBank)
	if err != nil {
		return postSettlementResponse{}, err //nolint:wrapcheck // a refusal of the domain is the answer
	}
	return postSettlementResponse{result.Card(), result.Warnings, settlementSummary(result.Summary)}, nil
}
