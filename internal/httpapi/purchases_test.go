package httpapi

import (
	"context"
	"fmt"
	"slices"
	"testing"
	"time"

	"github.com/go-json-experiment/json"
	"github.com/stretchr/testify/require"

	"github.com/vienkart/vienkart/internal/apperr"
	"github.com/vienkart/vienkart/internal/ledger"
	"github.com/vienkart/vienkart/internal/partner"
	"github.com/vienkart/vienkart/internal/purchase"
	"github.com/vienkart/vienkart/internal/tenant"
	"github.com/vienkart/vienkart/internal/testkit"
)

// purchaser is a company with a supplier, on 10 February 2026.
type purchaser struct {
	*testkit.Company
	supplier tenant.ID
}

func openPurchaser(t *testing.T, e *testkit.Engine) *purchaser {
	t.Helper()
	p := &purchaser{Company: e.At(time.Date(2026, time.February, 10, 9, 0, 0, 0, time.UTC)).Company(t)}
	p.Mutate(t, func(ctx context.Context, tx tenant.Tx) error {
		if _, err := ledger.ApplyTemplate(ctx, tx); err != nil {
			return err
		}
		supplier, err := partner.Create(ctx, tx, partner.Fields{Name: new("UAB Tiekėjas"), VATCode: new("LT999000050119")})
		require.NoError(t, err)
		p.supplier = supplier.ID
		return nil
	})
	return p
}

// try sends a body through decoding and the handler of an operation, and gives the answer as JSON reads it.
func (p *purchaser) try(t *testing.T, path, format string, args ...any) (object, error) {
	t.Helper()
	operations := purchaseOperations()
	at := slices.IndexFunc(operations, func(o Operation) bool { return o.Path == "/v1/purchases/invoices/"+path })
	require.NotEqual(t, -1, at, path)
	o := operations[at]
	in, err := o.decode(fmt.Appendf(nil, format, args...))
	if err != nil {
		return nil, err
	}
	var answer object
	read := func(out any, err error) error {
		if err != nil {
			return err
		}
		encoded, err := encode(out)
		require.NoError(t, err)
		return json.Unmarshal(encoded, &answer)
	}
	if o.Mutation {
		err = p.TryMutate(t.Context(), func(ctx context.Context, tx tenant.Tx) error { return read(o.mutate(ctx, tx, in)) })
	} else {
		err = p.Engine.Store.Snapshot(t.Context(), p.Scope, func(ctx context.Context, r tenant.ReadTx) error { return read(o.query(ctx, r, in)) })
	}
	return answer, err
}

func (p *purchaser) call(t *testing.T, path, format string, args ...any) object {
	t.Helper()
	answer, err := p.try(t, path, format, args...)
	require.NoError(t, err, path)
	return answer
}

