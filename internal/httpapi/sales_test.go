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
	"github.com/vienkart/vienkart/internal/invoice"
	"github.com/vienkart/vienkart/internal/ledger"
	"github.com/vienkart/vienkart/internal/partner"
	"github.com/vienkart/vienkart/internal/tenant"
	"github.com/vienkart/vienkart/internal/testkit"
)

// seller is a company with a customer, on the last day of January 2026.
type seller struct {
	*testkit.Company
	buyer tenant.ID
}

func openSeller(t *testing.T, e *testkit.Engine) *seller {
	t.Helper()
	s := &seller{Company: e.At(time.Date(2026, time.January, 31, 10, 0, 0, 0, time.UTC)).Company(t)}
	s.Mutate(t, func(ctx context.Context, tx tenant.Tx) error {
		if _, err := ledger.ApplyTemplate(ctx, tx); err != nil {
			return err
		}
		p, err := partner.Create(ctx, tx, partner.Fields{Name: new("UAB Pirmas")})
		require.NoError(t, err)
		s.buyer = p.ID
		return nil
	})
	return s
}

// try sends a body through decoding and the handler of a sales operation, and gives the answer as JSON reads it.
func (s *seller) try(t *testing.T, path, format string, args ...any) (map[string]any, error) {
	t.Helper()
	operations := salesOperations(nil)
	at := slices.IndexFunc(operations, func(o Operation) bool { return o.Path == "/v1/sales/invoices/"+path })
	require.NotEqual(t, -1, at, path)
	o := operations[at]
	in, err := o.decode(fmt.Appendf(nil, format, args...))
	if err != nil {
		return nil, err
	}
	var out any
	if o.Mutation {
		err = s.TryMutate(t.Context(), func(ctx context.Context, tx tenant.Tx) (err error) {
			out, err = o.mutate(ctx, tx, in)
			return err
		})
	} else {
		err = s.Engine.Store.Snapshot(t.Context(), s.Scope, func(ctx context.Context, r tenant.ReadTx) (err error) {
			out, err = o.query(ctx, r, in)
			return err
		})
	}
	if err != nil {
		return nil, err
	}
	text, err := json.Marshal(out)
	require.NoError(t, err)
	var answer map[string]any
	require.NoError(t, json.Unmarshal(text, &answer))
	return answer, nil
}

func (s *seller) call(t *testing.T, path, format string, args ...any) map[string]any {
	t.Helper()
	answer, err := s.try(t, path, format, args...)
	require.NoError(t, err, path)
	return answer
}

func TestSales(t *testing.T) {
	t.Parallel()
	testkit.EachEngine(t, func(t *testing.T, e *testkit.Engine) {
		s := openSeller(t, e)
		draft := s.call(t, "create", `{"partnerId":%q,"vatCountryCode":"LT","lines":[
			{"description":"Paslauga","quantity":3,"unitPriceExclVat":"33.33"},{"description":"Prekė","unitPriceInclVat":"12.10"}]}`, s.buyer)
		line := func(at int) map[string]any {
			lines, ok := draft["lines"].([]any)
			require.True(t, ok)
			l, ok := lines[at].(map[string]any)
			require.True(t, ok)
			return l
		}
		require.Equal(t, map[string]any{
			"id": draft["id"], "partnerId": s.buyer.String(), "type": "invoice", "status": "draft", "paymentStatus": "unpaid",
			"currency": "EUR", "netTotal": "109.99", "vatTotal": "23.10", "grossTotal": "133.09", "paidAmount": "0.00",
			"vatScheme": "domestic", "vatCountryCode": "LT", "deemedSupplier": false, "specialTaxation": false, "createdAt": "2026-01-31T10:00:00Z",
			"updatedAt": "2026-01-31T10:00:00Z", "lines": draft["lines"],
		}, draft)
		require.Equal(t, map[string]any{
			"id": line(0)["id"], "description": "Paslauga", "unit": "vnt.", "quantity": "3", "unitPriceExclVat": "33.33",
			"vatRatePercent": "21", "vatClassifierCode": "PVM1", "lineNet": "99.99", "lineVat": "21.00", "lineGross": "120.99",
			"sortOrder": float64(1), "recognitionMethod": "point_in_time",
		}, line(0))
		require.Equal(t, "12.1", line(1)["unitPriceInclVat"])
		require.NotContains(t, line(1), "unitPriceExclVat")
		require.Equal(t, draft, s.call(t, "get", `{"id":%q}`, draft["id"]))

		changed := s.call(t, "update", `{"id":%q,"notes":"Ačiū","lines":[{"description":"Paslauga","unitPriceExclVat":"100"}]}`, draft["id"])
		require.Equal(t, "121.00", changed["grossTotal"])
		sold := s.call(t, "issue", `{"id":%q,"issueDate":"2026-01-30"}`, draft["id"])
		require.Equal(t, sold, s.call(t, "get", `{"id":%q}`, draft["id"]))
		for member, want := range map[string]any{
			"status": "issued", "series": "SF26", "number": float64(1), "fullNumber": "SF260000001", "issueDate": "2026-01-30",
			"dueDate": "2026-02-13", "notes": "Ačiū", "id": draft["id"],
		} {
			require.Equal(t, want, sold[member], member)
		}
		require.NotEmpty(t, sold["journalTransactionId"])

		advance := s.call(t, "create", `{"partnerId":%q,"type":"advance","lines":[{"description":"Avansas","unitPriceExclVat":"50"}]}`, s.buyer)
		s.call(t, "issue", `{"id":%q}`, advance["id"])
		applied := s.call(t, "apply-advance", `{"advanceId":%q,"invoiceId":%q}`, advance["id"], sold["id"])
		require.Equal(t, "60.50", applied["paidAmount"])
		require.Equal(t, "partial", applied["paymentStatus"])
		require.Equal(t, sold["id"], s.call(t, "get", `{"id":%q}`, advance["id"])["appliedToInvoiceId"])

		note := s.call(t, "create", `{"partnerId":%q,"type":"credit_note","creditedInvoiceId":%q,"lines":[]}`, s.buyer, sold["id"])
		require.Equal(t, "121.00", note["grossTotal"])
		require.Equal(t, map[string]any{"id": note["id"]}, s.call(t, "delete", `{"id":%q}`, note["id"]))

		other := s.call(t, "create", `{"partnerId":%q,"lines":[{"description":"Klaida","unitPriceExclVat":"1"}]}`, s.buyer)
		s.call(t, "issue", `{"id":%q}`, other["id"])
		cancelled := s.call(t, "cancel", `{"id":%q,"reason":"Ne tas pirkėjas"}`, other["id"])
		require.Equal(t, "issued", cancelled["status"])
		require.Equal(t, "2026-01-31T10:00:00Z", cancelled["cancelledAt"])

		page := s.call(t, "list", `{"filter":[{"field":"type","op":"in","value":["invoice","credit_note"]}],"sort":[{"field":"number"}]}`)
		require.EqualValues(t, 2, page["total"])
		listed, ok := page["rows"].([]any)
		require.True(t, ok)
		first, ok := listed[0].(map[string]any)
		require.True(t, ok)
		delete(applied, "lines")
		require.Equal(t, applied, first)
		s.RequireBalanced(t)
	})
}

