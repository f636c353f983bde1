package webui_test

import (
	"fmt"
	"net/http"
	"net/url"
	"sync"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/vienkart/vienkart/internal/tenant"
)

func count(t *testing.T, number any) int {
	t.Helper()
	var n int
	_, err := fmt.Sscan(fmt.Sprint(number), &n)
	require.NoError(t, err)
	return n
}

// invoice is a filled-in form of a new invoice.
func invoice(t *testing.T, s *site, v *visitor, do string) url.Values {
	t.Helper()
	return v.open(t, "/ui/invoices/new").form(t, "/ui/invoices/new", "partnerId", s.customer,
		"lines.0.description", "Konsultacijos", "lines.0.quantity", "3", "lines.0.unitPriceExclVat", "1 000,50", "_do", do)
}

func TestSignIn(t *testing.T) {
	t.Parallel()
	s := newSite(t)
	t.Run("IsAskedForFirst", func(t *testing.T) {
		t.Parallel()
		p := s.visit(t, "").get(t, "/ui/invoices?status=draft")
		require.Equal(t, http.StatusSeeOther, p.status)
		require.Equal(t, "/ui/sign-in?next=%2Fui%2Finvoices%3Fstatus%3Ddraft", p.location)
	})
	t.Run("GoesWhereTheBrowserWantedTo", func(t *testing.T) {
		t.Parallel()
		v := s.visit(t, "")
		f := v.open(t, "/ui/sign-in?next=%2Fui%2Fjournal").form(t, "/ui/sign-in/token", "token", s.token)
		require.Equal(t, "/ui/journal", v.post(t, "/ui/sign-in/token", f).location)
	})
	t.Run("NeverLeavesTheServer", func(t *testing.T) {
		t.Parallel()
		for _, next := range []string{"https://evil.example/", "//evil.example/ui/", `/\evil.example`, "/v1/"} {
			p := s.visit(t, "").post(t, "/ui/sign-in/token", url.Values{"token": {s.token}, "next": {next}})
			require.Equal(t, "/ui/", p.location)
		}
	})
	t.Run("BadTokenIsRefusedAndNotShownAgain", func(t *testing.T) {
		t.Parallel()
		p := s.visit(t, "").post(t, "/ui/sign-in/token", url.Values{"token": {"not-a-token"}})
		require.Equal(t, http.StatusUnauthorized, p.status)
		require.Contains(t, p.words(), "The token is not valid here")
		require.NotContains(t, p.text, "not-a-token")
	})
	t.Run("CookieIsOutOfReachOfScriptsAndOtherSites", func(t *testing.T) {
		t.Parallel()
		v := s.visit(t, "")
		p := v.do(t, http.MethodPost, "/ui/sign-in/token", url.Values{"token": {s.token}}, "X-Forwarded-Proto", "https")
		require.Regexp(t, `^vienkart_session=[^;]+; Path=/ui/; HttpOnly; Secure; SameSite=Lax$`, p.header.Get("Set-Cookie"))
	})
	t.Run("SignOutEnds", func(t *testing.T) {
		t.Parallel()
		v := s.visit(t, s.token)
		require.Equal(t, "/ui/sign-in", v.post(t, "/ui/sign-out", url.Values{}).location)
		require.Equal(t, http.StatusSeeOther, v.get(t, "/ui/").status)
	})
	t.Run("OtherSitesCannotPost", func(t *testing.T) {
		t.Parallel()
		v := s.visit(t, s.token)
		require.Equal(t, http.StatusForbidden, v.do(t, http.MethodPost, "/ui/periods/lock", url.Values{}, "Sec-Fetch-Site", "cross-site").status)
		require.Equal(t, http.StatusForbidden, v.do(t, http.MethodPost, "/ui/sign-out", url.Values{}, "Origin", "https://evil.example").status)
	})
}

