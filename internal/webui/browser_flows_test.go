package webui_test

import (
	"context"
	"net/http"
	"os"
	"path/filepath"
	"strings"
	"testing"

	downloads "github.com/chromedp/cdproto/browser"
	"github.com/chromedp/cdproto/emulation"
	"github.com/chromedp/chromedp"
	"github.com/chromedp/chromedp/kb"
	"github.com/stretchr/testify/require"

	"github.com/vienkart/vienkart/internal/tenant"
)

// status clicks, and checks the status of the page it leads to.
func (b *tab) status(t *testing.T, selector string, want int) {
	t.Helper()
	require.EqualValues(t, want, b.click(t, selector).Status, "%s: %s", selector, b.text(t, "main"))
}

// unfold opens the actions of a page.
func (b *tab) unfold(t *testing.T, selector string) {
	t.Helper()
	b.do(t, chromedp.Click(chromedp.CSS(selector+" > summary")))
}

// follow clicks the link that leads to an address.
func (b *tab) follow(t *testing.T, href string) {
	t.Helper()
	b.status(t, `main a[href^="`+href+`"]`, http.StatusOK)
}

// download clicks a link and gives the file that the browser saved.
func (b *tab) download(t *testing.T, selector string) []byte {
	t.Helper()
	folder, enabled := t.TempDir(), true
	progress := chromedp.Events(b, downloads.DownloadProgress)
	b.do(t, chromedp.Func(func(ctx context.Context, _ *chromedp.Target) error {
		_, err := chromedp.Call(ctx, downloads.SetDownloadBehavior, downloads.SetDownloadBehaviorParams{
			Behavior: downloads.SetDownloadBehaviorBehaviorAllowAndName, DownloadPath: folder, EventsEnabled: &enabled,
			BrowserContextID: chromedp.FromContext(b).BrowserContextID,
		})
		return err //nolint:wrapcheck // the test shows it
	}), chromedp.Click(chromedp.CSS(selector)))
	for e, err := range progress {
		require.NoError(t, err)
		if e.State != downloads.DownloadProgressStateCompleted {
			continue
		}
		if content, err := os.ReadFile(filepath.Join(folder, e.GUID)); err == nil { // another's is in another folder
			return content
		}
	}
	t.Fatalf("%s: nothing was downloaded", selector)
	return nil
}

func lockAndUnlock(t *testing.T) {
	s := newSite(t)
	s.issued(t)
	b := s.tab(t)
	const row = `tbody tr:first-child `
	b.open(t, "/ui/periods")
	require.Contains(t, b.text(t, row), "Open")
	b.status(t, row+`form[action="/ui/periods/lock"] button`, http.StatusOK)
	require.Contains(t, b.text(t, row), "Locked")
	b.unfold(t, row+".action")
	// The browser itself asks for the reason; whoever sends the form without is asked by the server.
	evaluate[chromedp.Void](t, b, `document.querySelector('`+row+`form').noValidate = true`)
	b.status(t, row+"form button", http.StatusUnprocessableEntity)
	require.Contains(t, b.text(t, row+".error"), "is required to unlock a month")
	b.do(t, chromedp.SendKeys(chromedp.CSS(row+`input[name="reason"]`), "Wrong rate"))
	b.status(t, row+"form button", http.StatusOK)
	require.Contains(t, b.text(t, row), "Open")
	b.open(t, "/ui/audit")
	require.Contains(t, b.text(t, "tbody"), "ledger_period.unlocked")
}

// declareMonth goes from a box to its document, keeps and marks the file of the month, and corrects it after a late invoice.
func declareMonth(t *testing.T) {
	s := newSite(t)
	s.taxpayer(t)
	invoice := s.issued(t)
	b := s.tab(t)
	b.open(t, "/ui/vat")
	b.do(t, chromedp.SetValue(chromedp.ID("q-month"), s.month(t)))
	b.status(t, ".filters button", http.StatusOK)
	require.Contains(t, b.text(t, "main"), "agree.")
	b.status(t, `main td a[href*="box=29"]`, http.StatusOK)
	require.Contains(t, b.text(t, "main"), "Documents in box 29")
	b.follow(t, "/ui/invoices/"+invoice)
	require.Contains(t, b.text(t, "h1"), "Issued")
	b.do(t, chromedp.NavigateBack())
	require.Contains(t, b.text(t, "main"), "Documents in box 29")
	require.Contains(t, string(b.download(t, `a[href^="/ui/vat/fr0600.ffdata"]`)), "<FFData")

	b.status(t, `form[action="/ui/vat/submissions"] button`, http.StatusOK)
	require.Contains(t, b.text(t, ".notice.good"), "Done.")
	b.unfold(t, "td .action")
	b.do(t, chromedp.SendKeys(chromedp.CSS(`td input[name="externalRef"]`), "VMI-17"))
	b.status(t, "td .action form button", http.StatusOK)
	require.Contains(t, b.text(t, "h1"), "Submitted")
	require.Contains(t, b.text(t, "main"), "VMI-17")
	require.Contains(t, string(b.download(t, `dd a[href^="/ui/files/"]`)), "<iSAFFile")

	s.issued(t)
	b.open(t, "/ui/")
	b.status(t, `.tasks .bad a`, http.StatusOK)
	require.Contains(t, b.text(t, ".notice.warn"), "VMI must get a corrected file")
	b.status(t, `form[action="/ui/vat/submissions"] button`, http.StatusOK)
	require.Contains(t, b.text(t, ".notice.good"), "Done.")
	require.Equal(t, 2, s.total(t, "/v1/declarations/submissions/list"))
}

