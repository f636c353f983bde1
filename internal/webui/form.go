package webui

import (
	"fmt"
	"net/http"
	"slices"
	"strconv"
	"strings"
)

// Kinds of fields.
const (
	kindText     = "text"
	kindMoney    = "money"
	kindWhole    = "whole"
	kindDate     = "date"
	kindMonth    = "month"
	kindSelect   = "select"
	kindArea     = "area"
	kindCheck    = "check"
	kindHidden   = "hidden"
	kindPassword = "password"
	kindEmail    = "email"
	kindFile     = "file"
)

type option struct {
	Value, Text string
	Selected    bool
}

// field is one input. Its name is the member of the API's request, dotted where it is nested, so that the API's
// fieldErrors find their place.
type field struct {
	Name, ID, Label, Kind, Value, Help string
	Placeholder, Autocomplete, List    string
	Errors                             []string
	Options                            []option
	Required, Wide, Narrow             bool
	Checked                            bool
	Max                                int
	// Local fields are read by the page and not sent.
	Local bool
	// Clears fields are sent empty too, to remove what stands there.
	Clears bool
}

// HTMLID is the id of the input.
func (x field) HTMLID() string {
	if x.ID != "" {
		return x.ID
	}
	return "f-" + strings.ReplaceAll(x.Name, ".", "-")
}

// button submits a form; its name and value say what for.
type button struct {
	Name, Value, Text string
	Primary, NoCheck  bool
}

// form is a request of the API as a person fills it in.
type form struct {
	Title, Lead, Action, Submit string
	Fields                      []field
	Lines                       *lines
	Lists                       []dataList
	Buttons                     []button
	Key, Company                string
	Errors                      []string
	Links                       []link
	Note                        string
	Status                      int
	Danger, Plain, Upload       bool
}

// dataList offers values of a text field.
type dataList struct {
	ID      string
	Options []option
}

// value is what was typed.
func (f *form) value(name string) string {
	for _, x := range f.Fields {
		if x.Name == name {
			return x.Value
		}
	}
	return ""
}

func (f *form) set(name, value string) {
	for i := range f.Fields {
		if f.Fields[i].Name == name {
			f.Fields[i].Value = value
		}
	}
}

// read keeps what was typed.
func (f *form) read(r *http.Request) {
	for i := range f.Fields {
		x := &f.Fields[i]
		x.read(r, x.Name)
	}
	if f.Lines != nil {
		f.Lines.read(r)
	}
}

func (x *field) read(r *http.Request, name string) {
	switch x.Kind {
	case kindCheck:
		x.Checked = r.PostFormValue(name) != ""
	case kindFile:
		x.Value = uploaded(r, name)
	case kindPassword:
		x.Value = r.PostFormValue(name) // a blank belongs to a password
	default:
		x.Value = strings.TrimSpace(r.PostFormValue(name))
	}
}

// fill shows a record of the API for changing it.
func (f *form) fill(r record) {
	for i := range f.Fields {
		x := &f.Fields[i]
		if r.has(x.Name) {
			x.Value, x.Checked = r.text(x.Name), r.isTrue(x.Name)
		}
	}
	if f.Lines == nil {
		return
	}
	for i, item := range r.list(f.Lines.Name) {
		row := f.Lines.row(i)
		for n, c := range f.Lines.Columns {
			row.Fields[n].Value = item.text(c.Name)
		}
		f.Lines.Rows = append(f.Lines.Rows, row)
	}
}

// body is the request: absent members are left out, so that the API fills in what it knows better.
func (f *form) body() map[string]any {
	out := map[string]any{}
	for _, x := range f.Fields {
		if !x.Local && x.Name != "next" {
			x.put(out, strings.Split(x.Name, "."))
		}
	}
	if f.Lines != nil {
		f.Lines.put(out)
	}
	return out
}

func (x field) put(into map[string]any, path []string) {
	value := x.send()
	if value == nil {
		return
	}
	for _, name := range path[:len(path)-1] {
		next, ok := into[name].(map[string]any)
		if !ok {
			next = map[string]any{}
			into[name] = next
		}
		into = next
	}
	into[path[len(path)-1]] = value
}

// send is the value as the API takes it; nil is absent.
func (x field) send() any {
	switch {
	case x.Kind == kindCheck:
		return x.Checked
	case x.Value == "" && x.Clears:
		return ""
	case x.Value == "":
		return nil
	case x.Kind == kindMoney:
		return plainDecimal(x.Value)
	case x.Kind == kindWhole:
		if n, err := strconv.Atoi(x.Value); err == nil {
			return n
		}
	}
	return x.Value
}

// plainDecimal reads 1 234,56 and 1,234.56 as people write them; what stays unclear is for the API to refuse.
func plainDecimal(s string) string {
	s = strings.NewReplacer(" ", "", "\u00a0", "", "\u202f", "", "\u2212", "-").Replace(s)
	if strings.Contains(s, ".") {
		return strings.ReplaceAll(s, ",", "")
	}
	if strings.Count(s, ",") == 1 {
		return strings.Replace(s, ",", ".", 1)
	}
	return s
}

// refuse puts the API's errors to the fields they are about; what has no field stands above the form.
func (f *form) refuse(v *visit, r *refusal) {
	f.Status = r.Status
	notice := v.refusalNotice(r)
	if notice.Title != "" {
		f.Errors = append(f.Errors, notice.Title)
	}
	placed := 0
	for _, member := range slices.Sorted(mapKeys(r.Fields)) {
		if x := f.find(member); x != nil {
			x.Errors = append(x.Errors, r.Fields[member]...)
			placed++
			continue
		}
		for _, text := range r.Fields[member] {
			f.Errors = append(f.Errors, member+": "+text)
		}
	}
	if r.Message != "" && (placed == 0 || r.Status != http.StatusBadRequest) {
		f.Errors = append(f.Errors, r.Message)
	}
	if len(f.Errors) == 0 {
		f.Errors = []string{v.t("error.fields")}
	}
	f.Links, f.Note = notice.Items, notice.Note
}

func mapKeys[V any](m map[string]V) func(yield func(string) bool) {
	return func(yield func(string) bool) {
		for k := range m {
			if !yield(k) {
				return
			}
		}
	}
}

func (f *form) find(member string) *field {
	for i := range f.Fields {
		if x := &f.Fields[i]; x.Name == member && x.Kind != kindHidden {
			return x
		}
	}
	if f.Lines == nil {
		return nil
	}
	return f.Lines.find(member)
}

// Faults are the fields with errors, for the list above the form.
func (f *form) Faults() []field {
	var out []field
	for _, x := range f.Fields {
		if len(x.Errors) > 0 {
			out = append(out, x)
		}
	}
	if f.Lines != nil {
		for _, row := range f.Lines.Rows {
			for _, x := range row.Fields {
				if len(x.Errors) > 0 {
					x.Label = fmt.Sprintf("%s %d, %s", f.Lines.Row, row.Number, x.Label)
					out = append(out, x)
				}
			}
		}
	}
	return out
}
