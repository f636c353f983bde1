package backup

import (
	"bufio"
	"bytes"
	"compress/gzip"
	"crypto/sha256"
	"encoding/hex"
	"errors"
	"fmt"
	"hash"
	"io"

	"github.com/go-json-experiment/json"
	"github.com/go-json-experiment/json/jsontext"
)

// maxLine is more than the largest row that can be stored takes.
const maxLine = 128 << 20

// visitor is told what a file holds.
type visitor interface {
	header(Header) error
	table(name string, columns []column) error
	row(columns []column, values []jsontext.Value) error
	end() error
}

// Check reads a backup to its end. Error: ErrDamaged.
func Check(file io.Reader) (Header, Totals, error) { return check(file, formatName) }

func check(file io.Reader, format string) (Header, Totals, error) {
	var c checker
	totals, err := walk(file, format, &c)
	return c.found, totals, err
}

// checker looks whether every value can be read.
type checker struct{ found Header }

func (c *checker) header(h Header) error      { c.found = h; return nil }
func (*checker) table(string, []column) error { return nil }
func (*checker) end() error                   { return nil }
func (*checker) row(of []column, v []jsontext.Value) error {
	_, err := storedRow(of, v)
	return err
}

func storedRow(columns []column, values []jsontext.Value) ([]any, error) {
	row := make([]any, len(columns))
	for i, c := range columns {
		var err error
		if row[i], err = stored(values[i], c.Kind); err != nil {
			return nil, damaged("column %s: %v", c.Name, err)
		}
	}
	return row, nil
}

func damaged(format string, args ...any) error {
	return fmt.Errorf("%w: %s", ErrDamaged, fmt.Sprintf(format, args...))
}

// lines reads a file line by line.
type lines struct {
	in     *bufio.Reader
	digest hash.Hash
	number int64
}

// next is one line without its end. It is not part of the digest yet, since the last one never is.
func (l *lines) next() ([]byte, error) {
	l.number++
	var line []byte
	for {
		part, err := l.in.ReadSlice('\n')
		line = append(line, part...)
		switch {
		case err == nil:
			return line, nil
		case !errors.Is(err, bufio.ErrBufferFull):
			return nil, damaged("line %d is cut off: %v", l.number, err)
		case len(line) > maxLine:
			return nil, damaged("line %d is longer than any row", l.number)
		}
	}
}

func (l *lines) read(into any) error {
	line, err := l.next()
	if err != nil {
		return err
	}
	l.digest.Write(line)
	return l.decode(line, into)
}

func (l *lines) decode(line []byte, into any) error {
	if err := json.Unmarshal(line, into, json.RejectUnknownMembers(true)); err != nil {
		return damaged("line %d: %v", l.number, err)
	}
	return nil
}

// walk reads a file of a format and tells the visitor.
func walk(file io.Reader, format string, v visitor) (Totals, error) {
	packed, err := gzip.NewReader(file)
	if err != nil {
		return Totals{}, damaged("it is not gzip: %v", err)
	}
	l := &lines{in: bufio.NewReaderSize(packed, 64<<10), digest: sha256.New()}
	var h Header
	if err := l.read(&h); err != nil {
		return Totals{}, err
	}
	if h.Format != format || h.Version != formatVersion {
		return Totals{}, fmt.Errorf("the file is %q of version %d; this server reads %q of version %d", h.Format, h.Version, format, formatVersion)
	}
	if err := v.header(h); err != nil {
		return Totals{}, err
	}
	var found Totals
	for {
		line, err := l.next()
		if err != nil {
			return Totals{}, err
		}
		if !bytes.HasPrefix(line, []byte(`{"table":`)) {
			return found, l.finish(line, &found)
		}
		l.digest.Write(line)
		n, err := l.table(line, v)
		if err != nil {
			return Totals{}, err
		}
		found.Tables++
		found.Rows += n
	}
}

// table reads a table after the line that names it.
func (l *lines) table(head []byte, v visitor) (n int64, err error) {
	var t tableLine
	if err := l.decode(head, &t); err != nil {
		return 0, err
	}
	if err := v.table(t.Table, t.Columns); err != nil {
		return 0, err
	}
	for {
		line, err := l.next()
		if err != nil {
			return n, err
		}
		l.digest.Write(line)
		if line[0] != '[' {
			var end tableEnd
			if err := l.decode(line, &end); err != nil {
				return n, err
			}
			if end.Rows != n {
				return n, damaged("%s has %d rows, not the %d it had", t.Table, n, end.Rows)
			}
			return n, v.end()
		}
		var values []jsontext.Value
		if err := l.decode(line, &values); err != nil {
			return n, err
		}
		if len(values) != len(t.Columns) {
			return n, damaged("line %d has %d values for %d columns", l.number, len(values), len(t.Columns))
		}
		if err := v.row(t.Columns, values); err != nil {
			return n, fmt.Errorf("line %d, table %s: %w", l.number, t.Table, err)
		}
		n++
	}
}

// finish compares the last line with what was read.
func (l *lines) finish(line []byte, found *Totals) error {
	var wanted Totals
	if err := l.decode(line, &wanted); err != nil {
		return err
	}
	found.SHA256 = hex.EncodeToString(l.digest.Sum(nil))
	if wanted != *found {
		return damaged("its digest or its totals differ")
	}
	if _, err := l.in.ReadByte(); !errors.Is(err, io.EOF) {
		return damaged("something follows its end: %v", err)
	}
	return nil
}
