package invoice

import (
	"github.com/vienkart/vienkart/internal/clock"
	"github.com/vienkart/vienkart/internal/date"
	"github.com/vienkart/vienkart/internal/money"
	"github.com/vienkart/vienkart/internal/tenant"
	"github.com/vienkart/vienkart/internal/vat"
)

// Document is a draft or an issued document as it stands.
type Document struct {
	ID tenant.ID
	Heading
	Status               Status
	Series               *string
	Number               *int64
	FullNumber           *string
	JournalTransactionID *tenant.ID
	// AppliedToInvoiceID is the invoice that an advance was taken off.
	AppliedToInvoiceID *tenant.ID
	// CancelledAt is the zero Time unless the document was cancelled.
	CancelledAt clock.Time
	// SettledMinor is what payments, credits and advances have settled, in minor units of Currency.
	SettledMinor int64
	UpdatedAt    clock.Time
	Lines        []Line `gorm:"-"`
}

// Line is a line with its id.
type Line struct {
	ID tenant.ID
	LineContent
}

// PaymentStatus says how much is settled.
func (d Document) PaymentStatus() PaymentStatus {
	switch d.SettledMinor {
	case 0:
		return PaymentUnpaid
	case d.GrossMinor:
		return PaymentPaid
	}
	return PaymentPartial
}

// Summary is a document without its lines, as clients see it and as the audit log keeps it.
type Summary struct {
	ID                   tenant.ID      `json:"id"`
	PartnerID            tenant.ID      `json:"partnerId"`
	Type                 Type           `json:"type"`
	Status               Status         `json:"status"`
	PaymentStatus        PaymentStatus  `json:"paymentStatus" description:"How much is settled, by payments, credits or advances."`
	Series               *string        `json:"series,omitzero"`
	Number               *int64         `json:"number,omitzero"`
	FullNumber           *string        `json:"fullNumber,omitzero"`
	IssueDate            date.Date      `json:"issueDate,omitzero"`
	DueDate              date.Date      `json:"dueDate,omitzero"`
	SupplyDate           date.Date      `json:"supplyDate,omitzero" description:"Day of the supply, when it is not the issue date."`
	Currency             money.Currency `json:"currency"`
	NetTotal             money.Amount   `json:"netTotal"`
	VATTotal             money.Amount   `json:"vatTotal"`
	GrossTotal           money.Amount   `json:"grossTotal"`
	PaidAmount           money.Amount   `json:"paidAmount" description:"What payments, credits and advances have settled."`
	JournalTransactionID *tenant.ID     `json:"journalTransactionId,omitzero"`
	AppliedToInvoiceID   *tenant.ID     `json:"appliedToInvoiceId,omitzero" description:"Invoice that this advance was taken off."`
	CreditedInvoiceID    *tenant.ID     `json:"creditedInvoiceId,omitzero" description:"Document that this note adjusts."`
	AgreementID          *tenant.ID     `json:"agreementId,omitzero" description:"Always absent: this server keeps no agreements."`
	VATScheme            vat.Scheme     `json:"vatScheme"`
	VATCountryCode       *string        `json:"vatCountryCode,omitzero"`
	DeemedSupplier       bool           `json:"deemedSupplier"`
	SpecialTaxation      bool           `json:"specialTaxation" description:"Whether the document is under cash accounting, Art 14(9) of the VAT law."`
	Notes                *string        `json:"notes,omitzero"`
	CancelledAt          clock.Time     `json:"cancelledAt,omitzero" description:"When the document was cancelled; its number stays used."`
	CreatedAt            clock.Time     `json:"createdAt"`
	UpdatedAt            clock.Time     `json:"updatedAt"`
}

// Card is a document with its lines, as clients see it.
type Card struct {
	Summary
	Lines []LineCard `json:"lines"`
}

