package httpapi

import (
	"context"
	"encoding/base64"
	"errors"
	"fmt"
	"os"
	"slices"
	"testing"

	"github.com/go-json-experiment/json"
	"github.com/stretchr/testify/require"

	"github.com/vienkart/vienkart/internal/apperr"
	"github.com/vienkart/vienkart/internal/bank"
	"github.com/vienkart/vienkart/internal/date"
	"github.com/vienkart/vienkart/internal/httpapi/contract"
	"github.com/vienkart/vienkart/internal/ledger"
	"github.com/vienkart/vienkart/internal/money"
	"github.com/vienkart/vienkart/internal/partner"
	"github.com/vienkart/vienkart/internal/tenant"
	"github.com/vienkart/vienkart/internal/testkit"
)

// bankCall sends a body through decoding and the handler of a bank operation, and gives the answer as JSON reads it.
func bankCall(t *testing.T, c *testkit.Company, path, body string) (object, error) {
	t.Helper()
	operations := bankOperations()
	at := slices.IndexFunc(operations, func(o Operation) bool { return o.Path == "/v1/bank/"+path })
	require.NotEqual(t, -1, at, path)
	o := operations[at]
	in, err := o.decode([]byte(body))
	if err != nil {
		return nil, err
	}
	var out any
	if o.Mutation {
		err = c.TryMutate(t.Context(), func(ctx context.Context, tx tenant.Tx) (err error) {
			out, err = o.mutate(ctx, tx, in)
			return err
		})
	} else {
		err = c.Engine.Store.Snapshot(t.Context(), c.Scope, func(ctx context.Context, r tenant.ReadTx) (err error) {
			out, err = o.query(ctx, r, in)
			return err
		})
	}
	if err != nil {
		return nil, err
	}
	text, err := json.Marshal(out)
	require.NoError(t, err)
	var answer object
	return answer, json.Unmarshal(text, &answer)
}

// owedBill stores a supplier and what is owed to it, and gives both ids.
func owedBill(t *testing.T, c *testkit.Company, kind ledger.ItemKind, document, number, account string) (id, supplier tenant.ID) {
	t.Helper()
	p := &partner.Partner{Type: partner.TypeCompany, Name: "UAB Alfa", IsCustomer: true, IsSupplier: true}
	id = tenant.NewID()
	amount := money.New(12100, money.EUR)
	c.Mutate(t, func(ctx context.Context, tx tenant.Tx) error {
		p.CreatedAt, p.UpdatedAt = tx.Now(), tx.Now()
		if err := tenant.Insert(ctx, tx, p); err != nil {
			return err
		}
		_, err := ledger.OpenDocument(ctx, tx, ledger.OpenItemInput{
			Kind: kind, DocumentType: document, DocumentID: id, DocumentNumber: number, PartnerID: p.ID, AccountCode: account,
			DocumentDate: date.MustParse("2026-03-01"), DueDate: date.MustParse("2026-03-10"), Amount: amount, BaseAmount: amount,
		})
		return err
	})
	return id, p.ID
}

func TestBank(t *testing.T) {
	t.Parallel()
	testkit.EachEngine(t, func(t *testing.T, e *testkit.Engine) {
		c := e.Company(t)
		c.Mutate(t, func(ctx context.Context, tx tenant.Tx) error {
			_, err := ledger.ApplyTemplate(ctx, tx)
			return err
		})
		call := func(path, format string, args ...any) object {
			answer, err := bankCall(t, c, path, fmt.Sprintf(format, args...))
			require.NoError(t, err, path)
			return answer
		}
		account := call("accounts/create", `{"name":"Main","iban":"LT12 1000 0111 0100 1000"}`)
		require.Equal(t, object{
			"id": account["id"], "name": "Main", "iban": "LT121000011101001000", "currency": "EUR", "accountCode": "2710", "isActive": true,
			"createdAt": account["createdAt"],
		}, account)
		renamed := call("accounts/update", `{"id":%q,"name":"Bank","isActive":true}`, account["id"])
		require.Equal(t, "Bank", renamed["name"])
		require.Equal(t, []any{renamed}, call("accounts/list", `{}`)["rows"])

		imported := call("transactions/import", `{"bankAccountId":%q,"transactions":[{"date":"2026-03-05","amount":"121.00","currency":"EUR",
			"counterpartyName":"UAB Alfa","counterpartyIban":"LT60 7300","description":"SF26000017","externalId":"X1"},
			{"date":"2026-03-05","amount":-121,"externalId":"X2"},{"date":"2026-03-05","amount":"-1.5"},{"date":"2026-03-05","amount":"-1.5"}]}`, account["id"])
		require.Equal(t, object{"imported": float64(4), "skipped": float64(0), "skippedTransactions": []any{}}, imported)

		invoice, _ := owedBill(t, c, ledger.ItemReceivable, "sale_invoice", "SF26000017", "2410")
		page := call("transactions/list", `{"filter":[{"field":"externalId","op":"eq","value":"X1"}]}`)
		row := inside(t, rows(t, page)[0])
		require.Equal(t, object{
			"id": inside(t, row, "id"), "bankAccountId": account["id"], "date": "2026-03-05", "amount": "121.00", "currency": "EUR",
			"counterpartyName": "UAB Alfa", "counterpartyIban": "LT607300", "description": "SF26000017", "externalId": "X1",
			"status": "new", "createdAt": inside(t, row, "createdAt"),
		}, row)
		id := text(t, inside(t, row, "id"))
		suggestions := call("transactions/suggest-matches", `{"transactionId":%q,"limit":5}`, id)
		require.Len(t, suggestions["suggestions"], 1)
		first := suggestions["suggestions"].([]any)[0]
		require.Equal(t, invoice.String(), inside(t, first, "documentId"))
		require.Equal(t, "121.00", inside(t, first, "remaining"))
		matched := call("transactions/match", `{"transactionId":%q,"documentType":"sale_invoice","documentId":%q}`, id, invoice)
		require.Equal(t, "matched", matched["status"])
		require.Equal(t, invoice.String(), matched["matchedDocumentId"])
		require.Contains(t, matched, "journalTransactionId")
		require.Equal(t, "0.00", matched["overpaidAmount"])
		require.Len(t, rows(t, call("transactions/list", `{"filter":[{"field":"status","op":"eq","value":"matched"}]}`)), 1)
		again := call("transactions/import", `{"bankAccountId":%q,"transactions":[{"date":"2026-03-05","amount":"121.00","externalId":"X1"}]}`, account["id"])
		require.Equal(t, []any{object{
			"externalId": "X1", "transactionId": id, "date": "2026-03-05", "amount": "121.00", "journalTransactionId": matched["journalTransactionId"],
		}}, again["skippedTransactions"])

		file, err := os.ReadFile("../bank/statement/testdata/camt02.xml")
		require.NoError(t, err)
		content, err := json.Marshal(base64.StdEncoding.EncodeToString(file))
		require.NoError(t, err)
		statement := call("statements/import", `{"bankAccountId":%q,"format":"camt053","content":%s}`, account["id"], content)
		require.InDelta(t, 7, statement["imported"], 0)
		require.Equal(t, []any{object{
			"statementId": "2024-01-31/LT121000011101001000", "iban": "LT121000011101001000", "fromDate": "2024-01-31", "toDate": "2024-01-31",
			"openingBalance": "1000.00", "closingBalance": "1188.25", "transactionCount": float64(7),
		}}, statement["statements"])

		bill, supplier := owedBill(t, c, ledger.ItemPayable, "purchase_invoice", "T-1", "4430")
		order := call("payments/export", `{"bankAccountId":%q,"purchaseInvoiceIds":[%q],"creditorIbans":{%q:"DE89370400440532013000"}}`,
			account["id"], bill, supplier)
		require.Equal(t, "121.00", order["controlSum"])
		require.Contains(t, order["xml"], "<EndToEndId>T-1</EndToEndId>")
		require.Contains(t, order["fileName"], order["messageId"])
	})
}

