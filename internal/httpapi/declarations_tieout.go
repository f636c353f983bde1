package httpapi

import (
	"context"

	"github.com/vienkart/vienkart/internal/date"
	"github.com/vienkart/vienkart/internal/ledger"
	"github.com/vienkart/vienkart/internal/money"
	"github.com/vienkart/vienkart/internal/tenant"
	"github.com/vienkart/vienkart/internal/vat"
	"github.com/vienkart/vienkart/internal/vat/fr0600"
	"github.com/vienkart/vienkart/internal/vat/isaf"
	"github.com/vienkart/vienkart/internal/vat/register"
)

type tieOutRequest struct {
	Year  int `json:"year" minimum:"2016" maximum:"2099" description:"Year."`
	Month int `json:"month" minimum:"1" maximum:"12" description:"Month."`
}

type tieOutSums struct {
	FR0600   money.Amount `json:"fr0600" description:"In the return, exact."`
	Register money.Amount `json:"register" description:"In the VAT register."`
	ISAF     money.Amount `json:"isaf" description:"In i.SAF."`
	Ledger   money.Amount `json:"ledger" description:"Turnover of the account."`
}

type tieOutTotals struct {
	OutputVAT tieOutSums `json:"outputVat" description:"VAT owed: sales, and purchases on which the buyer computes it."`
	InputVAT  tieOutSums `json:"inputVat" description:"VAT of purchases, before the deduction share."`
}

type tieOutDocument struct {
	DocumentID    *tenant.ID   `json:"documentId,omitzero" description:"Id of the document; absent for an entry without one."`
	DocumentType  string       `json:"documentType,omitzero" description:"Sort of document."`
	TransactionID *tenant.ID   `json:"transactionId,omitzero" description:"Entry of the ledger that has no document in the register."`
	Number        string       `json:"number,omitzero" description:"Number of the document, or text of the entry."`
	Date          date.Date    `json:"date" description:"Day in the register or in the ledger."`
	First         money.Amount `json:"first" description:"Amount in the first place."`
	Second        money.Amount `json:"second" description:"Amount in the second place."`
}

type tieOutDifference struct {
	First            string           `json:"first" description:"Place compared, such as register."`
	Second           string           `json:"second" description:"Place compared with it."`
	Subject          string           `json:"subject" description:"What is compared: a box, a code or an account."`
	FirstAmount      money.Amount     `json:"firstAmount" description:"Sum in the first place."`
	SecondAmount     money.Amount     `json:"secondAmount" description:"Sum in the second place."`
	Documents        []tieOutDocument `json:"documents" description:"Documents and entries that differ."`
	OmittedDocuments int              `json:"omittedDocuments,omitzero" description:"Documents left out of a long list."`
}

type tieOutResponse struct {
	PeriodStart date.Date          `json:"periodStart" description:"First day."`
	PeriodEnd   date.Date          `json:"periodEnd" description:"Last day."`
	Agrees      bool               `json:"agrees" description:"There is no difference."`
	Totals      tieOutTotals       `json:"totals" description:"VAT in each place."`
	ForeignVAT  money.Amount       `json:"foreignVat" description:"VAT of other states on sales: in the register and the ledger, never in the return or i.SAF."`
	ImportVAT   money.Amount       `json:"importVat" description:"Import VAT: in the return, never in i.SAF."`
	Differences []tieOutDifference `json:"differences" description:"Every difference."`
	Notes       []string           `json:"notes" description:"What was compared."`
}

// tieOut compares the places in which the VAT of a month stands. Each is read on its own: the return from sums of the database, the
// register row by row, i.SAF from the invoices of its file, the ledger from its entries.
func tieOut(ctx context.Context, r tenant.ReadTx, in tieOutRequest) (tieOutResponse, error) {
	out := tieOutResponse{}
	period, err := fr0600.NewPeriod(in.Year, in.Month, 1)
	if err != nil {
		return out, err //nolint:wrapcheck // a refusal of the domain is the answer
	}
	ret, err := fr0600.Compute(ctx, r, period, fr0600.Full)
	if err != nil {
		return out, err //nolint:wrapcheck // a refusal of the domain is the answer
	}
	t := newTie()
	if err := t.readRegister(ctx, r, period); err != nil {
		return out, err
	}
	if err := t.readFile(ctx, r, period); err != nil {
		return out, err
	}
	t.compareBoxes(ret)
	t.compareFile()
	if err := t.compareLedger(ctx, r, period); err != nil {
		return out, err
	}
	out = tieOutResponse{
		PeriodStart: period.From, PeriodEnd: period.To, Agrees: len(t.differences) == 0, Totals: t.totals,
		ForeignVAT: t.foreign.sum(), ImportVAT: t.imports.sum(), Differences: t.differences,
		Notes: []string{
			"The return is compared with the register box by box, i.SAF code by code and document by document, the ledger by the accounts " +
				"of the posting rules sales.vatPayable and purchases.vatReceivable.",
			"i.SAF is compared as it would be made now; what was sent before may differ.",
		},
	}
	if t.isByPayment {
		out.Notes = append(out.Notes, "Sales under cash accounting are in the return when they are paid, in the register, in i.SAF and in the "+
			"ledger when they are issued: the sums of VAT owed may differ by them. The boxes are compared with their payments.")
	}
	out.Totals.OutputVAT.FR0600, out.Totals.InputVAT.FR0600 = exactVAT(ret, outputBoxes), exactVAT(ret, inputBoxes)
	return out, nil
}

