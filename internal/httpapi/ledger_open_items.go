package httpapi

import (
	"context"

	"github.com/vienkart/vienkart/internal/clock"
	"github.com/vienkart/vienkart/internal/date"
	"github.com/vienkart/vienkart/internal/ledger"
	"github.com/vienkart/vienkart/internal/money"
	"github.com/vienkart/vienkart/internal/tenant"
)

func openItemOperations() []Operation {
	return []Operation{
		query("/v1/ledger/open-items/list", tenant.ReadBooks, "List what is owed", listOpenItems,
			described("Lists receivables and payables by document, settled ones too; filter by settled for the open ones.")),
	}
}

type openItemResponse struct {
	ID             tenant.ID       `json:"id" description:"Id of the open item."`
	Kind           ledger.ItemKind `json:"kind" description:"Whether a partner owes the company or the other way round."`
	DocumentType   string          `json:"documentType" description:"Sort of the document."`
	DocumentID     tenant.ID       `json:"documentId" description:"Id of the document."`
	DocumentNumber string          `json:"documentNumber" description:"Number of the document."`
	PartnerID      tenant.ID       `json:"partnerId" description:"Id of the partner."`
	PartnerName    string          `json:"partnerName" description:"Name of the partner."`
	AccountCode    string          `json:"accountCode" description:"Account that the debt is booked on."`
	DocumentDate   date.Date       `json:"documentDate" description:"Date of the document."`
	DueDate        date.Date       `json:"dueDate" description:"Date by which it is to be paid."`
	Currency       money.Currency  `json:"currency" description:"Currency of amount and open."`
	Amount         money.Amount    `json:"amount" description:"What the document asked for."`
	BaseAmount     money.Amount    `json:"baseAmount" description:"The same in the base currency of the company."`
	Open           money.Amount    `json:"open" description:"What is still owed."`
	Settled        bool            `json:"settled" description:"Whether nothing is owed any more."`
	CreatedAt      clock.Time      `json:"createdAt" description:"When the document was posted."`
}

func listOpenItems(ctx context.Context, r tenant.ReadTx, q tenant.ListQuery) (tenant.Page[openItemResponse], error) {
	page, err := ledger.ListItems(ctx, r, q)
	base := r.Company().BaseCurrency
	return tenant.MapPage(page, func(i ledger.ListedItem) openItemResponse {
		return openItemResponse{
			ID: i.ID, Kind: i.Kind, DocumentType: i.DocumentType, DocumentID: i.DocumentID, DocumentNumber: i.DocumentNumber,
			PartnerID: i.PartnerID, PartnerName: i.PartnerName, AccountCode: i.AccountCode, DocumentDate: i.DocumentDate,
			DueDate: i.DueDate, Currency: i.Currency, Amount: i.Amount(), BaseAmount: money.New(i.BaseAmountMinor, base),
			Open: i.Open(), Settled: i.Settled(), CreatedAt: i.CreatedAt,
		}
	}), err
}