// watchFile starts a file from its report; the page of the job looks again by itself until the file is there.
func watchFile(t *testing.T) {
	s := newSite(t)
	s.issued(t)
	b := s.tab(t)
	b.status(t, `nav a[href="/ui/reports"]`, http.StatusOK)
	b.follow(t, "/ui/reports/vat-detail")
	require.Contains(t, b.text(t, "tbody"), "121.00")
	require.Contains(t, string(b.download(t, ".undertable .csv")), "121.00")
	_, err := chromedp.RunResponse(b, chromedp.DoubleClick(chromedp.CSS(`form[action="/ui/exports"] button`)))
	require.NoError(t, err)
	b.settled(t, "/ui/exports/")
	require.Equal(t, "0", evaluate[string](t, b, `document.querySelector("progress").getAttribute("value")`))
	s.works(t)
	b.do(t, chromedp.WaitVisible(chromedp.CSS(`a[href^="/ui/files/"]`)))
	require.Contains(t, b.text(t, "h1"), "Done")
	require.True(t, strings.HasPrefix(string(b.download(t, `a[href^="/ui/files/"]`)), "PK"), "the file is no Excel file")
	require.Equal(t, 1, s.total(t, "/v1/reports/jobs/list"), "two clicks are one file")
}

func reviewInBrowser(t *testing.T) {
	s := newSite(t)
	s.fillPurchases(t)
	b := s.tab(t)
	b.status(t, `main a[href="/ui/refusals?reviewed=false"]`, http.StatusOK)
	b.open(t, "/ui/refusals?reason=key_reuse")
	b.status(t, `main > .tablebox a[href^="/ui/refusals/"]`, http.StatusOK)
	require.Equal(t, 2, evaluate[int](t, b, `document.querySelectorAll(".compare section").length`))
	require.Contains(t, b.text(t, ".compare mark"), `"notes": "other"`)
	left := evaluate[[]float64](t, b, `[...document.querySelectorAll(".compare section")].map(x => x.getBoundingClientRect().left)`)
	require.Greater(t, left[1], left[0]+100, "the requests stand side by side")
	b.do(t, chromedp.SetValue(chromedp.ID("f-decision"), "client bug"), chromedp.SendKeys(chromedp.ID("f-note"), "Told them."))
	_, err := chromedp.RunResponse(b, chromedp.DoubleClick(chromedp.CSS(`form[action$="/review"] button`)))
	require.NoError(t, err)
	b.settled(t, "/ui/refusals/")
	require.Contains(t, b.text(t, ".facts"), "Client bug")
	require.Equal(t, "Told them.", evaluate[string](t, b, `document.querySelector("#f-note").value`))
	b.open(t, "/ui/refusals?reviewed=true")
	require.Contains(t, b.text(t, "main > .tablebox tbody"), "Client bug")
	require.Contains(t, string(b.download(t, "main > .undertable .csv")), "Told them.")
}

// twoAdmins do the same at two machines: one of them does it, the other is told.
func twoAdmins(t *testing.T) {
	s := newSite(t)
	invoice := "/ui/invoices/" + s.issued(t)
	ona, jonas := s.tab(t), s.tabOf(t, s.tokenOf(t, tenant.RoleAdmin, "jonas"))
	for _, b := range []*tab{ona, jonas} {
		b.open(t, invoice)
		b.do(t, chromedp.Click(chromedp.CSS(".action summary")))
	}
	const credit = `form[action$="/credit"] button`
	ona.status(t, credit, http.StatusOK)
	require.GreaterOrEqual(t, jonas.click(t, credit).Status, int64(http.StatusConflict))
	require.NotEmpty(t, jonas.text(t, `[role="alert"]`))
	require.Equal(t, 1, s.total(t, "/v1/sales/invoices/list", map[string]any{"field": "type", "op": "eq", "value": "credit_note"}))

	for _, b := range []*tab{ona, jonas} {
		b.open(t, "/ui/periods")
	}
	const lock = `tbody tr:first-child form[action="/ui/periods/lock"] button`
	ona.status(t, lock, http.StatusOK)
	jonas.click(t, lock)
	require.Contains(t, jonas.text(t, "tbody tr:first-child"), "Locked", "whoever comes second sees how it is")
}

