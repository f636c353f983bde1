package statement

import (
	"regexp"
	"strings"

	"github.com/vienkart/vienkart/internal/identifier"
	"github.com/vienkart/vienkart/internal/money"
)

// tagged is one field of a message with the lines that continue it.
type tagged struct {
	tag    string
	lines  []string
	number int // of the line it begins in
}

func (t tagged) first() string { return strings.TrimSpace(t.lines[0]) }

var tagPattern = regexp.MustCompile(`^:([0-9]{2}[A-Z]?|NS):(.*)$`)

// endOfMessage stands for the dash that closes a message.
const endOfMessage = "-"

// fieldsOf takes a file apart into fields: with or without the SWIFT envelope around each message.
func fieldsOf(text string) []tagged {
	var fields []tagged
	inField := false
	number := 0
	for line := range strings.SplitSeq(strings.NewReplacer("\r\n", "\n", "\r", "\n", "\x01", "", "\x03", "").Replace(text), "\n") {
		number++
		if strings.HasPrefix(line, "{") {
			_, line, _ = strings.Cut(line, "{4:")
			inField = false
		}
		trimmed := strings.TrimRight(line, " \t")
		match := tagPattern.FindStringSubmatch(line)
		switch {
		case match != nil:
			fields = append(fields, tagged{match[1], []string{match[2]}, number})
			inField = true
		case trimmed == "-" || strings.HasPrefix(trimmed, "-}"):
			fields = append(fields, tagged{endOfMessage, []string{""}, number})
			inField = false
		case inField && trimmed != "":
			last := &fields[len(fields)-1]
			last.lines = append(last.lines, line) // blanks at the end too: the next line may go on with a word
		}
	}
	return fields
}

// mtReader puts statements together from fields.
type mtReader struct {
	statements []Statement
	// current is nil between messages.
	current *Statement
	began   int
	counts  counts
	// entry is the line that a field 86 belongs to, nil outside of entries.
	entry *mtEntry
}

func parseMT940(f file) ([]Statement, error) {
	r := &mtReader{}
	for _, field := range fieldsOf(f.text()) {
		if err := r.take(field); err != nil {
			return nil, err
		}
	}
	if err := r.close(); err != nil {
		return nil, err
	}
	if len(r.statements) == 0 {
		return nil, fault(0, "the file holds no MT940 statement; it must have the fields 20, 25, 28C, 60F and 62F")
	}
	return r.statements, nil
}

func (r *mtReader) take(f tagged) error {
	if r.current == nil && f.tag != "20" && f.tag != "25" {
		return nil // between messages, or a further line about balances after the last
	}
	switch f.tag {
	case "20", "25":
		return r.begin(f)
	case "28", "28C":
		r.current.ID = plain(f.first(), maxStatementID)
	case "60F", "60M":
		return r.balance(f, &r.current.Opening)
	case "61":
		return r.begins(f)
	case "86":
		if r.entry != nil {
			r.entry.info = append(r.entry.info, f.lines...)
		}
	case "62F", "62M":
		if err := r.endEntry(); err != nil {
			return err
		}
		return r.balance(f, &r.current.Closing)
	case endOfMessage:
		return r.close()
	case "64", "65":
		return r.endEntry()
	}
	return nil
}

// begin opens a statement at its field 20, or at a field 25 where the bank leaves out the first.
func (r *mtReader) begin(f tagged) error {
	if f.tag == "25" && r.current != nil && r.current.Closing == nil {
		r.current.IBAN = accountNumber(strings.Join(f.lines, ""))
		return nil
	}
	if err := r.close(); err != nil {
		return err
	}
	r.current, r.began = &Statement{}, f.number
	if f.tag == "25" {
		r.current.IBAN = accountNumber(strings.Join(f.lines, ""))
	}
	return r.counts.addStatement(f.number)
}

// close ends the statement under way. One without balances was cut off.
func (r *mtReader) close() error {
	s := r.current
	if s == nil {
		return nil
	}
	if err := r.endEntry(); err != nil {
		return err
	}
	switch {
	case s.Opening == nil:
		return fault(r.began, "the statement %s has no opening balance in a field 60F", s.ID)
	case s.Closing == nil:
		return fault(r.began, "the statement %s has no closing balance in a field 62F; the file was cut off", s.ID)
	}
	s.span()
	if err := s.reconcile(r.began); err != nil {
		return err
	}
	r.statements = append(r.statements, *s)
	r.current = nil
	return nil
}

var balancePattern = regexp.MustCompile(`^([CD])([0-9]{6})([A-Z]{3})([0-9]+,[0-9]*)$`)

// balance reads a field 60 or 62.
func (r *mtReader) balance(f tagged, into **money.Amount) error {
	match := balancePattern.FindStringSubmatch(f.first())
	if match == nil {
		return fault(f.number, "%q is no balance such as C240131EUR1234,56", shorten(f.first()))
	}
	on, err := sixDigits(match[2])
	if err != nil {
		return fault(f.number, "%s", err)
	}
	currency, err := money.ParseCurrency(match[3])
	if err != nil {
		return fault(f.number, "%s", err)
	}
	amount, err := decimalComma(match[4], currency)
	if err != nil {
		return fault(f.number, "%s", err)
	}
	if match[1] == "D" {
		amount = amount.Neg()
	}
	*into = &amount
	r.current.cover(on)
	return nil
}

var ibanPattern = regexp.MustCompile(`[A-Z]{2}[0-9]{2}[0-9A-Z]{11,30}`)

// accountNumber finds the IBAN in a field 25, where a bank code, a slash or the currency may stand beside it.
func accountNumber(s string) string {
	found := ibanPattern.FindString(identifier.NormalizeIBAN(s))
	for _, candidate := range []string{found, strings.TrimRight(found, "ABCDEFGHIJKLMNOPQRSTUVWXYZ")} {
		if identifier.CheckIBAN(candidate) == nil {
			return candidate
		}
	}
	return ""
}