func TestPurchases(t *testing.T) {
	t.Parallel()
	testkit.EachEngine(t, func(t *testing.T, e *testkit.Engine) {
		p := openPurchaser(t, e)
		draft := p.call(t, "create", `{"partnerId":%q,"documentNumber":" AST  1","documentDate":"2026-01-20","lines":[
			{"description":"Prekė","quantity":3,"unitPriceExclVat":"33.33","accountCode":"2040"},
			{"description":"Paslauga","unitPriceInclVat":"12.10","vatRatePercent":"21"}]}`, p.supplier)
		lines, ok := draft["lines"].([]any)
		require.True(t, ok)
		require.Equal(t, object{
			"id": draft["id"], "partnerId": p.supplier.String(), "type": "invoice", "status": "draft", "paymentStatus": "unpaid",
			"documentNumber": "AST 1", "documentDate": "2026-01-20", "supplyType": "goods", "specialTaxation": false, "currency": "EUR",
			"netTotal": "109.99", "vatTotal": "23.10", "grossTotal": "133.09", "paidAmount": "0.00", "warnings": []any{},
			"createdAt": "2026-02-10T09:00:00Z", "updatedAt": "2026-02-10T09:00:00Z", "lines": lines,
		}, draft)
		require.Equal(t, object{
			"id": inside(t, lines[0], "id"), "description": "Prekė", "unit": "vnt.", "quantity": "3", "unitPriceExclVat": "33.33",
			"vatRatePercent": "21", "accountCode": "2040", "lineNet": "99.99", "lineVat": "21.00", "lineGross": "120.99", "sortOrder": 1.0,
		}, lines[0])
		require.Equal(t, "12.1", inside(t, lines[1], "unitPriceInclVat"))
		require.NotContains(t, lines[1], "accountCode")
		require.Equal(t, draft, p.call(t, "get", `{"id":%q}`, draft["id"]))

		changed := p.call(t, "update", `{"id":%q,"notes":"Pastaba","dueDate":"2026-03-01","lines":[
			{"description":"Prekė","unitPriceExclVat":"100","vatRatePercent":0,"vatClassifierCode":"PVM25"}]}`, draft["id"])
		require.Equal(t, "100.00", changed["grossTotal"])
		booked := p.call(t, "register", `{"id":%q,"registrationDate":"2026-01-25"}`, draft["id"])
		require.Equal(t, "registered", booked["status"])
		require.Equal(t, "2026-01-25", booked["registrationDate"])
		require.Equal(t, "2026-03-01", booked["dueDate"])
		require.NotEmpty(t, booked["journalTransactionId"])
		require.Equal(t, booked, p.call(t, "get", `{"id":%q}`, draft["id"]))

		credit := p.call(t, "create", `{"partnerId":%q,"type":"credit_note","documentNumber":"K1","documentDate":"2026-01-26",
			"creditedInvoiceId":%q,"lines":[{"description":"Prekė","unitPriceExclVat":"10","vatRatePercent":"0","vatClassifierCode":"PVM25"}]}`,
			p.supplier, draft["id"])
		require.Equal(t, draft["id"], credit["creditedInvoiceId"])
		p.call(t, "register", `{"id":%q}`, credit["id"])
		page := p.call(t, "list", `{"filter":[{"field":"documentNumber","op":"contains","value":"ast"}]}`)
		listed, ok := rows(t, page)[0].(object)
		require.True(t, ok)
		require.Len(t, rows(t, page), 1)
		require.Equal(t, "partial", listed["paymentStatus"])
		require.Equal(t, "10.00", listed["paidAmount"])
		require.NotContains(t, listed, "lines")

		second := p.call(t, "create", `{"partnerId":%q,"documentNumber":"2","documentDate":"2026-01-20","duplicateReason":"",
			"lines":[{"description":"A","unitPriceExclVat":"1"}]}`, p.supplier)
		require.Equal(t, object{"id": second["id"]}, p.call(t, "delete", `{"id":%q}`, second["id"]))
		_, err := p.try(t, "get", `{"id":%q}`, second["id"])
		require.ErrorIs(t, err, apperr.ErrNotFound)
	})
}

func TestPurchasesRefuse(t *testing.T) {
	t.Parallel()
	p := openPurchaser(t, testkit.SQLite(t))
	id := p.supplier.String()
	create := func(members string) string {
		return `{"partnerId":"` + id + `","documentDate":"2026-01-20",` + members + `}`
	}
	const lines = `"lines":[{"description":"A","unitPriceExclVat":"1"}]`
	for name, example := range map[string]struct {
		path, body string
		code       error
	}{
		// Edge cases 14: the date of a document is never made up.
		"NoDate":         {"create", `{"partnerId":"` + id + `","documentNumber":"1",` + lines + `}`, apperr.ErrValidation},
		"UnknownDate":    {"create", `{"partnerId":"` + id + `","documentNumber":"1","documentDate":"ND",` + lines + `}`, apperr.ErrValidation},
		"NoNumber":       {"create", create(lines), apperr.ErrValidation},
		"BlankNumber":    {"create", create(`"documentNumber":" ",` + lines), apperr.ErrValidation},
		"NumberOfNone":   {"create", create(`"documentNumber":"be numerio",` + lines), purchase.ErrNumber},
		"NoLines":        {"create", create(`"documentNumber":"1","lines":[]`), apperr.ErrValidation},
		"UnknownType":    {"create", create(`"documentNumber":"1","type":"advance",` + lines), apperr.ErrValidation},
		"UnknownMember":  {"create", create(`"documentNumber":"1","number":"1",` + lines), apperr.ErrValidation},
		"Item":           {"create", create(`"documentNumber":"1","lines":[{"itemId":"` + id + `"}]`), purchase.ErrNotServed},
		"CostCentre":     {"update", `{"id":"` + id + `","lines":[{"costCenterId":"` + id + `"}]}`, purchase.ErrNotServed},
		"Warehouse":      {"register", `{"id":"` + id + `","warehouseId":"` + id + `"}`, purchase.ErrNotServed},
		"UpdateNoLines":  {"update", `{"id":"` + id + `","lines":[]}`, apperr.ErrValidation},
		"UpdateUnknown":  {"update", `{"id":"` + id + `"}`, apperr.ErrNotFound},
		"DeleteUnknown":  {"delete", `{"id":"` + id + `"}`, apperr.ErrNotFound},
		"UnknownInList":  {"list", `{"filter":[{"field":"colour","op":"eq","value":"red"}]}`, apperr.ErrValidation},
		"RegisterNoDate": {"register", `{"id":"` + id + `","registrationDate":"2026-02-30"}`, apperr.ErrValidation},
	} {
		_, err := p.try(t, example.path, "%s", example.body)
		require.ErrorIs(t, err, example.code, name)
	}
}