func TestInvoiceIsBookedOnce(t *testing.T) {
	t.Parallel()
	t.Run("B186_FiveClicksAtOnce", func(t *testing.T) {
		t.Parallel()
		s := newSite(t)
		v := s.visit(t, s.token)
		f := invoice(t, s, v, "issue")
		answers := make([]page, 5)
		var clicks sync.WaitGroup
		for i := range answers {
			clicks.Go(func() { answers[i] = v.post(t, "/ui/invoices/new", f) })
		}
		clicks.Wait()
		for _, a := range answers {
			require.Equal(t, http.StatusSeeOther, a.status, a.words())
			require.Equal(t, path(t, answers[0].location), path(t, a.location))
		}
		require.Equal(t, 1, s.total(t, "/v1/sales/invoices/list"))
		shown := v.open(t, answers[0].location)
		require.Contains(t, shown.words(), "3,631.82 EUR")
		require.Contains(t, shown.words(), "Issued")
	})
	t.Run("BackAndSendAgain", func(t *testing.T) {
		t.Parallel()
		s := newSite(t)
		v := s.visit(t, s.token)
		f := invoice(t, s, v, "issue")
		first := v.post(t, "/ui/invoices/new", f)
		again := v.post(t, "/ui/invoices/new", f)
		require.Equal(t, path(t, first.location), path(t, again.location))
		require.Contains(t, v.open(t, again.location).words(), "nothing was booked twice")
		require.Equal(t, 1, s.total(t, "/v1/sales/invoices/list"))
		//nolint:paralleltest // steps of one story
		t.Run("OpeningTheFormSaysSo", func(t *testing.T) {
			p := v.open(t, "/ui/invoices/new?form="+f.Get("_key"))
			require.Contains(t, p.words(), "This form was sent")
			require.Contains(t, p.text, path(t, first.location))
		})
		//nolint:paralleltest // steps of one story
		t.Run("ChangedContentIsNotBookedSilently", func(t *testing.T) {
			f.Set("lines.0.quantity", "4")
			p := v.post(t, "/ui/invoices/new", f)
			require.Equal(t, http.StatusUnprocessableEntity, p.status)
			require.Contains(t, p.words(), "What you changed since was not booked")
			require.Contains(t, p.text, path(t, first.location))
			require.Equal(t, 1, s.total(t, "/v1/sales/invoices/list"))
			anew := p.form(t, "/ui/invoices/new", "_do", "save")
			require.Equal(t, "4", anew.Get("lines.0.quantity"))
			require.NotEqual(t, f.Get("_key"), anew.Get("_key"))
			require.Equal(t, http.StatusSeeOther, v.post(t, "/ui/invoices/new", anew).status)
			require.Equal(t, 2, s.total(t, "/v1/sales/invoices/list"))
		})
	})
	t.Run("B188_TwoTabsIssueOneDraft", func(t *testing.T) {
		t.Parallel()
		s := newSite(t)
		v := s.visit(t, s.token)
		at := "/ui/invoices/" + s.draft(t)
		one, two := v.open(t, at).form(t, at+"/issue"), v.open(t, at).form(t, at+"/issue")
		require.Equal(t, http.StatusSeeOther, v.post(t, at+"/issue", one).status)
		second := v.post(t, at+"/issue", two)
		require.Equal(t, http.StatusConflict, second.status)
		require.Contains(t, second.words(), "This document was issued already")
	})
	t.Run("B190_TwoAdminsCreditOneInvoice", func(t *testing.T) {
		t.Parallel()
		s := newSite(t)
		at := "/ui/invoices/" + s.issued(t)
		ona, jonas := s.visit(t, s.token), s.visit(t, s.tokenOf(t, tenant.RoleAdmin, "jonas"))
		one, two := ona.open(t, at).form(t, at+"/credit"), jonas.open(t, at).form(t, at+"/credit")
		require.Equal(t, http.StatusSeeOther, ona.post(t, at+"/credit", one).status)
		second := jonas.post(t, at+"/credit", two)
		require.Contains(t, []int{http.StatusConflict, http.StatusUnprocessableEntity}, second.status, second.words())
		issued := []map[string]any{
			{"field": "type", "op": "eq", "value": "credit_note"}, {"field": "status", "op": "eq", "value": "issued"},
		}
		require.Equal(t, 1, s.total(t, "/v1/sales/invoices/list", issued...))
		require.Equal(t, 1, s.total(t, "/v1/sales/invoices/list", issued[0]), "a draft was left behind")
	})
	t.Run("FormOfAnotherCompanyIsNotSent", func(t *testing.T) {
		t.Parallel()
		s := newSite(t)
		v := s.visit(t, s.token)
		f := invoice(t, s, v, "save")
		f.Set("_company", tenant.NewID().String())
		p := v.post(t, "/ui/invoices/new", f)
		require.Equal(t, http.StatusConflict, p.status)
		require.Contains(t, p.words(), "switched in another window")
		require.Equal(t, 0, s.total(t, "/v1/sales/invoices/list"))
	})
}

func TestFormKeepsWhatWasTyped(t *testing.T) {
	t.Parallel()
	s := newSite(t)
	v := s.visit(t, s.token)
	f := invoice(t, s, v, "save")
	f.Set("lines.0.quantity", "abc")
	f.Set("lines.2.description", "Third")
	f.Set("lines.2.unitPriceExclVat", "5")
	f.Set("notes", "Ačiū")
	p := v.post(t, "/ui/invoices/new", f)
	require.Equal(t, http.StatusBadRequest, p.status)
	kept := p.form(t, "/ui/invoices/new")
	require.Equal(t, "abc", kept.Get("lines.0.quantity"))
	require.Equal(t, "Third", kept.Get("lines.1.description"), "empty rows are closed up")
	require.Equal(t, "Ačiū", kept.Get("notes"))
	require.Equal(t, s.customer, kept.Get("partnerId"))
	require.Equal(t, f.Get("_key"), kept.Get("_key"), "a validation error does not use the key up")
	for _, x := range p.all("input") {
		if attribute(x, "name") == "lines.0.quantity" {
			require.Equal(t, "true", attribute(x, "aria-invalid"))
			require.Equal(t, "f-lines-0-quantity-error", attribute(x, "aria-describedby"))
		}
	}
	t.Run("MoreLinesWithoutJavaScript", func(t *testing.T) {
		f.Set("_more", "yes")
		more := v.post(t, "/ui/invoices/new", f)
		require.Equal(t, http.StatusOK, more.status)
		require.True(t, more.form(t, "/ui/invoices/new").Has("lines.4.quantity"))
	})
}

