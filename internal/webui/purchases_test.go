package webui_test

import (
	"net/http"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"
)

// TestVATAsPrinted enters the VAT that stands on a supplier's paper, in the form and again when the draft is changed.
func TestVATAsPrinted(t *testing.T) {
	t.Parallel()
	s := newSite(t)
	v := s.visit(t, s.token)
	supplier := member(t, s.call(t, "/v1/partners/create", map[string]any{"name": "UAB Nuoma", "vatCode": "LT999000216", "isSupplier": true}), "id")
	const at = "/ui/purchases/new"
	form := v.open(t, at).form(t, at, "partnerId", supplier, "documentNumber", "NU 77", "documentDate", "2026-01-05",
		"lines.0.description", "Nuoma", "lines.0.unitPriceExclVat", "200", "lines.0.vatRatePercent", "21", "lines.0.statedVat", "42.05", "_do", "save")
	refused := v.post(t, at, form)
	require.GreaterOrEqual(t, refused.status, http.StatusBadRequest)
	require.Contains(t, refused.words(), "rounding explains 0.01 EUR at most")

	saved := v.post(t, at, refused.form(t, at, "lines.0.statedVat", "42.01", "_do", "save"))
	require.Equal(t, http.StatusSeeOther, saved.status, saved.words())
	require.Contains(t, v.open(t, saved.location).words(), "242.01")
	draft, _, _ := strings.Cut(saved.location, "?")
	edit := v.open(t, draft+"/edit").form(t, draft+"/edit")
	require.Equal(t, "42.01", edit.Get("lines.0.statedVat"))
	require.Equal(t, http.StatusSeeOther, v.post(t, draft+"/edit", edit).status)
	require.Contains(t, v.open(t, saved.location).words(), "242.01", "what was stated stays")
}
