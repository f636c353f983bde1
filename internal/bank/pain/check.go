package pain

import (
	"bytes"
	"encoding/xml"
	"errors"
	"fmt"
	"io"
	"regexp"
	"strconv"
	"strings"

	"github.com/vienkart/vienkart/internal/date"
	"github.com/vienkart/vienkart/internal/identifier"
	"github.com/vienkart/vienkart/internal/money"
)

// element is a rule of the schema, as far as our documents use it: a name, what it holds in which order, and how its text is
// written. Every element stands once but those that repeat.
type element struct {
	name     string
	children []element
	value    func(string) error
	currency bool
	repeats  bool
}

func group(name string, children ...element) element { return element{name: name, children: children} }

func leaf(name string, value func(string) error) element { return element{name: name, value: value} }

var schema = group("Document", group("CstmrCdtTrfInitn",
	group("GrpHdr", leaf("MsgId", isReference), leaf("CreDtTm", matches(timePattern)), leaf("NbOfTxs", matches(countPattern)),
		leaf("CtrlSum", isAmount), group("InitgPty", leaf("Nm", isText(maxName)))),
	group("PmtInf", leaf("PmtInfId", isReference), leaf("PmtMtd", is("TRF")), leaf("NbOfTxs", matches(countPattern)),
		leaf("CtrlSum", isAmount), group("PmtTpInf", group("SvcLvl", leaf("Cd", is("SEPA")))),
		group("ReqdExctnDt", leaf("Dt", isDate)), group("Dbtr", leaf("Nm", isText(maxName))),
		group("DbtrAcct", group("Id", leaf("IBAN", identifier.CheckIBAN))),
		group("DbtrAgt", group("FinInstnId", group("Othr", leaf("Id", is(notProvided))))), leaf("ChrgBr", is("SLEV")),
		element{name: "CdtTrfTxInf", repeats: true, children: []element{
			group("PmtId", leaf("EndToEndId", isReference)),
			group("Amt", element{name: "InstdAmt", value: isAmount, currency: true}),
			group("Cdtr", leaf("Nm", isText(maxName))), group("CdtrAcct", group("Id", leaf("IBAN", identifier.CheckIBAN))),
			group("RmtInf", leaf("Ustrd", isText(maxText))),
		}})))

var (
	timePattern      = regexp.MustCompile(`^[0-9]{4}-[0-9]{2}-[0-9]{2}T[0-9]{2}:[0-9]{2}:[0-9]{2}Z$`)
	countPattern     = regexp.MustCompile(`^[1-9][0-9]{0,14}$`)
	amountPattern    = regexp.MustCompile(`^[0-9]{1,16}\.[0-9]{2}$`)
	referencePattern = regexp.MustCompile(`^[A-Za-z0-9?:().,'+ -](?:/?[A-Za-z0-9?:().,'+ -])*$`)
)

func matches(p *regexp.Regexp) func(string) error {
	return func(s string) error {
		if !p.MatchString(s) {
			return fmt.Errorf("%q does not match %s", s, p)
		}
		return nil
	}
}

func is(want string) func(string) error {
	return func(s string) error {
		if s != want {
			return fmt.Errorf("%q must be %s", s, want)
		}
		return nil
	}
}

func isText(limit int) func(string) error {
	return func(s string) error {
		if strings.TrimSpace(s) == "" || len(s) > limit || strings.ContainsFunc(s, func(r rune) bool { return !isLatin(r) }) {
			return fmt.Errorf("%q must have 1 to %d characters that banks take", s, limit)
		}
		return nil
	}
}

func isReference(s string) error {
	if err := isText(maxReference)(s); err != nil {
		return err
	}
	return matches(referencePattern)(s)
}

func isAmount(s string) error {
	if err := matches(amountPattern)(s); err != nil {
		return err
	}
	a, err := money.Parse(s, money.EUR)
	if err == nil && !a.IsPositive() {
		err = errors.New("must be more than 0")
	}
	return err //nolint:wrapcheck // says what is wrong
}

