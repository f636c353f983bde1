package walk_test

import (
	"testing"

	"github.com/vienkart/vienkart/internal/testkit/process"
)

func supplierInvoice(t *testing.T, c *process.Client) body {
	t.Helper()
	return body{
		"partnerId": newPartner(t, c), "documentNumber": unique("SF "), "documentDate": "2026-03-02",
		"lines": []body{{"description": "Prekė", "unitPriceExclVat": "100.00", "vatRatePercent": "21", "statedVat": "21.01"}},
	}
}

func newSupplierInvoice(t *testing.T, c *process.Client) string {
	t.Helper()
	return made(t, c, "/v1/purchases/invoices/create", supplierInvoice(t, c))
}

var purchaseScenarios = map[string]scenario{
	"/v1/purchases/invoices/create": supplierInvoice,
	"/v1/purchases/invoices/get": func(t *testing.T, c *process.Client) body {
		return body{"id": newSupplierInvoice(t, c)}
	},
	"/v1/purchases/invoices/update": func(t *testing.T, c *process.Client) body {
		return body{"id": newSupplierInvoice(t, c), "notes": unique("Pastaba ")}
	},
	"/v1/purchases/invoices/delete": func(t *testing.T, c *process.Client) body {
		return body{"id": newSupplierInvoice(t, c)}
	},
	"/v1/purchases/invoices/register": func(t *testing.T, c *process.Client) body {
		return body{"id": newSupplierInvoice(t, c), "registrationDate": "2026-03-05"}
	},
	"/v1/purchases/invoices/list": fixed(body{}),
}
