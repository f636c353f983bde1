package httpapi

import (
	"context"
	"fmt"

	"github.com/vienkart/vienkart/internal/date"
	"github.com/vienkart/vienkart/internal/money"
	"github.com/vienkart/vienkart/internal/purchase"
	"github.com/vienkart/vienkart/internal/tenant"
)

// purchaseOperations are the operations of supplier invoices.
func purchaseOperations() []Operation {
	return []Operation{
		mutation("/v1/purchases/invoices/create", tenant.WritePurchases, "Enter a supplier's document", createPurchase, about("purchase_invoice"),
			described("Makes a draft, which holds the supplier's number from now on: a second document with it is refused, and the answer "+
				"names the first. Blanks around and inside the number and the case of letters make no difference, nor does the year. An admin "+
				"may book another one with duplicateReason. An invoice with creditedInvoiceId is a debit note. A document whose lines are under "+
				"PVM23 (paid to customs) or PVM24 (offset in the return) is a customs declaration; duties on it are lines at 0 % without a code.")),
		query("/v1/purchases/invoices/get", tenant.ReadBooks, "Show a supplier's document", getPurchase),
		mutation("/v1/purchases/invoices/update", tenant.WritePurchases, "Change a draft", updatePurchase, about("purchase_invoice"),
			described("Absent members stay as they are; lines replace all lines. A registered document is never changed.")),
		mutation("/v1/purchases/invoices/delete", tenant.WritePurchases, "Delete a draft", deletePurchase, about("purchase_invoice"),
			described("The supplier's number is free again. A registered document is never deleted.")),
		mutation("/v1/purchases/invoices/register", tenant.WritePurchases, "Register a supplier's document", registerPurchase, about("purchase_invoice"),
			described("Posts the draft, records its VAT and opens what is owed. The registration date, not the document's, puts it into a "+
				"period. A credit note is set off against what is open of the invoice it names.")),
		query("/v1/purchases/invoices/list", tenant.ReadBooks, "List suppliers' documents", listPurchases),
	}
}

type purchaseLineRequest struct {
	ItemID            string         `json:"itemId,omitzero" description:"Refused: the server keeps no items."`
	Description       string         `json:"description,omitzero" maxLength:"1000" description:"What was bought; required, since there are no items."`
	Unit              string         `json:"unit,omitzero" maxLength:"20" description:"Unit of the quantity; vnt. unless given."`
	Quantity          *money.Decimal `json:"quantity,omitzero" description:"How much; 1 unless given."`
	UnitPriceExclVAT  *money.Decimal `json:"unitPriceExclVat,omitzero" description:"Price of a unit without VAT; give this or the price with VAT."`
	UnitPriceInclVAT  *money.Decimal `json:"unitPriceInclVat,omitzero" description:"Price of a unit with VAT."`
	VATRatePercent    *money.Decimal `json:"vatRatePercent,omitzero" description:"Rate on the supplier's document. Unless given: that of the code, else the standard rate of a Lithuanian VAT payer, else 0."`
	VATClassifierCode string         `json:"vatClassifierCode,omitzero" maxLength:"6" description:"VMI's code; chosen by supplier and supply unless given. PVM23 and PVM24 are import VAT of a customs declaration: the price is then its taxable value, which is not owed."`
	CostCenterID      string         `json:"costCenterId,omitzero" description:"Refused: the server keeps no cost centres."`
	StatedVAT         *money.Decimal `json:"statedVat,omitzero" description:"VAT of the line as printed, where rounding made it another amount than the rate comes to: one minor unit for each line of the rate at most, on one line or on several."`
	AccountCode       string         `json:"accountCode,omitzero" maxLength:"20" description:"Expense or asset account; that of the posting rule purchases.defaultExpense unless given."`
}

type createPurchaseRequest struct {
	PartnerID         tenant.ID             `json:"partnerId" description:"The supplier."`
	Type              purchase.Type         `json:"type,omitzero" description:"Invoice unless given."`
	DocumentNumber    string                `json:"documentNumber" maxLength:"255" description:"Number on the document, with its series: 1 to 70 characters, at least one digit other than 0."`
	DocumentDate      date.Date             `json:"documentDate" description:"Date on the document."`
	DueDate           date.Date             `json:"dueDate,omitzero" description:"Day by which it must be paid; by the supplier's terms unless given."`
	Currency          money.Currency        `json:"currency,omitzero" description:"Currency of the document; the base currency unless given."`
	CreditedInvoiceID *tenant.ID            `json:"creditedInvoiceId,omitzero" description:"Registered invoice that the document corrects."`
	Notes             string                `json:"notes,omitzero" maxLength:"2000" description:"Free text."`
	Lines             []purchaseLineRequest `json:"lines" minItems:"1" maxItems:"400" description:"The lines of the document."`

	SupplyDate      date.Date           `json:"supplyDate,omitzero" description:"Day of the supply when it is not the document's; VAT rates, codes and exchange rates go by it."`
	SupplyType      purchase.SupplyType `json:"supplyType,omitzero" description:"Goods unless given; from abroad it decides about VAT."`
	SpecialTaxation bool                `json:"specialTaxation,omitzero" description:"The invoice is under cash accounting, Art 14(9) of the VAT law."`
	DuplicateReason string              `json:"duplicateReason,omitzero" maxLength:"500" description:"Why an admin books a second document under a number that is in use."`
}