// LineCard is a line as clients see it.
type LineCard struct {
	ID                tenant.ID      `json:"id"`
	Description       string         `json:"description"`
	Unit              string         `json:"unit"`
	Quantity          money.Decimal  `json:"quantity"`
	UnitPriceExclVAT  *money.Decimal `json:"unitPriceExclVat,omitzero"`
	UnitPriceInclVAT  *money.Decimal `json:"unitPriceInclVat,omitzero"`
	VATRatePercent    money.Decimal  `json:"vatRatePercent"`
	VATClassifierCode *string        `json:"vatClassifierCode,omitzero"`
	LineNet           money.Amount   `json:"lineNet"`
	LineVAT           money.Amount   `json:"lineVat"`
	LineGross         money.Amount   `json:"lineGross"`
	SortOrder         int            `json:"sortOrder"`
	RecognitionMethod Recognition    `json:"recognitionMethod"`
	NotKept
}

// NotKept are members of a line in the contract that this server has nothing for, so that they are always absent.
type NotKept struct {
	ItemID                 *tenant.ID     `json:"itemId,omitzero" description:"Always absent: this server keeps no items."`
	CostCenterID           *tenant.ID     `json:"costCenterId,omitzero" description:"Always absent: this server keeps no cost centres."`
	RecognitionStartDate   date.Date      `json:"recognitionStartDate,omitzero" description:"Always absent: revenue is recognised at issue."`
	RecognitionEndDate     date.Date      `json:"recognitionEndDate,omitzero" description:"Always absent: revenue is recognised at issue."`
	StandaloneSellingPrice *money.Decimal `json:"standaloneSellingPrice,omitzero" description:"Always absent: revenue is not allocated between lines."`
	AllocatedNet           *money.Amount  `json:"allocatedNet,omitzero" description:"Always absent: revenue is not allocated between lines."`
	RefundEstimatePercent  *money.Decimal `json:"refundEstimatePercent,omitzero" description:"Always absent: no refund liability is booked."`
}

// Recognition is when revenue counts as earned.
type Recognition string

// The methods of the contract. Only the first is served.
const (
	RecognitionPointInTime     Recognition = "point_in_time"
	RecognitionRatable         Recognition = "ratable"
	RecognitionMilestone       Recognition = "milestone"
	RecognitionPercentComplete Recognition = "percent_complete"
)

// Enum lists the allowed values.
func (Recognition) Enum() []any {
	return []any{RecognitionPointInTime, RecognitionRatable, RecognitionMilestone, RecognitionPercentComplete}
}

// Summary shows the document without its lines.
func (d Document) Summary() Summary {
	return Summary{
		ID: d.ID, PartnerID: d.PartnerID, Type: d.Type, Status: d.Status, PaymentStatus: d.PaymentStatus(), Series: d.Series,
		Number: d.Number, FullNumber: d.FullNumber, IssueDate: d.IssueDate, DueDate: d.DueDate, SupplyDate: d.SupplyDate,
		Currency: d.Currency, NetTotal: d.amount(d.NetMinor), VATTotal: d.amount(d.VATMinor), GrossTotal: d.amount(d.GrossMinor),
		PaidAmount: d.amount(d.SettledMinor), JournalTransactionID: d.JournalTransactionID, AppliedToInvoiceID: d.AppliedToInvoiceID,
		CreditedInvoiceID: d.CreditedInvoiceID, VATScheme: d.VATScheme, VATCountryCode: d.VATCountryCode,
		DeemedSupplier: d.DeemedSupplier, SpecialTaxation: d.SpecialTaxation, Notes: d.Notes, CancelledAt: d.CancelledAt, CreatedAt: d.CreatedAt, UpdatedAt: d.UpdatedAt,
	}
}

// Card shows the document with its lines.
func (d Document) Card() Card {
	v := Card{Summary: d.Summary(), Lines: make([]LineCard, len(d.Lines))}
	for i, l := range d.Lines {
		v.Lines[i] = l.card(d.Currency)
	}
	return v
}

func (l Line) card(c money.Currency) LineCard {
	v := LineCard{
		ID: l.ID, Description: l.Description, Unit: l.Unit, Quantity: l.Quantity, VATRatePercent: l.VATRate,
		VATClassifierCode: l.VATCode, LineNet: money.New(l.NetMinor, c), LineVAT: money.New(l.VATMinor, c),
		LineGross: money.New(l.GrossMinor, c), SortOrder: l.SortOrder, RecognitionMethod: RecognitionPointInTime,
	}
	if l.PriceIncludesVAT {
		v.UnitPriceInclVAT = &l.UnitPrice
	} else {
		v.UnitPriceExclVAT = &l.UnitPrice
	}
	return v
}
