package httpapi

import (
	"embed"
	"net/http"

	"github.com/swaggest/swgui/v5emb"
)

//go:embed docs/index.html docs/start.js
var docsFiles embed.FS

// docsPolicy lets the page load what this server ships and nothing else. Images may be data, since the style sheet holds
// its icons.
const docsPolicy = "default-src 'none'; script-src 'self'; style-src 'self'; img-src 'self' data:; connect-src 'self'; " +
	"base-uri 'none'; form-action 'none'; frame-ancestors 'none'"

// docsHandler serves the readable API document at /docs and below: a page of our own, without a script in it, over the
// embedded files of Swagger UI.
func docsHandler() http.Handler {
	assets := v5emb.New("Vienkart", "/openapi.json", "/docs/")
	return http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		h := w.Header()
		h.Set("Content-Security-Policy", docsPolicy)
		h.Set("X-Content-Type-Options", "nosniff")
		h.Set("Referrer-Policy", "no-referrer")
		switch r.URL.Path {
		case "/docs", "/docs/":
			http.ServeFileFS(w, r, docsFiles, "docs/index.html")
		case "/docs/start.js":
			http.ServeFileFS(w, r, docsFiles, "docs/start.js")
		default:
			assets.ServeHTTP(w, r)
		}
	})
}