// The boxes of the return that hold VAT owed, and VAT of purchases.
var (
	outputBoxes = []vat.Box{"27", "29", "29A", "30", "31", "32", "33", "34"}
	inputBoxes  = []vat.Box{"25", "26", "27"}
)

func exactVAT(ret *fr0600.Return, boxes []vat.Box) money.Amount {
	var sum money.Decimal
	for _, box := range boxes {
		sum = sum.Add(ret.Exact(box))
	}
	return money.RoundHalfAwayFromZero(sum, money.EUR) // exact cents already
}

// perDocument are amounts by document.
type perDocument map[tenant.ID]money.Amount

func (p perDocument) add(id tenant.ID, a money.Amount) {
	if known, ok := p[id]; ok {
		a = known.Add(a)
	}
	p[id] = a
}

func (p perDocument) sum() money.Amount {
	total := money.Zero(money.EUR)
	for _, a := range p {
		total = total.Add(a)
	}
	return total
}

// subject is what register and i.SAF are compared by: a side, a code, and net or VAT.
type subject struct {
	side register.Direction
	code string
	what string
}

// tie holds what was read of each place.
type tie struct {
	boxes map[vat.Box]perDocument
	// register and file are by subject.
	register, file map[subject]perDocument
	// output and input are what the ledger should have, foreign VAT of sales included.
	output, input, foreign, imports perDocument
	documents                       map[tenant.ID]tieOutDocument
	totals                          tieOutTotals
	differences                     []tieOutDifference
	// isByPayment says that sales under cash accounting are in the return when they are paid.
	isByPayment bool
}

func newTie() *tie {
	zero := money.Zero(money.EUR)
	sums := tieOutSums{zero, zero, zero, zero}
	return &tie{
		boxes: map[vat.Box]perDocument{}, register: map[subject]perDocument{}, file: map[subject]perDocument{},
		output: perDocument{}, input: perDocument{}, foreign: perDocument{}, imports: perDocument{},
		documents: map[tenant.ID]tieOutDocument{}, totals: tieOutTotals{sums, sums}, differences: []tieOutDifference{},
	}
}

// readFile adds up the invoices of i.SAF. A cancelled number keeps its amounts there and counts nowhere.
func (t *tie) readFile(ctx context.Context, r tenant.ReadTx, p fr0600.Period) error {
	for invoice, err := range isaf.Invoices(ctx, r, isaf.Period{From: p.From, To: p.To}) {
		if err != nil {
			return err //nolint:wrapcheck // says what was read
		}
		if invoice.Type == register.Cancelled {
			continue
		}
		for _, total := range invoice.Totals {
			key := subject{invoice.Direction, "", "net"}
			if total.Code != nil {
				key.code = *total.Code
			}
			put(t.file, key, invoice.DocumentID, total.Net)
			if total.VAT == nil {
				continue
			}
			key.what = "VAT"
			put(t.file, key, invoice.DocumentID, *total.VAT)
			effect := effectOf(invoice.Direction, total.Code)
			if effect.output {
				t.totals.OutputVAT.ISAF = t.totals.OutputVAT.ISAF.Add(*total.VAT)
			}
			if effect.input {
				t.totals.InputVAT.ISAF = t.totals.InputVAT.ISAF.Add(*total.VAT)
			}
		}
	}
	return nil
}

func put[K comparable](by map[K]perDocument, key K, id tenant.ID, a money.Amount) {
	if by[key] == nil {
		by[key] = perDocument{}
	}
	by[key].add(id, a)
}

// compareLedger compares the turnover of the VAT accounts with the register, document by document.
func (t *tie) compareLedger(ctx context.Context, r tenant.ReadTx, p fr0600.Period) error {
	codes, err := ledger.AccountCodes(ctx, r, ledger.RuleVATPayable, ledger.RuleVATReceivable)
	if err != nil {
		return err //nolint:wrapcheck // says what was read
	}
	payable, receivable := codes[ledger.RuleVATPayable], codes[ledger.RuleVATReceivable]
	if payable == receivable {
		both := perDocument{}
		for id, a := range t.output {
			both.add(id, a)
		}
		for id, a := range t.input {
			both.add(id, a.Neg())
		}
		t.totals.OutputVAT.Ledger, err = t.compareAccount(ctx, r, p, payable, both, true)
		return err
	}
	if t.totals.OutputVAT.Ledger, err = t.compareAccount(ctx, r, p, payable, t.output, true); err != nil {
		return err
	}
	t.totals.InputVAT.Ledger, err = t.compareAccount(ctx, r, p, receivable, t.input, false)
	return err
}
