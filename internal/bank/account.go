package bank

import (
	"context"
	"errors"

	"github.com/vienkart/vienkart/internal/apperr"
	"github.com/vienkart/vienkart/internal/clock"
	"github.com/vienkart/vienkart/internal/money"
	"github.com/vienkart/vienkart/internal/tenant"
)

// entityAccount names a bank account in the audit log.
const entityAccount = "bank_account"

// Account is an account at a bank, or one like it at a payment provider.
type Account struct {
	tenant.Row
	Name string
	// IBAN is normalised, or nil.
	IBAN *string
	// Currency never changes: transactions were stored in it.
	Currency money.Currency
	// AccountCode is the ledger account that its money is booked on.
	AccountCode string
	// IsActive is false for an account that takes no new transactions and makes no payments.
	IsActive  bool
	CreatedAt clock.Time
}

// TableName names the table for the mapper.
func (Account) TableName() string { return "bank_accounts" }

// GetAccount reads a bank account. Error: bank.unknown_account: for whoever asks, the account is a fact it was given.
func GetAccount(ctx context.Context, r tenant.Reader, id tenant.ID) (*Account, error) {
	a, err := tenant.Get[Account](ctx, r, id)
	if errors.Is(err, apperr.ErrNotFound) {
		return nil, ErrUnknownAccount.New("There is no bank account with the id %s; create it first.", id).
			Field("bankAccountId", "names no bank account")
	}
	return a, err //nolint:wrapcheck // says what was read
}

// inUse reads a bank account that takes transactions and payments. Errors: bank.unknown_account, bank.account_inactive.
func inUse(ctx context.Context, r tenant.Reader, id tenant.ID) (*Account, error) {
	a, err := GetAccount(ctx, r, id)
	if err != nil {
		return nil, err
	}
	if !a.IsActive {
		return nil, ErrInactive.New("The bank account %s is not active; make it active or use another.", a.Name).
			Field("bankAccountId", "is not active")
	}
	return a, nil
}

var accountListing = tenant.Listing{
	Sources: []tenant.Source{{
		From: "bank_accounts",
		Fields: map[string]tenant.Field{
			"id":          tenant.IDField("id"),
			"name":        tenant.TextField("name"),
			"iban":        tenant.TextField("iban"),
			"currency":    tenant.TextField("currency"),
			"accountCode": tenant.TextField("account_code"),
			"isActive":    tenant.BoolField("is_active"),
			"createdAt":   tenant.TimeField("created_at"),
		},
	}},
	Order: []tenant.Sort{{Field: "name"}},
}

// ListAccounts reads a page of bank accounts, by name unless asked otherwise. Error: validation.
func ListAccounts(ctx context.Context, r tenant.ReadTx, q tenant.ListQuery) (tenant.Page[Account], error) {
	return tenant.ListRows[Account](ctx, r, q, accountListing) //nolint:wrapcheck // names the field at fault
}

// AccountCard is a bank account as clients see it and as the audit log keeps it.
type AccountCard struct {
	ID          tenant.ID      `json:"id" description:"Id of the bank account."`
	Name        string         `json:"name" description:"Name of the bank account."`
	IBAN        *string        `json:"iban,omitzero" description:"International number of the account."`
	Currency    money.Currency `json:"currency" description:"Currency of the account."`
	AccountCode string         `json:"accountCode" description:"Ledger account that its money is booked on."`
	IsActive    bool           `json:"isActive" description:"Whether it takes transactions and makes payments."`
	CreatedAt   clock.Time     `json:"createdAt" description:"When the account was entered."`
}

// Card shows the bank account to its company.
func (a Account) Card() AccountCard {
	return AccountCard{a.ID, a.Name, a.IBAN, a.Currency, a.AccountCode, a.IsActive, a.CreatedAt}
}
