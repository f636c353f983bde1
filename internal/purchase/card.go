package purchase

import (
	"github.com/vienkart/vienkart/internal/clock"
	"github.com/vienkart/vienkart/internal/date"
	"github.com/vienkart/vienkart/internal/money"
	"github.com/vienkart/vienkart/internal/tenant"
)

// Summary is a document without its lines, as clients see it in a list.
type Summary struct {
	ID                   tenant.ID     `json:"id" description:"Id of the document, the same before and after registration."`
	PartnerID            tenant.ID     `json:"partnerId" description:"The supplier."`
	Type                 Type          `json:"type" description:"Invoice or credit note."`
	Status               Status        `json:"status" description:"A draft may change; a registered document may not."`
	PaymentStatus        PaymentStatus `json:"paymentStatus" description:"How much of a registered document is paid or set off."`
	DocumentNumber       string        `json:"documentNumber" description:"Number on the supplier's document, with its series."`
	DocumentDate         date.Date     `json:"documentDate" description:"Date on the supplier's document."`
	DueDate              date.Date     `json:"dueDate,omitzero" description:"Day by which it must be paid."`
	SupplyDate           date.Date     `json:"supplyDate,omitzero" description:"Day of the supply, when it is not the document's."`
	SupplyType           SupplyType    `json:"supplyType" description:"Goods or services."`
	SpecialTaxation      bool          `json:"specialTaxation" description:"Whether the invoice is under cash accounting, Art 14(9)."`
	RegistrationDate     date.Date     `json:"registrationDate,omitzero" description:"Day that puts it into a period."`
	Currency             string        `json:"currency" description:"Currency of the amounts."`
	NetTotal             money.Amount  `json:"netTotal" description:"Total without VAT."`
	VATTotal             money.Amount  `json:"vatTotal" description:"VAT on the document, without VAT that the buyer computes."`
	GrossTotal           money.Amount  `json:"grossTotal" description:"Total with VAT."`
	PaidAmount           money.Amount  `json:"paidAmount" description:"What is paid or set off; import VAT that VMI offsets counts as paid."`
	JournalTransactionID *tenant.ID    `json:"journalTransactionId,omitzero" description:"The posting of a registered document."`
	CreditedInvoiceID    *tenant.ID    `json:"creditedInvoiceId,omitzero" description:"The invoice that a note corrects."`
	Notes                *string       `json:"notes,omitzero" description:"Free text."`
	CreatedAt            clock.Time    `json:"createdAt" description:"When the draft was made."`
	UpdatedAt            clock.Time    `json:"updatedAt" description:"When it was last changed or registered."`
}

// Card is a document as clients see it and as the audit log keeps it.
type Card struct {
	Summary
	DuplicateOfID   *tenant.ID  `json:"duplicateOfId,omitzero" description:"The document that had the number first."`
	DuplicateReason *string     `json:"duplicateReason,omitzero" description:"Why an admin booked a second document under the number."`
	DuplicateIDs    []tenant.ID `json:"duplicateIds,omitzero" description:"Documents booked as duplicates of this one."`
	Warnings        []string    `json:"warnings" description:"What should be looked at, such as a similar number."`
	Lines           []LineCard  `json:"lines" description:"The lines in their order."`
}

// LineCard is a line as clients see it.
type LineCard struct {
	ID                tenant.ID      `json:"id" description:"Id of the line."`
	ItemID            *tenant.ID     `json:"itemId,omitzero" description:"Always absent: the server keeps no items."`
	Description       string         `json:"description" description:"What was bought."`
	Unit              string         `json:"unit" description:"Unit of the quantity."`
	Quantity          money.Decimal  `json:"quantity" description:"How much."`
	UnitPriceExclVAT  *money.Decimal `json:"unitPriceExclVat,omitzero" description:"Price of a unit without VAT."`
	UnitPriceInclVAT  *money.Decimal `json:"unitPriceInclVat,omitzero" description:"Price of a unit with VAT."`
	VATRatePercent    money.Decimal  `json:"vatRatePercent" description:"VAT rate on the supplier's document."`
	VATClassifierCode *string        `json:"vatClassifierCode,omitzero" description:"VMI's code; absent where i.SAF leaves it out."`
	CostCenterID      *tenant.ID     `json:"costCenterId,omitzero" description:"Always absent: the server keeps no cost centres."`
	AccountCode       *string        `json:"accountCode,omitzero" description:"The account that is debited; absent in a draft that leaves it to the posting rule."`
	StatedVAT         *money.Amount  `json:"statedVat,omitzero" description:"VAT of the line as the document states it; absent where it is what the rate comes to."`
	LineNet           money.Amount   `json:"lineNet" description:"Net of the line; 0 for import VAT, whose value is not owed to customs."`
	LineVAT           money.Amount   `json:"lineVat" description:"VAT of the line."`
	LineGross         money.Amount   `json:"lineGross" description:"Net and VAT."`
	SortOrder         int            `json:"sortOrder" description:"Place of the line, from 1."`
}

// Summary shows the document without its lines.
func (i *Invoice) Summary() Summary {
	return Summary{
		ID: i.ID, PartnerID: i.PartnerID, Type: i.Type, Status: i.Status, PaymentStatus: i.PaymentStatus(),
		DocumentNumber: i.DocumentNumber, DocumentDate: i.DocumentDate, DueDate: i.DueDate, SupplyDate: i.SupplyDate,
		SupplyType: i.SupplyType, SpecialTaxation: i.SpecialTaxation, RegistrationDate: i.RegistrationDate,
		Currency: i.Currency.Code(), NetTotal: i.Net(), VATTotal: i.VAT(), GrossTotal: i.Gross(), PaidAmount: i.Settled(),
		JournalTransactionID: i.JournalTransactionID, CreditedInvoiceID: i.CreditedInvoiceID, Notes: i.Notes,
		CreatedAt: i.CreatedAt, UpdatedAt: i.UpdatedAt,
	}
}

// Card shows the document.
func (i *Invoice) Card() Card {
	lines := make([]LineCard, len(i.Lines))
	for n, l := range i.Lines {
		lines[n] = l.card(i.Currency)
	}
	warnings := i.Warnings
	if warnings == nil {
		warnings = []string{}
	}
	return Card{
		Summary: i.Summary(), DuplicateOfID: i.DuplicateOfID, DuplicateReason: i.DuplicateReason, DuplicateIDs: i.DuplicateIDs,
		Warnings: warnings, Lines: lines,
	}
}

func (l InvoiceLine) card(currency money.Currency) LineCard {
	c := LineCard{
		ID: l.ID, Description: l.Description, Unit: l.Unit, Quantity: l.Quantity, VATRatePercent: l.VATRate,
		VATClassifierCode: l.VATCode, AccountCode: l.AccountCode, LineNet: money.New(l.NetMinor, currency),
		LineVAT: money.New(l.VATMinor, currency), LineGross: money.New(l.GrossMinor, currency), SortOrder: l.SortOrder,
	}
	if l.VATStated {
		c.StatedVAT = &c.LineVAT
	}
	price := l.UnitPrice
	if l.PriceIncludesVAT {
		c.UnitPriceInclVAT = &price
	} else {
		c.UnitPriceExclVAT = &price
	}
	return c
}
