package httpapi

import (
	"context"

	"github.com/vienkart/vienkart/internal/date"
	"github.com/vienkart/vienkart/internal/invoice"
	"github.com/vienkart/vienkart/internal/invoice/letter"
	"github.com/vienkart/vienkart/internal/money"
	"github.com/vienkart/vienkart/internal/tenant"
	"github.com/vienkart/vienkart/internal/vat"
)

// salesOperations are sales invoices, credit notes, proformas and advances.
func salesOperations(office *letter.Office) []Operation {
	sale, h := about("sale_invoice"), saleLetterHandlers{office}
	return []Operation{
		mutation("/v1/sales/invoices/create", tenant.WriteSales, "Create a draft", createSale, sale,
			described("The draft has no number and books nothing until it is issued. A credit note without lines credits all that is left "+
				"of the document it names; an invoice with creditedInvoiceId is a debit note.")),
		query("/v1/sales/invoices/get", tenant.ReadBooks, "Get a sales document with its lines", getSale),
		mutation("/v1/sales/invoices/update", tenant.WriteSales, "Change a draft", updateSale, sale,
			described("Members that are absent stay; lines, when given, replace all lines. An issued document never changes.")),
		mutation("/v1/sales/invoices/delete", tenant.WriteSales, "Delete a draft", deleteSale, sale),
		mutation("/v1/sales/invoices/issue", tenant.WriteSales, "Issue a draft: number it and book it", issueSale, sale),
		mutation("/v1/sales/invoices/apply-advance", tenant.WriteSales, "Take an advance off an invoice", applyAdvance, sale,
			described("The advance settles the invoice as a whole, once. The answer is the invoice.")),
		mutation("/v1/sales/invoices/cancel", tenant.WriteSales, "Cancel an issued document that nobody has used", cancelSale, sale,
			described("Only while nothing was paid, credited or adjusted and the month is open. The number stays used. "+
				"This operation is an addition of this server.")),
		query("/v1/sales/invoices/list", tenant.ReadBooks, "List sales documents", listSales),
		query("/v1/sales/invoices/pdf", tenant.ReadBooks, "Print a sales document as PDF", printSale,
			described("An issued document gives the same bytes each time, with its parties as they were at the issue; a draft and a cancelled "+
				"document are marked. Without a locale it is in Lithuanian for a buyer in Lithuania, in English for others.")),
		mutation("/v1/sales/invoices/send", tenant.WriteSales, "Mail a sales document to the customer", h.send, sale,
			described("Puts a letter with the PDF into the queue, and the mail server gets it after the answer: the state is in letters of "+
				"invoices/get. A letter is sent at least once, always under the same Message-ID. A replay sends nothing.")),
	}
}

type createSaleRequest struct {
	PartnerID         tenant.ID         `json:"partnerId" description:"Customer."`
	Type              invoice.Type      `json:"type,omitzero" description:"Kind of document; invoice unless given."`
	Currency          money.Currency    `json:"currency,omitzero" description:"The company's invoice currency unless given; a note has that of the document it adjusts."`
	IssueDate         date.Date         `json:"issueDate,omitzero" description:"Today, when issuing, unless given."`
	DueDate           date.Date         `json:"dueDate,omitzero" description:"The issue date plus the partner's payment term, or 14 days, unless given."`
	SupplyDate        date.Date         `json:"supplyDate,omitzero" description:"Day of the supply, when it is not the issue date; VAT codes and exchange rates go by it. An addition of this server."`
	CreditedInvoiceID tenant.ID         `json:"creditedInvoiceId,omitzero" description:"Issued document that is credited; in an invoice, the one that this debit note raises."`
	VATScheme         vat.Scheme        `json:"vatScheme,omitzero" description:"VAT treatment; domestic unless given."`
	VATCountryCode    string            `json:"vatCountryCode,omitzero" pattern:"^[A-Z]{2}$" description:"Country whose VAT is charged, ISO 3166-1 alpha-2."`
	DeemedSupplier    bool              `json:"deemedSupplier,omitzero" description:"The company counts as the supplier of a sale through its marketplace."`
	SpecialTaxation   bool              `json:"specialTaxation,omitzero" description:"The document is under cash accounting, Art 14(9) of the VAT law; the company's profile says from which day that may be. A note has the mark of what it adjusts. An addition of this server."`
	Notes             string            `json:"notes,omitzero" maxLength:"2000" description:"Text for the customer."`
	Lines             []saleLineRequest `json:"lines" maxItems:"500" description:"Lines; none in a credit note means all that is left to credit."`
}

