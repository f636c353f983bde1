package bank

import (
	"context"
	"fmt"
	"strings"

	"github.com/vienkart/vienkart/internal/apperr"
	"github.com/vienkart/vienkart/internal/audit"
	"github.com/vienkart/vienkart/internal/identifier"
	"github.com/vienkart/vienkart/internal/ledger"
	"github.com/vienkart/vienkart/internal/money"
	"github.com/vienkart/vienkart/internal/tenant"
)

// indexIBAN is the unique index of bank accounts by number and currency.
const indexIBAN = "bank_accounts_iban"

// CreateAccountInput is what a new bank account needs.
type CreateAccountInput struct {
	Name string
	IBAN string
	// Currency is zero for the base currency.
	Currency money.Currency
	// AccountCode is empty for the account of the posting rule bank.account.
	AccountCode string
}

// CreateAccount stores a bank account. Errors: validation for the IBAN, bank.account_exists, bank.wrong_ledger_account,
// ledger.unknown_account, ledger.account_not_postable.
func CreateAccount(ctx context.Context, tx tenant.Tx, in CreateAccountInput) (*Account, error) {
	a := &Account{
		Row: tenant.Row{ID: tenant.NewID()}, Name: strings.TrimSpace(in.Name), Currency: in.Currency, AccountCode: in.AccountCode,
		IsActive: true, CreatedAt: tx.Now(),
	}
	if a.Currency.IsZero() {
		a.Currency = tx.Company().BaseCurrency
	}
	if a.AccountCode == "" {
		code, err := ledger.AccountCode(ctx, tx, ledger.RuleBank)
		if err != nil {
			return nil, fmt.Errorf("choosing the ledger account: %w", err)
		}
		a.AccountCode = code
	}
	if err := a.setIBAN(in.IBAN); err != nil {
		return nil, err
	}
	if err := a.check(ctx, tx); err != nil {
		return nil, err
	}
	err := tenant.OnDuplicate(tx, tenant.Insert(ctx, tx, a), indexIBAN, a.numberIsFree)
	if err != nil {
		return nil, fmt.Errorf("creating the bank account: %w", err)
	}
	return a, audit.Record(ctx, tx, audit.Entry{ //nolint:wrapcheck // says what was recorded
		Action: "bank_account.created", Entity: entityAccount, EntityID: a.ID.String(), After: a.Card(),
	})
}

// UpdateAccountInput changes what is not nil.
type UpdateAccountInput struct {
	ID   tenant.ID
	Name *string
	// IBAN may be empty to remove the number.
	IBAN *string
	// AccountCode decides about what is booked from now on alone.
	AccountCode *string
	IsActive    *bool
}

// UpdateAccount changes a bank account. Its currency stays. Errors: not_found, and those of CreateAccount.
func UpdateAccount(ctx context.Context, tx tenant.Tx, in UpdateAccountInput) (*Account, error) {
	a, err := tenant.Lock[Account](ctx, tx, in.ID)
	if err != nil {
		return nil, err //nolint:wrapcheck // says what was read
	}
	before := a.Card()
	if in.Name != nil {
		if a.Name = strings.TrimSpace(*in.Name); a.Name == "" {
			return nil, apperr.Invalid("name", "must not be empty")
		}
	}
	if in.IBAN != nil {
		if err := a.setIBAN(*in.IBAN); err != nil {
			return nil, err
		}
	}
	if in.AccountCode != nil {
		a.AccountCode = *in.AccountCode
	}
	if in.IsActive != nil {
		a.IsActive = *in.IsActive
	}
	if err := a.check(ctx, tx); err != nil {
		return nil, err
	}
	err = tenant.OnDuplicate(tx, tenant.Update(ctx, tx, a, "name", "iban", "account_code", "is_active"), indexIBAN, a.numberIsFree)
	if err != nil {
		return nil, fmt.Errorf("changing the bank account: %w", err)
	}
	return a, audit.Record(ctx, tx, audit.Entry{ //nolint:wrapcheck // says what was recorded
		Action: "bank_account.updated", Entity: entityAccount, EntityID: a.ID.String(), Before: before, After: a.Card(),
	})
}

func (a *Account) setIBAN(given string) error {
	a.IBAN = nil
	iban := identifier.NormalizeIBAN(given)
	if iban == "" {
		return nil
	}
	if err := identifier.CheckIBAN(iban); err != nil {
		return apperr.Invalid("iban", "%s", err.Error())
	}
	a.IBAN = &iban
	return nil
}

// check refuses a number that is taken and a ledger account that holds no money.
func (a *Account) check(ctx context.Context, tx tenant.Tx) error {
	if err := a.numberIsFree(ctx, tx.ReadTx); err != nil {
		return err
	}
	account, err := tenant.First[ledger.Account](ctx, tx, "code = ?", a.AccountCode)
	switch {
	case err != nil:
		return err //nolint:wrapcheck // says what was read
	case account == nil:
		return ledger.ErrUnknownAccount.New("The chart of accounts has no account %s; create it or use another.", a.AccountCode).
			Field("accountCode", "names no account").Detail("accountCode", a.AccountCode)
	case !account.IsPostable:
		return ledger.ErrNotPostable.New("The account %s %s takes no postings; use one below it.", account.Code, account.Name).
			Field("accountCode", "takes no postings").Detail("accountCode", a.AccountCode)
	case account.Type != ledger.AccountAsset && account.Type != ledger.AccountLiability:
		return ErrLedgerAccount.New("The account %s %s is of the type %s; a bank account is an asset, or a liability when it is a debt.",
			account.Code, account.Name, account.Type).Field("accountCode", "must be an asset or a liability")
	}
	return nil
}

// numberIsFree refuses a number and currency that another bank account has.
func (a *Account) numberIsFree(ctx context.Context, r tenant.ReadTx) error {
	if a.IBAN == nil {
		return nil
	}
	existing, err := tenant.First[Account](ctx, r, "iban = ? AND currency = ? AND id <> ?", *a.IBAN, a.Currency, a.ID)
	if err != nil || existing == nil {
		return err //nolint:wrapcheck // says what was read
	}
	return ErrAccountExists.New("The bank account %s in %s exists already: %s.", *a.IBAN, a.Currency, existing.Name).
		Field("iban", "is taken").Detail("existingId", existing.ID).Detail("index", "one bank account per number and currency")
}
