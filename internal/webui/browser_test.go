package webui_test

import (
	"context"
	"net/http"
	"os"
	"os/exec"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/chromedp/cdproto/network"
	"github.com/chromedp/chromedp"
	"github.com/chromedp/chromedp/kb"
	"github.com/stretchr/testify/require"
)

// browserTimeout bounds one test in a browser on a busy machine.
const browserTimeout = 60 * time.Second

// chromium is the browser of Debian. Without one the tests fail under CI and skip with a loud line elsewhere.
func chromium(t *testing.T) string {
	t.Helper()
	if testing.Short() {
		t.Skip("a browser takes seconds")
	}
	for _, name := range []string{"chromium", "chromium-browser", "google-chrome"} {
		if path, err := exec.LookPath(name); err == nil {
			return path
		}
	}
	if os.Getenv("CI") != "" {
		t.Fatal("chromium is required under CI")
	}
	t.Skip("NOT TESTED IN A BROWSER: there is no chromium")
	return ""
}

// browsers shares one process: starting it takes longer than a test. Each tab has cookies of its own.
var browsers struct {
	sync.Mutex
	root context.Context //nolint:containedctx // the life of the process
	stop func()
}

func stopBrowser() {
	browsers.Lock()
	defer browsers.Unlock()
	if browsers.stop != nil {
		browsers.stop()
		browsers.root, browsers.stop = nil, nil
	}
}

func browser(t *testing.T) context.Context {
	t.Helper()
	path := chromium(t)
	browsers.Lock()
	defer browsers.Unlock()
	if browsers.root == nil {
		folder, err := os.MkdirTemp("", "vienkart-browser-")
		require.NoError(t, err)
		allocator, stopAllocator := chromedp.NewExecAllocator(context.Background(), chromedp.ExecPath(path), chromedp.Headless, chromedp.NoSandbox,
			chromedp.NoFirstRun, chromedp.NoDefaultBrowserCheck, chromedp.DisableGPU, chromedp.UserDataDir(folder),
			chromedp.Flag("disable-background-networking", true), chromedp.Flag("disable-component-update", true),
			chromedp.Flag("disable-default-apps", true), chromedp.Flag("disable-sync", true), chromedp.Flag("disable-extensions", true),
			chromedp.Flag("disable-dev-shm-usage", true),
			// A page kept whole in memory has its key all the same; what is tested is a browser that loads it again.
			chromedp.Flag("disable-features", "BackForwardCache,Translate"), chromedp.Flag("no-proxy-server", true))
		root, stopRoot := chromedp.NewContext(allocator)
		require.NoError(t, chromedp.Do(root, chromedp.Navigate("about:blank")))
		browsers.root = root
		browsers.stop = func() { stopRoot(); stopAllocator(); _ = os.RemoveAll(folder) }
	}
	return browsers.root
}

// tab is a signed-in tab.
type tab struct {
	context.Context //nolint:containedctx // as chromedp wants it
	site            *site
}

// tab opens the site in a browser context of its own and signs the admin in by its form.
func (s *site) tab(t *testing.T) *tab {
	t.Helper()
	return s.tabOf(t, s.token)
}

// tabOf is the same for anybody.
func (s *site) tabOf(t *testing.T, token string) *tab {
	t.Helper()
	ctx, cancel := chromedp.NewContext(browser(t), chromedp.WithNewBrowserContext())
	t.Cleanup(cancel)
	ctx, stop := context.WithTimeout(ctx, browserTimeout)
	t.Cleanup(stop)
	b := &tab{ctx, s}
	b.do(t, chromedp.EmulateViewport(1280, 900), chromedp.Navigate(s.URL+"/"), chromedp.SetValue(chromedp.ID("f-token"), token))
	b.click(t, `form[action="/ui/sign-in/token"] button`)
	require.Equal(t, "Dashboard", b.text(t, "h1"))
	return b
}

// again is another tab of the same browser context, with the same cookies.
func (b *tab) again(t *testing.T) *tab {
	t.Helper()
	ctx, cancel := chromedp.NewContext(b.Context)
	t.Cleanup(cancel)
	return &tab{ctx, b.site}
}

func (b *tab) do(t *testing.T, steps ...chromedp.Action[chromedp.Void]) {
	t.Helper()
	require.NoError(t, chromedp.Do(b, steps...))
}

func (b *tab) open(t *testing.T, path string) {
	t.Helper()
	b.do(t, chromedp.Navigate(b.site.URL+path))
}

// click clicks and waits for the page it leads to.
func (b *tab) click(t *testing.T, selector string) *network.Response {
	t.Helper()
	answer, err := chromedp.RunResponse(b, chromedp.Click(chromedp.CSS(selector)))
	require.NoError(t, err, selector)
	return answer
}

