package scenario_test

import (
	"fmt"
	"net/http"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/vienkart/vienkart/internal/testkit/process"
)

// TestMoneyToTheCent has the faults of the area money/rounding in public reports, with Lithuanian rates, on two engines.
func TestMoneyToTheCent(t *testing.T) {
	t.Parallel()
	runCases(t, map[string]func(*testing.T, *world){
		"DocumentBookingAndRegisterAgree":      documentAndBooking,
		"CreditsInPiecesComeToTheInvoice":      creditsInPieces,
		"CreditsOfForeignInvoicesLeaveNothing": foreignCredits,
		"YenHaveNoCents":                       yen,
		"TenthsAreExact":                       tenths,
		"LargeAmountsAreExact":                 largeAmounts,
	})
}

// priced is a line of a price, with a quantity and a rate where they are not 1 and 21.
func priced(price string, more ...string) body {
	line := body{"description": "x", "unitPriceExclVat": price, "vatRatePercent": "21"}
	for i, member := range []string{"quantity", "vatRatePercent"}[:len(more)] {
		line[member] = more[i]
	}
	return line
}

// sums is what the API shows of a document's money.
type sums struct {
	ID                   string `json:"id"`
	NetTotal             string `json:"netTotal"`
	VATTotal             string `json:"vatTotal"`
	GrossTotal           string `json:"grossTotal"`
	Currency             string `json:"currency"`
	JournalTransactionID string `json:"journalTransactionId"`
	Lines                []struct {
		LineNet   string `json:"lineNet"`
		LineVAT   string `json:"lineVat"`
		LineGross string `json:"lineGross"`
	} `json:"lines"`
}

// B-202 to B-210: half a cent goes up, VAT is rounded once per rate, and what was booked is what the document says.
func documentAndBooking(t *testing.T, w *world) {
	for name, example := range map[string]struct {
		lines           []body
		net, vat, gross string
	}{
		"HalfACentGoesUp":    {[]body{priced("1092.50")}, "1092.50", "229.43", "1321.93"}, // 229.425
		"OncePerRate":        {[]body{priced("696.25"), priced("696.25"), priced("696.25")}, "2088.75", "438.64", "2527.39"},
		"PerLineWouldBeMore": {[]body{priced("0.03"), priced("0.03"), priced("0.03")}, "0.09", "0.02", "0.11"},
		"TwoRates":           {[]body{priced("1.73", "2"), priced("0.03", "2", "5")}, "3.52", "0.73", "4.25"},
		"ThreeTimes99.99":    {[]body{priced("99.99"), priced("99.99"), priced("99.99")}, "299.97", "62.99", "362.96"},
		"DifferenceIsExact":  {[]body{priced("47212.32"), priced("-46165.92")}, "1046.40", "219.74", "1266.14"},
		"TinyPrice":          {[]body{priced("0.0333", "300")}, "9.99", "2.10", "12.09"},
		"FourDecimals":       {[]body{priced("0.0001", "49999")}, "5.00", "1.05", "6.05"},
		"NothingButVAT":      {[]body{priced("0.02"), priced("0.01")}, "0.03", "0.01", "0.04"},
	} {
		c, _ := w.company(t)
		var sold, note sums
		c.OK(t, issueSale, body{"id": draftSale(t, c, newBuyer(t, c, "Buyer"), "1", body{"lines": example.lines})}, &sold)
		require.Equal(t, []string{example.net, example.vat, example.gross}, []string{sold.NetTotal, sold.VATTotal, sold.GrossTotal}, name)
		net, vat := amount(t, "0"), amount(t, "0")
		for _, l := range sold.Lines {
			net, vat = net.Add(amount(t, l.LineNet)), vat.Add(amount(t, l.LineVAT))
			require.Equal(t, l.LineGross, amount(t, l.LineNet).Add(amount(t, l.LineVAT)).String(), name)
		}
		require.Equal(t, []string{example.net, example.vat}, []string{net.String(), vat.String()}, name)
		closing := balances(t, c)
		require.Equal(t, []string{example.gross, "-" + example.net, "-" + example.vat}, []string{closing["2410"], closing["5000"], closing["4492"]}, name)
		require.Equal(t, example.gross, owed(t, c, sold.ID), name)
		again := c.OK(t, newSale, body{"partnerId": partnerOf(t, c, sold.ID), "issueDate": day, "type": "credit_note", "creditedInvoiceId": sold.ID, "lines": []body{}}, nil)
		c.OK(t, issueSale, body{"id": again.ID(t)}, &note)
		require.Equal(t, sold.GrossTotal, note.GrossTotal, name)
		require.Equal(t, "0.00", owed(t, c, sold.ID), name)
		for account, left := range balances(t, c) {
			require.Equal(t, "0.00", left, "%s: %s", name, account)
		}
	}
}

// B-198, B-200, B-218: credits of line by line add up to the invoice, whose VAT was rounded once; a cent more is refused.
func creditsInPieces(t *testing.T, w *world) {
	c, _ := w.company(t)
	partner := newBuyer(t, c, "Buyer")
	for name, lines := range map[string][]body{
		"RoundingUp":   {priced("68.33"), priced("68.33"), priced("57.50"), priced("85.00")},
		"RoundingDown": {priced("0.07"), priced("0.07"), priced("0.07"), priced("0.07")},
		"TwoRates":     {priced("68.33"), priced("68.33", "1", "5"), priced("57.50"), priced("85.00", "1", "5")},
		"TinyPrices":   {priced("0.0333", "100"), priced("0.0333", "100"), priced("0.0333", "100")},
	} {
		var sold sums
		c.OK(t, issueSale, body{"id": draftSale(t, c, partner, "1", body{"lines": lines})}, &sold)
		credited := amount(t, "0")
		for _, line := range lines {
			var note sums
			draft := draftSale(t, c, partner, "1", body{"type": "credit_note", "creditedInvoiceId": sold.ID, "lines": []body{line}})
			c.OK(t, issueSale, body{"id": draft}, &note)
			credited = credited.Add(amount(t, note.GrossTotal))
		}
		require.Equal(t, sold.GrossTotal, credited.String(), name)
		require.Equal(t, "0.00", owed(t, c, sold.ID), name)
		more := sale(partner, "0.01", body{"type": "credit_note", "creditedInvoiceId": sold.ID})
		draftOrRefusal(t, c, more).RequireRefused(t, http.StatusConflict, "invoice.over_credited")
	}
	require.Equal(t, "0.00", balances(t, c)["2410"])
}

