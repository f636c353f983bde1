package register

import (
	"context"
	"fmt"

	"github.com/vienkart/vienkart/internal/date"
	"github.com/vienkart/vienkart/internal/money"
	"github.com/vienkart/vienkart/internal/tenant"
	"github.com/vienkart/vienkart/internal/vat"
)

// Partner is the other side as it is named on the day of the document.
type Partner struct {
	ID      tenant.ID
	Name    string
	Code    *string
	VATCode *string
	Country *string
}

// Group is what a document comes to under one code and rate, with the sign of its effect on the register.
type Group struct {
	Code             string
	Rate             money.Decimal
	Net, VAT         money.Amount
	BaseNet, BaseVAT money.Amount
}

// Document is what a document hands over when it comes into the register.
type Document struct {
	Direction    Direction
	RegisterDate date.Date
	Type         string
	ID           tenant.ID
	Number       string
	Date         date.Date
	// SupplyDate is the zero Date when the document does not name it or it is the date of the document.
	SupplyDate  date.Date
	InvoiceType InvoiceType
	Event       Event
	// SpecialTaxation marks cash accounting, Art 14(9) of the VAT law.
	SpecialTaxation bool
	// SourceID is the advance that is taken off; the zero ID means the document itself.
	SourceID      tenant.ID
	Partner       Partner
	AdjustsNumber string
	AdjustsDate   date.Date
	Scheme        vat.Scheme
	Groups        []Group
}

// Record writes the rows of a document, in its own transaction. Groups of one code and rate become one row; groups that come
// to nothing become none, for i.SAF refuses a row without value.
func Record(ctx context.Context, tx tenant.Tx, d Document) error {
	if d.SourceID.IsZero() {
		d.SourceID = d.ID
	}
	if d.SupplyDate == d.Date {
		d.SupplyDate = date.Date{}
	}
	if err := tenant.Insert(ctx, tx, d.rows(tx)...); err != nil {
		return fmt.Errorf("recording %s in the VAT register: %w", d.Number, err)
	}
	return nil
}

func (d Document) rows(tx tenant.Tx) []*Row {
	type key struct{ code, rate string }
	position := map[key]*Row{}
	var rows []*Row
	for _, g := range d.Groups {
		if g.Net.IsZero() && g.VAT.IsZero() && g.BaseNet.IsZero() && g.BaseVAT.IsZero() {
			continue
		}
		rate := g.Rate
		if c, known := vat.Lookup(g.Code); known && c.HasRate {
			rate = c.Rate
		}
		row, known := position[key{g.Code, rate.String()}]
		if !known {
			row = d.row(g, rate)
			row.CreatedAt = tx.Now()
			position[key{g.Code, rate.String()}] = row
			rows = append(rows, row)
		}
		row.NetMinor += g.Net.Minor()
		row.VATMinor += g.VAT.Minor()
		row.BaseNetMinor += g.BaseNet.Minor()
		row.BaseVATMinor += g.BaseVAT.Minor()
	}
	return rows
}

// row is a row of the document without amounts.
func (d Document) row(g Group, rate money.Decimal) *Row {
	row := &Row{
		Direction: d.Direction, RegisterDate: d.RegisterDate, DocumentType: d.Type, DocumentID: d.ID, DocumentNumber: d.Number,
		DocumentDate: d.Date, SupplyDate: d.SupplyDate, InvoiceType: d.InvoiceType, Event: d.Event,
		SpecialTaxation: d.SpecialTaxation, SourceID: d.SourceID, PartnerID: d.Partner.ID, PartnerName: d.Partner.Name,
		PartnerCode: d.Partner.Code, PartnerVATCode: d.Partner.VATCode, PartnerCountry: d.Partner.Country,
		AdjustsDate: d.AdjustsDate, Rate: rate, Currency: g.Net.Currency(),
	}
	if d.AdjustsNumber != "" {
		row.AdjustsNumber = &d.AdjustsNumber
	}
	if d.Scheme != "" {
		row.VATScheme = &d.Scheme
	}
	if g.Code != "" {
		row.VATCode = &g.Code
	}
	return row
}
