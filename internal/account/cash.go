package account

import (
	"github.com/vienkart/vienkart/internal/apperr"
	"github.com/vienkart/vienkart/internal/date"
	"github.com/vienkart/vienkart/internal/tenant"
)

// CashAccounting is when a company is under cash accounting, Art 14(9) of the VAT law: the VAT of the sales that are marked so is
// due when they are paid. VMI keeps the same days in its register of taxpayers (checks 14038 and 14039 of i.SAF).
type CashAccounting struct {
	From date.Date `json:"from,omitzero" description:"First day."`
	// Until is the last day, the zero Date while it goes on.
	Until date.Date `json:"until,omitzero" description:"Last day; absent while it goes on."`
}

// apply writes the days into a company; the zero value removes them. Error: validation.
func (in CashAccounting) apply(c *tenant.Company) error {
	switch {
	case in != CashAccounting{} && c.CountryCode != defaultCountry:
		return apperr.Invalid("cashAccounting", "is a choice of Lithuanian VAT payers; the company is registered in %s", c.CountryCode)
	case in.From.IsZero() && !in.Until.IsZero():
		return apperr.Invalid("cashAccounting.from", "is required with until")
	case !in.Until.IsZero() && in.Until.Before(in.From):
		return apperr.Invalid("cashAccounting.until", "must be %s or later", in.From)
	}
	c.CashAccountingFrom, c.CashAccountingUntil = in.From, in.Until
	return nil
}