type saleLineRequest struct {
	ItemID                tenant.ID           `json:"itemId,omitzero" description:"Not served: describe the line instead."`
	Description           string              `json:"description,omitzero" maxLength:"1000" description:"What is sold; required, as this server keeps no items."`
	Unit                  string              `json:"unit,omitzero" maxLength:"20" description:"Unit of the quantity; vnt. unless given."`
	Quantity              *money.Decimal      `json:"quantity,omitzero" description:"1 unless given; not 0."`
	UnitPriceExclVAT      *money.Decimal      `json:"unitPriceExclVat,omitzero" description:"Price without VAT; give this or unitPriceInclVat. Negative for a discount."`
	UnitPriceInclVAT      *money.Decimal      `json:"unitPriceInclVat,omitzero" description:"Price with VAT, which the line keeps to the cent."`
	VATRatePercent        *money.Decimal      `json:"vatRatePercent,omitzero" description:"That of the code, or the standard rate of the supply date, or 0 where no VAT is charged, unless given."`
	VATClassifierCode     string              `json:"vatClassifierCode,omitzero" maxLength:"6" description:"Code of the PVM classifier, such as PVM1; the usual one of scheme and rate unless given."`
	CostCenterID          tenant.ID           `json:"costCenterId,omitzero" description:"Not served."`
	Recognition           *recognitionRequest `json:"recognition,omitzero" description:"Only point_in_time is served."`
	StandaloneSellingRate *money.Decimal      `json:"standaloneSellingPrice,omitzero" description:"Not served."`
	RefundEstimate        *money.Decimal      `json:"refundEstimatePercent,omitzero" description:"Not served."`
}

type recognitionRequest struct {
	Method     invoice.Recognition `json:"method,omitzero" description:"When revenue counts as earned."`
	StartDate  date.Date           `json:"startDate,omitzero" description:"Not served."`
	EndDate    date.Date           `json:"endDate,omitzero" description:"Not served."`
	Milestones []milestoneRequest  `json:"milestones,omitzero" maxItems:"100" description:"Not served."`
}

type milestoneRequest struct {
	Description  string        `json:"description" maxLength:"1000" description:"What is reached."`
	ExpectedDate date.Date     `json:"expectedDate,omitzero" description:"When it is expected."`
	Percent      money.Decimal `json:"percent" description:"Share of the revenue."`
}

func createSale(ctx context.Context, tx tenant.Tx, in createSaleRequest) (invoice.Card, error) {
	lines, err := saleLines(in.Lines)
	if err != nil {
		return invoice.Card{}, err
	}
	return saleCard(invoice.Create(ctx, tx, invoice.CreateInput{
		PartnerID: in.PartnerID, Type: in.Type, Currency: in.Currency, IssueDate: in.IssueDate, DueDate: in.DueDate,
		SupplyDate: in.SupplyDate, CreditedInvoiceID: in.CreditedInvoiceID, VATScheme: in.VATScheme,
		VATCountryCode: in.VATCountryCode, DeemedSupplier: in.DeemedSupplier, SpecialTaxation: in.SpecialTaxation, Notes: in.Notes, Lines: lines,
	}))
}

func saleCard(d *invoice.Document, err error) (invoice.Card, error) {
	if err != nil {
		return invoice.Card{}, err
	}
	return d.Card(), nil
}

// saleWithLetters is a document with where it was sent.
type saleWithLetters struct {
	invoice.Card
	Letters []letter.Card `json:"letters,omitzero" description:"Letters with the document, the latest first, up to fifty; absent while there are none. An addition of this server."`
}

func getSale(ctx context.Context, r tenant.ReadTx, in idRequest) (saleWithLetters, error) {
	card, err := saleCard(invoice.Get(ctx, r, in.ID))
	if err != nil {
		return saleWithLetters{}, err
	}
	letters, err := letter.OfInvoice(ctx, r, in.ID)
	out := saleWithLetters{Card: card}
	for _, l := range letters {
		out.Letters = append(out.Letters, l.Card())
	}
	return out, err
}

