package invoice

import (
	"context"
	"fmt"

	"github.com/vienkart/vienkart/internal/ledger"
	"github.com/vienkart/vienkart/internal/money"
	"github.com/vienkart/vienkart/internal/numbering"
	"github.com/vienkart/vienkart/internal/partner"
	"github.com/vienkart/vienkart/internal/tenant"
	"github.com/vienkart/vienkart/internal/vat/register"
)

// store writes everything that carries the number.
func (p *posting) store(ctx context.Context, tx tenant.Tx, run *numbering.Series, number int64) (*Document, error) {
	row := &invoiceRow{
		Row: tenant.Row{ID: p.row.ID}, Heading: p.row.Heading, SeriesID: run.ID, Series: run.Prefix, Number: number,
		FullNumber: numbering.FullNumber(run.Prefix, number), IssuedAt: tx.Now(),
	}
	var err error
	if row.Parties, err = partiesOf(tx.Company(), *p.buyer).encoded(); err != nil {
		return nil, err
	}
	if row.Type != TypeProforma {
		t, err := p.post(ctx, tx, row.FullNumber)
		if err != nil {
			return nil, err
		}
		row.JournalTransactionID, row.ExchangeRate = &t.ID, &p.rate
	}
	err = tenant.OnDuplicate(tx, tenant.Insert(ctx, tx, row), "sales_invoices_full_number",
		func(ctx context.Context, r tenant.ReadTx) error { return numberTaken(ctx, r, row.FullNumber) })
	if err != nil {
		return nil, fmt.Errorf("storing %s: %w", row.FullNumber, err)
	}
	lines := make([]*invoiceLineRow, len(p.lines))
	for i, l := range p.lines {
		lines[i] = &invoiceLineRow{Row: tenant.Row{ID: l.ID}, InvoiceID: row.ID, LineContent: l.LineContent}
	}
	if err := tenant.Insert(ctx, tx, lines...); err != nil {
		return nil, fmt.Errorf("storing %s: %w", row.FullNumber, err)
	}
	if row.Type == TypeProforma {
		return row.document(lines, 0), nil
	}
	settled, err := p.open(ctx, tx, row)
	if err != nil {
		return nil, err
	}
	return row.document(lines, settled.Minor()), p.recordVAT(ctx, tx, row)
}

func numberTaken(ctx context.Context, r tenant.Reader, fullNumber string) error {
	existing, err := tenant.First[invoiceRow](ctx, r, "full_number = ?", fullNumber)
	if err != nil || existing == nil {
		return err //nolint:wrapcheck // says what was read
	}
	return ErrNumberTaken.New("The number %s belongs to another document; create a series with another prefix.", fullNumber).
		Field("series", "has reached a number that is taken").
		Detail("existingId", existing.ID).Detail("index", "one document per full number")
}

func (r invoiceRow) document(lines []*invoiceLineRow, settledMinor int64) *Document {
	doc := &Document{
		ID: r.ID, Heading: r.Heading, Status: StatusIssued, Series: &r.Series, Number: &r.Number, FullNumber: &r.FullNumber,
		JournalTransactionID: r.JournalTransactionID, SettledMinor: settledMinor, UpdatedAt: r.IssuedAt,
	}
	for _, l := range lines {
		doc.Lines = append(doc.Lines, Line{l.ID, l.LineContent})
	}
	return doc
}

// open stores what is owed, and sets a credit note off against what it credits. It returns what is settled of the document.
func (p *posting) open(ctx context.Context, tx tenant.Tx, row *invoiceRow) (money.Amount, error) {
	s := addUp(p.booked, row.Currency, tx.Company().BaseCurrency)
	owed := ledger.OpenItemInput{
		Kind: ledger.ItemReceivable, DocumentType: documentType, DocumentID: row.ID, DocumentNumber: row.FullNumber,
		PartnerID: row.PartnerID, AccountCode: p.receivable, DocumentDate: row.IssueDate, DueDate: row.DueDate,
		Amount: s.gross(), BaseAmount: s.baseGross(),
	}
	settled := money.Zero(row.Currency)
	if row.Type == TypeCreditNote {
		settled = least(p.item.Open(), owed.Amount)
		if settled.IsPositive() {
			err := ledger.Settle(ctx, tx, ledger.Settlement{
				Item: p.item, Amount: settled, SourceType: ledger.SourceCreditNote, SourceID: row.ID, Date: row.IssueDate,
			})
			if err != nil {
				return settled, err //nolint:wrapcheck // says what was settled
			}
		}
		if settled == owed.Amount {
			return settled, nil
		}
		owed.Kind = ledger.ItemPayable
		owed.BaseAmount = restInBase(owed, settled)
		owed.Amount = owed.Amount.Sub(settled)
	}
	_, err := ledger.OpenDocument(ctx, tx, owed)
	return settled, err //nolint:wrapcheck // says what was opened
}

// restInBase is the share of the base amount that falls on what is not settled.
func restInBase(owed ledger.OpenItemInput, settled money.Amount) money.Amount {
	weights := []int64{settled.Minor(), owed.Amount.Sub(settled).Minor()}
	return owed.BaseAmount.Allocate(weights)[1]
}

// recordVAT writes the rows of the VAT register: with the opposite sign for a credit note.
func (p *posting) recordVAT(ctx context.Context, tx tenant.Tx, row *invoiceRow) error {
	if !p.taxed {
		return nil
	}
	doc := register.Document{
		Direction: register.Sales, RegisterDate: row.IssueDate, Type: documentType, ID: row.ID, Number: row.FullNumber,
		Date: row.IssueDate, SupplyDate: row.SupplyDate, InvoiceType: register.Invoice, Event: register.Recorded,
		Partner: buyerOf(p.buyer), Scheme: row.VATScheme, SpecialTaxation: row.SpecialTaxation,
	}
	if p.adjusted != nil {
		doc.InvoiceType, doc.AdjustsNumber, doc.AdjustsDate = register.DebitNote, p.adjusted.FullNumber, p.adjusted.IssueDate
	}
	if row.Type == TypeCreditNote {
		doc.InvoiceType = register.CreditNote
	}
	for _, g := range p.booked {
		doc.Groups = append(doc.Groups, g.registered(row.Type == TypeCreditNote))
	}
	return register.Record(ctx, tx, doc) //nolint:wrapcheck // says what was recorded
}

func (g bookedGroup) registered(lowers bool) register.Group {
	r := register.Group{Code: g.code, Rate: g.rate, Net: g.net, VAT: g.vat, BaseNet: g.baseNet, BaseVAT: g.baseVAT}
	if lowers {
		r.Net, r.VAT, r.BaseNet, r.BaseVAT = r.Net.Neg(), r.VAT.Neg(), r.BaseNet.Neg(), r.BaseVAT.Neg()
	}
	return r
}

func buyerOf(p *partner.Partner) register.Partner {
	return register.Partner{ID: p.ID, Name: p.Name, Code: p.Code, VATCode: p.VATCode, Country: p.CountryCode}
}
