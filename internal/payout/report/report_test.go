package report_test

import (
	"encoding/base64"
	"errors"
	"fmt"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/vienkart/vienkart/internal/payout/report"
)

const header = "automatic_payout_id,automatic_payout_effective_at,balance_transaction_id,created_utc,available_on_utc,currency," +
	"gross,fee,net,reporting_category,source_id,description,charge_id,payment_intent_id\n"

// line is a row of the reconciliation under header.
func line(payout, id, currency, gross, fee, net, category string) string {
	return fmt.Sprintf("%s,2026-03-05 00:00:00,%s,2026-03-02 14:05:00,2026-03-04 00:00:00,%s,%s,%s,%s,%s,src_%s,About %s,ch_%s,pi_%s\n",
		payout, id, currency, gross, fee, net, category, id, id, id, id)
}

func parsed(t *testing.T, content string) *report.File {
	t.Helper()
	f, err := report.Parse(content)
	require.NoError(t, err)
	return f
}

// told writes the lines of all payouts as text.
func told(f *report.File) []string {
	var out []string
	for _, p := range f.Payouts {
		out = append(out, strings.TrimSpace(fmt.Sprintf("%s %s %s", p.ID, p.Currency, p.Date)))
		for _, l := range p.Lines {
			out = append(out, fmt.Sprintf("  %s %s %s %s-%s=%s", l.ExternalID, l.Category, l.Date, l.Gross, l.Fee, l.Net))
		}
	}
	return out
}

func faultOf(t *testing.T, content string) *report.Fault {
	t.Helper()
	_, err := report.Parse(content)
	fault, ok := errors.AsType[*report.Fault](err)
	require.True(t, ok, "%v", err)
	return fault
}

func TestParse(t *testing.T) {
	t.Parallel()
	t.Run("Reconciliation", func(t *testing.T) {
		t.Parallel()
		f := parsed(t, header+line("po_1", "txn_1", "eur", "100.00", "3.20", "96.80", "charge")+line("po_2", "txn_2", "jpy", "5000", "180", "4820", "charge")+
			line("po_1", "txn_3", "eur", "-20.00", "0.00", "-20.00", "Refund")+line("", "txn_4", "eur", "1.00", "0.00", "1.00", "charge")+
			line("po_1", "txn_5", "eur", "-76.80", "0.00", "-76.80", "payout")+line("po_2", "txn_6", "JPY", "0", "0", "0", "fee"))
		require.Equal(t, report.PayoutReconciliation, f.Format)
		require.Equal(t, []string{
			"po_1 EUR 2026-03-05", "  txn_1 charge 2026-03-02 100.00-3.20=96.80", "  txn_3 refund 2026-03-02 -20.00-0.00=-20.00",
			"po_2 JPY 2026-03-05", "  txn_2 charge 2026-03-02 5000-180=4820", "  txn_6 fee 2026-03-02 0-0=0",
		}, told(f))
		require.Equal(t, []int{1, 1, 0}, []int{f.SkippedUnassigned, f.SkippedPayoutRows, f.SkippedNotSettled})
		first := f.Payouts[0].Lines[0]
		require.Equal(t, []string{"About txn_1", "src_txn_1", "ch_txn_1", "pi_txn_1"}, []string{first.Description, first.SourceID, first.ChargeID, first.Reference})
		require.Equal(t, "76.80", f.Payouts[0].Net().String())
	})
	t.Run("UnifiedPayments", func(t *testing.T) {
		t.Parallel()
		f := parsed(t, "id,Created date (UTC),Amount,Amount Refunded,Currency,Converted Amount,Converted Amount Refunded,Converted Currency,Fee,Status,Description,Transfer,invoice (metadata)\n"+
			"ch_1,2026-03-02 10:00,110.00,0.00,usd,100.00,0.00,eur,3.20,Paid,For SF1,po_1,SF260000001\n"+
			"ch_2,2026-03-02 10:01,50.00,20.00,eur,50.00,20.00,eur,1.00,Partially refunded,,po_1,\n"+
			"ch_3,2026-03-02 10:02,7.00,0.00,eur,,,,,Failed,,,\n"+
			"ch_4,2026-03-02 10:03,7.00,0.00,eur,7.00,0.00,eur,0.30,Paid,,,\n"+
			"ch_5,2026-03-02 10:03,11.00,11.00,usd,10.00,,eur,0.30,Refunded,,po_2,\n")
		require.Equal(t, report.UnifiedPayments, f.Format)
		require.Equal(t, []string{
			"po_1 EUR", "  ch_1 charge 2026-03-02 100.00-3.20=96.80", "  ch_2 charge 2026-03-02 50.00-1.00=49.00", "  ch_2/refund refund 2026-03-02 -20.00-0.00=-20.00",
			"po_2 EUR", "  ch_5 charge 2026-03-02 10.00-0.30=9.70", "  ch_5/refund refund 2026-03-02 -10.00-0.00=-10.00",
		}, told(f))
		require.Equal(t, []int{1, 0, 1}, []int{f.SkippedUnassigned, f.SkippedPayoutRows, f.SkippedNotSettled})
		require.Equal(t, "SF260000001", f.Payouts[0].Lines[0].Reference)
		require.Equal(t, "ch_2", f.Payouts[0].Lines[2].ChargeID)
	})
	t.Run("NoRowsIsNoPayout", func(t *testing.T) {
		t.Parallel()
		require.Empty(t, parsed(t, header).Payouts)
	})
}

