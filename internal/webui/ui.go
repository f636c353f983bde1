package webui

import (
	"bytes"
	"encoding/json"
	"errors"
	"fmt"
	"html/template"
	"io/fs"
	"log/slog"
	"net/http"
	"net/url"
	"path"
	"strings"

	"github.com/vienkart/vienkart/internal/clock"
	"github.com/vienkart/vienkart/web"
)

// maxForm bounds a submitted form; statements and settlement reports are pasted or uploaded in full.
const maxForm = 12 << 20

// Prefix is where the pages live.
const Prefix = "/ui/"

// UI answers with pages.
type UI struct {
	api        http.Handler
	clock      clock.Clock
	operations map[string]bool
	languages  []*tongue
	templates  map[string]*template.Template
	mux        *http.ServeMux
	handler    http.Handler
}

// New builds the pages over the API's handler, which a page calls in process.
func New(api http.Handler, c clock.Clock) (*UI, error) {
	u := &UI{api: api, clock: c, templates: map[string]*template.Template{}}
	var err error
	if u.operations, err = servedOperations(api); err != nil {
		return nil, err
	}
	if u.languages, err = loadLanguages(web.Files); err != nil {
		return nil, err
	}
	for _, l := range u.languages {
		t := template.New("").Funcs(template.FuncMap{"t": l.t, "count": l.count, "amount": l.amount})
		if u.templates[l.Tag], err = t.ParseFS(web.Files, "templates/*.html"); err != nil {
			return nil, fmt.Errorf("reading the templates: %w", err)
		}
	}
	static, err := fs.Sub(web.Files, "static")
	if err != nil {
		return nil, fmt.Errorf("reading the static files: %w", err)
	}
	mux := http.NewServeMux()
	mux.Handle("GET /ui/static/", http.StripPrefix("/ui/static/", cached(http.FileServerFS(static))))
	u.routes(mux)
	u.mux = mux
	u.handler = guarded(http.NewCrossOriginProtection().Handler(mux))
	return u, nil
}

// ServeHTTP answers a page of /ui/, and / by going there.
func (u *UI) ServeHTTP(w http.ResponseWriter, r *http.Request) { u.handler.ServeHTTP(w, r) }

// Mount puts the pages before the API: /, /ui/ and the addresses in letters are theirs, everything else is the API's.
func Mount(u *UI, api http.Handler) http.Handler {
	mux := http.NewServeMux()
	mux.Handle("/", api)
	mux.Handle(Prefix, u)
	for path, page := range letterPages {
		mux.Handle(path, toLetterPage(page))
	}
	mux.Handle("/{$}", http.RedirectHandler(Prefix, http.StatusFound))
	return mux
}

// servedOperations asks the API's own description what it can do.
func servedOperations(api http.Handler) (map[string]bool, error) {
	r, err := http.NewRequest(http.MethodGet, "/openapi.json", http.NoBody) //nolint:noctx // in process, once, at the start
	if err != nil {
		return nil, fmt.Errorf("asking what the API serves: %w", err)
	}
	out := &answerBuffer{header: http.Header{}}
	api.ServeHTTP(out, r)
	var document struct {
		Paths map[string]json.RawMessage `json:"paths"`
	}
	if err := json.Unmarshal(out.body.Bytes(), &document); err != nil {
		return nil, fmt.Errorf("reading what the API serves: %w", err)
	}
	operations := map[string]bool{}
	for path := range document.Paths {
		operations[path] = true
	}
	return operations, nil
}

func (u *UI) serves(operation string) bool { return u.operations[operation] }

// policy lets a page use the files of this server and nothing else.
const policy = "default-src 'none'; script-src 'self'; style-src 'self'; img-src 'self'; connect-src 'self'; " +
	"form-action 'self'; base-uri 'none'; frame-ancestors 'none'"

func guarded(next http.Handler) http.Handler {
	return http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		h := w.Header()
		h.Set("Content-Security-Policy", policy)
		h.Set("X-Content-Type-Options", "nosniff")
		h.Set("Referrer-Policy", "same-origin")
		h.Set("Cross-Origin-Opener-Policy", "same-origin")
		h.Set("Permissions-Policy", "camera=(), geolocation=(), microphone=()")
		// Not no-store: going back must find the form as it was, with its key, so that sending it again books nothing.
		h.Set("Cache-Control", "private, no-cache")
		next.ServeHTTP(w, r)
	})
}

// cached lets a browser keep the files for an hour; their addresses carry no version.
func cached(next http.Handler) http.Handler {
	return http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		w.Header().Set("Cache-Control", "public, max-age=3600")
		if r.URL.Path == "" || strings.HasSuffix(r.URL.Path, "/") {
			http.NotFound(w, r)
			return
		}
		next.ServeHTTP(w, r)
	})
}

// answer is what a page handler gives.
type answer interface{ write(v *visit) error }

type pageFunc func(v *visit) (answer, error)

// redirect sends the browser to a page that only reads.
type redirect string

func (to redirect) write(v *visit) error {
	http.Redirect(v.w, v.r, string(to), http.StatusSeeOther) //nolint:gosec // an address of this package, or what localPath let through
	return nil
}