func payOrder(t *testing.T) {
	s := newSite(t)
	at := "/ui/orders/" + s.ordered(t, "W-1")
	one := s.tab(t)
	two := one.again(t)
	one.status(t, `nav a[href="/ui/orders"]`, http.StatusOK)
	one.follow(t, at)
	two.open(t, at)
	const pay = `form[action$="/confirm-payment"] button`
	for _, b := range []*tab{one, two} {
		b.do(t, chromedp.Click(chromedp.CSS(".action summary")))
	}
	_, err := chromedp.RunResponse(one, chromedp.DoubleClick(chromedp.CSS(pay)))
	require.NoError(t, err)
	one.settled(t, at+"?outcome=")
	require.Contains(t, one.text(t, ".facts"), "Paid")
	two.status(t, pay, http.StatusOK) // another form, another key: the order itself is paid once
	require.Equal(t, 1, s.total(t, "/v1/ledger/journal/transactions/list", map[string]any{"field": "documentType", "op": "eq", "value": "order"}))
	one.unfold(t, ".action.primary")
	one.status(t, `form[action$="/fulfill"] button`, http.StatusOK)
	one.follow(t, "/ui/invoices/")
	require.Contains(t, one.text(t, ".facts"), "Paid")
}

// applyOnce goes back after an advance was taken off and sends the form again.
func applyOnce(t *testing.T) {
	s := newSite(t)
	at := "/ui/advances/" + s.issued(t, "type", "advance")
	invoice := s.issued(t)
	b := s.tab(t)
	b.status(t, `nav a[href="/ui/advances"]`, http.StatusOK)
	b.follow(t, at)
	const apply = `form[action$="/apply"] button`
	b.do(t, chromedp.SetValue(chromedp.ID("f-invoiceId"), invoice))
	b.status(t, apply, http.StatusOK)
	require.Equal(t, "/ui/invoices/"+invoice+"?outcome=done", b.location(t))
	b.do(t, chromedp.NavigateBack())
	b.do(t, chromedp.SetValue(chromedp.ID("f-invoiceId"), invoice))
	b.status(t, apply, http.StatusOK)
	require.Equal(t, "/ui/invoices/"+invoice+"?outcome=already", b.location(t))
	b.do(t, chromedp.Reload())
	b.open(t, at)
	require.Contains(t, b.text(t, "h1"), "Taken off")
	require.Equal(t, 0, evaluate[int](t, b, `document.querySelectorAll('form[action$="/apply"]').length`))
}

// withoutJavaScript does by the pages alone what scripts make easier.
func withoutJavaScript(t *testing.T) {
	s := newSite(t)
	b := s.tab(t)
	b.do(t, chromedp.Func(func(ctx context.Context, _ *chromedp.Target) error {
		_, err := chromedp.Call(ctx, emulation.SetScriptExecutionDisabled, emulation.SetScriptExecutionDisabledParams{Value: true})
		return err //nolint:wrapcheck // the test shows it
	}))
	b.fill(t)
	b.status(t, "[data-more]", http.StatusOK)
	b.do(t, chromedp.SendKeys(chromedp.ID("f-lines-3-description"), "Fourth"), chromedp.SendKeys(chromedp.ID("f-lines-3-unitPriceExclVat"), "5"))
	b.status(t, issueButton, http.StatusOK)
	require.Contains(t, b.text(t, "h1"), "Issued")
	require.Contains(t, b.text(t, "tbody"), "Fourth")
	b.open(t, "/ui/periods")
	b.status(t, `tbody tr:first-child form[action="/ui/periods/lock"] button`, http.StatusOK)
	require.Contains(t, b.text(t, "tbody tr:first-child"), "Locked")
	b.unfold(t, "tbody tr:first-child .action")
	b.do(t, chromedp.SendKeys(chromedp.CSS(`tbody tr:first-child input[name="reason"]`), "Late bill"))
	b.status(t, "tbody tr:first-child form button", http.StatusOK)
	b.open(t, "/ui/trial-balance")
	b.status(t, `thead th:nth-child(2) a`, http.StatusOK)
	require.Equal(t, "ascending", evaluateNothing(t, b, "thead th:nth-child(2)", "aria-sort"))
	b.status(t, `form[action="/ui/exports"] button`, http.StatusOK)
	s.works(t)
	b.do(t, chromedp.WaitVisible(chromedp.CSS(`a[href^="/ui/files/"]`)))
}

