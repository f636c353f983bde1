package scenario_test

import (
	"net/http"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/vienkart/vienkart/internal/money"
	"github.com/vienkart/vienkart/internal/testkit"
	"github.com/vienkart/vienkart/internal/testkit/process"
)

// Operations on payouts and the documents that they pay.
const (
	getInvoice       = "/v1/sales/invoices/get"
	importSettlement = "/v1/bank/settlements/import"
	getSettlement    = "/v1/bank/settlements/get"
	postSettlement   = "/v1/bank/settlements/post"
	newBankAccount   = "/v1/bank/accounts/create"
)

// payoutHeader are the columns of the itemised payout reconciliation that matter here, with one that a merchant adds.
const payoutHeader = "automatic_payout_id,automatic_payout_effective_at,balance_transaction_id,created,currency,gross,fee,net,reporting_category,charge_id,reference\n"

// payoutLine is a movement of a payout that arrives on 2026-03-05.
func payoutLine(payout, movement, category, gross, fee, charge, reference string) string {
	g, err := money.Parse(gross, money.EUR)
	if err != nil {
		panic(err)
	}
	f, err := money.Parse(fee, money.EUR)
	if err != nil {
		panic(err)
	}
	return payout + ",2026-03-05," + movement + ",2026-03-02,eur," + gross + "," + fee + "," + g.Sub(f).String() + "," + category + "," + charge + "," + reference + "\n"
}

type settlementCard struct {
	ID             string `json:"id"`
	Status         string `json:"status"`
	Net            string `json:"netTotal"`
	LineCount      int    `json:"lineCount"`
	MatchedCount   int    `json:"matchedCount"`
	UnmatchedCount int    `json:"unmatchedCount"`
}

type settlementImport struct {
	Imported int              `json:"imported"`
	Updated  int              `json:"updated"`
	Skipped  int              `json:"skipped"`
	Batches  []settlementCard `json:"batches"`
}

// paymentStatus is how much of a sale is settled.
func paymentStatus(t *testing.T, c *process.Client, sale string) string {
	t.Helper()
	var d struct {
		PaymentStatus string `json:"paymentStatus"`
		PaidAmount    string `json:"paidAmount"`
	}
	c.OK(t, getInvoice, body{"id": sale}, &d)
	return d.PaymentStatus + " " + d.PaidAmount
}

// requireZero checks that the closing balances of all accounts come to nothing.
func requireZero(t *testing.T, c *process.Client) {
	t.Helper()
	sum := money.Zero(money.EUR)
	for _, closing := range balances(t, c) {
		sum = sum.Add(amount(t, closing))
	}
	require.True(t, sum.IsZero(), "the accounts come to %s", sum)
}

// TestPayoutPaysInvoices takes invoices, the report of the payout that paid them, and its posting through the API.
func TestPayoutPaysInvoices(t *testing.T) {
	t.Parallel()
	testkit.EachEngine(t, func(t *testing.T, e *testkit.Engine) {
		server := process.Start(t, e)
		c, company := server.Company(t, e)
		buyer := newBuyer(t, c, "UAB Pirkėjas")
		whole, part, over := issuedSale(t, c, buyer, "100.00", nil), issuedSale(t, c, buyer, "200.00", nil), issuedSale(t, c, buyer, "50.00", nil)
		require.Equal(t, "423.50", balances(t, c)["2410"])
		report := body{
			"bankAccountId": c.OK(t, newBankAccount, body{"name": "Bank"}, nil).ID(t),
			"content": payoutHeader +
				payoutLine("po_1", "txn_1", "charge", "121.00", "3.63", "ch_1", whole.FullNumber) +
				payoutLine("po_1", "txn_2", "charge", "200.00", "5.00", "ch_2", part.FullNumber) +
				payoutLine("po_1", "txn_3", "refund", "-20.00", "0.00", "ch_2", "") +
				payoutLine("po_1", "txn_4", "charge", "70.50", "1.00", "ch_4", over.FullNumber) +
				payoutLine("po_1", "txn_5", "dispute", "-30.00", "15.00", "ch_9", "") +
				payoutLine("po_1", "txn_6", "fee", "-2.00", "0.00", "", "") +
				payoutLine("po_1", "po_row", "payout", "-314.87", "0.00", "", ""),
		}
		var imported, again settlementImport
		once(t, c, importSettlement, report, "import").Read(t, &imported)
		require.Equal(t, []settlementCard{{imported.Batches[0].ID, "imported", "314.87", 6, 4, 2}}, imported.Batches)
		id := imported.Batches[0].ID
		require.Equal(t, []string{"txn_1 " + whole.ID, "txn_2 " + part.ID, "txn_3 " + part.ID, "txn_4 " + over.ID, "txn_5 ", "txn_6 "}, matchedLines(t, c, id))
		c.OK(t, importSettlement, report, &again, process.Key("import once more"))
		require.Equal(t, settlementImport{0, 1, 0, imported.Batches}, again, "the lines are replaced by the same")

		var posted struct {
			settlementCard
			JournalTransactionID string            `json:"journalTransactionId"`
			Summary              map[string]string `json:"summary"`
		}
		once(t, c, postSettlement, body{"id": id}, "post").Read(t, &posted)
		require.Equal(t, "posted", posted.Status)
		require.Equal(t, map[string]string{
			"receivableApplied": "361.50", "commissionAmount": "0.00", "sellerAmount": "0.00", "feeAmount": "26.63", "suspenseAmount": "-20.00",
		}, posted.Summary)
		requirePaidOut(t, c, whole, part, over)

		before := company.RowCounts(t)
		refusal := c.Post(t, postSettlement, body{"id": id}, process.Key("post again")).RequireRefused(t, http.StatusConflict, "settlement.already_posted")
		require.Equal(t, posted.JournalTransactionID, refusal.Details["existingId"])
		c.OK(t, importSettlement, report, &again, process.Key("import when posted"))
		require.Equal(t, []int{0, 0, 1}, []int{again.Imported, again.Updated, again.Skipped})
		require.Equal(t, before, company.RowCounts(t))
		requirePaidOut(t, c, whole, part, over)
		process.RequireVerified(t, e)
	})
}

// matchedLines are the movements of a settlement with the invoices that they are matched with.
func matchedLines(t *testing.T, c *process.Client, settlement string) []string {
	t.Helper()
	var read struct {
		Lines []struct {
			ExternalID string `json:"externalId"`
			Invoice    string `json:"matchedInvoiceId"`
		} `json:"lines"`
	}
	c.OK(t, getSettlement, body{"id": settlement}, &read)
	var lines []string
	for _, l := range read.Lines {
		lines = append(lines, l.ExternalID+" "+l.Invoice)
	}
	return lines
}

// requirePaidOut checks the books after the payout: what the bank received, what the provider kept, what is explained by
// nothing, and what is still owed.
func requirePaidOut(t *testing.T, c *process.Client, whole, part, over document) {
	t.Helper()
	require.Equal(t, []string{"paid 121.00", "partial 180.00", "paid 60.50"},
		[]string{paymentStatus(t, c, whole.ID), paymentStatus(t, c, part.ID), paymentStatus(t, c, over.ID)})
	require.Equal(t, "62.00", owed(t, c, part.ID))
	closing := balances(t, c)
	require.Equal(t, []string{"314.87", "26.63", "20.00", "62.00"}, []string{closing["2710"], closing["6104"], closing["4499"], closing["2410"]})
	requireZero(t, c)
}
