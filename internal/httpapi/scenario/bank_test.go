package scenario_test

import (
	"fmt"
	"net/http"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/vienkart/vienkart/internal/testkit"
	"github.com/vienkart/vienkart/internal/testkit/process"
)

// Operations on bank lines and on what is owed to suppliers.
const (
	importBankLines  = "/v1/bank/transactions/import"
	importStatement  = "/v1/bank/statements/import"
	listBankLines    = "/v1/bank/transactions/list"
	suggestMatches   = "/v1/bank/transactions/suggest-matches"
	matchBankLine    = "/v1/bank/transactions/match"
	exportPayments   = "/v1/bank/payments/export"
	registerPurchase = "/v1/purchases/invoices/register"
	getPurchase      = "/v1/purchases/invoices/get"
)

// statementDay is when the money of the statement moved.
const statementDay = "2026-02-20"

// camtEntry is a booked entry of a statement: an amount, negative for money that went out, the bank's reference, the other
// side and what it is for.
func camtEntry(amount, reference, name, iban, text string) string {
	side, party := "CRDT", "Dbtr"
	if rest, out := strings.CutPrefix(amount, "-"); out {
		side, party, amount = "DBIT", "Cdtr", rest
	}
	return fmt.Sprintf(`<Ntry><Amt Ccy="EUR">%[1]s</Amt><CdtDbtInd>%[2]s</CdtDbtInd><Sts>BOOK</Sts><BookgDt><Dt>%[3]s</Dt></BookgDt>
		<AcctSvcrRef>%[4]s</AcctSvcrRef><NtryDtls><TxDtls><Refs><AcctSvcrRef>%[4]s</AcctSvcrRef></Refs>
		<RltdPties><%[5]s><Nm>%[6]s</Nm></%[5]s><%[5]sAcct><Id><IBAN>%[7]s</IBAN></Id></%[5]sAcct></RltdPties>
		<RmtInf><Ustrd>%[8]s</Ustrd></RmtInf></TxDtls></NtryDtls></Ntry>`, amount, side, statementDay, reference, party, name, iban, text)
}

func camtStatement(iban, opening, closing string, entries ...string) string {
	balance := `<Bal><Tp><CdOrPrtry><Cd>%s</Cd></CdOrPrtry></Tp><Amt Ccy="EUR">%s</Amt><CdtDbtInd>CRDT</CdtDbtInd><Dt><Dt>` + statementDay + `</Dt></Dt></Bal>`
	return `<?xml version="1.0" encoding="UTF-8"?><Document xmlns="urn:iso:std:iso:20022:tech:xsd:camt.053.001.02"><BkToCstmrStmt>
		<GrpHdr><MsgId>M1</MsgId><CreDtTm>2026-02-21T06:00:00</CreDtTm></GrpHdr><Stmt><Id>S-51</Id><CreDtTm>2026-02-21T06:00:00</CreDtTm>
		<Acct><Id><IBAN>` + iban + `</IBAN></Id><Ccy>EUR</Ccy></Acct>` + fmt.Sprintf(balance, "OPBD", opening) + fmt.Sprintf(balance, "CLBD", closing) +
		strings.Join(entries, "\n") + `</Stmt></BkToCstmrStmt></Document>`
}

type bankTransaction struct {
	ID     string `json:"id"`
	Amount string `json:"amount"`
	Status string `json:"status"`
}

func bankLines(t *testing.T, c *process.Client) []bankTransaction {
	t.Helper()
	var page struct {
		Rows []bankTransaction `json:"rows"`
	}
	c.OK(t, listBankLines, body{"pageSize": 200, "sort": []body{{"field": "amount", "dir": "asc"}}}, &page)
	return page.Rows
}

// suggested are the documents that the server suggests for a bank line, the likeliest first.
func suggested(t *testing.T, c *process.Client, line string) []string {
	t.Helper()
	var answer struct {
		Suggestions []struct {
			DocumentID string `json:"documentId"`
		} `json:"suggestions"`
	}
	c.OK(t, suggestMatches, body{"transactionId": line}, &answer)
	ids := []string{}
	for _, s := range answer.Suggestions {
		ids = append(ids, s.DocumentID)
	}
	return ids
}