type updateSaleRequest struct {
	ID              tenant.ID         `json:"id" description:"Id of the draft."`
	PartnerID       tenant.ID         `json:"partnerId,omitzero" description:"Customer."`
	Currency        money.Currency    `json:"currency,omitzero" description:"Currency of the document."`
	IssueDate       date.Date         `json:"issueDate,omitzero" description:"Issue date."`
	DueDate         date.Date         `json:"dueDate,omitzero" description:"Due date."`
	SupplyDate      date.Date         `json:"supplyDate,omitzero" description:"Day of the supply. An addition of this server."`
	VATScheme       vat.Scheme        `json:"vatScheme,omitzero" description:"VAT treatment; send the lines too when their codes no longer fit."`
	VATCountryCode  *string           `json:"vatCountryCode,omitzero" pattern:"^([A-Z]{2})?$" description:"Country whose VAT is charged; empty for none."`
	DeemedSupplier  *bool             `json:"deemedSupplier,omitzero" description:"The company counts as the supplier."`
	SpecialTaxation *bool             `json:"specialTaxation,omitzero" description:"The document is under cash accounting, Art 14(9) of the VAT law. An addition of this server."`
	Notes           *string           `json:"notes,omitzero" maxLength:"2000" description:"Text for the customer; empty for none."`
	Lines           []saleLineRequest `json:"lines,omitzero" maxItems:"500" description:"Lines that replace all lines."`
}

func updateSale(ctx context.Context, tx tenant.Tx, in updateSaleRequest) (invoice.Card, error) {
	lines, err := saleLines(in.Lines)
	if err != nil {
		return invoice.Card{}, err
	}
	return saleCard(invoice.Update(ctx, tx, invoice.UpdateInput{
		ID: in.ID, PartnerID: in.PartnerID, Currency: in.Currency, IssueDate: in.IssueDate, DueDate: in.DueDate,
		SupplyDate: in.SupplyDate, VATScheme: in.VATScheme, VATCountryCode: in.VATCountryCode, DeemedSupplier: in.DeemedSupplier,
		SpecialTaxation: in.SpecialTaxation, Notes: in.Notes, Lines: lines,
	}))
}

func deleteSale(ctx context.Context, tx tenant.Tx, in idRequest) (deletedResponse, error) {
	return deletedResponse(in), invoice.Delete(ctx, tx, in.ID)
}

type issueSaleRequest struct {
	ID          tenant.ID `json:"id" description:"Id of the draft."`
	Series      string    `json:"series,omitzero" maxLength:"20" description:"Prefix of the number series; the default one of the year unless given."`
	IssueDate   date.Date `json:"issueDate,omitzero" description:"Replaces the date of the draft; not in the future."`
	WarehouseID tenant.ID `json:"warehouseId,omitzero" description:"Not served: this server keeps no stock."`
}

func issueSale(ctx context.Context, tx tenant.Tx, in issueSaleRequest) (invoice.Card, error) {
	if !in.WarehouseID.IsZero() {
		return invoice.Card{}, notServed("warehouseId", "this server keeps no stock")
	}
	return saleCard(invoice.Issue(ctx, tx, invoice.IssueInput{ID: in.ID, Series: in.Series, IssueDate: in.IssueDate}))
}

type applyAdvanceRequest struct {
	AdvanceID tenant.ID `json:"advanceId" description:"Issued advance."`
	InvoiceID tenant.ID `json:"invoiceId" description:"Issued invoice that it is taken off."`
	Date      date.Date `json:"date,omitzero" description:"Today unless given."`
}

func applyAdvance(ctx context.Context, tx tenant.Tx, in applyAdvanceRequest) (invoice.Card, error) {
	return saleCard(invoice.ApplyAdvance(ctx, tx, invoice.ApplyAdvanceInput{AdvanceID: in.AdvanceID, InvoiceID: in.InvoiceID, Date: in.Date}))
}

type cancelSaleRequest struct {
	ID     tenant.ID `json:"id" description:"Id of the issued document."`
	Reason string    `json:"reason" maxLength:"500" description:"Why; kept with the document."`
}

func cancelSale(ctx context.Context, tx tenant.Tx, in cancelSaleRequest) (invoice.Card, error) {
	return saleCard(invoice.Cancel(ctx, tx, invoice.CancelInput{ID: in.ID, Reason: in.Reason}))
}

func listSales(ctx context.Context, r tenant.ReadTx, in tenant.ListQuery) (tenant.Page[invoice.Summary], error) {
	page, err := invoice.List(ctx, r, in)
	return tenant.MapPage(page, invoice.Document.Summary), err
}
