package faults_test

import "fmt"

// kind is a sort of mutation.
type kind string

// The mutations of the load. The first, the second and the fourth have no index that stops a duplicate: their key alone does.
const (
	posted   kind = "journal transaction posted"
	drafted  kind = "sales invoice drafted"
	issued   kind = "sales invoice issued"
	imported kind = "bank transaction imported"
	matched  kind = "payment matched"
)

var paths = map[kind]string{
	posted:   "/v1/ledger/journal/transactions/create",
	drafted:  "/v1/sales/invoices/create",
	issued:   "/v1/sales/invoices/issue",
	imported: "/v1/bank/transactions/import",
	matched:  "/v1/bank/transactions/match",
}

// body is a JSON object.
type body map[string]any

// deed is one mutation that a client wants done once.
type deed struct {
	kind kind
	key  string
	// mark is a text in the row that the mutation makes, or in the row that it is about.
	mark    string
	request body
}

// day is the date of every document.
const day = "2026-02-10"

// price with 21 % VAT on it is paid.
const (
	price = "100.00"
	paid  = "121.00"
)

// story is what a client does one after the other: an entry, and an invoice from its draft to its payment.
type story struct {
	mark             string
	partner, account string // ids
}

func (s story) post(i int) *deed {
	return s.deed(posted, fmt.Sprintf("%s entry %d", s.mark, i), body{
		"date": day, "description": fmt.Sprintf("%s entry %d", s.mark, i),
		"entries": []body{{"accountCode": "2710", "debit": "1.00"}, {"accountCode": "3011", "credit": "1.00"}},
	})
}

func (s story) draft() *deed {
	return s.deed(drafted, s.mark, body{
		"partnerId": s.partner, "issueDate": day, "notes": s.mark, "lines": []body{{"description": "x", "unitPriceExclVat": price}},
	})
}

func (s story) issue(draft string) *deed { return s.deed(issued, s.mark, body{"id": draft}) }

func (s story) importLine() *deed {
	return s.deed(imported, s.mark, body{
		"bankAccountId": s.account, "transactions": []body{{"date": day, "amount": paid, "description": s.mark}},
	})
}

func (s story) match(line, invoice string) *deed {
	return s.deed(matched, s.mark, body{"transactionId": line, "documentType": "sale_invoice", "documentId": invoice})
}

func (s story) deed(k kind, mark string, request body) *deed {
	return &deed{kind: k, key: string(k) + ": " + mark, mark: mark, request: request}
}
