package httpapi

import (
	"context"
	"fmt"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/go-json-experiment/json"
	"github.com/stretchr/testify/require"

	"github.com/vienkart/vienkart/internal/apperr"
	"github.com/vienkart/vienkart/internal/date"
	"github.com/vienkart/vienkart/internal/httpapi/contract"
	"github.com/vienkart/vienkart/internal/ledger"
	"github.com/vienkart/vienkart/internal/tenant"
	"github.com/vienkart/vienkart/internal/testkit"
	"github.com/vienkart/vienkart/internal/testkit/vatmonth"
	"github.com/vienkart/vienkart/internal/vat/isaf"
	"github.com/vienkart/vienkart/internal/vat/register"
)

// books is a company whose documents are made through the handlers of the operations.
type books struct {
	*testkit.Company
	customer, supplier, german string
	// more are operations beside the usual ones.
	more []Operation
	// within is the transaction that calls are made in, when it is not one of each call.
	within *tenant.Tx
}

func (b *books) try(t *testing.T, path, format string, args ...any) (map[string]any, error) {
	t.Helper()
	operations := slices.Concat(salesOperations(nil), purchaseOperations(), partnerOperations(), ledgerOperations(), declarationOperations("1.0"), b.more)
	at := slices.IndexFunc(operations, func(o Operation) bool { return o.Path == "/v1/"+path })
	require.NotEqual(t, -1, at, path)
	o := operations[at]
	in, err := o.decode([]byte(fmt.Sprintf(format, args...)))
	if err != nil {
		return nil, err
	}
	var out any
	switch {
	case o.Mutation && b.within != nil:
		out, err = o.mutate(t.Context(), *b.within, in)
	case o.Mutation:
		err = b.TryMutate(t.Context(), func(ctx context.Context, tx tenant.Tx) (err error) {
			out, err = o.mutate(ctx, tx, in)
			return err
		})
	default:
		err = b.Engine.Store.Snapshot(t.Context(), b.Scope, func(ctx context.Context, r tenant.ReadTx) (err error) {
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

func (b *books) call(t *testing.T, path, format string, args ...any) map[string]any {
	t.Helper()
	answer, err := b.try(t, path, format, args...)
	require.NoError(t, err)
	return answer
}

func openBooks(t *testing.T, e *testkit.Engine) *books {
	t.Helper()
	c := e.At(time.Date(2026, 12, 15, 9, 0, 0, 0, time.UTC)).Company(t, func(c *tenant.Company) {
		code, number := "900000105", "LT999000060116"
		c.Code, c.VATCode = &code, &number
	})
	c.Mutate(t, func(ctx context.Context, tx tenant.Tx) error {
		_, err := ledger.ApplyTemplate(ctx, tx)
		return err
	})
	b := &books{Company: c}
	made := func(body string) string { return as[string](t, b.call(t, "partners/create", "%s", body)["id"]) }
	b.customer = made(`{"name": "UAB Pirkėjas", "vatCode": "LT999000070113"}`)
	b.supplier = made(`{"name": "UAB Tiekėjas", "vatCode": "LT999000010116", "isSupplier": true}`)
	b.german = made(`{"name": "Fünfte GmbH", "vatCode": "DE999999999", "isSupplier": true, "address": {"countryCode": "DE"}}`)
	return b
}

func (b *books) sell(t *testing.T, day, more string) string {
	t.Helper()
	draft := b.call(t, "sales/invoices/create",
		`{"partnerId": %q, "issueDate": %q, "lines": [{"description": "Paslauga", "unitPriceExclVat": "100.00"}]%s}`, b.customer, day, more)
	return as[string](t, b.call(t, "sales/invoices/issue", `{"id": %q}`, draft["id"])["id"])
}

func (b *books) buy(t *testing.T, supplier, number, day, line string) string {
	t.Helper()
	draft := b.call(t, "purchases/invoices/create",
		`{"partnerId": %q, "documentNumber": %q, "documentDate": %q, "lines": [{"description": "Prekė", "unitPriceExclVat": "50.00"%s}]}`,
		supplier, number, day, line)
	return as[string](t, b.call(t, "purchases/invoices/register", `{"id": %q, "registrationDate": %q}`, draft["id"], day)["id"])
}

// month makes documents of every kind in January 2026.
func (b *books) month(t *testing.T) {
	t.Helper()
	first := b.sell(t, "2026-01-05", "")
	b.sell(t, "2026-01-06", `, "type": "credit_note", "creditedInvoiceId": "`+first+`"`)
	b.call(t, "sales/invoices/cancel", `{"id": %q, "reason": "wrong customer"}`, b.sell(t, "2026-01-07", ""))
	advance := b.sell(t, "2026-01-08", `, "type": "advance"`)
	invoice := b.call(t, "sales/invoices/create",
		`{"partnerId": %q, "issueDate": "2026-01-20", "lines": [{"description": "Paslauga", "unitPriceExclVat": "300.00"},
		{"description": "Knyga", "unitPriceExclVat": "10.00", "vatRatePercent": "5"}]}`, b.customer)
	invoice = b.call(t, "sales/invoices/issue", `{"id": %q}`, invoice["id"])
	b.call(t, "sales/invoices/apply-advance", `{"advanceId": %q, "invoiceId": %q, "date": "2026-01-25"}`, advance, invoice["id"])
	b.buy(t, b.supplier, "AST 1", "2026-01-09", `, "vatRatePercent": "21"`)
	b.buy(t, b.supplier, "AST 2", "2026-01-10", `, "vatRatePercent": "0", "vatClassifierCode": "PVM25"`)
	b.buy(t, b.german, "DE-17", "2026-01-11", "")
}

// as is a member of an answer in the type that it must have.
func as[T any](t *testing.T, v any) T {
	t.Helper()
	typed, ok := v.(T)
	require.True(t, ok, "%T is not what it must be", v)
	return typed
}

func fieldsOf(t *testing.T, answer map[string]any) map[string]string {
	t.Helper()
	fields := map[string]string{}
	for _, f := range as[[]any](t, answer["fields"]) {
		if field := as[map[string]any](t, f); field["value"] != "0" {
			fields[as[string](t, field["field"])] = as[string](t, field["value"])
		}
	}
	return fields
}

// TestDeclarations follows documents through the ledger into the return, the file and the comparison of all.
func TestDeclarations(t *testing.T) {
	t.Parallel()
	testkit.EachEngine(t, func(t *testing.T, e *testkit.Engine) {
		b := openBooks(t, e)
		b.month(t)

		ret := b.call(t, "declarations/lt/fr0600/compute", `{"year": 2026, "month": 1, "documentsOf": "29", "withFile": true}`)
		require.Equal(t, map[string]string{
			"11": "310", "21": "50", "25": "32", "28": "100", "29": "63", "31": "1", "33": "11", "34": "11", "35": "32", "36": "54",
		}, fieldsOf(t, ret))
		require.Equal(t, map[string]any{"salesInvoices": 4.0, "purchaseInvoices": 3.0}, ret["counts"])
		require.Len(t, ret["documents"], 5, "two of them are the advance, on its own and on the invoice")
		require.Contains(t, as[map[string]any](t, ret["file"])["ffdata"], `<Field Name="E36">54</Field>`)
		require.Empty(t, ret["errors"])

		file := b.call(t, "declarations/lt/isaf/generate", `{"year": 2026, "month": 1}`)
		require.Empty(t, file["errors"])
		require.Equal(t, "isaf-900000105-2026-01-F.xml", file["fileName"])
		require.Equal(t, map[string]any{"salesInvoices": 5.0, "purchaseInvoices": 3.0, "customers": 1.0, "suppliers": 2.0, "settlements": 0.0}, file["counts"])
		xml := as[string](t, file["xml"])
		require.Empty(t, isaf.Validate(strings.NewReader(xml)))
		require.Contains(t, xml, "<InvoiceType>AN</InvoiceType>")
		require.Contains(t, xml, "<FileDateCreated>2026-12-15T11:00:00</FileDateCreated>", "in the company's zone")
		require.Contains(t, xml, "<InvoiceNo>AST1</InvoiceNo>")

		tie := b.call(t, "declarations/vat/tie-out", `{"year": 2026, "month": 1}`)
		require.Equal(t, true, tie["agrees"], "%v", tie["differences"])
		require.Equal(t, map[string]any{
			"outputVat": map[string]any{"fr0600": "84.50", "register": "84.50", "isaf": "84.50", "ledger": "84.50"},
			"inputVat":  map[string]any{"fr0600": "31.50", "register": "31.50", "isaf": "31.50", "ledger": "31.50"},
		}, tie["totals"])
		b.RequireBalanced(t)
	})
}

func TestTieOutFindsDifferences(t *testing.T) {
	t.Parallel()
	testkit.EachEngine(t, func(t *testing.T, e *testkit.Engine) {
		b := openBooks(t, e)
		b.sell(t, "2026-01-05", "")
		b.call(t, "ledger/journal/transactions/create", `{"date": "2026-01-31", "description": "VAT paid", "entries": [
			{"accountCode": "4492", "debit": "7.00"}, {"accountCode": "2710", "credit": "7.00"}]}`)
		stray := tenant.NewID()
		b.Mutate(t, func(ctx context.Context, tx tenant.Tx) error {
			day := date.MustParse("2026-01-12")
			return register.Record(ctx, tx, register.Document{
				Direction: register.Purchases, RegisterDate: day, Type: "test_invoice", ID: stray, Number: "S1", Date: day,
				InvoiceType: register.Invoice, Event: register.Recorded, Groups: []register.Group{vatmonth.Group(t, "", "21", "10", "2.10")},
				Partner: register.Partner{ID: vatmonth.Partner(ctx, t, tx, "Stray"), Name: "Stray"},
			})
		})
		tie := b.call(t, "declarations/vat/tie-out", `{"year": 2026, "month": 1}`)
		require.Equal(t, false, tie["agrees"])
		differences := as[[]any](t, tie["differences"])
		require.Len(t, differences, 2)
		payable, receivable := as[map[string]any](t, differences[0]), as[map[string]any](t, differences[1])
		require.Equal(t, []any{"account 4492", "21.00", "14.00"}, []any{payable["subject"], payable["firstAmount"], payable["secondAmount"]})
		entry := as[map[string]any](t, as[[]any](t, payable["documents"])[0])
		require.Equal(t, []any{"VAT paid", "0.00", "-7.00"}, []any{entry["number"], entry["first"], entry["second"]})
		require.NotContains(t, entry, "documentId")
		require.Contains(t, entry, "transactionId")
		require.Equal(t, []any{"account 2441", "2.10", "0.00"}, []any{receivable["subject"], receivable["firstAmount"], receivable["secondAmount"]})
		document := as[map[string]any](t, as[[]any](t, receivable["documents"])[0])
		require.Equal(t, []any{stray.String(), "S1"}, []any{document["documentId"], document["number"]})
	})
}

// TestTieOutOfForeignAndImportVAT has what is right in one place and absent from another.
func TestTieOutOfForeignAndImportVAT(t *testing.T) {
	t.Parallel()
	b := openBooks(t, testkit.SQLite(t))
	draft := b.call(t, "sales/invoices/create", `{"partnerId": %q, "issueDate": "2026-01-05", "vatScheme": "oss_union", "vatCountryCode": "DE",
		"lines": [{"description": "Prekė", "unitPriceExclVat": "100.00", "vatRatePercent": "19"}]}`, b.customer)
	b.call(t, "sales/invoices/issue", `{"id": %q}`, draft["id"])
	tie := b.call(t, "declarations/vat/tie-out", `{"year": 2026, "month": 1}`)
	require.Equal(t, true, tie["agrees"], "%v", tie["differences"])
	require.Equal(t, "19.00", tie["foreignVat"])
	require.Equal(t, map[string]any{"fr0600": "0.00", "register": "0.00", "isaf": "0.00", "ledger": "19.00"},
		as[map[string]any](t, tie["totals"])["outputVat"])
}

func TestISAFWithErrors(t *testing.T) {
	t.Parallel()
	b := openBooks(t, testkit.SQLite(t))
	b.customer = as[string](t, b.call(t, "partners/create", `{"name": "Kazkas"}`)["id"])
	id := b.sell(t, "2026-01-05", "")
	file := b.call(t, "declarations/lt/isaf/generate", `{"year": 2026, "month": 1}`)
	require.Empty(t, file["xml"], "a file that VMI must refuse is not offered")
	fault := as[map[string]any](t, as[[]any](t, file["errors"])[0])
	require.Equal(t, []any{"14033", id}, []any{fault["code"], fault["documentId"]})
	require.True(t, strings.HasPrefix(as[string](t, as[[]any](t, file["warnings"])[0]), "Error: 14033 "), "a client of the contract sees why")
	file = b.call(t, "declarations/lt/isaf/generate", `{"year": 2026, "month": 1, "withErrors": true}`)
	require.Empty(t, isaf.Validate(strings.NewReader(as[string](t, file["xml"]))))
}

func TestISAFParts(t *testing.T) {
	t.Parallel()
	b := openBooks(t, testkit.SQLite(t))
	for _, day := range []string{"2026-01-05", "2026-01-06", "2026-01-07"} {
		b.sell(t, day, "")
	}
	request := `{"year": 2026, "month": 1, "dataType": "S", "maxInvoicesPerPart": 2, "part": %d, "partNumber": "KAUNAS"}`
	file := b.call(t, "declarations/lt/isaf/generate", request, 2)
	require.Equal(t, "isaf-900000105-2026-01-KAUNAS_2.xml", file["fileName"])
	require.Len(t, file["parts"], 2)
	require.Equal(t, 1, strings.Count(as[string](t, file["xml"]), "<InvoiceNo>"))
	_, err := b.try(t, "declarations/lt/isaf/generate", request, 3)
	require.ErrorIs(t, err, apperr.ErrValidation)
}

func TestDeclarationRequestsAreChecked(t *testing.T) {
	t.Parallel()
	b := openBooks(t, testkit.SQLite(t))
	for name, request := range map[string][2]string{
		"TwoMonthsIsNoPeriod":   {"declarations/lt/fr0600/compute", `{"year": 2026, "month": 1, "months": 2}`},
		"ShareAboveAll":         {"declarations/lt/fr0600/compute", `{"year": 2026, "month": 1, "deductionPercent": 101}`},
		"UnknownBox":            {"declarations/lt/fr0600/compute", `{"year": 2026, "month": 1, "documentsOf": "99"}`},
		"MonthIsRequired":       {"declarations/lt/isaf/generate", `{"year": 2026}`},
		"UnknownDataType":       {"declarations/lt/isaf/generate", `{"year": 2026, "month": 1, "dataType": "A"}`},
		"QuarterOfISAF":         {"declarations/lt/isaf/generate", `{"year": 2026, "month": 1, "months": 3}`},
		"LowerCasePartNumber":   {"declarations/lt/isaf/generate", `{"year": 2026, "month": 1, "partNumber": "vilnius"}`},
		"MonthThirteenOfTieOut": {"declarations/vat/tie-out", `{"year": 2026, "month": 13}`},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			_, err := b.try(t, request[0], "%s", request[1])
			require.ErrorIs(t, err, apperr.ErrValidation)
		})
	}
	zero := b.call(t, "declarations/lt/fr0600/compute", `{"year": 2026, "month": 1, "deductionPercent": 0}`)
	require.Equal(t, "0", fieldValue(t, zero, "28"), "0 is not the same as absent")
}

// TestDeclarationsKeepTheContract compares the operations with the wire contract without waiting for the route table.
func TestDeclarationsKeepTheContract(t *testing.T) {
	t.Parallel()
	theirs := openContract(t)
	text, err := document(declarationOperations("1.0"), "1.0")
	require.NoError(t, err)
	ours, err := contract.Parse(text)
	require.NoError(t, err)
	report := contract.Compare(theirs, ours)
	require.Empty(t, report.Deviations)
	require.Len(t, report.Served, 3)
	require.Equal(t, []string{"/v1/declarations/vat/tie-out"}, report.Extra)
}

// fieldValue is a box of an answer.
func fieldValue(t *testing.T, answer map[string]any, box string) string {
	t.Helper()
	for _, f := range as[[]any](t, answer["fields"]) {
		if field := as[map[string]any](t, f); field["field"] == box {
			return as[string](t, field["value"])
		}
	}
	t.Fatalf("there is no box %s", box)
	return ""
}
