package httpapi

import (
	"context"

	"github.com/vienkart/vienkart/internal/clock"
	"github.com/vienkart/vienkart/internal/ledger"
	"github.com/vienkart/vienkart/internal/tenant"
)

func ledgerAccountOperations() []Operation {
	return []Operation{
		query("/v1/ledger/accounts/list", tenant.ReadBooks, "List the chart of accounts", listLedgerAccounts),
		mutation("/v1/ledger/accounts/create", tenant.WriteLedger, "Create an account", createLedgerAccount, about("account")),
		mutation("/v1/ledger/accounts/update", tenant.WriteLedger, "Change an account", updateLedgerAccount, about("account"),
			described("Code and type never change. An account that is no longer postable keeps its entries and takes no new ones. Renamed, an "+
				"account of the template keeps its place in VMI's classifier.")),
		mutation("/v1/ledger/accounts/apply-template", tenant.WriteLedger, "Add the accounts of the template", applyLedgerTemplate,
			described("Adds the accounts of the Lithuanian template that the company lacks; what it has stays as it is.")),
	}
}

type ledgerAccountResponse struct {
	ID         tenant.ID          `json:"id" description:"Id of the account."`
	Code       string             `json:"code" description:"Code of the account, one per company."`
	Name       string             `json:"name" description:"Name of the account."`
	Type       ledger.AccountType `json:"type" description:"Sort of the account."`
	ParentID   *tenant.ID         `json:"parentId,omitzero" description:"The account it is shown under."`
	IsPostable bool               `json:"isPostable" description:"Whether it takes new postings."`
	CreatedAt  clock.Time         `json:"createdAt" description:"When the account was created."`
	SAFTCode   *string            `json:"saftCode,omitzero" description:"Account of VMI's classifier (annex 2) that the company chose for SAF-T."`
	SAFTName   *string            `json:"saftName,omitzero" description:"Name of that account, where the company gave one."`
}

func toLedgerAccount(a ledger.Account) ledgerAccountResponse {
	return ledgerAccountResponse{a.ID, a.Code, a.Name, a.Type, a.ParentID, a.IsPostable, a.CreatedAt, a.SAFTCode, a.SAFTName}
}

func listLedgerAccounts(ctx context.Context, r tenant.ReadTx, q tenant.ListQuery) (tenant.Page[ledgerAccountResponse], error) {
	page, err := ledger.ListAccounts(ctx, r, q)
	return tenant.MapPage(page, toLedgerAccount), err
}

type createLedgerAccountRequest struct {
	Code       string             `json:"code" maxLength:"20" pattern:"^[0-9A-Za-z][0-9A-Za-z._-]*$" description:"Code, one per company."`
	Name       string             `json:"name" maxLength:"255" description:"Name of the account."`
	Type       ledger.AccountType `json:"type" description:"Sort of the account; it never changes."`
	ParentID   *tenant.ID         `json:"parentId,omitzero" description:"The account to show it under."`
	IsPostable *bool              `json:"isPostable,omitzero" description:"Whether it takes postings; true unless given."`
	SAFTCode   *string            `json:"saftCode,omitzero" maxLength:"20" pattern:"^[0-9A-Za-z]+$" description:"Account of VMI's classifier (annex 2) for SAF-T; without one, that of the template or of the account above."`
	SAFTName   *string            `json:"saftName,omitzero" maxLength:"255" pattern:"\\S" description:"Name of that account; needed when the server does not know it."`
}

func createLedgerAccount(ctx context.Context, tx tenant.Tx, in createLedgerAccountRequest) (ledgerAccountResponse, error) {
	a, err := ledger.CreateAccount(ctx, tx, ledger.CreateAccountInput{
		Code: in.Code, Name: in.Name, Type: in.Type, ParentID: in.ParentID, IsHeading: in.IsPostable != nil && !*in.IsPostable,
		SAFTCode: in.SAFTCode, SAFTName: in.SAFTName,
	})
	if err != nil {
		return ledgerAccountResponse{}, err //nolint:wrapcheck // a refusal of the domain is the answer
	}
	return toLedgerAccount(*a), nil
}

type updateLedgerAccountRequest struct {
	ID         tenant.ID  `json:"id" description:"Id of the account."`
	Name       *string    `json:"name,omitzero" maxLength:"255" pattern:"\\S" description:"New name."`
	ParentID   *tenant.ID `json:"parentId,omitzero" description:"The account to show it under from now on."`
	IsPostable *bool      `json:"isPostable,omitzero" description:"Whether it takes new postings."`
	SAFTCode   *string    `json:"saftCode,omitzero" maxLength:"20" pattern:"^[0-9A-Za-z]*$" description:"Account of VMI's classifier (annex 2) for SAF-T; an empty text takes the choice back."`
	SAFTName   *string    `json:"saftName,omitzero" maxLength:"255" description:"Name of that account; needed when the server does not know it."`
}

func updateLedgerAccount(ctx context.Context, tx tenant.Tx, in updateLedgerAccountRequest) (ledgerAccountResponse, error) {
	a, err := ledger.UpdateAccount(ctx, tx, ledger.UpdateAccountInput(in))
	if err != nil {
		return ledgerAccountResponse{}, err //nolint:wrapcheck // a refusal of the domain is the answer
	}
	return toLedgerAccount(*a), nil
}

type ledgerTemplateResponse struct {
	Accounts int `json:"accounts" description:"How many accounts the company has now."`
}

func applyLedgerTemplate(ctx context.Context, tx tenant.Tx, _ emptyRequest) (ledgerTemplateResponse, error) {
	n, err := ledger.ApplyTemplate(ctx, tx)
	return ledgerTemplateResponse{n}, err //nolint:wrapcheck // says what failed already
}