// download hands a file to the browser.
type download struct {
	name, contentType string
	body              []byte
}

func (d download) write(v *visit) error {
	h := v.w.Header()
	h.Set("Content-Type", d.contentType)
	h.Set("Content-Disposition", `attachment; filename="`+safeFileName(d.name)+`"`)
	_, err := v.w.Write(d.body)
	return err //nolint:wrapcheck // the browser hung up
}

// safeFileName keeps what any disk takes.
func safeFileName(name string) string {
	return strings.Map(func(r rune) rune {
		if r >= 'a' && r <= 'z' || r >= 'A' && r <= 'Z' || r >= '0' && r <= '9' || r == '.' || r == '-' || r == '_' {
			return r
		}
		return '_'
	}, name)
}

// newVisit is a request of nobody yet.
func (u *UI) newVisit(w http.ResponseWriter, r *http.Request) *visit {
	return &visit{ui: u, w: w, r: r, lang: u.pickLanguage(r), at: u.pageOf(r)}
}

// pageOf is the address of the page that a request shows. That of a form has the page above it: /ui/periods/lock shows
// /ui/periods again when it is refused, and links of that page must lead there.
func (u *UI) pageOf(r *http.Request) url.URL {
	if r.Method == http.MethodGet {
		return *r.URL
	}
	for at := r.URL.Path; len(at) > len(Prefix); at = path.Dir(at) {
		asked := &http.Request{Method: http.MethodGet, Host: r.Host, URL: &url.URL{Path: at}}
		if _, pattern := u.mux.Handler(asked); pattern != "GET "+Prefix {
			return url.URL{Path: at}
		}
	}
	return url.URL{Path: Prefix}
}

// page runs a handler for a signed-in user.
func (u *UI) page(f pageFunc) http.HandlerFunc {
	return func(w http.ResponseWriter, r *http.Request) {
		v := u.newVisit(w, r)
		v.token = sessionToken(r)
		r.Body = http.MaxBytesReader(w, r.Body, maxForm)
		if err := v.enter(); err != nil {
			v.fail(err)
			return
		}
		v.run(f)
	}
}

// open runs a handler for anybody.
func (u *UI) open(f pageFunc) http.HandlerFunc {
	return func(w http.ResponseWriter, r *http.Request) {
		r.Body = http.MaxBytesReader(w, r.Body, maxForm)
		u.newVisit(w, r).run(f)
	}
}

func (v *visit) run(f pageFunc) {
	out, err := f(v)
	if err != nil {
		v.fail(err)
		return
	}
	if err := out.write(v); err != nil {
		slog.WarnContext(v.r.Context(), "page not written", "path", v.r.URL.Path, "error", err)
	}
}

// fail shows what went wrong and how to mend it.
func (v *visit) fail(err error) {
	p := v.newPage("error.title")
	p.Status = http.StatusInternalServerError
	refused, ok := errors.AsType[*refusal](err)
	tooLarge, isTooLarge := errors.AsType[*http.MaxBytesError](err)
	switch {
	case ok && refused.Status == http.StatusUnauthorized:
		v.signInFirst()
		return
	case ok:
		p.Status = refused.Status
		p.Title = v.lang.t(errorTitle(refused.Status))
		p.add(block{Notice: v.refusalNotice(refused)})
	case isTooLarge:
		p.Status = http.StatusRequestEntityTooLarge
		p.add(block{Notice: &notice{Kind: "bad", Text: v.lang.t("error.tooLarge", "Megabytes", tooLarge.Limit>>20)}})
	case errors.Is(err, errNotServed):
		p.Status = http.StatusNotImplemented
		p.Title = v.lang.t("error.notServed")
		p.add(block{Empty: &empty{Text: v.lang.t("error.notServedText")}})
	case v.r.Context().Err() != nil:
		return
	default:
		slog.ErrorContext(v.r.Context(), "page failed", "path", v.r.URL.Path, "error", err)
		p.add(block{Notice: &notice{Kind: "bad", Text: v.lang.t("error.internal")}})
	}
	if err := p.write(v); err != nil {
		slog.WarnContext(v.r.Context(), "page not written", "path", v.r.URL.Path, "error", err)
	}
}

func errorTitle(status int) string {
	switch status {
	case http.StatusNotFound:
		return "error.notFound"
	case http.StatusForbidden:
		return "error.forbidden"
	case http.StatusConflict:
		return "error.conflict"
	}
	return "error.title"
}

// render executes a template into memory first, so that a failure is an error page and not half a page.
func (v *visit) render(status int, name string, data any) error {
	var b bytes.Buffer
	if err := v.ui.templates[v.lang.Tag].ExecuteTemplate(&b, name, data); err != nil {
		http.Error(v.w, "The page could not be made.", http.StatusInternalServerError)
		return fmt.Errorf("making a page: %w", err)
	}
	v.w.Header().Set("Content-Type", "text/html; charset=utf-8")
	v.w.WriteHeader(status)
	_, err := v.w.Write(b.Bytes())
	return err //nolint:wrapcheck // the browser hung up
}