func (b *tab) text(t *testing.T, selector string) string {
	t.Helper()
	text, err := chromedp.Run(b, chromedp.TextContent(chromedp.CSS(selector)))
	require.NoError(t, err, selector)
	return strings.Join(strings.Fields(text), " ")
}

func (b *tab) location(t *testing.T) string {
	t.Helper()
	at, err := chromedp.Run(b, chromedp.Location())
	require.NoError(t, err)
	return strings.TrimPrefix(at, b.site.URL)
}

func evaluate[T any](t *testing.T, b *tab, script string) T {
	t.Helper()
	value, err := chromedp.Run(b, chromedp.Evaluate[T](script))
	require.NoError(t, err, script)
	return value
}

// fill fills in a new invoice.
func (b *tab) fill(t *testing.T) {
	t.Helper()
	b.open(t, "/ui/invoices/new")
	b.do(t, chromedp.SetValue(chromedp.ID("f-partnerId"), b.site.customer),
		chromedp.SendKeys(chromedp.ID("f-lines-0-description"), "Konsultacijos"),
		chromedp.SendKeys(chromedp.ID("f-lines-0-quantity"), "3"),
		chromedp.SendKeys(chromedp.ID("f-lines-0-unitPriceExclVat"), "100"))
}

const issueButton = `button[value="issue"]`

func TestBrowser(t *testing.T) {
	chromium(t)
	t.Cleanup(stopBrowser)
	t.Run("Flows", func(t *testing.T) {
		t.Run("B185_DoubleClickIssuesOne", func(t *testing.T) { t.Parallel(); doubleClick(t) })
		t.Run("B186_FiveClicksIn300Milliseconds", func(t *testing.T) { t.Parallel(); fiveClicks(t) })
		t.Run("BackAndResubmit", func(t *testing.T) { t.Parallel(); backAndResubmit(t) })
		t.Run("B188_TwoTabs", func(t *testing.T) { t.Parallel(); twoTabs(t) })
		t.Run("KeyboardOnly", func(t *testing.T) { t.Parallel(); keyboardOnly(t) })
		t.Run("MoreLines", func(t *testing.T) { t.Parallel(); moreLines(t) })
		t.Run("FitsAPhone", func(t *testing.T) { t.Parallel(); fitsAPhone(t) })
		t.Run("MonthIsLockedAndOpened", func(t *testing.T) { t.Parallel(); lockAndUnlock(t) })
		t.Run("MonthIsDeclaredAndCorrected", func(t *testing.T) { t.Parallel(); declareMonth(t) })
		t.Run("FileIsWatchedAndDownloaded", func(t *testing.T) { t.Parallel(); watchFile(t) })
		t.Run("RefusalIsReviewed", func(t *testing.T) { t.Parallel(); reviewInBrowser(t) })
		t.Run("B190_TwoAdmins", func(t *testing.T) { t.Parallel(); twoAdmins(t) })
		t.Run("OrderIsPaidOnce", func(t *testing.T) { t.Parallel(); payOrder(t) })
		t.Run("AdvanceIsTakenOffOnce", func(t *testing.T) { t.Parallel(); applyOnce(t) })
		t.Run("WithoutJavaScript", func(t *testing.T) { t.Parallel(); withoutJavaScript(t) })
		t.Run("ReportByKeyboard", func(t *testing.T) { t.Parallel(); reportByKeyboard(t) })
		t.Run("SignInAndSwitchCompany", func(t *testing.T) { t.Parallel(); signInAndSwitch(t) })
		t.Run("Prints", func(t *testing.T) { t.Parallel(); prints(t) })
	})
}

func doubleClick(t *testing.T) {
	b := newSite(t).tab(t)
	b.fill(t)
	_, err := chromedp.RunResponse(b, chromedp.DoubleClick(chromedp.CSS(issueButton)))
	require.NoError(t, err)
	b.settled(t, "/ui/invoices/")
	require.Contains(t, b.text(t, "h1"), "Issued")
	require.Equal(t, 1, b.site.total(t, "/v1/sales/invoices/list"))
}

// settled waits until the browser shows a page of one object.
func (b *tab) settled(t *testing.T, prefix string) {
	t.Helper()
	require.Eventually(t, func() bool {
		at := b.location(t)
		return strings.HasPrefix(at, prefix) && !strings.HasPrefix(at, prefix+"new")
	}, 20*time.Second, 50*time.Millisecond)
	b.do(t, chromedp.WaitReady(chromedp.CSS("footer")))
}

func fiveClicks(t *testing.T) {
	b := newSite(t).tab(t)
	b.fill(t)
	// The page's own guard is taken away: each click is a request, and the server alone decides.
	evaluate[chromedp.Void](t, b, `{
		const form = document.querySelector('form[action="/ui/invoices/new"]');
		delete form.dataset.once;
		const button = document.querySelector('button[value="issue"]');
		for (let i = 0; i < 5; i++) setTimeout(() => button.click(), 60 * i);
	}`)
	b.settled(t, "/ui/invoices/")
	require.Contains(t, b.text(t, "h1"), "Issued")
	require.Equal(t, 1, b.site.total(t, "/v1/sales/invoices/list"))
}

