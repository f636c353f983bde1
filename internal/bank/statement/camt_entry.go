package statement

import (
	"errors"
	"fmt"
	"strings"

	"github.com/vienkart/vienkart/internal/date"
	"github.com/vienkart/vienkart/internal/money"
)

// The elements that are read, under the names that versions 02 to 08 give them.

type camtAmount struct {
	Value    string `xml:",chardata"`
	Currency string `xml:"Ccy,attr"`
}

type camtDate struct {
	Date string `xml:"Dt"`
	Time string `xml:"DtTm"`
}

// day is the date as written; the zero Date when there is none.
func (d camtDate) day() (date.Date, error) {
	switch {
	case d.Date != "":
		return day(d.Date)
	case d.Time != "":
		return day(d.Time)
	}
	return date.Date{}, nil
}

type camtAccount struct {
	IBAN  string `xml:"Id>IBAN"`
	Other string `xml:"Id>Othr>Id"`
}

func (a camtAccount) number() string {
	if a.IBAN != "" {
		return a.IBAN
	}
	return a.Other
}

// camtParty names a party: directly up to version 07, inside Pty since.
type camtParty struct {
	Name  string `xml:"Nm"`
	Inner string `xml:"Pty>Nm"`
}

func (p camtParty) name() string {
	if p.Name != "" {
		return p.Name
	}
	return p.Inner
}

type camtBalance struct {
	Code      string     `xml:"Tp>CdOrPrtry>Cd"`
	Amount    camtAmount `xml:"Amt"`
	Indicator string     `xml:"CdtDbtInd"`
	Date      camtDate   `xml:"Dt"`
}

type camtEntry struct {
	Amount    camtAmount `xml:"Amt"`
	Indicator string     `xml:"CdtDbtInd"`
	Reversal  string     `xml:"RvslInd"`
	// Status is text up to version 03 and holds a code since.
	Status struct {
		Text string `xml:",chardata"`
		Code string `xml:"Cd"`
	} `xml:"Sts"`
	Booked    camtDate     `xml:"BookgDt"`
	Value     camtDate     `xml:"ValDt"`
	Reference string       `xml:"AcctSvcrRef"`
	Details   []camtDetail `xml:"NtryDtls>TxDtls"`
	Info      string       `xml:"AddtlNtryInf"`
}

type camtDetail struct {
	Reference string     `xml:"Refs>AcctSvcrRef"`
	EndToEnd  string     `xml:"Refs>EndToEndId"`
	Amount    camtAmount `xml:"Amt"`
	Indicator string     `xml:"CdtDbtInd"`
	// Transferred is where versions 02 and 03 have the amount.
	Transferred     camtAmount  `xml:"AmtDtls>TxAmt>Amt"`
	Debtor          camtParty   `xml:"RltdPties>Dbtr"`
	DebtorAccount   camtAccount `xml:"RltdPties>DbtrAcct"`
	UltimateDebtor  camtParty   `xml:"RltdPties>UltmtDbtr"`
	Creditor        camtParty   `xml:"RltdPties>Cdtr"`
	CreditorAccount camtAccount `xml:"RltdPties>CdtrAcct"`
	UltimateCreditr camtParty   `xml:"RltdPties>UltmtCdtr"`
	Text            []string    `xml:"RmtInf>Ustrd"`
	CreditorRef     []string    `xml:"RmtInf>Strd>CdtrRefInf>Ref"`
	DocumentNumbers []string    `xml:"RmtInf>Strd>RfrdDocInf>Nb"`
	Additional      []string    `xml:"RmtInf>Strd>AddtlRmtInf"`
	Info            string      `xml:"AddtlTxInf"`
}

// isBooked leaves out what is pending or told for information.
func (e *camtEntry) isBooked() bool {
	status := strings.TrimSpace(e.Status.Code)
	if status == "" {
		status = strings.TrimSpace(e.Status.Text)
	}
	return status == "" || status == "BOOK"
}

