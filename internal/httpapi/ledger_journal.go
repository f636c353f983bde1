package httpapi

import (
	"context"
	"errors"
	"fmt"

	"github.com/vienkart/vienkart/internal/apperr"
	"github.com/vienkart/vienkart/internal/date"
	"github.com/vienkart/vienkart/internal/ledger"
	"github.com/vienkart/vienkart/internal/money"
	"github.com/vienkart/vienkart/internal/tenant"
)

func journalOperations() []Operation {
	return []Operation{
		query("/v1/ledger/journal/transactions/list", tenant.ReadBooks, "List the journal", listJournal),
		query("/v1/ledger/journal/transactions/get", tenant.ReadBooks, "Show a journal transaction", getJournalTransaction),
		mutation("/v1/ledger/journal/transactions/create", tenant.WriteLedger, "Post a journal transaction", createJournalTransaction,
			about("journal_transaction"), described("Posts at once: there are no drafts. Amounts are in the base currency of the company.")),
		mutation("/v1/ledger/journal/transactions/reverse", tenant.WriteLedger, "Reverse a journal transaction", reverseJournalTransaction,
			about("journal_transaction"), described("Posts the mirror of a transaction, once. A transaction of a document is "+
				"corrected by crediting or cancelling the document. Without date the original's date is used while its month is open, and "+
				"today afterwards.")),
	}
}

type createJournalRequest struct {
	Date        date.Date            `json:"date" description:"Date of the transaction; its month must be open."`
	Description string               `json:"description,omitzero" maxLength:"500" description:"What the transaction is about."`
	Entries     []createJournalEntry `json:"entries" minItems:"2" maxItems:"500" description:"The lines; debits equal credits."`
}

type createJournalEntry struct {
	AccountCode  string        `json:"accountCode" maxLength:"20" description:"Code of the account."`
	CostCenterID string        `json:"costCenterId,omitzero" description:"Refused: the server keeps no cost centres."`
	Debit        money.Decimal `json:"debit,omitzero" minimum:"0" description:"Debit in the base currency; either this or credit."`
	Credit       money.Decimal `json:"credit,omitzero" minimum:"0" description:"Credit in the base currency; either this or debit."`
	Description  string        `json:"description,omitzero" maxLength:"500" description:"What the line is about."`
}

func createJournalTransaction(ctx context.Context, tx tenant.Tx, in createJournalRequest) (journalTransaction, error) {
	lines := make([]ledger.Line, len(in.Entries))
	for i, e := range in.Entries {
		line, err := e.line(i, tx.Company().BaseCurrency)
		if err != nil {
			return journalTransaction{}, err
		}
		lines[i] = line
	}
	t, err := ledger.Post(ctx, tx, ledger.Posting{Date: in.Date, Description: in.Description, Lines: lines})
	if err != nil {
		return journalTransaction{}, in.locate(err)
	}
	return toJournalTransaction(*t), nil
}

func (e createJournalEntry) line(index int, base money.Currency) (ledger.Line, error) {
	at := fmt.Sprintf("entries.%d.", index)
	if e.CostCenterID != "" {
		return ledger.Line{}, errCostCenters.New("The server keeps no cost centres; send entries without costCenterId.").
			Field(at+"costCenterId", "cannot be served")
	}
	debit, err := money.Parse(e.Debit.String(), base)
	if err != nil {
		return ledger.Line{}, apperr.Invalid(at+"debit", "%s", err.Error())
	}
	credit, err := money.Parse(e.Credit.String(), base)
	if err != nil {
		return ledger.Line{}, apperr.Invalid(at+"credit", "%s", err.Error())
	}
	if debit.IsZero() && credit.IsZero() {
		return ledger.Line{}, ledger.ErrInvalidPosting.New("Entry %d has neither a debit nor a credit.", index+1).
			Field(at+"debit", "is required unless credit is given")
	}
	return ledger.Line{AccountCode: e.AccountCode, Debit: debit, Credit: credit, Description: e.Description}, nil
}

// locate adds to a refusal the entries it is about.
func (in createJournalRequest) locate(err error) error {
	refusal, ok := errors.AsType[*apperr.Error](err)
	if !ok {
		return err
	}
	details := refusal.Details()
	switch {
	case errors.Is(err, ledger.ErrUnknownAccount) || errors.Is(err, ledger.ErrNotPostable):
		for i, e := range in.Entries {
			if e.AccountCode == details["accountCode"] {
				refusal = refusal.Field(fmt.Sprintf("entries.%d.accountCode", i), "names no account that takes postings")
			}
		}
	case errors.Is(err, ledger.ErrInvalidPosting) && details["line"] != nil:
		refusal = refusal.Field(fmt.Sprintf("entries.%d", details["line"]), "must have either a debit or a credit")
	case errors.Is(err, ledger.ErrUnbalanced):
		refusal = refusal.Field("entries", "debits and credits must be equal")
	}
	return refusal
}

type reverseJournalRequest struct {
	ID          tenant.ID `json:"id" description:"Id of the transaction to reverse."`
	Date        date.Date `json:"date,omitzero" description:"Date of the reversal, not before the original's."`
	Description string    `json:"description,omitzero" maxLength:"500" description:"What the reversal is about."`
}

func reverseJournalTransaction(ctx context.Context, tx tenant.Tx, in reverseJournalRequest) (journalTransaction, error) {
	t, err := ledger.Reverse(ctx, tx, ledger.Reversal{TransactionID: in.ID, Date: in.Date, Description: in.Description})
	if err != nil {
		return journalTransaction{}, err //nolint:wrapcheck // a refusal of the domain is the answer
	}
	return toJournalTransaction(*t), nil
}
