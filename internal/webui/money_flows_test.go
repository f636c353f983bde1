package webui_test

import (
	"bytes"
	"io"
	"mime/multipart"
	"net/http"
	"net/url"
	"testing"

	"github.com/stretchr/testify/require"
)

// upload sends a form with a file, as a browser does.
func (v *visitor) upload(t *testing.T, path string, form url.Values, name, content string) page {
	t.Helper()
	var b bytes.Buffer
	w := multipart.NewWriter(&b)
	for field, values := range form {
		if field != name {
			require.NoError(t, w.WriteField(field, values[0]))
		}
	}
	file, err := w.CreateFormFile(name, "report.csv")
	require.NoError(t, err)
	_, err = io.WriteString(file, content)
	require.NoError(t, err)
	require.NoError(t, w.Close())
	r, err := http.NewRequestWithContext(t.Context(), http.MethodPost, v.site.URL+path, &b)
	require.NoError(t, err)
	r.Header.Set("Content-Type", w.FormDataContentType())
	answer, err := v.Do(r)
	require.NoError(t, err)
	defer func() { require.NoError(t, answer.Body.Close()) }()
	body, err := io.ReadAll(answer.Body)
	require.NoError(t, err)
	return page{status: answer.StatusCode, location: answer.Header.Get("Location"), text: string(body)}
}

// bank opens a bank account by its form.
func bank(t *testing.T, v *visitor) string {
	t.Helper()
	f := v.open(t, "/ui/bank/accounts/new").form(t, "/ui/bank/accounts/new", "name", "Stripe")
	require.Equal(t, http.StatusSeeOther, v.post(t, "/ui/bank/accounts/new", f).status)
	return member(t, rows(t, v.site, "/v1/bank/accounts/list")[0], "id")
}

func rows(t *testing.T, s *site, path string) []any {
	t.Helper()
	list, ok := s.call(t, path, map[string]any{})["rows"].([]any)
	require.True(t, ok)
	return list
}

func TestBank(t *testing.T) {
	t.Parallel()
	s := newSite(t)
	v := s.visit(t, s.token)
	require.Contains(t, v.open(t, "/ui/bank").words(), "There is no bank account yet")
	account := bank(t, v)
	invoice := s.call(t, "/v1/sales/invoices/get", map[string]any{"id": s.issued(t)})
	s.call(t, "/v1/bank/transactions/import", map[string]any{"bankAccountId": account, "transactions": []any{map[string]any{
		"date": member(t, invoice, "issueDate"), "amount": "121.00", "description": member(t, invoice, "fullNumber"), "counterpartyName": "Pirkėjas",
	}}})
	at := "/ui/bank/transactions/" + member(t, rows(t, s, "/v1/bank/transactions/list")[0], "id")
	p := v.open(t, at)
	require.Contains(t, p.words(), member(t, invoice, "fullNumber"))
	answer := v.post(t, at+"/match", p.form(t, at+"/match"))
	require.Equal(t, http.StatusSeeOther, answer.status, answer.words())
	require.Contains(t, v.open(t, at).words(), "Matched")
	require.Contains(t, v.open(t, "/ui/invoices/"+member(t, invoice, "id")).words(), "Paid")
}

const report = "automatic_payout_id,automatic_payout_effective_at,balance_transaction_id,created,currency,gross,fee,net,reporting_category,source_id,description,charge_id,payment_intent_id\n" +
	"po_1,2026-03-05,txn_1,2026-03-02,eur,100.00,3.20,96.80,charge,ch_1,Order,ch_1,pi_1\n"

func TestSettlementsPage(t *testing.T) {
	t.Parallel()
	s := newSite(t)
	v := s.visit(t, s.token)
	bank(t, v)
	f := v.open(t, "/ui/settlements/import").form(t, "/ui/settlements/import")
	for _, outcome := range []string{"done", "already"} { // the second is the same form again
		answer := v.upload(t, "/ui/settlements/import", f, "content", report)
		require.Equal(t, http.StatusSeeOther, answer.status, answer.text)
		require.Equal(t, "/ui/settlements?outcome="+outcome, answer.location)
	}
	require.Equal(t, 1, s.total(t, "/v1/bank/settlements/list"))
	at := "/ui/settlements/" + member(t, rows(t, s, "/v1/bank/settlements/list")[0], "id")
	p := v.open(t, at)
	require.Contains(t, p.words(), "96.80")
	t.Run("UnknownInvoiceIsRefused", func(t *testing.T) {
		wrong := v.post(t, at+"/match", p.form(t, at+"/match", "invoiceNumber", "NO-SUCH-1"))
		require.GreaterOrEqual(t, wrong.status, http.StatusBadRequest)
		require.Less(t, wrong.status, http.StatusInternalServerError)
	})
}

func TestVATPeriod(t *testing.T) {
	t.Parallel()
	s := newSite(t)
	v := s.visit(t, s.token)
	invoice := s.call(t, "/v1/sales/invoices/get", map[string]any{"id": s.issued(t)})
	month := member(t, invoice, "issueDate")[:7]
	p := v.open(t, "/ui/vat?month="+month+"&box=29")
	require.Contains(t, p.words(), "Documents in box 29")
	require.Contains(t, p.text, "/ui/invoices/"+member(t, invoice, "id"))
	require.Contains(t, p.words(), "agree.")
	t.Run("Files", func(t *testing.T) {
		t.Parallel()
		file := v.get(t, "/ui/vat/fr0600.ffdata?month="+month)
		require.Contains(t, file.header.Get("Content-Disposition"), ".ffdata")
		require.Contains(t, v.get(t, "/ui/vat?month="+month+"&format=csv").text, "29,")
	})
	t.Run("EntryWithoutADocumentIsNamed", func(t *testing.T) {
		t.Parallel()
		other := newSite(t)
		day := member(t, other.call(t, "/v1/sales/invoices/get", map[string]any{"id": other.issued(t)}), "issueDate")
		other.call(t, "/v1/ledger/journal/transactions/create", map[string]any{"date": day, "description": "VAT by hand", "entries": []any{
			map[string]any{"accountCode": "4492", "debit": "5"}, map[string]any{"accountCode": "2410", "credit": "5"},
		}})
		p := other.visit(t, other.token).open(t, "/ui/vat?month="+day[:7])
		require.Contains(t, p.words(), "They do not agree")
		require.Contains(t, p.words(), "VAT by hand")
		require.Contains(t, p.text, "/ui/journal/")
	})
}

func TestJournal(t *testing.T) {
	t.Parallel()
	s := newSite(t)
	v := s.visit(t, s.token)
	f := v.open(t, "/ui/journal/new").form(t, "/ui/journal/new", "description", "Capital",
		"entries.0.accountCode", "2710", "entries.0.debit", "100", "entries.1.accountCode", "3011", "entries.1.credit", "99,50")
	p := v.post(t, "/ui/journal/new", f)
	require.Equal(t, http.StatusUnprocessableEntity, p.status)
	require.Contains(t, p.words(), "Debits and credits differ")
	f = p.form(t, "/ui/journal/new", "entries.1.credit", "100")
	done := v.post(t, "/ui/journal/new", f)
	require.Equal(t, http.StatusSeeOther, done.status, done.words())
	at := path(t, done.location)
	reverse := v.open(t, at).form(t, at+"/reverse")
	require.Equal(t, http.StatusSeeOther, v.post(t, at+"/reverse", reverse).status)
	shown := v.open(t, at)
	require.Contains(t, shown.words(), "Reversed by")
	require.NotContains(t, shown.text, at+"/reverse", "an entry is reversed once")
}
