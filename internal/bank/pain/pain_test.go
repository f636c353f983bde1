package pain_test

import (
	"flag"
	"os"
	"strings"
	"testing"
	"time"

	"github.com/stretchr/testify/require"
	"pgregory.net/rapid"

	"github.com/vienkart/vienkart/internal/bank/pain"
	"github.com/vienkart/vienkart/internal/date"
	"github.com/vienkart/vienkart/internal/money"
)

var update = flag.Bool("update", false, "rewrite the golden files")

const iban = "LT121000011101001000"

func order(payments ...pain.Payment) pain.Order {
	return pain.Order{
		MessageID: "VK0198c0de000070008000000000000000", Created: time.Date(2026, time.March, 2, 8, 30, 0, 5, time.UTC),
		Debtor: `UAB „Ąžuolas & Ko“`, DebtorIBAN: iban, ExecutionDate: date.MustParse("2026-03-03"), Payments: payments,
	}
}

func payment(number, minor, creditor string) pain.Payment {
	return pain.Payment{
		DocumentNumber: number, Amount: must(money.Parse(minor, money.EUR)), Creditor: creditor, CreditorIBAN: "DE89370400440532013000",
	}
}

func must(a money.Amount, err error) money.Amount {
	if err != nil {
		panic(err)
	}
	return a
}

func TestMarshal(t *testing.T) {
	t.Parallel()
	got, err := order(
		payment("A-17", "121.00", "Müller & Söhne GmbH"),
		payment("/Nr. 2026//ĄŽ_5/", "0.01", strings.Repeat("Łódź ", 30)),
		payment(strings.Repeat("9", 70), "999999999.99", "Кириллица"),
		payment("//", "10.00", "O'Neil"),
	).Marshal()
	require.NoError(t, err)
	// One element to a line reads better; the document itself has no blanks.
	readable := strings.ReplaceAll(string(got), "><", ">\n<") + "\n"
	if *update {
		require.NoError(t, os.WriteFile("testdata/order.xml", []byte(readable), 0o600))
	}
	want, err := os.ReadFile("testdata/order.xml")
	require.NoError(t, err)
	require.Equal(t, string(want), readable)
	require.NoError(t, pain.Check([]byte(readable)))
}

func TestMarshalRefuses(t *testing.T) {
	t.Parallel()
	for name, example := range map[string]struct {
		order pain.Order
		fault string
	}{
		"NoPayments": {order(), "does not match"},
		"NoCreditor": {order(payment("A", "1.00", " ")), "1 to 70 characters"},
		"Nothing":    {order(payment("A", "0.00", "X")), "CtrlSum"},
		"TooMuch":    {order(payment("A", "1000000000.00", "X")), "more than a credit transfer takes"},
		"WrongIBAN":  {order(pain.Payment{DocumentNumber: "A", Amount: must(money.Parse("1", money.EUR)), Creditor: "X", CreditorIBAN: "LT12"}), "IBAN"},
		"LongMessage": {func() pain.Order {
			o := order(payment("A", "1.00", "X"))
			o.MessageID = strings.Repeat("A", 36)
			return o
		}(), "MsgId"},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			_, err := example.order.Marshal()
			require.ErrorContains(t, err, example.fault)
		})
	}
}

// TestCheckFindsDamage changes a good document in every way that a bank would refuse.
func TestCheckFindsDamage(t *testing.T) {
	t.Parallel()
	good, err := order(payment("A-17", "121.00", "X"), payment("A-18", "1.00", "Y")).Marshal()
	require.NoError(t, err)
	for name, change := range map[string][2]string{
		"OtherVersion":     {"001.001.09", "001.001.03"},
		"ElementMissing":   {"<PmtMtd>TRF</PmtMtd>", ""},
		"OrderChanged":     {"<PmtMtd>TRF</PmtMtd><NbOfTxs>2</NbOfTxs>", "<NbOfTxs>2</NbOfTxs><PmtMtd>TRF</PmtMtd>"},
		"ElementTwice":     {"<ChrgBr>SLEV</ChrgBr>", "<ChrgBr>SLEV</ChrgBr><ChrgBr>SLEV</ChrgBr>"},
		"WrongSum":         {"<CtrlSum>122.00</CtrlSum>", "<CtrlSum>122.01</CtrlSum>"},
		"WrongCount":       {"<NbOfTxs>2</NbOfTxs>", "<NbOfTxs>3</NbOfTxs>"},
		"WrongCheckDigit":  {iban, "LT131000011101001000"},
		"OtherCurrency":    {`Ccy="EUR"`, `Ccy="USD"`},
		"NoCurrency":       {` Ccy="EUR"`, ""},
		"ThreeDecimals":    {">121.00<", ">121.000<"},
		"LongReference":    {"<EndToEndId>A-17<", "<EndToEndId>" + strings.Repeat("A", 36) + "<"},
		"DoubleSlash":      {"<EndToEndId>A-17<", "<EndToEndId>A//17<"},
		"SlashAtTheEnd":    {"<EndToEndId>A-17<", "<EndToEndId>A/<"},
		"OtherLetters":     {"<Nm>X<", "<Nm>Ą<"},
		"NoDay":            {"2026-03-03", "2026-02-30"},
		"TextBetween":      {"<PmtMtd>", "x<PmtMtd>"},
		"CutOff":           {"</Document>", ""},
		"SomethingFollows": {"</Document>", "</Document><Document/>"},
		"EmptyText":        {"<Ustrd>A-17<", "<Ustrd><"},
		"OtherService":     {"<Cd>SEPA<", "<Cd>URGP<"},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			damaged := strings.Replace(string(good), change[0], change[1], 1)
			require.NotEqual(t, string(good), damaged)
			require.Error(t, pain.Check([]byte(damaged)))
		})
	}
}

// TestAnyTextsMakeADocument holds that names and numbers of any letters never keep a payment from being written.
func TestAnyTextsMakeADocument(t *testing.T) {
	t.Parallel()
	rapid.Check(t, func(t *rapid.T) {
		number, creditor := rapid.String().Draw(t, "number"), rapid.String().Draw(t, "creditor")+"x"
		_, err := order(payment(number, "1.00", creditor)).Marshal()
		if err != nil {
			t.Fatal(err)
		}
	})
}

func TestLatin(t *testing.T) {
	t.Parallel()
	for text, want := range map[string]string{
		"Ąžuolų g. 5": "Azuolu g. 5", "Straße": "Strasse", "Łódź": "Lodz", "Smørrebrød": "Smorrebrod", "A & B": "A + B", "Ж": ".",
		" a\t b\n": "a b", "„UAB“": "'UAB'",
	} {
		require.Equal(t, want, pain.Latin(text), "%q", text)
	}
}