func backAndResubmit(t *testing.T) {
	b := newSite(t).tab(t)
	b.fill(t)
	b.click(t, issueButton)
	first, _, _ := strings.Cut(b.location(t), "?")
	b.do(t, chromedp.NavigateBack())
	require.Contains(t, b.location(t), "/ui/invoices/new?form=")
	b.do(t, chromedp.SetValue(chromedp.ID("f-partnerId"), b.site.customer),
		chromedp.SetValue(chromedp.ID("f-lines-0-description"), "Konsultacijos"),
		chromedp.SetValue(chromedp.ID("f-lines-0-quantity"), "3"),
		chromedp.SetValue(chromedp.ID("f-lines-0-unitPriceExclVat"), "100"))
	b.click(t, issueButton)
	require.Equal(t, first+"?outcome=already", b.location(t))
	require.Contains(t, b.text(t, ".notice"), "nothing was booked twice")
	b.do(t, chromedp.Reload())
	require.Equal(t, 1, b.site.total(t, "/v1/sales/invoices/list"))
}

func twoTabs(t *testing.T) {
	s := newSite(t)
	at := "/ui/invoices/" + s.draft(t)
	one := s.tab(t)
	two := one.again(t)
	for _, b := range []*tab{one, two} {
		b.open(t, at)
		b.do(t, chromedp.Click(chromedp.CSS(".action summary")))
	}
	const issue = `form[action$="/issue"] button`
	require.EqualValues(t, http.StatusOK, one.click(t, issue).Status)
	require.EqualValues(t, http.StatusConflict, two.click(t, issue).Status)
	require.Contains(t, two.text(t, `[role="alert"]`), "issued already")
}

// keyboardOnly issues an invoice without a mouse.
func keyboardOnly(t *testing.T) {
	b := newSite(t).tab(t)
	b.open(t, "/ui/invoices/new")
	b.do(t, chromedp.KeyEvent(kb.Tab))
	require.Equal(t, "Skip to the content", evaluate[string](t, b, "document.activeElement.textContent"))
	b.do(t, chromedp.KeyEvent(kb.Enter))
	// From the content on: customer by its first letters, the first line, and the button.
	b.reach(t, "f-partnerId")
	b.do(t, chromedp.KeyEvent("UAB"))
	b.reach(t, "f-lines-0-description")
	b.do(t, chromedp.KeyEvent("Work"))
	b.reach(t, "f-lines-0-unitPriceExclVat")
	b.do(t, chromedp.KeyEvent("10"))
	for range 60 {
		b.do(t, chromedp.KeyEvent(kb.Tab))
		if evaluate[string](t, b, "document.activeElement.value || ''") == "issue" {
			break
		}
	}
	require.NotEqual(t, "none", evaluate[string](t, b, "getComputedStyle(document.activeElement).outlineStyle"), "focus is not visible")
	_, err := chromedp.RunResponse(b, chromedp.KeyEvent(kb.Enter))
	require.NoError(t, err)
	require.Contains(t, b.text(t, "h1"), "Issued")
}

// reach presses Tab until an input has the focus.
func (b *tab) reach(t *testing.T, id string) {
	t.Helper()
	for range 40 {
		b.do(t, chromedp.KeyEvent(kb.Tab))
		if evaluate[string](t, b, "document.activeElement.id") == id {
			return
		}
	}
	t.Fatalf("%s is out of reach of the keyboard", id)
}

func moreLines(t *testing.T) {
	b := newSite(t).tab(t)
	b.fill(t)
	b.do(t, chromedp.Click(chromedp.CSS("[data-more]")))
	require.Equal(t, "f-lines-3-description", evaluate[string](t, b, "document.activeElement.id"))
	require.Equal(t, "Line 4: Description", evaluate[string](t, b, `document.querySelector('label[for="f-lines-3-description"]').textContent`))
	b.do(t, chromedp.SendKeys(chromedp.ID("f-lines-3-description"), "Fourth"), chromedp.SendKeys(chromedp.ID("f-lines-3-unitPriceExclVat"), "5"))
	b.click(t, `button[value="save"]`)
	require.Contains(t, b.text(t, "tbody"), "Fourth")
}

func fitsAPhone(t *testing.T) {
	s, all := filled(t)
	var b *tab
	for i, at := range all {
		if i%20 == 0 { // a tab has a minute
			b = s.tab(t)
			b.do(t, chromedp.EmulateViewport(390, 844))
		}
		b.open(t, at)
		require.LessOrEqual(t, evaluate[int](t, b, "document.documentElement.scrollWidth"), 390, at)
	}
}