func TestSalesRefuse(t *testing.T) {
	t.Parallel()
	s := openSeller(t, testkit.SQLite(t))
	line := `{"description":"x","unitPriceExclVat":"1"%s}`
	tests := map[string]struct {
		path, body string
		code       *apperr.Code
		field      string
	}{
		"NoPartner":        {"create", `{"lines":[]}`, apperr.ErrValidation, "partnerId"},
		"NoLines":          {"create", `{"partnerId":"%[1]s"}`, apperr.ErrValidation, "lines"},
		"UnknownType":      {"create", `{"partnerId":"%[1]s","type":"receipt","lines":[]}`, apperr.ErrValidation, "type"},
		"UnknownScheme":    {"create", `{"partnerId":"%[1]s","vatScheme":"vat_free","lines":[]}`, apperr.ErrValidation, "vatScheme"},
		"LowerCaseCountry": {"create", `{"partnerId":"%[1]s","vatCountryCode":"lt","lines":[]}`, apperr.ErrValidation, "vatCountryCode"},
		"EmptyLine":        {"create", `{"partnerId":"%[1]s","lines":[{}]}`, apperr.ErrValidation, "lines.0.description"},
		"PriceInWords":     {"create", `{"partnerId":"%[1]s","lines":[{"description":"x","unitPriceExclVat":"ten"}]}`, apperr.ErrValidation, "lines.0.unitPriceExclVat"},
		"Item":             {"create", `{"partnerId":"%[1]s","lines":[` + fmt.Sprintf(line, `,"itemId":"%[1]s"`) + `]}`, invoice.ErrNotServed, "lines.0.itemId"},
		"CostCenter":       {"create", `{"partnerId":"%[1]s","lines":[` + fmt.Sprintf(line, `,"costCenterId":"%[1]s"`) + `]}`, invoice.ErrNotServed, "lines.0.costCenterId"},
		"Ratable":          {"create", `{"partnerId":"%[1]s","lines":[` + fmt.Sprintf(line, `,"recognition":{"method":"ratable"}`) + `]}`, invoice.ErrNotServed, "lines.0.recognition"},
		"SellingPrice":     {"create", `{"partnerId":"%[1]s","lines":[` + fmt.Sprintf(line, `,"standaloneSellingPrice":"1"`) + `]}`, invoice.ErrNotServed, "lines.0.standaloneSellingPrice"},
		"RefundEstimate":   {"create", `{"partnerId":"%[1]s","lines":[` + fmt.Sprintf(line, `,"refundEstimatePercent":"0"`) + `]}`, invoice.ErrNotServed, "lines.0.refundEstimatePercent"},
		"Warehouse":        {"issue", `{"id":"%[1]s","warehouseId":"%[1]s"}`, invoice.ErrNotServed, "warehouseId"},
		"CancelForNothing": {"cancel", `{"id":"%[1]s"}`, apperr.ErrValidation, "reason"},
	}
	for name, tt := range tests {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			format := tt.body
			if !slices.Contains([]string{"NoPartner"}, name) {
				format = fmt.Sprintf(tt.body, s.buyer)
			}
			_, err := s.try(t, tt.path, "%s", format)
			require.ErrorIs(t, err, tt.code)
			refusal := new(apperr.Error)
			require.ErrorAs(t, err, &refusal)
			require.Contains(t, refusal.Fields(), tt.field)
		})
	}
	t.Run("PointInTimeIsServed", func(t *testing.T) {
		t.Parallel()
		s.call(t, "create", `{"partnerId":%q,"lines":[{"description":"x","unitPriceExclVat":"1","recognition":{"method":"point_in_time"}}]}`, s.buyer)
	})
}