// B-216: fractions of a rate stay in the base currency, and nothing is left on the account of a debt that is gone.
func foreignCredits(t *testing.T, w *world) {
	for _, rate := range []string{"1.0024", "1.37", "0.7777", "161.42"} {
		c, _ := w.company(t)
		c.OK(t, "/v1/reference/exchange-rates/set", body{"currency": "USD", "date": day, "rate": rate}, nil)
		partner := newBuyer(t, c, "Buyer")
		var sold sums
		c.OK(t, issueSale, body{"id": draftSale(t, c, partner, "33.37", body{"currency": "USD"})}, &sold)
		require.Equal(t, "USD", sold.Currency)
		for _, price := range []string{"11.11", "11.13", "11.13"} {
			credit := sale(partner, price, body{"type": "credit_note", "creditedInvoiceId": sold.ID})
			requireRan(t, draftOrRefusal(t, c, credit))
		}
		require.Equal(t, "0.00", owed(t, c, sold.ID))
		for account, left := range balances(t, c) {
			require.Equal(t, "0.00", left, "at %s on %s", rate, account)
		}
	}
}

// B-212: a currency without decimals is neither multiplied nor divided on its way.
func yen(t *testing.T, w *world) {
	c, _ := w.company(t)
	c.OK(t, "/v1/reference/exchange-rates/set", body{"currency": "JPY", "date": day, "rate": "161.25"}, nil)
	partner := newBuyer(t, c, "Buyer")
	line := priced("1935", "1", "0")
	line["vatClassifierCode"] = "PVM12"
	draft := body{"currency": "JPY", "vatScheme": "export", "lines": []body{line}}
	var sold, shown sums
	c.OK(t, issueSale, body{"id": draftSale(t, c, partner, "1935", draft)}, &sold)
	c.OK(t, "/v1/sales/invoices/get", body{"id": sold.ID}, &shown)
	require.Equal(t, sold, shown)
	require.Equal(t, []string{"1935", "0", "1935"}, []string{shown.NetTotal, shown.VATTotal, shown.GrossTotal})
	require.Equal(t, "1935", owed(t, c, sold.ID))
	require.Equal(t, "12.00", balances(t, c)["2410"])
	line["unitPriceExclVat"] = "19.35"
	var rounded sums
	c.OK(t, issueSale, body{"id": draftSale(t, c, partner, "1", draft)}, &rounded)
	require.Equal(t, "19", rounded.NetTotal)
}

// B-214: tenths add up whether they come as text or as numbers, and a cent is not forgiven.
func tenths(t *testing.T, w *world) {
	c, company := w.company(t)
	post := func(debit1, debit2, credit string) process.Answer {
		return c.Post(t, postEntry, fmt.Sprintf(`{"date":"2026-02-10","entries":[{"accountCode":"6300","debit":%s},
			{"accountCode":"6301","debit":%s},{"accountCode":"2710","credit":%s}]}`, debit1, debit2, credit))
	}
	for _, good := range [][3]string{
		{`"0.1"`, `"0.2"`, `"0.3"`},
		{`0.1`, `0.2`, `0.3`},
		{`1e-1`, `2E-1`, `0.30`},
		{`"0.10"`, `0.2`, `"0.3000"`},
		{`1.1`, `2.2`, `3.3`},
		{`0.07`, `0.14`, `0.21`},
		{`64.10`, `1.01`, `65.11`},
	} {
		requireRan(t, post(good[0], good[1], good[2]))
	}
	before := company.RowCounts(t)
	for _, bad := range [][3]string{
		{`"0.1"`, `"0.2"`, `"0.31"`}, {`0.1`, `0.2`, `0.29`}, {`0.1`, `0.2`, `0.3000000000000000444`}, {`"0.1"`, `"0.2"`, `"0.3000001"`}, {`0.005`, `0.005`, `0.01`},
	} {
		a := post(bad[0], bad[1], bad[2])
		require.Contains(t, []int{http.StatusBadRequest, http.StatusUnprocessableEntity}, a.Status, "%v: %s", bad, a.Body)
	}
	require.Equal(t, before, company.RowCounts(t))
}

// B-208: amounts that binary fractions cannot hold come back digit by digit.
func largeAmounts(t *testing.T, w *world) {
	c, _ := w.company(t)
	for _, text := range []string{"47212.32", "90071992547.41", "999999999999.99"} {
		for _, written := range []string{text, `"` + text + `"`} {
			a := c.Post(t, postEntry, fmt.Sprintf(`{"date":"2026-02-10","entries":[{"accountCode":"2710","debit":%[1]s},{"accountCode":"3011","credit":%[1]s}]}`, written))
			requireRan(t, a)
			shown := string(c.OK(t, getEntry, body{"id": a.ID(t)}, nil).Body)
			require.Equal(t, 2, strings.Count(shown, `"`+text+`"`), shown)
			c.OK(t, reverseEntry, body{"id": a.ID(t)}, nil)
		}
	}
	require.Equal(t, "0.00", balances(t, c)["2710"])
}
