package ledger

import (
	"context"
	"errors"
	"fmt"

	"github.com/vienkart/vienkart/internal/apperr"
	"github.com/vienkart/vienkart/internal/audit"
	"github.com/vienkart/vienkart/internal/tenant"
)

// CreateAccountInput is what a new account needs.
type CreateAccountInput struct {
	Code     string
	Name     string
	Type     AccountType
	ParentID *tenant.ID
	// IsHeading says that the account takes no postings.
	IsHeading bool
	// SAFTCode and SAFTName choose an account of VMI's classifier.
	SAFTCode, SAFTName *string
}

// CreateAccount adds an account. Errors: validation, ledger.account_exists, ledger.unknown_account for the parent.
func CreateAccount(ctx context.Context, tx tenant.Tx, in CreateAccountInput) (*Account, error) {
	if err := codeIsFree(ctx, tx, in.Code); err != nil {
		return nil, err
	}
	if in.ParentID != nil {
		if _, err := lockParent(ctx, tx, *in.ParentID); err != nil {
			return nil, err
		}
	}
	a := &Account{
		Code: in.Code, Name: in.Name, Type: in.Type, ParentID: in.ParentID, IsPostable: !in.IsHeading, CreatedAt: tx.Now(),
	}
	if err := a.chooseSAFT(in.SAFTCode, in.SAFTName); err != nil {
		return nil, err
	}
	err := tenant.OnDuplicate(tx, tenant.Insert(ctx, tx, a), "ledger_accounts_code",
		func(ctx context.Context, r tenant.ReadTx) error { return codeIsFree(ctx, r, in.Code) })
	if err != nil {
		return nil, fmt.Errorf("creating the account: %w", err)
	}
	return a, audit.Record(ctx, tx, audit.Entry{ //nolint:wrapcheck // says what was recorded
		Action: "account.created", Entity: "account", EntityID: a.ID.String(), After: a.view(),
	})
}

func codeIsFree(ctx context.Context, r tenant.Reader, code string) error {
	existing, err := tenant.First[Account](ctx, r, "code = ?", code)
	if err != nil || existing == nil {
		return err //nolint:wrapcheck // says what was read
	}
	return ErrAccountExists.New("The account %s exists already: %s.", code, existing.Name).
		Field("code", "is taken").Detail("existingId", existing.ID).Detail("index", "one account per code")
}

// UpdateAccountInput changes what is not nil. Code and type stay: entries were posted under them.
type UpdateAccountInput struct {
	ID         tenant.ID
	Name       *string
	ParentID   *tenant.ID
	IsPostable *bool
	// SAFTCode and SAFTName choose an account of VMI's classifier; an empty code takes the choice back.
	SAFTCode *string
	SAFTName *string
}

// UpdateAccount changes an account. Making it not postable only stops new postings.
// Errors: validation, not_found, ledger.unknown_account for the parent, ledger.parent_cycle.
func UpdateAccount(ctx context.Context, tx tenant.Tx, in UpdateAccountInput) (*Account, error) {
	a, err := tenant.Lock[Account](ctx, tx, in.ID)
	if err != nil {
		return nil, err //nolint:wrapcheck // says what was read
	}
	before := a.view()
	if in.Name != nil {
		a.rename(*in.Name)
	}
	if err := a.chooseSAFT(in.SAFTCode, in.SAFTName); err != nil {
		return nil, err
	}
	if in.ParentID != nil {
		if err := outsideOwnBranch(ctx, tx, a.ID, *in.ParentID); err != nil {
			return nil, err
		}
		a.ParentID = in.ParentID
	}
	if in.IsPostable != nil {
		a.IsPostable = *in.IsPostable
	}
	if err := tenant.Update(ctx, tx, a, "name", "parent_id", "is_postable", "saft_code", "saft_name"); err != nil {
		return nil, err //nolint:wrapcheck // says what was updated
	}
	if err := tenant.RaiseChartVersion(ctx, tx); err != nil {
		return nil, err //nolint:wrapcheck // says what was raised
	}
	return a, audit.Record(ctx, tx, audit.Entry{ //nolint:wrapcheck // says what was recorded
		Action: "account.updated", Entity: "account", EntityID: a.ID.String(), Before: before, After: a.view(),
	})
}

// outsideOwnBranch walks from the new parent to the top. It holds the way, so that two accounts cannot be moved below each
// other at once: one of them gets a deadlock and is run again.
func outsideOwnBranch(ctx context.Context, tx tenant.Tx, account, parent tenant.ID) error {
	for next := &parent; next != nil; {
		if *next == account {
			return ErrParentCycle.New("An account cannot lie below itself; choose a parent outside its branch.").
				Field("parentId", "lies below the account")
		}
		above, err := lockParent(ctx, tx, *next)
		if err != nil {
			return err
		}
		next = above.ParentID
	}
	return nil
}

func lockParent(ctx context.Context, tx tenant.Tx, id tenant.ID) (*Account, error) {
	a, err := tenant.Lock[Account](ctx, tx, id)
	if errors.Is(err, apperr.ErrNotFound) {
		return nil, ErrUnknownAccount.New("The chart of accounts has no account with the id %s to be the parent.", id).
			Field("parentId", "names no account")
	}
	return a, err //nolint:wrapcheck // says what was read
}