// evaluateNothing reads an attribute without a script of the page.
func evaluateNothing(t *testing.T, b *tab, selector, name string) string {
	t.Helper()
	value, err := chromedp.Run(b, chromedp.AttributeValue(chromedp.CSS(selector), name))
	require.NoError(t, err)
	return value.Value
}

// reportByKeyboard finds the reports in the menu, opens one, and sorts it.
func reportByKeyboard(t *testing.T) {
	s := newSite(t)
	s.issued(t)
	b := s.tab(t)
	b.tabTo(t, "Reports")
	b.enter(t)
	require.Equal(t, "Reports", b.text(t, "h1"))
	b.tabTo(t, "Debts by age")
	require.NotEqual(t, "none", evaluate[string](t, b, "getComputedStyle(document.activeElement).outlineStyle"), "focus is not visible")
	b.enter(t)
	require.Equal(t, "Debts by age", b.text(t, "h1"))
	b.tabTo(t, "Over 90 days")
	b.enter(t)
	require.Equal(t, "ascending", evaluateNothing(t, b, "thead th:nth-child(6)", "aria-sort"))
}

// tabTo presses Tab until what has the focus says something.
func (b *tab) tabTo(t *testing.T, text string) {
	t.Helper()
	for range 80 {
		b.do(t, chromedp.KeyEvent(kb.Tab))
		if evaluate[string](t, b, "document.activeElement.textContent.trim()") == text {
			return
		}
	}
	t.Fatalf("%s is out of reach of the keyboard", text)
}

func (b *tab) enter(t *testing.T) {
	t.Helper()
	_, err := chromedp.RunResponse(b, chromedp.KeyEvent(kb.Enter))
	require.NoError(t, err)
}

// media shows the page as on paper, or in a colour scheme.
func (b *tab) media(t *testing.T, media string, features ...*emulation.MediaFeature) {
	t.Helper()
	b.do(t, chromedp.Func(func(ctx context.Context, _ *chromedp.Target) error {
		_, err := chromedp.Call(ctx, emulation.SetEmulatedMedia, emulation.SetEmulatedMediaParams{Media: media, Features: features})
		return err //nolint:wrapcheck // the test shows it
	}))
}

// prints looks at what paper shows: the document and its totals, and nothing that only a screen can use.
func prints(t *testing.T) {
	s := newSite(t)
	invoice := s.issued(t)
	b := s.tab(t)
	const warning = `getComputedStyle(document.documentElement).getPropertyValue("--warn-bg")`
	b.media(t, "", &emulation.MediaFeature{Name: "prefers-color-scheme", Value: "light"})
	light := evaluate[string](t, b, warning)
	b.media(t, "", &emulation.MediaFeature{Name: "prefers-color-scheme", Value: "dark"})
	require.NotEqual(t, light, evaluate[string](t, b, warning))
	for _, at := range []string{"/ui/periods", "/ui/invoices/" + invoice, "/ui/trial-balance", "/ui/reports/financial-statements", "/ui/vat?month=" + s.month(t)} {
		b.media(t, "print", &emulation.MediaFeature{Name: "prefers-color-scheme", Value: "dark"})
		b.open(t, at)
		shown := `[...document.querySelectorAll("nav, form, button, summary, td.act, .undertable, .crumb, .actions, .foot, .empty .button")].filter(x => x.checkVisibility()).map(x => x.className || x.tagName)`
		require.Empty(t, evaluate[[]string](t, b, shown), at)
		require.True(t, evaluate[bool](t, b, `document.querySelector("table").checkVisibility()`), at)
		require.True(t, evaluate[bool](t, b, `document.querySelector("h1").checkVisibility()`), at)
		require.Equal(t, "rgb(255, 255, 255)", evaluate[string](t, b, `getComputedStyle(document.body).backgroundColor`), "%s: paper is white", at)
		require.Equal(t, "rgb(0, 0, 0)", evaluate[string](t, b, `getComputedStyle(document.querySelector("td")).color`), at)
		require.Equal(t, light, evaluate[string](t, b, warning), "%s: paper has the light colours", at)
		headings := `[...document.querySelectorAll("h2")].filter(x => x.checkVisibility() && !x.nextElementSibling?.checkVisibility()).map(x => x.textContent)`
		require.Empty(t, evaluate[[]string](t, b, headings), "%s: headings of nothing", at)
		file, err := chromedp.Run(b, chromedp.PrintToPDF(chromedp.PDFPaper(chromedp.PaperA4)))
		require.NoError(t, err)
		require.True(t, strings.HasPrefix(string(file), "%PDF-"), at)
	}
	b.open(t, "/ui/trial-balance?from=2026-01-01&to=2026-12-31")
	require.Equal(t, "From: 2026-01-01 To: 2026-12-31", b.text(t, ".paper"), "a printed report says of which days it is")
	require.True(t, evaluate[bool](t, b, `document.querySelector(".paper").checkVisibility()`))
}