func TestBankRefuses(t *testing.T) {
	t.Parallel()
	c := testkit.SQLite(t).Company(t)
	const nobody = "0198c0de-0000-7000-8000-000000000000"
	for name, example := range map[string]struct {
		path, body string
		code       *apperr.Code
	}{
		"NoName":           {"accounts/create", `{"iban":"LT121000011101001000"}`, apperr.ErrValidation},
		"UnknownMember":    {"accounts/create", `{"name":"A","bic":"X"}`, apperr.ErrValidation},
		"NoTransactions":   {"transactions/import", `{"bankAccountId":"` + nobody + `"}`, apperr.ErrValidation},
		"NoDate":           {"transactions/import", `{"bankAccountId":"` + nobody + `","transactions":[{"amount":"1"}]}`, apperr.ErrValidation},
		"NoAmount":         {"transactions/import", `{"bankAccountId":"` + nobody + `","transactions":[{"date":"2026-03-05"}]}`, apperr.ErrValidation},
		"UnknownAccount":   {"transactions/import", `{"bankAccountId":"` + nobody + `","transactions":[{"date":"2026-03-05","amount":"1"}]}`, bank.ErrUnknownAccount},
		"UnknownFormat":    {"statements/import", `{"bankAccountId":"` + nobody + `","format":"ofx","content":"x"}`, apperr.ErrValidation},
		"NoContent":        {"statements/import", `{"bankAccountId":"` + nobody + `"}`, apperr.ErrValidation},
		"UnknownDocument":  {"transactions/match", `{"transactionId":"` + nobody + `","documentType":"payslip","documentId":"` + nobody + `"}`, apperr.ErrValidation},
		"NoTransaction":    {"transactions/match", `{"transactionId":"` + nobody + `","documentType":"sale_invoice","documentId":"` + nobody + `"}`, apperr.ErrNotFound},
		"LimitTooHigh":     {"transactions/suggest-matches", `{"transactionId":"` + nobody + `","limit":51}`, apperr.ErrValidation},
		"NoInvoices":       {"payments/export", `{"bankAccountId":"` + nobody + `","purchaseInvoiceIds":[]}`, apperr.ErrValidation},
		"CreditorIsNoID":   {"payments/export", `{"bankAccountId":"` + nobody + `","purchaseInvoiceIds":["` + nobody + `"],"creditorIbans":{"x":"y"}}`, apperr.ErrValidation},
		"AccountIsMissing": {"payments/export", `{"purchaseInvoiceIds":["` + nobody + `"]}`, apperr.ErrValidation},
	} {
		_, err := bankCall(t, c, example.path, example.body)
		require.Error(t, err, name)
		refusal, ok := errors.AsType[*apperr.Error](err)
		require.True(t, ok, "%s: %v", name, err)
		require.Equal(t, example.code.Kind(), refusal.Kind(), "%s: %v", name, err)
	}
}

// TestBankKeepsTheContract compares the bank's part of the API with the wire contract.
func TestBankKeepsTheContract(t *testing.T) {
	t.Parallel()
	theirs := openContract(t)
	written, err := document(bankOperations(), "test")
	require.NoError(t, err)
	ours, err := contract.Parse(written)
	require.NoError(t, err)
	report := contract.Compare(theirs, ours)
	require.Empty(t, report.Deviations)
	require.Len(t, report.Served, len(bankOperations()))
}
