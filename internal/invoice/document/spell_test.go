package document

import (
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/vienkart/vienkart/internal/money"
)

func TestSpell(t *testing.T) {
	t.Parallel()
	for minor, want := range map[int64][2]string{
		0:               {"Nulis eurų 00 ct", "Zero euros and 00 cents"},
		101:             {"Vienas euras 01 ct", "One euro and 01 cents"},
		1_050:           {"Dešimt eurų 50 ct", "Ten euros and 50 cents"},
		1_100:           {"Vienuolika eurų 00 ct", "Eleven euros and 00 cents"},
		2_199:           {"Dvidešimt vienas euras 99 ct", "Twenty one euros and 99 cents"},
		11_100:          {"Vienas šimtas vienuolika eurų 00 ct", "One hundred eleven euros and 00 cents"},
		100_000:         {"Vienas tūkstantis eurų 00 ct", "One thousand euros and 00 cents"},
		2_100_000:       {"Dvidešimt vienas tūkstantis eurų 00 ct", "Twenty one thousand euros and 00 cents"},
		1_200_000:       {"Dvylika tūkstančių eurų 00 ct", "Twelve thousand euros and 00 cents"},
		230_450_212:     {"Du milijonai trys šimtai keturi tūkstančiai penki šimtai du eurai 12 ct", "Two million three hundred four thousand five hundred two euros and 12 cents"},
		99_999_999_999:  {"Devyni šimtai devyniasdešimt devyni milijonai devyni šimtai devyniasdešimt devyni tūkstančiai devyni šimtai devyniasdešimt devyni eurai 99 ct", ""},
		100_000_000_000: {"", ""},
		-1:              {"", ""},
	} {
		for i, l := range []Language{Lithuanian, English} {
			text, ok := spell(money.New(minor, money.EUR), l)
			require.Equal(t, minor >= 0 && minor <= 99_999_999_999, ok)
			if want[i] != "" || !ok {
				require.Equal(t, want[i], text)
			}
		}
	}
	text, ok := spell(money.New(12_345, money.MustCurrency("USD")), English)
	require.True(t, ok)
	require.Equal(t, "One hundred twenty three USD and 45/100", text)
	_, ok = spell(money.New(12_345, money.MustCurrency("JPY")), English)
	require.False(t, ok, "a currency without hundredths")
	_, ok = spell(money.New(12_345, money.EUR), Russian)
	require.False(t, ok)
}

func TestFigure(t *testing.T) {
	t.Parallel()
	for given, want := range map[string][2]string{
		"0.00": {"0,00", "0.00"}, "999": {"999", "999"}, "1000": {"1 000", "1,000"}, "-1234567.5": {"-1 234 567,5", "-1,234,567.5"}, "123456.78": {"123 456,78", "123,456.78"},
	} {
		require.Equal(t, want, [2]string{figure(given, Lithuanian), figure(given, English)})
	}
}
