package webui_test

import (
	"net/http"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/vienkart/vienkart/internal/tenant"
)

func TestAdvanceIsTakenOffAnInvoice(t *testing.T) {
	t.Parallel()
	s := newSite(t)
	v := s.visit(t, s.token)
	require.Contains(t, v.open(t, "/ui/advances").words(), "There are no issued advance invoices")
	require.Equal(t, "advance", v.open(t, "/ui/invoices/new?type=advance").form(t, "/ui/invoices/new").Get("type"))
	advance := s.issued(t, "type", "advance")
	at := "/ui/advances/" + advance
	require.Contains(t, v.open(t, at).words(), "no open invoice in this currency")
	small := member(t, s.call(t, "/v1/sales/invoices/create", map[string]any{
		"partnerId": s.customer, "lines": []any{map[string]any{"description": "Mažas", "unitPriceExclVat": "1"}},
	}), "id")
	s.call(t, "/v1/sales/invoices/issue", map[string]any{"id": small})
	invoice := s.issued(t)
	require.Contains(t, v.open(t, "/ui/advances").words(), "Not yet")
	t.Run("LargerThanWhatIsOpenIsRefused", func(t *testing.T) {
		p := v.post(t, at+"/apply", v.open(t, at).form(t, at+"/apply", "invoiceId", small))
		require.GreaterOrEqual(t, p.status, http.StatusBadRequest)
		require.Contains(t, p.words(), "only 1.21 is open")
		require.Equal(t, small, p.form(t, at+"/apply").Get("invoiceId"), "the choice is kept")
	})
	f := v.open(t, at).form(t, at+"/apply", "invoiceId", invoice)
	first := v.post(t, at+"/apply", f)
	require.Equal(t, "/ui/invoices/"+invoice+"?outcome=done", first.location, first.words())
	require.Equal(t, "/ui/invoices/"+invoice+"?outcome=already", v.post(t, at+"/apply", f).location)
	require.Contains(t, v.open(t, "/ui/invoices/"+invoice).words(), "Paid")
	p := v.open(t, at)
	require.Contains(t, p.words(), "Taken off invoice")
	require.NotContains(t, p.text, at+"/apply", "an advance is taken off once")
}

func TestOrders(t *testing.T) {
	t.Parallel()
	s := newSite(t)
	v := s.visit(t, s.token)
	require.Contains(t, v.open(t, "/ui/orders").words(), "A shop sends them by the API")
	order := s.ordered(t, "W-1")
	at := "/ui/orders/" + order
	require.Contains(t, v.open(t, "/ui/orders?reference=W-").text, at)
	require.Contains(t, v.open(t, "/ui/orders?status=fulfilled").words(), "Nothing fits the filter")
	//nolint:paralleltest // steps of one story
	t.Run("OtherAmountIsRefusedAtTheField", func(t *testing.T) {
		p := v.post(t, at+"/confirm-payment", v.open(t, at).form(t, at+"/confirm-payment", "amount", "24,00"))
		require.GreaterOrEqual(t, p.status, http.StatusBadRequest)
		require.Contains(t, p.text, `id="f-amount-error"`)
		require.Contains(t, p.words(), "must be 24.20")
	})
	p := v.open(t, at)
	require.Contains(t, p.words(), "Unpaid")
	pay := p.form(t, at+"/confirm-payment")
	require.Equal(t, "24.20", pay.Get("amount"))
	require.Equal(t, at+"?outcome=done", v.post(t, at+"/confirm-payment", pay).location)
	require.Equal(t, at+"?outcome=already", v.post(t, at+"/confirm-payment", pay).location)
	paid := v.open(t, at)
	require.Contains(t, paid.words(), "Payment of the order W-1")
	require.NotContains(t, paid.text, "/confirm-payment", "a payment is confirmed once")
	require.NotContains(t, paid.text, `action="`+at+`/cancel"`, "what is paid is not cancelled")
	done := v.post(t, at+"/fulfill", paid.form(t, at+"/fulfill"))
	require.Equal(t, at+"?outcome=done", done.location, done.words())
	fulfilled := v.open(t, at)
	require.Contains(t, fulfilled.words(), "Fulfilled")
	require.Equal(t, 1, s.total(t, "/v1/sales/invoices/list"))
	//nolint:paralleltest // steps of one story
	t.Run("CancelledTakesNothing", func(t *testing.T) {
		other := "/ui/orders/" + s.ordered(t, "W-2")
		page := v.open(t, other)
		reserve := page.form(t, other+"/reserve")
		require.Equal(t, http.StatusSeeOther, v.post(t, other+"/reserve", reserve).status)
		require.Contains(t, v.open(t, other).words(), "Being prepared")
		require.Equal(t, http.StatusSeeOther, v.post(t, other+"/cancel", page.form(t, other+"/cancel")).status)
		cancelled := v.post(t, other+"/fulfill", page.form(t, other+"/fulfill"))
		require.Equal(t, http.StatusConflict, cancelled.status)
		require.Contains(t, cancelled.words(), "Cancelled")
	})
	//nolint:paralleltest // steps of one story
	t.Run("ViewerOnlyLooks", func(t *testing.T) {
		viewer := s.visit(t, s.tokenOf(t, tenant.RoleViewer, "viewer")).open(t, "/ui/orders/"+s.ordered(t, "W-3"))
		require.NotContains(t, viewer.text, "/confirm-payment")
	})
}

func TestExchangeRates(t *testing.T) {
	t.Parallel()
	s := newSite(t)
	v := s.visit(t, s.token)
	const at = "/ui/settings/rates"
	require.Contains(t, v.open(t, "/ui/settings").text, `href="`+at+`"`)
	require.Contains(t, v.open(t, at).words(), "No rates yet")
	wrong := v.post(t, at, v.open(t, at).form(t, at, "currency", "EUR", "rate", "1"))
	require.GreaterOrEqual(t, wrong.status, http.StatusBadRequest, "the base currency has no rate")
	for _, rate := range []string{"1,08", "1.0825"} { // the second replaces the first
		f := v.open(t, at).form(t, at, "currency", "USD", "date", "2026-03-02", "rate", rate)
		done := v.post(t, at, f)
		require.Equal(t, http.StatusSeeOther, done.status, done.words())
	}
	p := v.open(t, at+"?currency=USD")
	require.Contains(t, p.words(), "USD 2026-03-02 1.0825")
	require.Equal(t, 1, s.total(t, "/v1/reference/exchange-rates/list"))
	require.Contains(t, v.open(t, at+"?currency=GBP").words(), "Nothing fits the filter")
	require.Equal(t, http.StatusSeeOther, v.post(t, at+"/delete", p.form(t, at+"/delete")).status)
	require.Equal(t, 0, s.total(t, "/v1/reference/exchange-rates/list"))
}
