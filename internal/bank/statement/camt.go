package statement

import (
	"bytes"
	"encoding/xml"
	"errors"
	"fmt"
	"io"
	"regexp"
	"strings"

	"github.com/vienkart/vienkart/internal/money"
)

// maxDepth is how deep elements may nest; the schema itself goes to about fifteen.
const maxDepth = 40

// guard hands the tokens of a document on, and stops at what no statement needs: a document type, which is where entities
// are declared, and nesting without end.
type guard struct {
	input *xml.Decoder
	depth int
}

// Token gives the next token.
func (g *guard) Token() (xml.Token, error) {
	token, err := g.input.RawToken()
	if err != nil {
		return nil, err //nolint:wrapcheck // classified by camtReader.fault
	}
	switch token.(type) {
	case xml.Directive:
		return nil, fault(g.line(), "the file declares a document type, which no statement has; it is not read")
	case xml.StartElement:
		if g.depth++; g.depth > maxDepth {
			return nil, fault(g.line(), "the elements nest deeper than %d", maxDepth)
		}
	case xml.EndElement:
		g.depth--
	}
	return token, nil
}

func (g *guard) line() int {
	line, _ := g.input.InputPos()
	return line
}

// camtReader walks through a document. An entry is decoded whole, a statement piece by piece.
type camtReader struct {
	guard      *guard
	decoder    *xml.Decoder
	counts     counts
	statements []Statement
}

var camtNamespace = regexp.MustCompile(`^urn:iso:std:iso:20022:tech:xsd:camt\.053\.001\.0[2-8]$`)

func parseCAMT(f file) ([]Statement, error) {
	input := xml.NewDecoder(bytes.NewReader(f.data))
	input.CharsetReader = f.declared
	g := &guard{input: input}
	r := &camtReader{guard: g, decoder: xml.NewTokenDecoder(g)}
	if err := r.document(); err != nil {
		return nil, r.fault(err)
	}
	if len(r.statements) == 0 {
		return nil, fault(0, "the file holds no statement; it must be a camt.053 document with BkToCstmrStmt and Stmt")
	}
	return r.statements, nil
}

// fault names the line of an error of the XML itself.
func (r *camtReader) fault(err error) error {
	if already, ok := errors.AsType[*Fault](err); ok {
		return already
	}
	if syntax, ok := errors.AsType[*xml.SyntaxError](err); ok {
		return fault(r.guard.line(), "the XML is damaged or was cut off: %s", syntax.Msg)
	}
	return fault(r.guard.line(), "the XML cannot be read: %s", err)
}

// document looks for the statements, also where a bank wraps the document into an envelope of its own.
func (r *camtReader) document() error {
	for {
		token, err := r.decoder.Token()
		if errors.Is(err, io.EOF) {
			return nil
		}
		if err != nil {
			return err //nolint:wrapcheck // classified by fault
		}
		start, ok := token.(xml.StartElement)
		if !ok {
			continue
		}
		switch start.Name.Local {
		case "BkToCstmrStmt":
			err = r.version(start)
		case "BkToCstmrAcctRpt", "BkToCstmrDbtCdtNtfctn":
			return fault(r.guard.line(), "the document is a report or a notification of the day; import the statement, camt.053")
		case "Stmt":
			if err = r.version(start); err == nil {
				err = r.statement()
			}
		}
		if err != nil {
			return err
		}
	}
}

func (r *camtReader) version(start xml.StartElement) error {
	if camtNamespace.MatchString(start.Name.Space) {
		return nil
	}
	return fault(r.guard.line(), "the namespace of %s is %q; it must be that of camt.053.001.02 to camt.053.001.08",
		start.Name.Local, shorten(start.Name.Space))
}

