package webui_test

import (
	"net/http"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"
)

// sendTo fills in the form that mails a document.
func sendTo(t *testing.T, v *visitor, at, to string) (action string, again func() page) {
	t.Helper()
	action = at + "/send"
	f := v.open(t, at).form(t, action, "to", to, "locale", "en")
	require.NotEmpty(t, f.Get("_key"), "a form bears its key")
	return action, func() page { return v.post(t, action, f) }
}

func TestInvoiceIsMailedOnce(t *testing.T) {
	t.Parallel()
	s := newSite(t)
	v := s.visit(t, s.token)
	at := "/ui/invoices/" + s.issued(t)
	_, send := sendTo(t, v, at, "ona@example.com")
	for range 3 { // a double click, and Back and send again
		p := send()
		require.Equal(t, http.StatusSeeOther, p.status, p.text)
		require.Equal(t, at, path(t, p.location))
	}
	doc := s.call(t, "/v1/sales/invoices/get", map[string]any{"id": strings.TrimPrefix(at, "/ui/invoices/")})
	require.Len(t, doc["letters"], 1)
	shown := v.open(t, at).words()
	require.Contains(t, shown, "ona@example.com")
	require.Contains(t, shown, "Queued")

	_, send = sendTo(t, v, at, "no address")
	p := send()
	require.Equal(t, http.StatusBadRequest, p.status)
	require.Contains(t, p.words(), "must be one e-mail address")
	require.Contains(t, p.text, `value="no address"`, "what was typed stays")
	_, send = sendTo(t, v, at, "")
	p = send()
	require.Equal(t, http.StatusUnprocessableEntity, p.status)
	require.Contains(t, p.words(), "The customer has no e-mail address")
	doc = s.call(t, "/v1/sales/invoices/get", map[string]any{"id": doc["id"]})
	require.Len(t, doc["letters"], 1)
}

func TestServerWithoutMailSaysSo(t *testing.T) {
	t.Parallel()
	s := newSiteWith(t, nil)
	v := s.visit(t, s.token)
	_, send := sendTo(t, v, "/ui/invoices/"+s.issued(t), "ona@example.com")
	p := send()
	require.Equal(t, http.StatusConflict, p.status)
	require.Contains(t, p.words(), "This server sends no mail")
	require.Contains(t, p.words(), "VIENKART_SMTP_URL")
}

func TestPDFIsDownloaded(t *testing.T) {
	t.Parallel()
	s := newSite(t)
	v := s.visit(t, s.token)
	for name, id := range map[string]string{"issued": s.issued(t), "draft": s.draft(t)} {
		at := "/ui/invoices/" + id
		require.Contains(t, v.open(t, at).text, `href="`+at+`/pdf"`, name)
		p := v.get(t, at+"/pdf")
		require.Equal(t, http.StatusOK, p.status, name)
		require.Equal(t, "application/pdf", p.header.Get("Content-Type"))
		require.Contains(t, p.header.Get("Content-Disposition"), ".pdf")
		require.True(t, strings.HasPrefix(p.text, "%PDF-"), name)
	}
	draft := v.open(t, "/ui/invoices/"+s.draft(t)).text
	require.NotContains(t, draft, "/send", "a draft is not sent")
}
