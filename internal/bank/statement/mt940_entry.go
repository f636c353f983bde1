package statement

import (
	"regexp"
	"strings"

	"github.com/vienkart/vienkart/internal/money"
)

// mtEntry is an entry of field 61 with its field 86.
type mtEntry struct {
	line Line
	// payment is the payer's reference, details what the second line of field 61 says.
	payment, details string
	reversal         bool
	info             []string
}

// entryPattern is a field 61: value date, day of booking, mark, third letter of the currency, amount, kind, references.
var entryPattern = regexp.MustCompile(`^([0-9]{6})([0-9]{4})?(RC|RD|C|D)([A-Z])?([0-9]*,[0-9]*)([A-Z][0-9A-Z]{3})?(.*)$`)

func (r *mtReader) begins(f tagged) error {
	if err := r.endEntry(); err != nil {
		return err
	}
	if r.current.Opening == nil {
		return fault(f.number, "the entry stands before the opening balance in a field 60F, which gives its currency")
	}
	match := entryPattern.FindStringSubmatch(f.first())
	if match == nil {
		return fault(f.number, "%q is no entry such as 2401310131C100,00NTRFNONREF//REF", shorten(f.first()))
	}
	value, err := sixDigits(match[1])
	if err != nil {
		return fault(f.number, "%s", err)
	}
	e := &mtEntry{line: Line{Number: f.number, Date: value}, reversal: strings.HasPrefix(match[3], "R")}
	if match[2] != "" {
		if e.line.Date, err = entryDay(match[2], value); err != nil {
			return fault(f.number, "%s", err)
		}
	}
	if e.line.Amount, err = signedAmount(match[3], match[5], r.current.Opening.Currency()); err != nil {
		return fault(f.number, "%s", err)
	}
	payment, own, _ := strings.Cut(match[7], "//")
	e.payment, e.line.Reference = given(payment), given(own)
	e.details = strings.Join(f.lines[1:], " ")
	r.entry = e
	return r.counts.addLines(f.number, 1)
}

// given is a reference, or empty for the words that banks write in its place: none, or one that field 86 has.
func given(reference string) string {
	switch reference = strings.TrimSpace(reference); reference {
	case "NONREF", "EREF", "KREF", "MREF", "PREF":
		return ""
	}
	return reference
}

// signedAmount gives the amount its sign: a reversed credit takes money out, a reversed debit brings it back.
func signedAmount(mark, digits string, c money.Currency) (money.Amount, error) {
	if strings.HasPrefix(digits, ",") {
		digits = "0" + digits
	}
	amount, err := decimalComma(digits, c)
	if mark == "D" || mark == "RC" {
		amount = amount.Neg()
	}
	return amount, err
}

// endEntry stores the entry under way.
func (r *mtReader) endEntry() error {
	e := r.entry
	r.entry = nil
	if e == nil || e.line.Amount.IsZero() {
		return nil
	}
	e.describe()
	return r.current.add(e.line, e.reversal)
}

// describe fills in what field 86 says, in whichever way the bank writes it.
func (e *mtEntry) describe() {
	var words []string
	switch info := foldedInfo(e.info); {
	case len(e.info) == 0:
		words = append(words, e.details)
	case subfieldMark(e.info[0]) != "":
		words = e.numbered(strings.Join(e.info, ""), subfieldMark(e.info[0]))
	case wordPattern.MatchString(info) && strings.HasPrefix(info, "/"):
		words = e.worded(info)
	default:
		words = append(words, info)
	}
	e.line.Description = sentence(append(words, e.payment)...)
}

// fullLine is the width of a line of field 86; one of this width was broken in the middle of a word.
const fullLine = 65

func foldedInfo(lines []string) string {
	var out strings.Builder
	for i, l := range lines {
		out.WriteString(l)
		if i < len(lines)-1 && len([]rune(l)) < fullLine {
			out.WriteByte(' ')
		}
	}
	return out.String()
}

var subfieldPattern = regexp.MustCompile(`^(?:[0-9]{3})?([?~<>|^@!*])[0-9]{2}`)

// subfieldMark is the sign before the numbers of subfields, or empty when the field has none.
func subfieldMark(info string) string {
	if match := subfieldPattern.FindStringSubmatch(info); match != nil {
		return match[1]
	}
	return ""
}

// numbered reads subfields as German and Polish banks number them: 00 the sort of booking, 20 to 29 and 60 to 63 the
// purpose, 31 and 38 the other account, 32 and 33 the other name.
func (e *mtEntry) numbered(info, mark string) []string {
	var kind, purpose, name, account string
	for i, part := range strings.Split(info, mark) {
		if i == 0 || len(part) < 2 || !isDigit(part[0]) || !isDigit(part[1]) {
			continue
		}
		switch number, text := part[:2], part[2:]; {
		case number == "00":
			kind = text
		case number >= "20" && number <= "29", number >= "60" && number <= "63":
			purpose += text
		case number == "31" && account == "", number == "38":
			account = text
		case number == "32", number == "33":
			name += text
		}
	}
	e.line.CounterpartyName, e.line.CounterpartyIBAN = name, account
	if purpose == "" {
		return []string{kind}
	}
	return unpackPurpose(purpose)
}

var purposePattern = regexp.MustCompile(`(EREF|KREF|MREF|CRED|DEBT|SVWZ|ABWA|ABWE|COAM|OAMT|PURP)\+`)

// unpackPurpose finds the text and the payer's reference among the keys that SEPA bookings carry in their purpose.
func unpackPurpose(purpose string) []string {
	found := purposePattern.FindAllStringSubmatchIndex(purpose, -1)
	if len(found) == 0 {
		return []string{purpose}
	}
	words := []string{purpose[:found[0][0]]}
	for i, at := range found {
		end := len(purpose)
		if i+1 < len(found) {
			end = found[i+1][0]
		}
		key, text := purpose[at[2]:at[3]], purpose[at[1]:end]
		if key == "SVWZ" || key == "EREF" || key == "KREF" {
			words = append(words, given(text))
		}
	}
	return words
}

var wordPattern = regexp.MustCompile(`/(NAME|REMI|IBAN|BIC|EREF|CNTP|ORDP|BENM|TRTP|TRCD|MARF|CSID|PREF|KREF|RTRN|ULTB|ULTD|ULTC|PURP|ISDT|INIT|OCMT|CHGS|CSTR)/`)

// worded reads the code words between slashes that Dutch and Nordic banks write.
func (e *mtEntry) worded(info string) []string {
	var words []string
	found := wordPattern.FindAllStringSubmatchIndex(info, -1)
	for i, at := range found {
		end := len(info)
		if i+1 < len(found) {
			end = found[i+1][0]
		}
		text := strings.Trim(info[at[1]:end], "/ ")
		switch word := info[at[2]:at[3]]; word {
		case "NAME":
			e.line.CounterpartyName = text
		case "IBAN":
			e.line.CounterpartyIBAN = text
		case "CNTP":
			// Account, bank, name and town of the other side.
			parts := strings.Split(info[at[1]:end], "/")
			e.line.CounterpartyIBAN = parts[0]
			if len(parts) > 2 {
				e.line.CounterpartyName = parts[2]
			}
		case "REMI":
			words = append(words, strings.TrimLeft(strings.TrimPrefix(text, "USTD"), "/"))
		case "EREF", "KREF":
			words = append(words, text)
		}
	}
	return words
}
