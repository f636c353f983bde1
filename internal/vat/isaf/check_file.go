package isaf

import (
	"encoding/xml"
	"errors"
	"io"
	"strings"

	"github.com/vienkart/vienkart/internal/date"
)

// paymentInFile is a SettlementAndPayment of anybody's file.
type paymentInFile struct {
	Type      SettlementType `xml:"SettlementType"`
	Reference string         `xml:"SettlementRefNo"`
	Date      string         `xml:"SettlementDate"`
	Payment   struct {
		VATNumber string `xml:"VATRegistrationNumber"`
		Code      string `xml:"RegistrationNumber"`
		Country   string `xml:"Country"`
		Name      string `xml:"Name"`
	}
	Invoices []struct {
		Number string `xml:"InvoiceNo"`
		Date   string `xml:"InvoiceDate"`
	} `xml:"ReferencesToInvoice>ReferenceToInvoice"`
}

// ValidateSettlements reads a file of anybody's that Validate takes, and makes VMI's checks of its payments (codes 14055 to 14062
// and 14071). It reports up to a thousand problems of each level; none means that VMI has nothing to say of the payments.
func ValidateSettlements(r io.Reader) []Problem {
	c := &checker{}
	decoder := xml.NewDecoder(r)
	for {
		token, err := decoder.Token()
		if errors.Is(err, io.EOF) {
			return c.list
		}
		start, isStart := token.(xml.StartElement)
		if err == nil && isStart {
			err = c.readElement(decoder, start)
		}
		if err != nil {
			c.file(LevelError, codeSchema, "the file is not well-formed XML: %s", err)
			return c.list
		}
	}
}

// readElement reads what the checks need; the bounds of the period stand before the payments.
func (c *checker) readElement(decoder *xml.Decoder, start xml.StartElement) error {
	var err error
	switch start.Name.Local {
	case "SelectionStartDate":
		c.period.From, err = readDay(decoder, start)
	case "SelectionEndDate":
		c.period.To, err = readDay(decoder, start)
	case "SettlementAndPayment":
		var payment paymentInFile
		if err = decoder.DecodeElement(&payment, &start); err == nil {
			c.checkSettlement(payment.settlement())
		}
	}
	return err //nolint:wrapcheck // reported by the caller
}

func readDay(decoder *xml.Decoder, start xml.StartElement) (date.Date, error) {
	var text string
	err := decoder.DecodeElement(&text, &start)
	return dayOf(text), err //nolint:wrapcheck // reported by the caller
}

// dayOf is a day of the schema, whose zone means nothing here; the zero Date for what is none.
func dayOf(text string) date.Date {
	parts := datePattern.FindStringSubmatch(collapsed(text))
	if parts == nil {
		return date.Date{}
	}
	day, err := date.Parse(parts[1])
	if err != nil {
		return date.Date{}
	}
	return day
}

func (p paymentInFile) settlement() Settlement {
	s := Settlement{
		Type: p.Type, Reference: p.Reference, Date: dayOf(p.Date),
		Party: Party{
			VATNumber: strings.TrimSpace(p.Payment.VATNumber), Code: strings.TrimSpace(p.Payment.Code),
			Country: strings.TrimSpace(p.Payment.Country), Name: strings.TrimSpace(p.Payment.Name),
		},
		Invoices: []SettledInvoice{},
	}
	for _, i := range p.Invoices {
		s.Invoices = append(s.Invoices, SettledInvoice{Number: i.Number, Date: dayOf(i.Date)})
	}
	if len(s.Invoices) == 0 {
		s.Invoices = []SettledInvoice{{Number: unknown}}
	}
	return s
}
