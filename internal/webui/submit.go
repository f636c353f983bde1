package webui

import (
	"errors"
	"net/http"
	"net/url"
	"strings"

	"github.com/vienkart/vienkart/internal/tenant"
)

// Hidden members of every form that changes something.
const (
	fieldKey     = "_key"
	fieldCompany = "_company"
	fieldMore    = "_more"
)

// newKey is an Idempotency-Key for one form.
func newKey() string { return tenant.NewID().String() }

// keyed gives a form its key and the company it was opened in.
func (v *visit) keyed(f *form) *form {
	if f.Key == "" {
		f.Key = newKey()
	}
	f.Company = v.me.text("activeCompanyId")
	if f.Lines != nil {
		f.Lines.fill()
	}
	return f
}

// formKey is the key of a form that has a page of its own. It stands in the address, so that going back or reloading
// finds the same key, and sending the form again books nothing.
func (v *visit) formKey() (string, answer) {
	key := v.param("form")
	if _, err := tenant.ParseID(key); err != nil {
		return "", redirect(v.with("form", newKey()))
	}
	return key, nil
}

// step is one operation of a submission.
type step struct {
	operation string
	// body makes the request from what was typed and what the step before answered.
	body func(before record) map[string]any
}

// submission says what a form does.
type submission struct {
	steps []step
	// then is the page that shows the result.
	then func(answer record) string
	// quiet leaves out the message of success, where the next page tells how far it is.
	quiet bool
	// partly shows what the first step made when a later one was refused.
	partly func(made record, refused *refusal) (answer, error)
}

// once is a submission of one operation with the form as its request.
func once(operation string, f *form, extra map[string]any, then func(record) string) submission {
	return submission{then: then, steps: []step{{operation, func(record) map[string]any {
		body := f.body()
		for k, v := range extra {
			body[k] = v
		}
		return body
	}}}}
}

// submit runs a form: it redirects after a success, and returns nil when the form must be shown again, with its errors.
func (v *visit) submit(f *form, s submission) (answer, error) {
	if err := v.parseForm(); err != nil {
		return nil, err
	}
	f.read(v.r)
	f.Key = v.r.PostFormValue(fieldKey)
	if v.r.PostFormValue(fieldMore) != "" && f.Lines != nil {
		f.Lines.more()
		v.keyed(f)
		return nil, nil //nolint:nilnil // nothing to do and nothing wrong: the form is shown again
	}
	if _, err := tenant.ParseID(f.Key); err != nil {
		v.again(f, http.StatusBadRequest, "error.noKey")
		return nil, nil //nolint:nilnil // the form is shown again
	}
	if v.r.PostFormValue(fieldCompany) != v.me.text("activeCompanyId") {
		v.again(f, http.StatusConflict, "error.otherCompany")
		return nil, nil //nolint:nilnil // the form is shown again
	}
	return v.perform(f, s)
}

func (v *visit) perform(f *form, s submission) (answer, error) {
	var result record
	replayed := true
	for i, step := range s.steps {
		key := f.Key
		if i > 0 {
			key += "." + string(rune('0'+i)) // each operation of a form has a key of its own, always the same
		}
		out, again, err := v.mutate(step.operation, key, step.body(result))
		if refused, ok := errors.AsType[*refusal](err); ok {
			if i > 0 { // what the first step made is there to stay; its page shows the refusal
				return s.partly(result, refused)
			}
			v.refused(f, refused)
			return nil, nil //nolint:nilnil // the form is shown again
		}
		if err != nil {
			return nil, err
		}
		result, replayed = out, replayed && again
	}
	outcome := outcomeDone
	if replayed {
		outcome = outcomeReplayed
	}
	to, err := url.Parse(s.then(result))
	if err != nil {
		return nil, err //nolint:wrapcheck // an address of this package
	}
	if !s.quiet {
		q := to.Query()
		q.Set("outcome", outcome)
		to.RawQuery = q.Encode()
	}
	return redirect(to.String()), nil
}

func (v *visit) parseForm() error {
	err := v.r.ParseMultipartForm(maxForm) //nolint:gosec // the body is limited where the visit begins
	if errors.Is(err, http.ErrNotMultipart) {
		err = nil
	}
	return err //nolint:wrapcheck // too large, or a browser that hung up
}

func (v *visit) again(f *form, status int, message string) {
	f.Status = status
	f.Errors = []string{v.t(message)}
	f.Key = ""
	v.keyed(f)
}

// refused shows the form again. After a refusal that booked nothing the form gets a fresh key, unless the API wants the
// same one; after a key that did book something, the person decides.
func (v *visit) refused(f *form, r *refusal) {
	if r.Code == "idempotency_key_reuse" {
		f.Status = r.Status
		f.Errors = []string{v.t("error.formUsed")}
		if to := v.keyURL(f.Key); to != "" {
			f.Links = []link{{Text: v.t("error.openExisting"), URL: to}}
		}
		f.Note = v.t("error.formUsedNote")
		f.Key = ""
		v.keyed(f)
		return
	}
	f.refuse(v, r)
	if r.RetryWith != "same_key" {
		f.Key = ""
	}
	v.keyed(f)
}

// keyURL is the page of what a key made.
func (v *visit) keyURL(key string) string {
	status, err := v.query("/v1/idempotency/keys/get", map[string]any{"key": key})
	if err != nil {
		return "" // the role may not look keys up, or the key is free
	}
	return documentURL(status.text("resourceType"), status.text("resourceId"))
}

// usedForm warns on a form whose key has booked something, as after going back.
func (v *visit) usedForm(key string) *notice {
	to := v.keyURL(key)
	if to == "" {
		return nil
	}
	return &notice{
		Kind: "info", Text: v.t("form.used"),
		Items: []link{{Text: v.t("error.openExisting"), URL: to}, {Text: v.t("form.startNew"), URL: v.with("form", "")}},
	}
}

// act is an action of a page. The form that was just refused stands open, as it was filled in.
func (v *visit) act(label string, f *form) action {
	a := action{Label: v.t(label), Danger: f.Danger, Primary: !f.Danger && !f.Plain, Form: f}
	if v.shown != nil && v.shown.Action == f.Action {
		a.Form, a.Open = v.shown, true
	}
	v.keyed(a.Form)
	return a
}

// runAction runs the form of an action, and shows the page again when it was refused.
func (v *visit) runAction(f *form, s submission, show pageFunc) (answer, error) {
	out, err := v.submit(f, s)
	if out != nil || err != nil {
		return out, err
	}
	v.shown = f
	out, err = show(v)
	if p, ok := out.(*page); ok && v.placed {
		p.fromForm(f)
	} else if ok && !p.holds(f) {
		n := &notice{Kind: "bad", Items: f.Links, Note: f.Note, Text: strings.Join(f.Errors, " ")}
		for _, fault := range f.Faults() {
			n.Text += " " + fault.Label + ": " + strings.Join(fault.Errors, " ")
		}
		p.Blocks = append([]block{{Notice: n}}, p.Blocks...)
		p.fromForm(f)
	}
	return out, err
}

// holds says whether the page has a place for the form.
func (p *page) holds(f *form) bool {
	for _, b := range p.Blocks {
		if b.Form == f {
			return true
		}
		for _, a := range b.Actions {
			if a.Form == f {
				return true
			}
		}
	}
	return false
}