func isDate(s string) error {
	_, err := date.Parse(s)
	return err //nolint:wrapcheck // says what is wrong
}

// Check holds a document against the rules of the schema and of the scheme: elements, order, lengths, characters, account
// numbers, and that count and control sum are those of the payments.
func Check(file []byte) error {
	c := &checker{decoder: xml.NewDecoder(bytes.NewReader(file)), total: money.Zero(money.EUR)}
	start, err := c.next()
	if err != nil {
		return err
	}
	if start == nil || start.Name.Space != namespace {
		return fmt.Errorf("the document is not of %s", namespace)
	}
	if err := c.element(schema, *start); err != nil {
		return err
	}
	if start, err = c.next(); err != nil || start != nil {
		return errors.Join(err, errors.New("something follows the document"))
	}
	for _, count := range c.counts {
		if count != strconv.Itoa(c.payments) {
			return fmt.Errorf("NbOfTxs is %s, and there are %d payments", count, c.payments)
		}
	}
	for _, sum := range c.sums {
		if sum != c.total.String() {
			return fmt.Errorf("CtrlSum is %s, and the payments come to %s", sum, c.total)
		}
	}
	return nil
}

type checker struct {
	decoder      *xml.Decoder
	counts, sums []string
	payments     int
	total        money.Amount
}

// next gives the next element that begins, or nil where the one around it ends.
func (c *checker) next() (*xml.StartElement, error) {
	for {
		token, err := c.decoder.Token()
		if errors.Is(err, io.EOF) {
			return nil, nil //nolint:nilnil // the end is an answer
		}
		if err != nil {
			return nil, fmt.Errorf("reading the document: %w", err)
		}
		switch token := token.(type) {
		case xml.StartElement:
			return &token, nil
		case xml.EndElement:
			return nil, nil //nolint:nilnil // the end is an answer
		case xml.CharData:
			if strings.TrimSpace(string(token)) != "" {
				return nil, fmt.Errorf("the text %q stands between elements", token)
			}
		}
	}
}

func (c *checker) element(rule element, start xml.StartElement) error {
	if start.Name.Local != rule.name || start.Name.Space != namespace {
		return fmt.Errorf("%s stands where %s must", start.Name.Local, rule.name)
	}
	if rule.value != nil {
		return c.leaf(rule, start)
	}
	begun, err := c.next()
	if err != nil {
		return err
	}
	for _, child := range rule.children {
		for seen := false; !seen || child.repeats && begun != nil; seen = true {
			if begun == nil {
				return fmt.Errorf("%s ends where %s must stand", rule.name, child.name)
			}
			if err := c.element(child, *begun); err != nil {
				return fmt.Errorf("%s: %w", rule.name, err)
			}
			if begun, err = c.next(); err != nil {
				return err
			}
		}
	}
	if begun != nil {
		return fmt.Errorf("%s: %s stands where it must end", rule.name, begun.Name.Local)
	}
	return nil
}

func (c *checker) leaf(rule element, start xml.StartElement) error {
	var text string
	if err := c.decoder.DecodeElement(&text, &start); err != nil {
		return fmt.Errorf("%s: %w", rule.name, err)
	}
	if err := rule.value(text); err != nil {
		return fmt.Errorf("%s: %w", rule.name, err)
	}
	switch {
	case rule.currency:
		if len(start.Attr) != 1 || start.Attr[0].Name.Local != "Ccy" || start.Attr[0].Value != money.EUR.Code() {
			return fmt.Errorf("%s must be in EUR", rule.name)
		}
		a, err := money.Parse(text, money.EUR)
		if err != nil || a.Minor() > MaxAmount {
			return fmt.Errorf("%s: %s is more than a credit transfer takes", rule.name, text)
		}
		c.payments, c.total = c.payments+1, c.total.Add(a)
	case rule.name == "NbOfTxs":
		c.counts = append(c.counts, text)
	case rule.name == "CtrlSum":
		c.sums = append(c.sums, text)
	}
	return nil
}
