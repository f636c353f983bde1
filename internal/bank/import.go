package bank

import (
	"context"
	"errors"
	"fmt"
	"strings"

	"github.com/vienkart/vienkart/internal/apperr"
	"github.com/vienkart/vienkart/internal/bank/statement"
	"github.com/vienkart/vienkart/internal/date"
	"github.com/vienkart/vienkart/internal/identifier"
	"github.com/vienkart/vienkart/internal/money"
	"github.com/vienkart/vienkart/internal/tenant"
)

// maxFaults bounds the faults named in one refusal.
const maxFaults = 50

// ImportLine is a line of an import through the API. The amount is a decimal, positive for money that came in.
type ImportLine struct {
	Date   date.Date
	Amount money.Decimal
	// Currency is zero for that of the account; it may be no other.
	Currency         money.Currency
	CounterpartyName string
	CounterpartyIBAN string
	Description      string
	// ExternalID is the client's identity of the line, or empty: then the line is never taken for a duplicate.
	ExternalID string
}

// Import stores lines, all or none. A line whose external id the account holds is skipped, whatever else it says, and so is
// a second one with that id in the same import. Equal lines without one are as many lines (B-118).
// Errors: validation, bank.unknown_account, bank.account_inactive, bank.currency_mismatch.
func Import(ctx context.Context, tx tenant.Tx, accountID tenant.ID, lines []ImportLine) (*Imported, error) {
	account, err := inUse(ctx, tx, accountID)
	if err != nil {
		return nil, err
	}
	in, err := account.incoming(lines)
	if err != nil {
		return nil, err
	}
	im, err := take(ctx, tx, account, in)
	if err != nil {
		return nil, err
	}
	return &im.result, im.record(ctx, tx, nil)
}

func (a *Account) incoming(lines []ImportLine) ([]incoming, error) {
	faults := apperr.ErrValidation.New("Some transactions are not valid; see fieldErrors. Nothing was imported.")
	foreign := ErrCurrency.New("The bank account %s is in %s and takes no other currency. Nothing was imported.", a.Name, a.Currency)
	in := make([]incoming, len(lines))
	for i, l := range lines {
		at := fmt.Sprintf("transactions.%d.", i)
		if !l.Currency.IsZero() && l.Currency != a.Currency && len(foreign.Fields()) < maxFaults {
			foreign.Field(at+"currency", "must be %s", a.Currency)
		}
		amount, err := money.Parse(l.Amount.String(), a.Currency)
		if err == nil && amount.IsZero() {
			err = errors.New("must not be 0")
		}
		if err != nil && len(faults.Fields()) < maxFaults {
			faults.Field(at+"amount", "%s", err.Error())
		}
		in[i] = incoming{
			date: l.Date, amount: amount, counterpartyName: l.CounterpartyName,
			counterpartyIBAN: identifier.NormalizeIBAN(l.CounterpartyIBAN), description: l.Description,
			externalID: strings.TrimSpace(l.ExternalID),
		}
	}
	if len(faults.Fields()) > 0 {
		return nil, faults
	}
	if len(foreign.Fields()) > 0 {
		return nil, foreign
	}
	return in, nil
}

// ImportedStatement is a statement of an imported file.
type ImportedStatement struct {
	ID               string
	IBAN             string
	FromDate, ToDate date.Date
	// Opening and Closing are nil when the file does not give them.
	Opening, Closing *money.Amount
	Transactions     int
}

// ImportStatement reads a file of statements and stores the lines that the account does not hold, all or none; format may be
// empty. A file imported again changes nothing. The IBAN of a statement must be the account's where both are known.
// Errors: validation with the line at fault, bank.unknown_account, bank.account_inactive, bank.other_account,
// bank.currency_mismatch.
func ImportStatement(ctx context.Context, tx tenant.Tx, accountID tenant.ID, format statement.Format, content string) (
	*Imported, []ImportedStatement, error,
) {
	account, err := inUse(ctx, tx, accountID)
	if err != nil {
		return nil, nil, err
	}
	statements, err := statement.Parse(content, format, account.Currency)
	if err != nil {
		return nil, nil, apperr.Invalid("content", "%s", err.Error()).Because(err)
	}
	var lines []incoming
	shown := make([]ImportedStatement, len(statements))
	var names []string
	for i, s := range statements {
		if err := account.isOf(s); err != nil {
			return nil, nil, err
		}
		shown[i] = ImportedStatement{s.ID, s.IBAN, s.From, s.To, s.Opening, s.Closing, len(s.Lines)}
		if s.ID != "" {
			names = append(names, s.ID)
		}
		for _, l := range s.Lines {
			lines = append(lines, incoming{
				date: l.Date, amount: l.Amount, counterpartyName: l.CounterpartyName, counterpartyIBAN: l.CounterpartyIBAN,
				description: l.Description, externalID: l.ExternalID, isReference: true, alternateID: l.AlternateID,
			})
		}
	}
	im, err := take(ctx, tx, account, lines)
	if err != nil {
		return nil, nil, err
	}
	return &im.result, shown, im.record(ctx, tx, names)
}

// isOf refuses a statement of another account.
func (a *Account) isOf(s statement.Statement) error {
	if a.IBAN != nil && s.IBAN != "" && *a.IBAN != s.IBAN {
		return ErrOtherAccount.New("The statement is of the account %s, and %s has the number %s. Import it into its own account.",
			s.IBAN, a.Name, *a.IBAN).Field("content", "is a statement of %s", s.IBAN)
	}
	for _, balance := range []*money.Amount{s.Opening, s.Closing} {
		if balance != nil && balance.Currency() != a.Currency {
			return a.foreign(0, balance.Currency())
		}
	}
	for _, l := range s.Lines {
		if l.Amount.Currency() != a.Currency {
			return a.foreign(l.Number, l.Amount.Currency())
		}
	}
	return nil
}

func (a *Account) foreign(line int, c money.Currency) error {
	where := "a balance"
	if line > 0 {
		where = fmt.Sprintf("line %d", line)
	}
	return ErrCurrency.New("The bank account %s is in %s and takes no other currency; %s of the file is in %s. Nothing was imported.",
		a.Name, a.Currency, where, c).Field("content", "%s is in %s", where, c)
}
