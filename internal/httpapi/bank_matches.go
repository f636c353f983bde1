package httpapi

import (
	"context"

	"github.com/vienkart/vienkart/internal/apperr"
	"github.com/vienkart/vienkart/internal/bank"
	"github.com/vienkart/vienkart/internal/date"
	"github.com/vienkart/vienkart/internal/money"
	"github.com/vienkart/vienkart/internal/tenant"
)

type matchBankTransactionRequest struct {
	TransactionID tenant.ID         `json:"transactionId" description:"Id of the bank transaction."`
	DocumentType  bank.DocumentType `json:"documentType" description:"Sort of the document; bank_transaction for what a transaction paid too much."`
	DocumentID    tenant.ID         `json:"documentId" description:"Id of the document."`
}

type matchBankTransactionResponse struct {
	bank.Card
	SettledAmount  money.Amount `json:"settledAmount" description:"What the transaction settled of the document."`
	OverpaidAmount money.Amount `json:"overpaidAmount" description:"What it paid beyond that; it is owed as an open item of its own."`
}

func matchBankTransaction(ctx context.Context, tx tenant.Tx, in matchBankTransactionRequest) (matchBankTransactionResponse, error) {
	m, err := bank.Match(ctx, tx, bank.MatchInput(in))
	if err != nil {
		return matchBankTransactionResponse{}, err //nolint:wrapcheck // a refusal of the domain is the answer
	}
	return matchBankTransactionResponse{m.Card(), m.Settled, m.Overpaid}, nil
}

type suggestBankMatchesRequest struct {
	TransactionID tenant.ID `json:"transactionId" description:"Id of the bank transaction."`
	Limit         int       `json:"limit,omitzero" minimum:"1" maximum:"50" description:"How many suggestions at most; 10 unless given."`
}

type suggestBankMatchesResponse struct {
	Suggestions []bankSuggestionResponse `json:"suggestions" description:"Documents, the likeliest first."`
}

// suggestedDocument is a sort of document that is suggested: an invoice, or a note of it.
type suggestedDocument string

// Enum lists the allowed values.
func (suggestedDocument) Enum() []any {
	return []any{suggestedDocument(bank.SaleInvoice), suggestedDocument(bank.PurchaseInvoice)}
}

type bankSuggestionResponse struct {
	DocumentType suggestedDocument `json:"documentType" description:"Sort of the document."`
	DocumentID   tenant.ID         `json:"documentId" description:"Id of the document."`
	Number       string            `json:"number" description:"Number of the document."`
	PartnerName  string            `json:"partnerName" description:"Name of the partner."`
	GrossTotal   money.Amount      `json:"grossTotal" description:"What the document asked for."`
	Remaining    money.Amount      `json:"remaining" description:"What is still open."`
	Score        int               `json:"score" description:"How likely it is, 1 to 100."`
	Reasons      []string          `json:"reasons" description:"What speaks for it."`
}

func suggestBankMatches(ctx context.Context, r tenant.ReadTx, in suggestBankMatchesRequest) (suggestBankMatchesResponse, error) {
	found, err := bank.Suggest(ctx, r, in.TransactionID, in.Limit)
	if err != nil {
		return suggestBankMatchesResponse{}, err //nolint:wrapcheck // a refusal of the domain is the answer
	}
	out := suggestBankMatchesResponse{Suggestions: []bankSuggestionResponse{}}
	for _, s := range found {
		out.Suggestions = append(out.Suggestions, bankSuggestionResponse{
			DocumentType: suggestedDocument(s.Item.DocumentType), DocumentID: s.Item.DocumentID, Number: s.Item.DocumentNumber,
			PartnerName: s.PartnerName, GrossTotal: s.GrossTotal(), Remaining: s.Item.Open(), Score: s.Score, Reasons: s.Reasons,
		})
	}
	return out, nil
}

type exportBankPaymentsRequest struct {
	BankAccountID      tenant.ID         `json:"bankAccountId" description:"Bank account to pay from; it needs an IBAN and the currency EUR."`
	PurchaseInvoiceIDs []tenant.ID       `json:"purchaseInvoiceIds" minItems:"1" maxItems:"250" description:"Supplier invoices to pay, each once."`
	ExecutionDate      date.Date         `json:"executionDate,omitzero" description:"Day of payment; today unless given."`
	CreditorIBANs      map[string]string `json:"creditorIbans,omitzero" description:"Accounts to pay to, by id of the supplier."`
	ExportAgain        bool              `json:"exportAgain,omitzero" description:"Whether invoices that are in a payment file already may enter this one."`
}

type exportBankPaymentsResponse struct {
	MessageID        string       `json:"messageId" description:"Id of the file for the bank."`
	FileName         string       `json:"fileName" description:"Name to store the file under."`
	TransactionCount int          `json:"transactionCount" description:"Payments in the file."`
	ControlSum       money.Amount `json:"controlSum" description:"Sum of the payments."`
	XML              string       `json:"xml" description:"The file."`
}

// creditorIBANs reads the ids that the accounts stand under.
func (in exportBankPaymentsRequest) creditorIBANs() (map[tenant.ID]string, error) {
	accounts := make(map[tenant.ID]string, len(in.CreditorIBANs))
	for partner, iban := range in.CreditorIBANs {
		id, err := tenant.ParseID(partner)
		if err != nil {
			return nil, apperr.Invalid("creditorIbans", "%s", err.Error())
		}
		accounts[id] = iban
	}
	return accounts, nil
}

func exportBankPayments(ctx context.Context, tx tenant.Tx, in exportBankPaymentsRequest) (exportBankPaymentsResponse, error) {
	accounts, err := in.creditorIBANs()
	if err != nil {
		return exportBankPaymentsResponse{}, err
	}
	export, file, err := bank.ExportPayments(ctx, tx, bank.ExportInput{
		BankAccountID: in.BankAccountID, InvoiceIDs: in.PurchaseInvoiceIDs, ExecutionDate: in.ExecutionDate,
		CreditorIBANs: accounts, Again: in.ExportAgain,
	})
	if err != nil {
		return exportBankPaymentsResponse{}, err //nolint:wrapcheck // a refusal of the domain is the answer
	}
	return exportBankPaymentsResponse{export.MessageID, export.FileName(), export.TransactionCount, export.Total(), string(file)}, nil
}
