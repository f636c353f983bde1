package walk_test

import (
	"fmt"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/vienkart/vienkart/internal/testkit/process"
)

// uniqueIBAN is a Lithuanian account number that no other scenario uses.
func uniqueIBAN() string {
	const bank = 73000_00000000000
	bban := bank + uint64(serial.Add(1))
	// L is 21, T is 29, and 00 stand where the check digits will.
	remainder := bban % 97
	for _, c := range "212900" {
		remainder = (remainder*10 + uint64(c-'0')) % 97
	}
	return fmt.Sprintf("LT%02d%016d", 98-remainder, bban)
}

func bankAccount() body { return body{"name": unique("Bank "), "iban": uniqueIBAN()} }

func walkedBankAccount(t *testing.T, c *process.Client) string {
	t.Helper()
	return made(t, c, "/v1/bank/accounts/create", bankAccount())
}

// bankLine imports one transaction and gives its id.
func bankLine(t *testing.T, c *process.Client, amount string) string {
	t.Helper()
	external := unique("line ")
	c.OK(t, "/v1/bank/transactions/import", body{"bankAccountId": walkedBankAccount(t, c), "transactions": []body{
		{"date": "2026-03-10", "amount": amount, "externalId": external},
	}}, nil)
	var page struct {
		Rows []struct {
			ID string `json:"id"`
		} `json:"rows"`
	}
	c.OK(t, "/v1/bank/transactions/list", body{"filter": []body{{"field": "externalId", "op": "eq", "value": external}}}, &page)
	require.Len(t, page.Rows, 1)
	return page.Rows[0].ID
}

// payableInvoice registers a supplier invoice and gives its id and its supplier.
func payableInvoice(t *testing.T, c *process.Client) (id, supplier string) {
	t.Helper()
	draft := supplierInvoice(t, c)
	id = made(t, c, "/v1/purchases/invoices/create", draft)
	c.OK(t, "/v1/purchases/invoices/register", body{"id": id, "registrationDate": "2026-03-05"}, nil)
	return id, draft["partnerId"].(string)
}

var bankScenarios = map[string]scenario{
	"/v1/bank/accounts/create": func(*testing.T, *process.Client) body { return bankAccount() },
	"/v1/bank/accounts/list":   fixed(body{}),
	"/v1/bank/accounts/update": func(t *testing.T, c *process.Client) body {
		return body{"id": walkedBankAccount(t, c), "name": unique("Renamed ")}
	},
	"/v1/bank/transactions/import": func(t *testing.T, c *process.Client) body {
		// Without externalId: the key alone keeps the lines from being imported twice.
		return body{"bankAccountId": walkedBankAccount(t, c), "transactions": []body{
			{"date": "2026-03-10", "amount": "-1.50"}, {"date": "2026-03-10", "amount": "-1.50"},
		}}
	},
	"/v1/bank/statements/import": func(t *testing.T, c *process.Client) body {
		return body{
			"bankAccountId": walkedBankAccount(t, c), "format": "stripe-csv",
			"content": "balance_transaction_id,created,currency,gross,fee,net\ntxn_1,2026-03-10 10:00:00,eur,121.00,2.06,118.94\n",
		}
	},
	"/v1/bank/transactions/list": fixed(body{}),
	"/v1/bank/transactions/match": func(t *testing.T, c *process.Client) body {
		return body{
			"transactionId": bankLine(t, c, "50.00"), "documentType": "sale_invoice", "documentId": issuedSale(t, c, newCustomer(t, c), nil),
		}
	},
	"/v1/bank/transactions/suggest-matches": func(t *testing.T, c *process.Client) body {
		return body{"transactionId": bankLine(t, c, "50.00")}
	},
	"/v1/bank/payments/export": func(t *testing.T, c *process.Client) body {
		invoice, supplier := payableInvoice(t, c)
		return body{
			"bankAccountId": walkedBankAccount(t, c), "purchaseInvoiceIds": []string{invoice},
			"creditorIbans": body{supplier: "DE89370400440532013000"},
		}
	},
}
