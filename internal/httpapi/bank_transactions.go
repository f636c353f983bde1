package httpapi

import (
	"context"

	"github.com/vienkart/vienkart/internal/bank"
	"github.com/vienkart/vienkart/internal/bank/statement"
	"github.com/vienkart/vienkart/internal/date"
	"github.com/vienkart/vienkart/internal/money"
	"github.com/vienkart/vienkart/internal/tenant"
)

type importBankTransactionsRequest struct {
	BankAccountID tenant.ID         `json:"bankAccountId" description:"Bank account of the transactions."`
	Transactions  []bankLineRequest `json:"transactions" maxItems:"50000" description:"The lines, each a transaction of its own."`
}

type bankLineRequest struct {
	Date             date.Date      `json:"date" description:"Day the bank booked it."`
	Amount           money.Decimal  `json:"amount" description:"Positive for money that came in, negative for money that went out."`
	Currency         money.Currency `json:"currency,omitzero" description:"Currency; it must be that of the bank account."`
	CounterpartyName string         `json:"counterpartyName,omitzero" maxLength:"255" description:"Who paid or was paid."`
	CounterpartyIBAN string         `json:"counterpartyIban,omitzero" maxLength:"34" description:"Account of the other side."`
	Description      string         `json:"description,omitzero" maxLength:"2000" description:"What the payment is for."`
	ExternalID       string         `json:"externalId,omitzero" maxLength:"255" description:"Identity of the line; a line is imported once per identity and account."`
}

type importedResponse struct {
	Imported            int                   `json:"imported" description:"Lines that were stored."`
	Skipped             int                   `json:"skipped" description:"Lines that the account held already."`
	SkippedTransactions []skippedBankResponse `json:"skippedTransactions" description:"The first of the skipped lines, as many as an answer takes."`
}

type skippedBankResponse struct {
	ExternalID           string       `json:"externalId" description:"Identity by which the line was known."`
	TransactionID        tenant.ID    `json:"transactionId" description:"Transaction that holds it."`
	Date                 date.Date    `json:"date" description:"Day of that transaction."`
	Amount               money.Amount `json:"amount" description:"Amount of that transaction."`
	JournalTransactionID *tenant.ID   `json:"journalTransactionId,omitzero" description:"Journal transaction that booked it."`
}

func toImported(im *bank.Imported) importedResponse {
	out := importedResponse{Imported: im.Imported, Skipped: im.Skipped, SkippedTransactions: []skippedBankResponse{}}
	for _, s := range im.SkippedTransactions {
		out.SkippedTransactions = append(out.SkippedTransactions, skippedBankResponse(s))
	}
	return out
}

func importBankTransactions(ctx context.Context, tx tenant.Tx, in importBankTransactionsRequest) (importedResponse, error) {
	lines := make([]bank.ImportLine, len(in.Transactions))
	for i, l := range in.Transactions {
		lines[i] = bank.ImportLine(l)
	}
	im, err := bank.Import(ctx, tx, in.BankAccountID, lines)
	if err != nil {
		return importedResponse{}, err //nolint:wrapcheck // a refusal of the domain is the answer
	}
	return toImported(im), nil
}

type importBankStatementRequest struct {
	BankAccountID tenant.ID        `json:"bankAccountId" description:"Bank account of the statement."`
	Format        statement.Format `json:"format,omitzero" description:"Format of the file; worked out from its content unless given."`
	Content       string           `json:"content" description:"The file as text, or its bytes in base64."`
}

type importBankStatementResponse struct {
	importedResponse
	Statements []bankStatementResponse `json:"statements" description:"Statements of the file."`
}

type bankStatementResponse struct {
	StatementID      string        `json:"statementId,omitzero" description:"Number that the bank gave the statement."`
	IBAN             string        `json:"iban,omitzero" description:"Account that the statement is of."`
	FromDate         date.Date     `json:"fromDate,omitzero" description:"First day."`
	ToDate           date.Date     `json:"toDate,omitzero" description:"Last day."`
	OpeningBalance   *money.Amount `json:"openingBalance,omitzero" description:"Booked balance before the first line."`
	ClosingBalance   *money.Amount `json:"closingBalance,omitzero" description:"Booked balance after the last line."`
	TransactionCount int           `json:"transactionCount" description:"Lines that moved money."`
}

func importBankStatement(ctx context.Context, tx tenant.Tx, in importBankStatementRequest) (importBankStatementResponse, error) {
	im, statements, err := bank.ImportStatement(ctx, tx, in.BankAccountID, in.Format, in.Content)
	if err != nil {
		return importBankStatementResponse{}, err //nolint:wrapcheck // a refusal of the domain is the answer
	}
	out := importBankStatementResponse{importedResponse: toImported(im), Statements: []bankStatementResponse{}}
	for _, s := range statements {
		out.Statements = append(out.Statements, bankStatementResponse{
			StatementID: s.ID, IBAN: s.IBAN, FromDate: s.FromDate, ToDate: s.ToDate, OpeningBalance: s.Opening, ClosingBalance: s.Closing,
			TransactionCount: s.Transactions,
		})
	}
	return out, nil
}

func listBankTransactions(ctx context.Context, r tenant.ReadTx, q tenant.ListQuery) (tenant.Page[bank.Card], error) {
	page, err := bank.List(ctx, r, q)
	return tenant.MapPage(page, bank.State.Card), err
}