func TestParseSpreadsheets(t *testing.T) {
	t.Parallel()
	plain := header + line("po_1", "txn_1", "eur", "1234.50", "3.20", "1231.30", "charge")
	want := told(parsed(t, plain))
	semicolons := strings.ReplaceAll(plain, ",", ";")
	lithuanian := "automatic_payout_id;balance_transaction_id;created;currency;gross;fee;net;reporting_category;description\n" +
		"po_1;txn_1;2026-03-02;EUR;10,00;0;10,00;charge;Sąskaita SFŽ1\n"
	in1257 := strings.NewReplacer("ą", "\xe0", "Ž", "\xde").Replace(lithuanian)
	for name, content := range map[string]string{
		"ByteOrderMark":      "\ufeff" + plain,
		"Base64":             base64.StdEncoding.EncodeToString([]byte("\ufeff" + plain)),
		"Base64OfDataURL":    "data:text/csv;base64," + base64.StdEncoding.EncodeToString([]byte(plain)),
		"Base64InLines":      base64.StdEncoding.EncodeToString([]byte(plain))[:40] + "\n" + base64.StdEncoding.EncodeToString([]byte(plain))[40:],
		"Base64OfURLs":       base64.RawURLEncoding.EncodeToString([]byte(plain)),
		"WindowsLines":       strings.ReplaceAll(plain, "\n", "\r\n"),
		"Semicolons":         semicolons,
		"SemicolonSaid":      "sep=;\r\n" + semicolons,
		"Tabs":               strings.ReplaceAll(plain, ",", "\t"),
		"CommaDecimals":      strings.NewReplacer("1234.50", "1234,50", "3.20", "3,2", "1231.30", "1.231,30").Replace(semicolons),
		"Thousands":          strings.NewReplacer("1234.50", `"1,234.50"`, "1231.30", `"1 231,30"`).Replace(plain),
		"NarrowBlanks":       strings.NewReplacer("1234.50", "1\u202f234,50", "1231.30", "1\u00a0231,30").Replace(semicolons),
		"Apostrophes":        strings.NewReplacer("1234.50", "1'234.50", "1231.30", "1’231.30").Replace(plain),
		"ExtraZeros":         strings.NewReplacer("1234.50", "1234.5000", "3.20", "3.200000").Replace(plain),
		"FeesWithMinus":      strings.NewReplacer("3.20", "-3.20").Replace(plain),
		"UpperCaseHeader":    strings.ToUpper(header) + plain[len(header):],
		"BlankLines":         "\n\n" + plain + "\n,,,,,,,,,,,,,\n",
		"ExtraEmptyFields":   strings.TrimSuffix(plain, "\n") + ",,\n",
		"QuotedLineInAField": strings.ReplaceAll(plain, "About txn_1", "\"About\n\"\"txn\"\"\""),
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			require.Equal(t, want, told(parsed(t, content)))
		})
	}
	t.Run("Windows1257", func(t *testing.T) {
		t.Parallel()
		f := parsed(t, base64.StdEncoding.EncodeToString([]byte(in1257)))
		require.Equal(t, "Sąskaita SFŽ1", f.Payouts[0].Lines[0].Description)
		require.Equal(t, "10.00", f.Payouts[0].Lines[0].Net.String())
	})
	t.Run("LongDescriptionIsCut", func(t *testing.T) {
		t.Parallel()
		f := parsed(t, strings.ReplaceAll(plain, "About txn_1", strings.Repeat("ą", 600)))
		require.Equal(t, strings.Repeat("ą", 500), f.Payouts[0].Lines[0].Description)
	})
}

