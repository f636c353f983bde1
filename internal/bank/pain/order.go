package pain

import (
	"encoding/xml"
	"fmt"
	"strconv"
	"time"

	"github.com/vienkart/vienkart/internal/date"
	"github.com/vienkart/vienkart/internal/money"
)

// Lengths in characters. Names are those of the scheme, which is narrower than the message.
const (
	maxReference = 35
	maxName      = 70
	maxText      = 140
)

// MaxAmount is the largest payment of the scheme, in cents.
const MaxAmount = 99_999_999_999

const (
	namespace   = "urn:iso:std:iso:20022:tech:xsd:pain.001.001.09"
	notProvided = "NOTPROVIDED"
	timeLayout  = "2006-01-02T15:04:05Z"
)

// Order is a payment file: payments from one account on one day.
type Order struct {
	// MessageID is unique per payer, up to 35 characters.
	MessageID string
	Created   time.Time
	Debtor    string
	// DebtorIBAN is normalised and checked.
	DebtorIBAN    string
	ExecutionDate date.Date
	Payments      []Payment
}

// Payment is one credit transfer.
type Payment struct {
	// DocumentNumber is what is paid: it becomes the end-to-end reference, and the text that the creditor sees.
	DocumentNumber string
	// Amount is positive and in euro.
	Amount       money.Amount
	Creditor     string
	CreditorIBAN string
}

// Total is the control sum.
func (o Order) Total() money.Amount {
	total := money.Zero(money.EUR)
	for _, p := range o.Payments {
		total = total.Add(p.Amount)
	}
	return total
}

// The elements, in the order of the schema.

type document struct {
	XMLName  xml.Name `xml:"Document"`
	XMLNS    string   `xml:"xmlns,attr"`
	Header   header   `xml:"CstmrCdtTrfInitn>GrpHdr"`
	Payments payments `xml:"CstmrCdtTrfInitn>PmtInf"`
}

type header struct {
	MessageID string `xml:"MsgId"`
	Created   string `xml:"CreDtTm"`
	Count     string `xml:"NbOfTxs"`
	Sum       string `xml:"CtrlSum"`
	Initiator string `xml:"InitgPty>Nm"`
}

type payments struct {
	ID            string     `xml:"PmtInfId"`
	Method        string     `xml:"PmtMtd"`
	Count         string     `xml:"NbOfTxs"`
	Sum           string     `xml:"CtrlSum"`
	Service       string     `xml:"PmtTpInf>SvcLvl>Cd"`
	ExecutionDate string     `xml:"ReqdExctnDt>Dt"`
	Debtor        string     `xml:"Dbtr>Nm"`
	DebtorIBAN    string     `xml:"DbtrAcct>Id>IBAN"`
	DebtorAgent   string     `xml:"DbtrAgt>FinInstnId>Othr>Id"`
	Charges       string     `xml:"ChrgBr"`
	Transfers     []transfer `xml:"CdtTrfTxInf"`
}

type transfer struct {
	EndToEndID   string `xml:"PmtId>EndToEndId"`
	Amount       amount `xml:"Amt>InstdAmt"`
	Creditor     string `xml:"Cdtr>Nm"`
	CreditorIBAN string `xml:"CdtrAcct>Id>IBAN"`
	Text         string `xml:"RmtInf>Ustrd"`
}

type amount struct {
	Currency string `xml:"Ccy,attr"`
	Value    string `xml:",chardata"`
}

// Marshal writes the order as a document and checks it. Texts are brought into the characters and lengths that banks take;
// anything else that does not fit is an error.
func (o Order) Marshal() ([]byte, error) {
	count, sum, debtor := strconv.Itoa(len(o.Payments)), o.Total().String(), name(o.Debtor)
	d := document{
		XMLNS: namespace,
		Header: header{
			MessageID: o.MessageID, Created: o.Created.UTC().Format(timeLayout), Count: count, Sum: sum, Initiator: debtor,
		},
		Payments: payments{
			ID: o.MessageID, Method: "TRF", Count: count, Sum: sum, Service: "SEPA", ExecutionDate: o.ExecutionDate.String(),
			Debtor: debtor, DebtorIBAN: o.DebtorIBAN, DebtorAgent: notProvided, Charges: "SLEV",
		},
	}
	for _, p := range o.Payments {
		d.Payments.Transfers = append(d.Payments.Transfers, p.transfer())
	}
	body, err := xml.Marshal(d)
	if err != nil {
		return nil, fmt.Errorf("writing a payment file: %w", err)
	}
	file := append([]byte(xml.Header), body...)
	if err := Check(file); err != nil {
		return nil, fmt.Errorf("checking a payment file: %w", err)
	}
	return file, nil
}

func (p Payment) transfer() transfer {
	id := reference(p.DocumentNumber)
	if id == "" {
		id = notProvided
	}
	text := cut(Latin(p.DocumentNumber), maxText)
	if text == "" {
		text = id
	}
	return transfer{
		EndToEndID: id, Amount: amount{p.Amount.Currency().Code(), p.Amount.String()}, Creditor: name(p.Creditor),
		CreditorIBAN: p.CreditorIBAN, Text: text,
	}
}

func name(s string) string { return cut(Latin(s), maxName) }