// TestStatementPaysDocuments exports a payment, imports the statement of the bank and matches its lines, through the API.
func TestStatementPaysDocuments(t *testing.T) {
	t.Parallel()
	testkit.EachEngine(t, func(t *testing.T, e *testkit.Engine) {
		server := process.Start(t, e)
		c, company := server.Company(t, e)
		const iban, supplierIBAN = "LT121000011101001000", "DE89370400440532013000"
		buyer, supplier := newBuyer(t, c, "UAB Pirkėjas"), newBuyer(t, c, "UAB Tiekėjas")
		whole, parts, over := issuedSale(t, c, buyer, "100.00", nil), issuedSale(t, c, buyer, "200.00", nil), issuedSale(t, c, buyer, "50.00", nil)
		owing := c.OK(t, newPurchase, supplierInvoice(supplier, "T-1", "100.00"), nil).ID(t)
		c.OK(t, registerPurchase, body{"id": owing, "registrationDate": day}, nil)
		account := c.OK(t, newBankAccount, body{"name": "Bank", "iban": iban}, nil).ID(t)
		exportedOnce(t, c, body{"bankAccountId": account, "purchaseInvoiceIds": []string{owing}, "creditorIbans": body{supplier: supplierIBAN}})

		request := body{"bankAccountId": account, "format": "camt053", "content": camtStatement(iban, "0.00", "312.50",
			camtEntry("-121.00", "R1", "UAB Tiekėjas", supplierIBAN, "T-1"),
			camtEntry("70.50", "R2", "UAB Pirkėjas", "LT601010012345678901", "Už "+over.FullNumber),
			camtEntry("100.00", "R3", "UAB Pirkėjas", "LT601010012345678901", "dalis "+parts.FullNumber),
			camtEntry("121.00", "R4", "UAB Pirkėjas", "LT601010012345678901", whole.FullNumber),
			camtEntry("142.00", "R5", "UAB Pirkėjas", "LT601010012345678901", "likutis "+parts.FullNumber),
		)}
		once(t, c, importStatement, request, "statement")
		lines := bankLines(t, c)
		require.Len(t, lines, 5)
		require.Equal(t, "0.00", zeroOr(balances(t, c)["2710"]), "a line is booked when it is matched")
		for i, d := range []string{owing, over.ID, parts.ID, whole.ID, parts.ID} {
			documentType := "sale_invoice"
			if i == 0 {
				documentType = "purchase_invoice"
			}
			require.NotEmpty(t, suggested(t, c, lines[i].ID), lines[i].Amount)
			require.Equal(t, d, suggested(t, c, lines[i].ID)[0], lines[i].Amount)
			once(t, c, matchBankLine, body{"transactionId": lines[i].ID, "documentType": documentType, "documentId": d}, "match "+lines[i].ID)
			require.Empty(t, suggested(t, c, lines[i].ID), "a matched line has nothing to suggest")
		}
		requireStatementBooked(t, c, whole, parts, over, owing)

		before := company.RowCounts(t)
		c.Post(t, matchBankLine, body{"transactionId": lines[3].ID, "documentType": "sale_invoice", "documentId": whole.ID}, process.Key("match again")).
			RequireRefused(t, http.StatusConflict, "bank.already_matched")
		require.Equal(t, before, company.RowCounts(t))
		var again struct {
			Imported int `json:"imported"`
			Skipped  int `json:"skipped"`
		}
		c.OK(t, importStatement, request, &again, process.Key("statement again"))
		require.Equal(t, []int{0, 5}, []int{again.Imported, again.Skipped})
		requireStatementBooked(t, c, whole, parts, over, owing)
		process.RequireVerified(t, e)
	})
}

// exportedOnce exports a payment and checks that no other key exports it again.
func exportedOnce(t *testing.T, c *process.Client, request body) {
	t.Helper()
	var file struct {
		MessageID        string `json:"messageId"`
		TransactionCount int    `json:"transactionCount"`
		ControlSum       string `json:"controlSum"`
		XML              string `json:"xml"`
	}
	once(t, c, exportPayments, request, "export").Read(t, &file)
	require.Equal(t, []any{1, "121.00"}, []any{file.TransactionCount, file.ControlSum})
	for _, part := range []string{"pain.001.001.09", file.MessageID, "121.00", "DE89370400440532013000", "LT121000011101001000"} {
		require.Contains(t, file.XML, part)
	}
	c.Post(t, exportPayments, request, process.Key("export again")).RequireRefused(t, http.StatusConflict, "bank.already_exported")
}

func zeroOr(closing string) string {
	if closing == "" {
		return "0.00"
	}
	return closing
}

// requireStatementBooked checks the books after every line of the statement was matched.
func requireStatementBooked(t *testing.T, c *process.Client, whole, parts, over document, owing string) {
	t.Helper()
	require.Equal(t, []string{"paid 121.00", "paid 242.00", "paid 60.50"},
		[]string{paymentStatus(t, c, whole.ID), paymentStatus(t, c, parts.ID), paymentStatus(t, c, over.ID)})
	var bought struct {
		PaymentStatus string `json:"paymentStatus"`
	}
	c.OK(t, getPurchase, body{"id": owing}, &bought)
	require.Equal(t, "paid", bought.PaymentStatus)
	closing := balances(t, c)
	require.Equal(t, []string{"312.50", "0.00", "0.00"}, []string{closing["2710"], closing["2410"], closing["4430"]})
	require.Equal(t, "10.00", owed(t, c, bankLines(t, c)[1].ID), "what was paid too much is owed back")
	requireZero(t, c)
}