func TestPeriods(t *testing.T) {
	t.Parallel()
	s := newSite(t)
	v := s.visit(t, s.token)
	s.issued(t)
	month := v.open(t, "/ui/periods").form(t, "/ui/periods/lock").Get("month")
	f := v.open(t, "/ui/periods").form(t, "/ui/periods/lock")
	require.Equal(t, http.StatusSeeOther, v.post(t, "/ui/periods/lock", f).status)
	locked := v.open(t, "/ui/periods")
	require.Contains(t, locked.words(), month+" Locked")
	//nolint:paralleltest // steps of one story
	t.Run("LockedMonthRefusesAnInvoiceAndKeepsTheDraft", func(t *testing.T) {
		p := v.post(t, "/ui/invoices/new", invoice(t, s, v, "issue"))
		require.GreaterOrEqual(t, p.status, http.StatusBadRequest)
		require.Contains(t, p.words(), "Saved as a draft, but not issued")
	})
	//nolint:paralleltest // steps of one story
	t.Run("UnlockNeedsAReason", func(t *testing.T) {
		unlock := locked.form(t, "/ui/periods/unlock")
		p := v.post(t, "/ui/periods/unlock", unlock)
		require.GreaterOrEqual(t, p.status, http.StatusBadRequest)
		require.Contains(t, p.text, "reason-"+month+"-error")
		again := p.form(t, "/ui/periods/unlock", "reason", "Wrong rate")
		require.Equal(t, http.StatusSeeOther, v.post(t, "/ui/periods/unlock", again).status)
		require.Contains(t, v.open(t, "/ui/periods").words(), month+" Open")
	})
}

func TestRefusals(t *testing.T) {
	t.Parallel()
	s := newSite(t)
	bill := map[string]any{
		"partnerId": s.customer, "documentNumber": "A-1", "documentDate": "2026-01-05",
		"lines": []any{map[string]any{"description": "Popierius", "unitPriceExclVat": "10"}},
	}
	_, first := s.try(t, "/v1/purchases/invoices/create", "1735689600", bill)
	for _, key := range []string{"1735689601", "1735689602"} {
		status, _ := s.try(t, "/v1/purchases/invoices/create", key, bill)
		require.Equal(t, http.StatusConflict, status)
	}
	bill["notes"] = "<i>changed</i>"
	status, _ := s.try(t, "/v1/purchases/invoices/create", "1735689600", bill)
	require.Equal(t, http.StatusUnprocessableEntity, status)

	v := s.visit(t, s.token)
	list := v.open(t, "/ui/refusals")
	require.Contains(t, list.words(), "sends the same document under a new key per attempt")
	require.Contains(t, list.words(), "keys look like a time")
	require.Contains(t, list.text, "/ui/purchases/"+member(t, first, "id"))
	reused := v.open(t, "/ui/refusals?reason=key_reuse")
	require.NotContains(t, reused.words(), "Nothing fits the filter")
	at := ""
	for _, a := range reused.all("a") {
		if href := attribute(a, "href"); len(href) == len("/ui/refusals/")+36 {
			at = href
		}
	}
	p := v.open(t, at)
	require.Contains(t, p.words(), "/notes")
	require.Contains(t, p.text, "<mark>  &#34;notes&#34;: &#34;&lt;i&gt;changed&lt;/i&gt;&#34;</mark>")
	f := p.form(t, at+"/review", "decision", "client bug", "note", "Told them.")
	require.Equal(t, http.StatusSeeOther, v.post(t, at+"/review", f).status)
	require.Contains(t, v.open(t, at).words(), "Client bug")
	require.Contains(t, v.open(t, "/ui/refusals?reviewed=true").words(), "Client bug")
	require.Contains(t, v.open(t, "/ui/keys?key=1735689600").words(), "It happened")
	require.Contains(t, v.get(t, "/ui/keys?key=never-used").words(), "This key is free")
}

func TestRoles(t *testing.T) {
	t.Parallel()
	s := newSite(t)
	draft := s.draft(t)
	v := s.visit(t, s.tokenOf(t, tenant.RoleViewer, "viewer"))
	p := v.open(t, "/ui/invoices/"+draft)
	require.NotContains(t, p.text, "/issue")
	require.NotContains(t, v.open(t, "/ui/").text, "/ui/refusals")
	require.Equal(t, http.StatusForbidden, v.get(t, "/ui/refusals").status)
	require.Equal(t, http.StatusForbidden, v.get(t, "/ui/audit").status)
}
