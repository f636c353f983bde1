package webui_test

import (
	"os"
	"path/filepath"
	"regexp"
	"strings"
	"testing"

	"github.com/chromedp/cdproto/emulation"
	"github.com/chromedp/chromedp"
	"github.com/stretchr/testify/require"
)

// screenshotFolder is the variable that names a folder for pictures of all pages. Pictures are for people to look at; what a
// program can tell is in the other tests.
const screenshotFolder = "VIENKART_SCREENSHOTS"

// TestScreenshots takes a picture of every page: light, dark, of a phone, and as printed. VIENKART_SCREENSHOT_LANGUAGE chooses
// the language, VIENKART_SCREENSHOT_PAGES a part of the addresses.
func TestScreenshots(t *testing.T) {
	t.Parallel()
	folder := os.Getenv(screenshotFolder)
	if folder == "" {
		t.Skip("no folder for pictures: " + screenshotFolder)
	}
	t.Cleanup(stopBrowser)
	s, all := filled(t)
	var b *tab
	for i, at := range all {
		if i%10 == 0 { // a tab has a minute
			b = s.tab(t)
			if language := os.Getenv("VIENKART_SCREENSHOT_LANGUAGE"); language != "" {
				b.click(t, `button[name="language"][value="`+language+`"]`)
			}
		}
		if !strings.Contains(at, os.Getenv("VIENKART_SCREENSHOT_PAGES")) {
			continue
		}
		for _, look := range []struct {
			name, media, scheme string
			width, height       int64
		}{
			{"light", "", "light", 1280, 900},
			{"dark", "", "dark", 1280, 900},
			{"phone", "", "light", 390, 844},
			{"print", "print", "light", 794, 1123},
		} {
			b.media(t, look.media, &emulation.MediaFeature{Name: "prefers-color-scheme", Value: look.scheme})
			b.do(t, chromedp.EmulateViewport(look.width, look.height))
			b.open(t, at)
			picture, err := chromedp.Run(b, chromedp.FullScreenshot(100))
			require.NoError(t, err)
			name := regexp.MustCompile(`[0-9a-f]{8}-[0-9a-f-]{27}`).ReplaceAllString(at, "id")
			name = regexp.MustCompile(`[^a-zA-Z0-9.-]+`).ReplaceAllString(strings.TrimPrefix(name, "/ui/"), "_")
			require.NoError(t, os.WriteFile(filepath.Join(folder, name+"."+look.name+".png"), picture, 0o600))
		}
	}
}