func TestParseRefuses(t *testing.T) {
	t.Parallel()
	good := line("po_1", "txn_1", "eur", "10.00", "0.50", "9.50", "charge")
	for name, example := range map[string]struct {
		content string
		line    int
		column  string
		reason  string
	}{
		"Empty":              {"", 0, "", "the file is empty"},
		"OnlyAMark":          {"\ufeff", 0, "", "the file is empty"},
		"OtherText":          {"Dear accountant, here is the report", 1, "", "no known report"},
		"NotBase64":          {"abcde", 0, "", "neither delimited text"},
		"Binary":             {"PK\x03\x04\x00,x", 0, "", "no plain text"},
		"MissingColumns":     {"balance_transaction_id,currency,gross,net\n", 1, "", "automatic_payout_id, created_utc or created, fee, reporting_category"},
		"MissingOfPayments":  {"id,Transfer\n", 1, "", "created date (utc) or created (utc), amount, currency, fee, status"},
		"ColumnTwice":        {"fee,Fee,gross\n", 1, "fee", "twice"},
		"CutOffInALine":      {header + good + good[:60], 3, "", "cut off"},
		"CutOffInQuotes":     {header + good + strings.ReplaceAll(good, "About", `"About`), 3, "", "quotation mark"},
		"TooManyFields":      {header + strings.TrimSuffix(good, "\n") + ",x\n", 2, "", "15 fields, the header has 14"},
		"NoAmount":           {header + line("po_1", "t", "eur", "ten", "0", "10.00", "charge"), 2, "gross", `"ten"`},
		"NetIsOther":         {header + line("po_1", "t", "eur", "10.00", "0.50", "9.60", "charge"), 2, "net", "gross less fee is 9.50"},
		"AmountIsEmpty":      {header + line("po_1", "t", "eur", "10.00", "", "10.00", "charge"), 2, "fee", `""`},
		"TooManyDecimals":    {header + line("po_1", "t", "jpy", "10.50", "0", "10.50", "charge"), 2, "gross", "at most 0 decimals"},
		"OddThousands":       {header + line("po_1", "t", "eur", `"1,23.50"`, "0", "10.00", "charge"), 2, "gross", "is no amount"},
		"TooMuch":            {header + line("po_1", "t", "eur", "9999999999999.99", "0", "9999999999999.99", "charge") + line("po_1", "u", "eur", "9.99", "0", "9.99", "charge"), 3, "", "more than the books take"},
		"UnknownCurrency":    {header + line("po_1", "t", "xyz", "1", "0", "1", "charge"), 2, "currency", `"xyz"`},
		"TwoCurrencies":      {header + good + line("po_1", "t", "usd", "1", "0", "1", "charge"), 3, "currency", "a payout has one currency"},
		"IDTwice":            {header + good + good, 3, "", "on line 2 too"},
		"IDIsEmpty":          {header + line("po_1", "", "eur", "1", "0", "1", "charge"), 2, "balance_transaction_id", "is empty"},
		"IDIsTooLong":        {header + line("po_1", strings.Repeat("t", 101), "eur", "1", "0", "1", "charge"), 2, "balance_transaction_id", "longer than 100"},
		"CategoryIsEmpty":    {header + line("po_1", "t", "eur", "1", "0", "1", ""), 2, "reporting_category", "is empty"},
		"NoDay":              {header + strings.ReplaceAll(good, "2026-03-02 14:05:00", "03/02/2026"), 2, "created_utc", "2026-03-31"},
		"DayWithNonsense":    {header + strings.ReplaceAll(good, "2026-03-02 14:05:00", "2026-03-02 noon"), 2, "created_utc", "is no day"},
		"LineAfterQuotes":    {header + strings.ReplaceAll(good, "About", "\"a\nb\"") + "x\n", 2, "", "quotation mark"},
		"PartialRefund":      {"id,Created (UTC),Amount,Amount Refunded,Currency,Converted Amount,Converted Currency,Fee,Status,Transfer\nch_1,2026-03-02,11,5,usd,10,eur,0,Paid,po_1\n", 2, "converted amount refunded", "export the column"},
		"PayoutOfOtherMoney": {header + good + line("po_1", "p", "usd", "-9.50", "0", "-9.50", "payout"), 0, "", "its lines are in EUR"},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			fault := faultOf(t, example.content)
			require.Equal(t, example.line, fault.Line)
			require.Equal(t, example.column, fault.Column)
			require.Contains(t, fault.Reason, example.reason)
		})
	}
	t.Run("TooManyPayouts", func(t *testing.T) {
		t.Parallel()
		var all strings.Builder
		all.WriteString(header)
		for i := range report.MaxPayouts + 1 {
			all.WriteString(line(fmt.Sprint("po_", i), fmt.Sprint("t", i), "eur", "1", "0", "1", "charge"))
		}
		require.Contains(t, faultOf(t, all.String()).Reason, "export a shorter time")
	})
}

func TestParseComparesSums(t *testing.T) {
	t.Parallel()
	good := line("po_1", "txn_1", "eur", "10.00", "0.50", "9.50", "charge")
	for name, rows := range map[string]string{
		"BeforeItsLines": line("po_1", "p", "eur", "-9.50", "0", "-9.50", "payout") + good,
		"ReversedSign":   good + line("po_1", "p", "eur", "9.50", "0", "9.50", "payout"),
		"BySource":       good + strings.Replace(line("", "p", "eur", "-9.50", "0", "-9.50", "payout"), "src_p", "po_1", 1),
		"OfOtherPayout":  good + line("po_9", "p", "eur", "-1.00", "0", "-1.00", "payout"),
		"InTwoRows":      good + line("po_1", "p", "eur", "-9.00", "0", "-9.00", "payout") + line("po_1", "q", "eur", "-0.50", "0", "-0.50", "payout"),
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			require.Len(t, parsed(t, header+rows).Payouts[0].Lines, 1)
		})
	}
	_, err := report.Parse(header + good + line("po_1", "p", "eur", "-9.51", "0", "-9.51", "payout"))
	m, ok := errors.AsType[*report.Mismatch](err)
	require.True(t, ok, "%v", err)
	require.Equal(t, []string{"po_1", "9.51", "9.50"}, []string{m.PayoutID, m.Expected.String(), m.Found.String()})
}
