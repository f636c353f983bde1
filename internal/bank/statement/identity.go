package statement

import (
	"crypto/sha256"
	"encoding/hex"
	"fmt"
	"strings"
)

// digestChars is how much of a digest an identity bears: 64 bits keep apart the lines that share account and reference.
const digestChars = 16

// identify gives every line its identities. A file that holds one statement twice is refused: its lines would be taken for
// two.
func identify(statements []Statement) error {
	seen := map[string]int{}
	whole := map[string]bool{}
	for i := range statements {
		s := &statements[i]
		contents := sha256.New()
		for j := range s.Lines {
			l := &s.Lines[j]
			l.identify(s.ID, seen)
			_, _ = fmt.Fprintf(contents, "%s\n", l.content())
		}
		if len(s.Lines) == 0 || s.ID == "" {
			continue
		}
		key := s.ID + "\n" + s.From.String() + hex.EncodeToString(contents.Sum(nil))
		if whole[key] {
			return fault(s.Lines[0].Number, "the file holds the statement %s twice; take the copy out", s.ID)
		}
		whole[key] = true
	}
	return nil
}

// identify takes the bank's reference for the identity where there is one. Where there is none, the identity is the
// statement with the content of the line; the equal lines of one file are told apart by counting them.
func (l *Line) identify(statementID string, seen map[string]int) {
	scope, content := l.Reference, l.Date.String()+" "+l.Amount.String()+" "+l.Amount.Currency().Code()
	if scope == "" {
		scope, content = statementID, l.content()
	}
	sum := sha256.Sum256([]byte(content))
	l.AlternateID = scope + "~" + hex.EncodeToString(sum[:])[:digestChars]
	seen[l.AlternateID]++
	n := seen[l.AlternateID]
	if n > 1 {
		l.AlternateID += fmt.Sprintf("~%d", n)
	}
	if l.Reference != "" && n == 1 {
		l.ExternalID = l.Reference
	}
}

// content is all that the line says.
func (l *Line) content() string {
	return strings.Join([]string{
		l.Date.String(), l.Amount.String(), l.Amount.Currency().Code(), l.CounterpartyName, l.CounterpartyIBAN, l.Description,
	}, "\n")
}

// Longest texts that a line keeps, in characters.
const (
	maxName        = 255
	maxIBAN        = 34
	maxDescription = 2000
	maxReference   = 100
	maxStatementID = 35 // the width of the formats
)

// tidy brings the texts of a line to the form in which they are kept and compared.
func (l *Line) tidy() {
	l.CounterpartyName = plain(l.CounterpartyName, maxName)
	l.CounterpartyIBAN = compact(l.CounterpartyIBAN, maxIBAN)
	l.Description = plain(l.Description, maxDescription)
	l.Reference = reference(l.Reference)
}

// plain drops control characters, folds blanks and line ends into single blanks, and cuts.
func plain(s string, limit int) string {
	s = strings.Join(strings.Fields(strings.Map(func(r rune) rune {
		if r < ' ' || r == 0x7F || r == 0xFFFE || r == 0xFFFF {
			return ' '
		}
		return r
	}, strings.ToValidUTF8(s, "\uFFFD"))), " ")
	return cut(s, limit)
}

// compact drops blanks too, as account numbers are printed with them.
func compact(s string, limit int) string {
	return cut(strings.ToUpper(strings.ReplaceAll(plain(s, maxDescription), " ", "")), limit)
}

// reference keeps a bank's reference whole: one that is longer than any bank's is known by its digest.
func reference(s string) string {
	s = plain(s, maxDescription)
	if len([]rune(s)) <= maxReference {
		return s
	}
	sum := sha256.Sum256([]byte(s))
	return hex.EncodeToString(sum[:])
}

func cut(s string, limit int) string {
	if len(s) <= limit {
		return s
	}
	if runes := []rune(s); len(runes) > limit {
		return strings.TrimSpace(string(runes[:limit]))
	}
	return s
}