// isReversal says that the entry takes an earlier one back. The indicator of credit or debit is that of the entry itself,
// by the definition of the element: the sign stays, and the other side is that of the original.
func (e *camtEntry) isReversal() bool {
	v := strings.TrimSpace(e.Reversal)
	return v == "true" || v == "1"
}

// lines gives the entry as one line, or a batch as the payments in it where they add up to it.
func (e *camtEntry) lines(number int) ([]Line, error) {
	amount, err := e.Amount.signed(e.Indicator)
	if err != nil {
		return nil, err
	}
	on, err := e.Booked.day()
	if err == nil && on.IsZero() {
		on, err = e.Value.day()
	}
	if err == nil && on.IsZero() {
		err = errors.New("neither BookgDt nor ValDt is given")
	}
	if err != nil {
		return nil, err
	}
	whole := Line{Number: number, Date: on, Amount: amount, Reference: e.Reference}
	if len(e.Details) <= 1 {
		if len(e.Details) == 1 {
			e.Details[0].fill(&whole, e.isReversal())
			if strings.TrimSpace(whole.Reference) == "" {
				whole.Reference = e.Details[0].Reference
			}
		}
		whole.Description = sentence(whole.Description, e.infoUnlessDescribed(whole.Description))
		return []Line{whole}, nil
	}
	parts, complete := e.parts(amount)
	if !complete {
		whole.Description = sentence(fmt.Sprintf("%d payments", len(e.Details)), e.Info)
		return []Line{whole}, nil
	}
	for i := range parts {
		l := &parts[i]
		l.Number, l.Date = number, on
		e.Details[i].fill(l, e.isReversal())
		l.Description = sentence(l.Description, e.infoUnlessDescribed(l.Description))
		l.Reference = strings.TrimSpace(e.Details[i].Reference)
		if entry := strings.TrimSpace(e.Reference); entry != "" && (l.Reference == "" || l.Reference == entry) {
			l.Reference = fmt.Sprintf("%s/%d", entry, i+1)
		}
	}
	return parts, nil
}

// parts are the amounts of a batch, when all are given in its currency and add up to it.
func (e *camtEntry) parts(whole money.Amount) ([]Line, bool) {
	lines := make([]Line, len(e.Details))
	left := whole
	for i, d := range e.Details {
		given, indicator := d.Amount, d.Indicator
		if given.Value == "" {
			given = d.Transferred
		}
		if indicator == "" {
			indicator = e.Indicator
		}
		amount, err := given.signed(indicator)
		if err != nil || amount.Currency() != whole.Currency() || amount.Abs().Minor() > maxAmount || left.Abs().Minor() > money.MaxMinor {
			return nil, false
		}
		lines[i].Amount = amount
		left = left.Sub(amount)
	}
	return lines, left.IsZero()
}

// infoUnlessDescribed is the bank's own text, where the payer gave none.
func (e *camtEntry) infoUnlessDescribed(description string) string {
	if description != "" {
		return ""
	}
	return e.Info
}

// fill takes the other side and the text of a payment into a line.
func (d *camtDetail) fill(l *Line, reversal bool) {
	cameIn := l.Amount.IsPositive() != reversal
	party, ultimate, account := d.Creditor, d.UltimateCreditr, d.CreditorAccount
	if cameIn {
		party, ultimate, account = d.Debtor, d.UltimateDebtor, d.DebtorAccount
	}
	l.CounterpartyName, l.CounterpartyIBAN = party.name(), account.number()
	if strings.TrimSpace(l.CounterpartyName) == "" {
		l.CounterpartyName = ultimate.name()
	}
	texts := append(append(append(append([]string{}, d.Text...), d.CreditorRef...), d.DocumentNumbers...), d.Additional...)
	l.Description = sentence(append(texts, d.EndToEnd)...)
	if l.Description == "" {
		l.Description = plain(d.Info, maxDescription)
	}
}
