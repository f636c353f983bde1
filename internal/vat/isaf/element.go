package isaf

import (
	"bytes"
	"encoding/xml"
	"regexp"

	"github.com/vienkart/vienkart/internal/date"
	"github.com/vienkart/vienkart/internal/money"
)

// markup writes elements into a buffer: one line each, without indentation, so that large files stay small and can be compared.
type markup struct{ bytes.Buffer }

func (m *markup) write(s string) { _, _ = m.WriteString(s) } // a buffer takes everything

func (m *markup) open(name string)  { m.write("<" + name + ">\n") }
func (m *markup) close(name string) { m.write("</" + name + ">\n") }

// empty writes an element without content, which the schema takes for texts.
func (m *markup) empty(name string) { m.write("<" + name + "/>\n") }

// null writes an element whose value is not given; dates, numbers and codes need it.
func (m *markup) null(name string) { m.write("<" + name + ` xsi:nil="true"/>` + "\n") }

func (m *markup) text(name, value string) {
	if value == "" {
		m.empty(name)
		return
	}
	m.write("<" + name + ">")
	_ = xml.EscapeText(&m.Buffer, []byte(value)) // a buffer takes everything
	m.write("</" + name + ">\n")
}

func (m *markup) optionalText(name, value string) {
	if value == "" {
		m.null(name)
		return
	}
	m.text(name, value)
}

func (m *markup) day(name string, d date.Date) { m.optionalText(name, d.String()) }

func (m *markup) amount(name string, a *money.Amount) {
	if a == nil {
		m.null(name)
		return
	}
	m.text(name, a.String())
}

func (m *markup) rate(name string, d *money.Decimal) {
	if d == nil {
		m.null(name)
		return
	}
	m.text(name, d.String())
}

var taxCode = regexp.MustCompile(`^PVM[0-9]{1,3}$`)

func (m *markup) taxCode(code *string) {
	if code == nil || !taxCode.MatchString(*code) {
		m.null("TaxCode")
		return
	}
	m.text("TaxCode", *code)
}