func (r *camtReader) statement() error {
	began := r.guard.line()
	if err := r.counts.addStatement(began); err != nil {
		return err
	}
	s, period := &Statement{}, &Statement{}
	var previous *money.Amount
	for {
		token, err := r.decoder.Token()
		if err != nil {
			return err //nolint:wrapcheck // classified by fault
		}
		if _, ends := token.(xml.EndElement); ends {
			break
		}
		start, ok := token.(xml.StartElement)
		if !ok {
			continue
		}
		switch start.Name.Local {
		case "Id":
			err = r.decoder.DecodeElement(&s.ID, &start)
			s.ID = plain(s.ID, maxStatementID)
		case "FrToDt":
			err = r.period(period, start)
		case "Acct":
			err = r.account(s, start)
		case "Bal":
			err = r.balance(s, &previous, start)
		case "Ntry":
			err = r.entry(s, start)
		default:
			err = r.decoder.Skip()
		}
		if err != nil {
			return err
		}
	}
	if s.Opening == nil {
		s.Opening = previous
	}
	if s.From.IsZero() {
		// Without balances; beside them the period would add a day where it ends at midnight.
		s.From, s.To = period.From, period.To
	}
	s.span()
	r.statements = append(r.statements, *s)
	return s.reconcile(began)
}

func (r *camtReader) period(s *Statement, start xml.StartElement) error {
	var period struct{ FrDtTm, ToDtTm string }
	if err := r.decoder.DecodeElement(&period, &start); err != nil {
		return err //nolint:wrapcheck // classified by fault
	}
	for _, text := range []string{period.FrDtTm, period.ToDtTm} {
		if text == "" {
			continue
		}
		d, err := day(text)
		if err != nil {
			return fault(r.guard.line(), "FrToDt: %s", err)
		}
		s.cover(d)
	}
	return nil
}

func (r *camtReader) account(s *Statement, start xml.StartElement) error {
	var account camtAccount
	if err := r.decoder.DecodeElement(&account, &start); err != nil {
		return err //nolint:wrapcheck // classified by fault
	}
	s.IBAN = compact(account.IBAN, maxIBAN)
	return nil
}

// balance keeps the opening and the closing booked balance; the closing balance of the statement before opens this one.
func (r *camtReader) balance(s *Statement, previous **money.Amount, start xml.StartElement) error {
	line := r.guard.line()
	var b camtBalance
	if err := r.decoder.DecodeElement(&b, &start); err != nil {
		return err //nolint:wrapcheck // classified by fault
	}
	into := map[string]**money.Amount{"OPBD": &s.Opening, "PRCD": previous, "CLBD": &s.Closing}[strings.TrimSpace(b.Code)]
	if into == nil {
		return nil
	}
	amount, err := b.Amount.signed(b.Indicator)
	if err != nil {
		return fault(line, "Bal %s: %s", b.Code, err)
	}
	*into = &amount
	if b.Code != "PRCD" {
		on, err := b.Date.day()
		if err != nil {
			return fault(line, "Bal %s: %s", b.Code, err)
		}
		s.cover(on)
	}
	return nil
}

func (r *camtReader) entry(s *Statement, start xml.StartElement) error {
	line := r.guard.line()
	var e camtEntry
	if err := r.decoder.DecodeElement(&e, &start); err != nil {
		return err //nolint:wrapcheck // classified by fault
	}
	if !e.isBooked() {
		return nil
	}
	lines, err := e.lines(line)
	if err != nil {
		return fault(line, "entry %d: %s", len(s.Lines)+1, err)
	}
	if err := r.counts.addLines(line, len(lines)); err != nil {
		return err
	}
	for _, l := range lines {
		if l.Amount.IsZero() {
			continue
		}
		if err := s.add(l, e.isReversal()); err != nil {
			return err
		}
	}
	return nil
}

// signed is the amount with the sign of the indicator.
func (a camtAmount) signed(indicator string) (money.Amount, error) {
	currency, err := money.ParseCurrency(strings.TrimSpace(a.Currency))
	if err != nil {
		return money.Amount{}, err //nolint:wrapcheck // says what is wrong
	}
	amount, err := parseAmount(strings.TrimPrefix(strings.TrimSpace(a.Value), "+"), currency)
	if err != nil {
		return money.Amount{}, err
	}
	switch strings.TrimSpace(indicator) {
	case "CRDT":
		return amount, nil
	case "DBIT":
		return amount.Neg(), nil
	}
	return money.Amount{}, fmt.Errorf("CdtDbtInd %q is neither CRDT nor DBIT", shorten(indicator))
}
