package statement

import "strings"

// maxAmount bounds an amount, in minor units, so that as many lines as a file may have add up without overflow.
const maxAmount = 10_000_000_000_000

// add keeps a line. A reversal says so, for the amount alone does not tell it from a payment.
func (s *Statement) add(l Line, reversal bool) error {
	if l.Amount.Abs().Minor() > maxAmount {
		return fault(l.Number, "the amount %s %s is more than any account moves", l.Amount, l.Amount.Currency())
	}
	if reversal {
		l.Description = "Reversal: " + l.Description
	}
	l.tidy()
	s.Lines = append(s.Lines, l)
	return nil
}

// notProvided is what a reference says when the payer gave none.
const notProvided = "NOTPROVIDED"

// sentence joins texts, leaving out those that are empty, say that nothing was given, or are part of the text already.
func sentence(parts ...string) string {
	var out string
	for _, part := range parts {
		if len(out) > 4*maxDescription {
			break // it is cut in any case
		}
		part = plain(part, maxDescription)
		if part == "" || strings.EqualFold(strings.ReplaceAll(part, " ", ""), notProvided) || strings.Contains(out, part) {
			continue
		}
		if out != "" {
			out += " "
		}
		out += part
	}
	return out
}
