package webui_test

import (
	"net/http"
	"net/url"
	"strings"
	"testing"

	"github.com/chromedp/chromedp"
	"github.com/stretchr/testify/require"

	"github.com/vienkart/vienkart/internal/account"
	"github.com/vienkart/vienkart/internal/mail"
	"github.com/vienkart/vienkart/internal/tenant"
	"github.com/vienkart/vienkart/internal/testkit/mailbox"
)

// stranger is a tab of nobody.
func (s *site) stranger(t *testing.T) *tab {
	t.Helper()
	b := s.tab(t)
	b.click(t, `form[action="/ui/sign-out"] button`)
	require.Equal(t, "Sign in", b.text(t, "h1"))
	return b
}

// signInAndSwitch joins by an invitation, signs in by password and by a link of a letter, opens a company and goes back.
func signInAndSwitch(t *testing.T) {
	box, err := mailbox.Open()
	require.NoError(t, err)
	mailer, err := mail.New(box.URL, "books@example.com")
	require.NoError(t, err)
	s := newSite(t, func(o *account.DeskOptions) { o.Mail = mailer })
	s.issued(t)
	const email, password = "ona@example.com", "a long enough password"
	s.call(t, "/v1/account/invites/create", map[string]any{"email": email, "role": string(tenant.RoleAdmin)})
	b := s.stranger(t)
	b.open(t, "/invite?token="+box.Token(t, email))
	b.do(t, chromedp.SendKeys(chromedp.ID("f-name"), "Ona"))
	b.status(t, "main button", http.StatusOK)
	require.Equal(t, "Dashboard", b.text(t, "h1"))

	b.status(t, "a.user", http.StatusOK)
	b.do(t, chromedp.SendKeys(chromedp.ID("f-password"), password))
	b.status(t, `form[action="/ui/account"] button`, http.StatusOK)
	require.Contains(t, b.text(t, ".notice"), "Done.")
	b.status(t, `form[action="/ui/sign-out"] button`, http.StatusOK)
	b.open(t, "/ui/reports")
	b.do(t, chromedp.SendKeys(chromedp.ID("f-email"), email), chromedp.SendKeys(chromedp.ID("f-password"), "wrong"))
	require.GreaterOrEqual(t, b.click(t, `form[action="/ui/sign-in/password"] button`).Status, int64(http.StatusBadRequest))
	b.do(t, chromedp.SendKeys(chromedp.ID("f-password"), password))
	b.status(t, `form[action="/ui/sign-in/password"] button`, http.StatusOK)
	require.Equal(t, "/ui/reports", b.location(t), "the browser goes where it wanted to")
	b.status(t, `form[action="/ui/sign-out"] button`, http.StatusOK)

	b.do(t, chromedp.SendKeys(chromedp.ID("link-email"), email))
	b.status(t, `form[action="/ui/sign-in/link"] button`, http.StatusOK)
	b.open(t, "/login?"+url.Values{"token": {box.Token(t, email)}}.Encode())
	b.status(t, "main button", http.StatusOK)
	require.Equal(t, "Dashboard", b.text(t, "h1"))

	first := b.text(t, ".company")
	b.status(t, `nav a[href="/ui/settings"]`, http.StatusOK)
	b.follow(t, "/ui/companies/new")
	b.do(t, chromedp.SendKeys(chromedp.ID("f-name"), "UAB Nauja"))
	_, err = chromedp.RunResponse(b, chromedp.DoubleClick(chromedp.CSS(`form[action="/ui/companies/new"] button`)))
	require.NoError(t, err)
	require.Eventually(t, func() bool { return strings.HasPrefix(b.location(t), "/ui/?outcome=") }, browserTimeout/4, browserTimeout/1000)
	b.do(t, chromedp.WaitReady(chromedp.CSS("footer")))
	require.Equal(t, "UAB Nauja", b.text(t, ".company"))
	require.Contains(t, b.text(t, "main"), "First steps")
	require.Equal(t, 2, evaluate[int](t, b, `document.querySelectorAll("#company option").length`), "two clicks opened one company")
	_, err = chromedp.RunResponse(b, chromedp.Evaluate[chromedp.Void](`{
		const select = document.querySelector("#company");
		select.value = [...select.options].find(x => !x.selected).value;
		select.dispatchEvent(new Event("change"));
	}`))
	require.NoError(t, err)
	require.Equal(t, first, b.text(t, ".company"))
	require.NotContains(t, b.text(t, "main"), "First steps", "the books of this one have begun")
}
