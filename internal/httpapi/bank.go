package httpapi

import (
	"context"

	"github.com/vienkart/vienkart/internal/bank"
	"github.com/vienkart/vienkart/internal/money"
	"github.com/vienkart/vienkart/internal/tenant"
)

// importBody is the body limit of an import: a statement of ten million bytes in base64 fits.
const importBody = 16 << 20

// bankOperations are the operations of bank accounts, their transactions and payments.
func bankOperations() []Operation {
	return []Operation{
		mutation("/v1/bank/accounts/create", tenant.WriteBank, "Enter a bank account", createBankAccount, about("bank_account"),
			described("One account number may hold several currencies; each is an account of its own here. The currency never changes.")),
		query("/v1/bank/accounts/list", tenant.ReadBooks, "List bank accounts", listBankAccounts),
		mutation("/v1/bank/accounts/update", tenant.WriteBank, "Change a bank account", updateBankAccount, about("bank_account"),
			described("Another ledger account decides about what is booked from now on. An account that is not active takes no imports "+
				"and makes no payments; its transactions can still be matched.")),
		mutation("/v1/bank/transactions/import", tenant.WriteBank, "Import bank transactions", importBankTransactions, bodyUpTo(importBody),
			described("Imports all lines or none. A line whose externalId the account holds already, or that stands twice in the request, is "+
				"skipped, counted and listed with the transaction that holds it. A line without externalId is never taken for a "+
				"duplicate, so a repeated request needs its Idempotency-Key.")),
		mutation("/v1/bank/statements/import", tenant.WriteBank, "Import a bank statement", importBankStatement, bodyUpTo(importBody),
			described("Reads camt.053 (versions 02 to 08), MT940 and Stripe's balance CSV. content is the file as text, or its bytes in base64: "+
				"send base64 for any encoding but UTF-8, such as Windows-1257 or ISO-8859-1 (XML as it declares; MT940 is tried as UTF-8, "+
				"then as Windows-1257). Imports the whole file or nothing; a refusal names the line. Importing a file again "+
				"skips its lines and lists them. Stripe rows become the movement and, if there is one, its fee. Pending entries and "+
				"lines of no money are left out.")),
		query("/v1/bank/transactions/list", tenant.ReadBooks, "List bank transactions", listBankTransactions),
		mutation("/v1/bank/transactions/match", tenant.WriteBank, "Settle a document with a bank transaction", matchBankTransaction,
			about("bank_transaction"),
			described("Books the transaction on its day and settles the document as far as it is open; a part settles in part, and several "+
				"transactions may settle one document. Money that came in settles receivables, money that went out payables, credit "+
				"notes being the mirror. What is paid too much goes to advances received for a sales invoice, and stays on the account "+
				"of the debt otherwise; it is owed back as an open item with the id of this transaction, and the transaction that "+
				"pays it back is matched with documentType bank_transaction and that id.")),
		query("/v1/bank/transactions/suggest-matches", tenant.ReadBooks, "Suggest documents for a bank transaction", suggestBankMatches,
			described("Compares amount, document number, account and name of the other side, and due date. Only open documents of the right "+
				"direction and currency are suggested, the likeliest first.")),
		mutation("/v1/bank/payments/export", tenant.WriteBank, "Make a payment file", exportBankPayments,
			described("Makes a SEPA credit transfer file, ISO 20022 pain.001.001.09, for what is open on supplier invoices, in the characters "+
				"that every bank takes. An invoice enters one file; send exportAgain for another. It pays and posts nothing. Suppliers are paid "+
				"to creditorIbans, else to the account that the latest matched payment to them went to.")),
	}
}

type createBankAccountRequest struct {
	Name        string         `json:"name" maxLength:"255" description:"Name of the bank account."`
	IBAN        string         `json:"iban,omitzero" maxLength:"50" description:"International number of the account; blanks are dropped."`
	Currency    money.Currency `json:"currency,omitzero" description:"Currency of the account; the base currency unless given."`
	AccountCode string         `json:"accountCode,omitzero" maxLength:"20" description:"Ledger account of its money; that of the posting rule bank.account unless given."`
}

func createBankAccount(ctx context.Context, tx tenant.Tx, in createBankAccountRequest) (bank.AccountCard, error) {
	a, err := bank.CreateAccount(ctx, tx, bank.CreateAccountInput(in))
	if err != nil {
		return bank.AccountCard{}, err //nolint:wrapcheck // a refusal of the domain is the answer
	}
	return a.Card(), nil
}

func listBankAccounts(ctx context.Context, r tenant.ReadTx, q tenant.ListQuery) (tenant.Page[bank.AccountCard], error) {
	page, err := bank.ListAccounts(ctx, r, q)
	return tenant.MapPage(page, bank.Account.Card), err
}

type updateBankAccountRequest struct {
	ID          tenant.ID `json:"id" description:"Id of the bank account."`
	Name        *string   `json:"name,omitzero" maxLength:"255" description:"New name."`
	IBAN        *string   `json:"iban,omitzero" maxLength:"50" description:"New number; an empty text removes it."`
	AccountCode *string   `json:"accountCode,omitzero" maxLength:"20" description:"New ledger account."`
	IsActive    *bool     `json:"isActive,omitzero" description:"Whether it takes transactions and makes payments."`
}

func updateBankAccount(ctx context.Context, tx tenant.Tx, in updateBankAccountRequest) (bank.AccountCard, error) {
	a, err := bank.UpdateAccount(ctx, tx, bank.UpdateAccountInput(in))
	if err != nil {
		return bank.AccountCard{}, err //nolint:wrapcheck // a refusal of the domain is the answer
	}
	return a.Card(), nil
}
