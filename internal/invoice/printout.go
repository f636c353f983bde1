package invoice

import (
	"context"
	"fmt"

	"github.com/vienkart/vienkart/internal/date"
	"github.com/vienkart/vienkart/internal/money"
	"github.com/vienkart/vienkart/internal/tenant"
	"github.com/vienkart/vienkart/internal/vat"
	"github.com/vienkart/vienkart/internal/vat/register"
)

// Printout is all that a document says on paper. Payments are not among it: an invoice reads the same before and after them.
type Printout struct {
	Document
	Seller, Buyer Party
	// Base is the currency of the books.
	Base money.Currency
	// ExchangeRate is units of the document's currency for one of Base; nil for what books nothing.
	ExchangeRate *money.Decimal
	// Groups are the sums of each VAT code and rate, in the order of their first lines.
	Groups []PrintedGroup
	// Adjusts is the document that a note adjusts, else nil.
	Adjusts *Reference
	// Advances were taken off the invoice, the earliest first.
	Advances []Reference
}

// PrintedGroup is what the lines of one code and rate come to. Code is empty for a company that is no VAT payer.
type PrintedGroup struct {
	Code     string
	Rate     money.Decimal
	Net, VAT money.Amount
	// BaseVAT is the VAT as booked, in the currency of the books; nil for what books nothing.
	BaseVAT *money.Amount
}

// Reference is another document as a document names it.
type Reference struct {
	FullNumber string
	IssueDate  date.Date
	Net, VAT   money.Amount
}

// IsTaxed reports that the document is a VAT invoice: its lines have codes of the classifier.
func (p Printout) IsTaxed() bool { return len(p.Groups) > 0 && p.Groups[0].Code != "" }

// ChargesVAT reports that VAT is added under the scheme of the document.
func (p Printout) ChargesVAT() bool { return p.VATScheme.ChargesVAT() }

// TaxDate is the day of the supply; the zero Date in a draft that does not know it.
func (p Printout) TaxDate() date.Date { return supplyOrIssue(p.Heading) }

// Amount is an amount of the document.
func (p Printout) Amount(minor int64) money.Amount { return p.amount(minor) }

// ReadPrintout reads what a draft or an issued document says on paper. Error: not_found.
func ReadPrintout(ctx context.Context, r tenant.Reader, id tenant.ID) (*Printout, error) {
	doc, err := Get(ctx, r, id)
	if err != nil {
		return nil, err
	}
	p := &Printout{Document: *doc, Base: r.Company().BaseCurrency}
	p.addUp()
	var stored *string
	if doc.Status == StatusIssued {
		row, err := tenant.Get[invoiceRow](ctx, r, id)
		if err != nil {
			return nil, err //nolint:wrapcheck // says what was read
		}
		p.ExchangeRate, stored = row.ExchangeRate, row.Parties
		if err := p.readBooked(ctx, r); err != nil {
			return nil, err
		}
	}
	who, err := readParties(ctx, r, stored, doc.PartnerID)
	if err != nil {
		return nil, err
	}
	p.Seller, p.Buyer = who.Seller, who.Buyer
	return p, p.readReferences(ctx, r)
}

func (p *Printout) addUp() {
	for _, l := range p.Lines {
		net, tax := p.amount(l.NetMinor), p.amount(l.VATMinor)
		if g := p.group(l.code(), l.VATRate); g != nil {
			g.Net, g.VAT = g.Net.Add(net), g.VAT.Add(tax)
			continue
		}
		p.Groups = append(p.Groups, PrintedGroup{Code: l.code(), Rate: l.VATRate, Net: net, VAT: tax})
	}
}

func (p *Printout) group(code string, rate money.Decimal) *PrintedGroup {
	for i := range p.Groups {
		if g := &p.Groups[i]; g.Code == code && g.Rate.Cmp(rate) == 0 {
			return g
		}
	}
	return nil
}

// readBooked takes the VAT in the currency of the books from where returns take it, so that a printed invoice and the return
// agree to the cent.
func (p *Printout) readBooked(ctx context.Context, r tenant.Reader) error {
	if !p.IsTaxed() || p.Type == TypeProforma {
		return nil
	}
	rows, err := register.OfDocument(ctx, r, p.ID)
	if err != nil {
		return err //nolint:wrapcheck // says what was read
	}
	for _, row := range rows {
		if row.Event != register.Recorded || row.VATCode == nil {
			continue
		}
		rate := row.Rate
		if code, known := vat.Lookup(*row.VATCode); known && p.group(*row.VATCode, rate) == nil && code.HasRate {
			rate = money.Decimal{} // under reverse charge a line may say 0 where the code has a rate
		}
		if g := p.group(*row.VATCode, rate); g != nil {
			booked := money.New(row.BaseVATMinor, p.Base).Abs()
			g.BaseVAT = &booked
		}
	}
	return nil
}

type referenceRow struct {
	FullNumber string
	IssueDate  date.Date
	NetMinor   int64
	VATMinor   int64
}

func (p *Printout) reference(row referenceRow) Reference {
	return Reference{row.FullNumber, row.IssueDate, p.amount(row.NetMinor), p.amount(row.VATMinor)}
}

func (p *Printout) readReferences(ctx context.Context, r tenant.Reader) error {
	if p.CreditedInvoiceID != nil {
		row, err := tenant.QueryOne[referenceRow](ctx, r, `SELECT full_number, issue_date, net_minor, vat_minor FROM sales_invoices
			WHERE company_id = @company AND id = ?`, *p.CreditedInvoiceID)
		if err != nil {
			return fmt.Errorf("reading what a note adjusts: %w", err)
		}
		if row != nil {
			adjusted := p.reference(*row)
			p.Adjusts = &adjusted
		}
	}
	if p.Status != StatusIssued || p.Type != TypeInvoice {
		return nil
	}
	rows, err := tenant.Query[referenceRow](ctx, r, `SELECT i.full_number, i.issue_date, i.net_minor, i.vat_minor
		FROM sales_advance_applications a JOIN sales_invoices i ON i.company_id = a.company_id AND i.id = a.advance_id
		WHERE a.company_id = @company AND a.invoice_id = ? ORDER BY i.issue_date, i.full_number`, p.ID)
	if err != nil {
		return fmt.Errorf("reading the advances of an invoice: %w", err)
	}
	for _, row := range rows {
		p.Advances = append(p.Advances, p.reference(row))
	}
	return nil
}
