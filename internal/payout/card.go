package payout

import (
	"github.com/vienkart/vienkart/internal/clock"
	"github.com/vienkart/vienkart/internal/date"
	"github.com/vienkart/vienkart/internal/money"
	"github.com/vienkart/vienkart/internal/tenant"
)

// Card is a settlement as clients see it and as the audit log keeps it.
type Card struct {
	ID                   tenant.ID      `json:"id" description:"Id of the settlement."`
	BankAccountID        tenant.ID      `json:"bankAccountId" description:"Bank account that the payout went to."`
	Provider             Provider       `json:"provider" description:"Who paid out."`
	PayoutID             string         `json:"payoutId" description:"The provider's id of the payout."`
	PayoutDate           date.Date      `json:"payoutDate,omitzero" description:"Day the money arrives; absent where the report does not say."`
	Currency             money.Currency `json:"currency" description:"Currency of all amounts."`
	GrossTotal           money.Amount   `json:"grossTotal" description:"What was paid less what went back."`
	FeeTotal             money.Amount   `json:"feeTotal" description:"What the provider kept."`
	NetTotal             money.Amount   `json:"netTotal" description:"What the bank received; negative when it was charged."`
	Status               Status         `json:"status" description:"Whether the settlement is in the books."`
	JournalTransactionID *tenant.ID     `json:"journalTransactionId,omitzero" description:"Journal transaction of the posting; absent before, and when no line has an amount."`
	LineCount            int            `json:"lineCount" description:"Movements of the payout."`
	MatchedCount         int            `json:"matchedCount" description:"Lines with an invoice."`
	UnmatchedCount       int            `json:"unmatchedCount" description:"Lines without an invoice, fees too."`
	CreatedAt            clock.Time     `json:"createdAt" description:"When it was imported first."`
	UpdatedAt            clock.Time     `json:"updatedAt" description:"When it or a match was changed last."`
}

// Card shows the settlement to its company.
func (s State) Card() Card {
	return Card{
		ID: s.ID, BankAccountID: s.BankAccountID, Provider: s.Provider, PayoutID: s.PayoutID, PayoutDate: s.PayoutDate, Currency: s.Currency,
		GrossTotal: money.New(s.GrossMinor, s.Currency), FeeTotal: money.New(s.FeeMinor, s.Currency),
		NetTotal: money.New(s.NetMinor, s.Currency), Status: s.Status, JournalTransactionID: s.JournalTransactionID,
		LineCount: s.LineCount, MatchedCount: s.MatchedCount, UnmatchedCount: s.LineCount - s.MatchedCount,
		CreatedAt: s.CreatedAt, UpdatedAt: s.UpdatedAt,
	}
}

// LineCard is a line as clients see it and as the audit log keeps it.
type LineCard struct {
	ID               tenant.ID    `json:"id" description:"Id of the line; it stays when the report is imported again."`
	ExternalID       string       `json:"externalId" description:"The provider's id of the movement."`
	Category         string       `json:"category" description:"What moved the money, such as charge, refund, dispute or fee."`
	Date             date.Date    `json:"date" description:"Day of the movement, in UTC."`
	Gross            money.Amount `json:"gross" description:"What moved; negative when it went back."`
	Fee              money.Amount `json:"fee" description:"What the provider kept of it."`
	Net              money.Amount `json:"net" description:"Gross less fee."`
	Description      *string      `json:"description,omitzero" description:"Description in the report."`
	SourceID         *string      `json:"sourceId,omitzero" description:"The provider's id of what caused the movement."`
	ChargeID         *string      `json:"chargeId,omitzero" description:"The provider's id of the payment that it is about."`
	Reference        *string      `json:"reference,omitzero" description:"What the merchant attached to the payment, or the payment intent."`
	MatchedInvoiceID *tenant.ID   `json:"matchedInvoiceId,omitzero" description:"Sales document that the line pays, or gives back."`
	MatchStatus      MatchStatus  `json:"matchStatus" description:"Matched by the server, by hand, or not."`
}

// Card shows the line, whose amounts are in the currency of its settlement.
func (l Line) Card(c money.Currency) LineCard {
	status := Unmatched
	switch l.MatchState {
	case stateMatched:
		status = Matched
	case stateManual:
		status = Manual
	case stateNone, stateCleared:
	}
	return LineCard{
		ID: l.ID, ExternalID: l.ExternalID, Category: l.Category, Date: l.LineDate, Gross: money.New(l.GrossMinor, c),
		Fee: money.New(l.FeeMinor, c), Net: money.New(l.NetMinor, c), Description: l.Description, SourceID: l.SourceID,
		ChargeID: l.ChargeID, Reference: l.Reference, MatchedInvoiceID: l.InvoiceID, MatchStatus: status,
	}
}
