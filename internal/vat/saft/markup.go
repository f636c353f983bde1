package saft

import (
	"bytes"
	"encoding/hex"
	"encoding/xml"
	"io"
	"time"
	"unicode/utf8"

	"github.com/vienkart/vienkart/internal/date"
	"github.com/vienkart/vienkart/internal/money"
	"github.com/vienkart/vienkart/internal/tenant"
)

// Lengths of texts in the schema.
const (
	lengthCode   = 24
	lengthShort  = 18
	lengthMiddle = 35
	lengthName   = 70
	lengthLong   = 256
)

// unknown stands for what the books do not have: nėra duomenų.
const unknown = "ND"

// markup writes elements: one line each, without indentation, handed on whenever enough has gathered.
type markup struct {
	bytes.Buffer
	out io.Writer
	err error
}

// flushSize is how much is gathered before it is handed on.
const flushSize = 64 << 10

func (m *markup) write(s string) {
	_, _ = m.WriteString(s) // a buffer takes everything
	if m.Len() >= flushSize {
		m.flush()
	}
}

// flush hands on what was gathered. After an error nothing is written any more.
func (m *markup) flush() {
	if m.err == nil {
		_, m.err = m.WriteTo(m.out)
	}
	m.Reset()
}

// in writes an element with elements inside.
func (m *markup) in(name string, inside func()) {
	m.write("<" + name + ">\n")
	inside()
	m.write("</" + name + ">\n")
}

// text writes a text of at most so many characters.
func (m *markup) text(name string, length int, value string) {
	m.write("<" + name + ">")
	_ = xml.EscapeText(&m.Buffer, []byte(clip(value, length))) // a buffer takes everything
	m.write("</" + name + ">\n")
}

// optional leaves an empty text out.
func (m *markup) optional(name string, length int, value string) {
	if value != "" {
		m.text(name, length, value)
	}
}

func (m *markup) null(name string) { m.write("<" + name + ` xsi:nil="true"/>` + "\n") }

// day writes a date, or none where the schema cannot show it.
func (m *markup) day(name string, d date.Date) {
	if !isShown(d) {
		m.null(name)
		return
	}
	m.text(name, lengthShort, d.String())
}

func (m *markup) optionalDay(name string, d date.Date) {
	if isShown(d) {
		m.day(name, d)
	}
}

// endOfDays is the first day that the schema does not take.
var endOfDays = date.MustParse("2100-01-01")

func isShown(d date.Date) bool { return !d.IsZero() && d.Before(endOfDays) }

func (m *markup) moment(name string, t time.Time) {
	if !isShown(date.Of(t)) {
		m.null(name)
		return
	}
	m.text(name, lengthCode, t.Format("2006-01-02T15:04:05"))
}

// amount writes an amount without its sign: where that matters an indicator stands beside it.
func (m *markup) amount(name string, a money.Amount) { m.text(name, lengthCode, cents(a)) }

// cents is an amount without its sign, in the two decimals that the schema has.
func cents(a money.Amount) string {
	const places = 2
	if a = a.Abs(); a.Currency().MinorUnits() <= places {
		return a.String()
	}
	return money.RoundHalfAwayFromZero(a.Decimal(), money.EUR).String()
}

// amounts writes an amount in the base currency and in that of the document.
func (m *markup) amounts(name string, base, own money.Amount) {
	m.in(name, func() {
		m.amount("Amount", base)
		m.text("CurrencyCode", lengthCode, own.Currency().Code())
		m.amount("CurrencyAmount", own)
	})
}

// balance writes one of two elements by the side that a balance is on: positive ones are debit.
func (m *markup) balance(which string, a money.Amount) {
	side := "Debit"
	if a.IsNegative() {
		side = "Credit"
	}
	m.amount(which+side+"Balance", a)
}

// indicator tells debit from credit.
func (m *markup) indicator(isCredit bool) {
	side := "D"
	if isCredit {
		side = "K"
	}
	m.text("DebitCreditIndicator", lengthCode, side)
}

func clip(s string, length int) string {
	if utf8.RuneCountInString(s) <= length {
		return s
	}
	return string([]rune(s)[:length])
}

// short is an id without hyphens: 32 characters.
func short(id tenant.ID) string { return hex.EncodeToString(id[:]) }

func shortOrEmpty(id *tenant.ID) string {
	if id == nil {
		return ""
	}
	return short(*id)
}

// deref gives the first text that is there.
func deref(texts ...*string) string {
	for _, s := range texts {
		if s != nil && *s != "" {
			return *s
		}
	}
	return ""
}

func orUnknown(s string) string {
	if s == "" {
		return unknown
	}
	return s
}
