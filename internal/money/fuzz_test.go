package money_test

import (
	"encoding/json"
	"math/big"
	"testing"
	"unicode/utf8"

	"github.com/stretchr/testify/require"

	"github.com/vienkart/vienkart/internal/money"
)

// maxFault is how long a message about any text may be: it quotes a part of it alone.
const maxFault = 500

// exact is what the text means to another reader of decimals.
func exact(t *testing.T, s string) *big.Rat {
	t.Helper()
	value, ok := new(big.Rat).SetString(s)
	require.True(t, ok, "%q", s)
	return value
}

// FuzzParse: an amount that is read means what was written and is written again in one form; all else is refused in few words.
func FuzzParse(f *testing.F) {
	for _, seed := range []string{"12.50", "-3", "0", "-0.00", "007", "1e3", "1e1000000000", "9999999999999.99", "10000000000000.00", "+1", " 1", "1,5", ".5", "1."} {
		for _, currency := range []string{"EUR", "JPY", "KWD", "CLF"} {
			f.Add(seed, currency)
		}
	}
	f.Fuzz(func(t *testing.T, s, code string) {
		currency, err := money.ParseCurrency(code)
		if err != nil {
			require.Less(t, len(err.Error()), maxFault)
			currency = money.EUR
		}
		amount, err := money.Parse(s, currency)
		if err != nil {
			require.Less(t, len(err.Error()), maxFault)
			require.True(t, utf8.ValidString(err.Error()))
			return
		}
		require.LessOrEqual(t, amount.Abs().Minor(), int64(money.MaxMinor))
		require.Zero(t, exact(t, s).Cmp(exact(t, amount.String())), "%q became %s", s, amount)
		again, err := money.Parse(amount.String(), currency)
		require.NoError(t, err)
		require.Equal(t, amount, again)
	})
}

// FuzzParseDecimal: the same of decimals, as text, as JSON text and as a JSON number.
func FuzzParseDecimal(f *testing.F) {
	for _, seed := range []string{"21", "0.0333", "-0.10", "-0", "1e3", "1e-999999999", "999999999999.0123456789", "0.00000000001", "1_000", "NaN", "0x1p-2"} {
		f.Add(seed)
	}
	f.Fuzz(func(t *testing.T, s string) {
		d, err := money.ParseDecimal(s)
		var number, text money.Decimal
		numberErr := number.UnmarshalJSON([]byte(s))
		if err != nil {
			require.Less(t, len(err.Error()), maxFault)
			require.True(t, utf8.ValidString(err.Error()))
			return
		}
		require.NoError(t, numberErr)
		require.Equal(t, d, number)
		require.NoError(t, text.UnmarshalJSON([]byte(`"`+s+`"`)))
		require.Equal(t, d, text)
		require.Zero(t, exact(t, s).Cmp(exact(t, d.String())), "%q became %s", s, d)
		written, err := json.Marshal(d)
		require.NoError(t, err)
		var again money.Decimal
		require.NoError(t, json.Unmarshal(written, &again))
		require.Equal(t, d, again)
		require.Zero(t, d.Sub(again).Sign())
		require.Equal(t, d, d.Neg().Neg())
	})
}