func createPurchase(ctx context.Context, tx tenant.Tx, in createPurchaseRequest) (purchase.Card, error) {
	lines, err := fromPurchaseLines(in.Lines)
	if err != nil {
		return purchase.Card{}, err
	}
	i, err := purchase.Create(ctx, tx, purchase.CreateInput{
		PartnerID: in.PartnerID, Type: in.Type, DocumentNumber: in.DocumentNumber, DocumentDate: in.DocumentDate, DueDate: in.DueDate,
		SupplyDate: in.SupplyDate, SupplyType: in.SupplyType, SpecialTaxation: in.SpecialTaxation, Currency: in.Currency,
		CreditedInvoiceID: in.CreditedInvoiceID, Notes: in.Notes, Lines: lines, DuplicateReason: in.DuplicateReason,
	})
	return toPurchase(i, err)
}

// fromPurchaseLines translates lines. Error: purchase.not_served for a member of a module that is not here.
func fromPurchaseLines(in []purchaseLineRequest) ([]purchase.LineInput, error) {
	refusal := purchase.ErrNotServed.New("This server keeps no items and no cost centres; leave the members out.")
	lines := make([]purchase.LineInput, len(in))
	for n, l := range in {
		if l.ItemID != "" {
			refusal.Field(fmt.Sprintf("lines.%d.itemId", n), "is not served; describe the line instead")
		}
		if l.CostCenterID != "" {
			refusal.Field(fmt.Sprintf("lines.%d.costCenterId", n), "is not served; leave it out")
		}
		lines[n] = purchase.LineInput{
			Description: l.Description, Unit: l.Unit, Quantity: l.Quantity, UnitPriceExclVAT: l.UnitPriceExclVAT,
			UnitPriceInclVAT: l.UnitPriceInclVAT, VATRatePercent: l.VATRatePercent, VATClassifierCode: l.VATClassifierCode,
			StatedVAT: l.StatedVAT, AccountCode: l.AccountCode,
		}
	}
	if len(refusal.Fields()) > 0 {
		return nil, refusal
	}
	return lines, nil
}

func toPurchase(i *purchase.Invoice, err error) (purchase.Card, error) {
	if err != nil {
		return purchase.Card{}, err
	}
	return i.Card(), nil
}

func getPurchase(ctx context.Context, r tenant.ReadTx, in idRequest) (purchase.Card, error) {
	return toPurchase(purchase.Get(ctx, r, in.ID))
}

type updatePurchaseRequest struct {
	ID             tenant.ID             `json:"id" description:"Id of the draft."`
	PartnerID      *tenant.ID            `json:"partnerId,omitzero" description:"The supplier."`
	DocumentNumber *string               `json:"documentNumber,omitzero" maxLength:"255" description:"Number on the document, with its series."`
	DocumentDate   date.Date             `json:"documentDate,omitzero" description:"Date on the document."`
	DueDate        date.Date             `json:"dueDate,omitzero" description:"Day by which it must be paid."`
	Currency       money.Currency        `json:"currency,omitzero" description:"Currency of the document."`
	Notes          *string               `json:"notes,omitzero" maxLength:"2000" description:"Free text; an empty one removes it."`
	Lines          []purchaseLineRequest `json:"lines,omitzero" minItems:"1" maxItems:"400" description:"All lines of the document."`

	SupplyDate      date.Date           `json:"supplyDate,omitzero" description:"Day of the supply when it is not the document's."`
	SupplyType      purchase.SupplyType `json:"supplyType,omitzero" description:"Goods or services."`
	SpecialTaxation *bool               `json:"specialTaxation,omitzero" description:"The invoice is under cash accounting, Art 14(9) of the VAT law."`
	DuplicateReason string              `json:"duplicateReason,omitzero" maxLength:"500" description:"Why an admin books a second document under a number that is in use."`
}

func updatePurchase(ctx context.Context, tx tenant.Tx, in updatePurchaseRequest) (purchase.Card, error) {
	change := purchase.UpdateInput{
		ID: in.ID, PartnerID: in.PartnerID, DocumentNumber: in.DocumentNumber, DocumentDate: in.DocumentDate, DueDate: in.DueDate,
		SupplyDate: in.SupplyDate, SupplyType: in.SupplyType, SpecialTaxation: in.SpecialTaxation, Currency: in.Currency,
		Notes: in.Notes, DuplicateReason: in.DuplicateReason,
	}
	if in.Lines != nil {
		var err error
		if change.Lines, err = fromPurchaseLines(in.Lines); err != nil {
			return purchase.Card{}, err
		}
	}
	return toPurchase(purchase.Update(ctx, tx, change))
}

func deletePurchase(ctx context.Context, tx tenant.Tx, in idRequest) (deletedResponse, error) {
	return deletedResponse(in), purchase.Delete(ctx, tx, in.ID)
}

type registerPurchaseRequest struct {
	ID               tenant.ID `json:"id" description:"Id of the draft."`
	RegistrationDate date.Date `json:"registrationDate,omitzero" description:"Day of receipt or registration, from the document's date to today; today unless given."`
	WarehouseID      string    `json:"warehouseId,omitzero" description:"Refused: the server keeps no warehouses."`
}

func registerPurchase(ctx context.Context, tx tenant.Tx, in registerPurchaseRequest) (purchase.Card, error) {
	if in.WarehouseID != "" {
		return purchase.Card{}, purchase.ErrNotServed.New("This server keeps no warehouses; leave warehouseId out.").
			Field("warehouseId", "is not served; leave it out")
	}
	return toPurchase(purchase.Register(ctx, tx, purchase.RegisterInput{ID: in.ID, RegistrationDate: in.RegistrationDate}))
}

func listPurchases(ctx context.Context, r tenant.ReadTx, q tenant.ListQuery) (tenant.Page[purchase.Summary], error) {
	page, err := purchase.List(ctx, r, q)
	return tenant.MapPage(page, func(i purchase.Invoice) purchase.Summary { return i.Summary() }), err
}
