package webui

import (
	"errors"
	"io"
	"net/http"
	"strconv"
	"strings"
)

// lines are the rows of a document in a form.
type lines struct {
	Name    string // member of the request, such as lines
	Label   string
	Row     string // what one row is called
	Columns []field
	Rows    []line
	// Least is how many rows an empty form has.
	Least int
}

type line struct {
	Number int
	Fields []field
}

// Limits of a form's rows; the API has its own.
const (
	moreLines = 3
	maxLines  = 500
)

func (l *lines) row(i int) line {
	out := line{Number: i + 1, Fields: make([]field, len(l.Columns))}
	for n, c := range l.Columns {
		c.ID, c.Name = "", l.Name+"."+strconv.Itoa(i)+"."+c.Name
		out.Fields[n] = c
	}
	return out
}

// fill gives the form its first rows.
func (l *lines) fill() {
	for len(l.Rows) < l.Least {
		l.Rows = append(l.Rows, l.row(len(l.Rows)))
	}
}

// read keeps the rows that have something in them, and numbers them anew: the API counts what it gets.
func (l *lines) read(r *http.Request) {
	l.Rows = nil
	for i := range l.submitted(r) {
		submitted, kept := l.row(i), l.row(len(l.Rows))
		empty := true
		for n := range submitted.Fields {
			x := &kept.Fields[n]
			x.read(r, submitted.Fields[n].Name)
			if x.Value != l.Columns[n].Value && x.Kind != kindCheck {
				empty = false
			}
		}
		if !empty {
			l.Rows = append(l.Rows, kept)
		}
	}
}

// submitted is how many rows the browser sent.
func (l *lines) submitted(r *http.Request) int {
	most := 0
	for name := range r.PostForm {
		rest, ok := strings.CutPrefix(name, l.Name+".")
		if !ok {
			continue
		}
		index, _, _ := strings.Cut(rest, ".")
		if n, err := strconv.Atoi(index); err == nil && n >= most && n < maxLines {
			most = n + 1
		}
	}
	return most
}

// more adds empty rows.
func (l *lines) more() {
	for range moreLines {
		l.Rows = append(l.Rows, l.row(len(l.Rows)))
	}
}

func (l *lines) put(out map[string]any) {
	rows := make([]any, 0, len(l.Rows))
	for _, row := range l.Rows {
		object := map[string]any{}
		for n, x := range row.Fields {
			x.put(object, []string{l.Columns[n].Name})
		}
		rows = append(rows, object)
	}
	out[l.Name] = rows
}

// find is the field of a member such as lines.0.quantity; an error of a whole row stands at its first field.
func (l *lines) find(member string) *field {
	if len(l.Rows) == 0 && (member == l.Name || strings.HasPrefix(member, l.Name+".")) {
		l.fill()
		if len(l.Rows) == 0 {
			return nil
		}
		return &l.Rows[0].Fields[0]
	}
	for i := range l.Rows {
		fields := l.Rows[i].Fields
		for n := range fields {
			if fields[n].Name == member {
				return &fields[n]
			}
		}
		whole := l.Name + "." + strconv.Itoa(i)
		if len(fields) > 0 && (member == whole || strings.HasPrefix(member, whole+".")) {
			return &fields[0]
		}
	}
	return nil
}

// uploaded is the text of a file; a browser without the file sends none.
func uploaded(r *http.Request, name string) string {
	file, _, err := r.FormFile(name)
	if err != nil {
		return ""
	}
	defer func() { _ = file.Close() }()
	b, err := io.ReadAll(file)
	if err != nil && !errors.Is(err, io.EOF) {
		return ""
	}
	return string(b)
}
