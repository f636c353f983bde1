package ledger

import "github.com/vienkart/vienkart/internal/money"

// SettledBase is what of an item's base amount is settled when a total of it is: rounded half away from zero from the total,
// so that settlements in parts come to exactly what was booked, whoever makes them.
func (i *OpenItem) SettledBase(total money.Amount, base money.Currency) money.Amount {
	whole := money.New(i.BaseAmountMinor, base)
	exact := whole.Decimal().Mul(total.Decimal()).Div(i.Amount().Decimal(), int32(base.MinorUnits())) //nolint:gosec // 0 to 4
	return money.RoundHalfAwayFromZero(exact, base)
}

// ExchangeDifference books what a foreign currency gained, or with a negative amount lost, between a document and its money;
// nothing when they are equal. The codes are those of RuleFXGain and RuleFXLoss.
func ExchangeDifference(codes map[Rule]string, gain money.Amount) []Line {
	switch gain.Sign() {
	case 1:
		return []Line{{AccountCode: codes[RuleFXGain], Credit: gain}}
	case -1:
		return []Line{{AccountCode: codes[RuleFXLoss], Debit: gain.Neg()}}
	}
	return nil
}
