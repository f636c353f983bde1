package order

import (
	"context"
	"fmt"

	"github.com/vienkart/vienkart/internal/audit"
	"github.com/vienkart/vienkart/internal/clock"
	"github.com/vienkart/vienkart/internal/ledger"
	"github.com/vienkart/vienkart/internal/money"
	"github.com/vienkart/vienkart/internal/tenant"
	"github.com/vienkart/vienkart/internal/vat"
)

// Status is where an order stands.
type Status string

// The states. Payment is told apart: an order in any of them but cancelled may be paid.
const (
	StatusNew       Status = "new"
	StatusReserved  Status = "reserved"
	StatusFulfilled Status = "fulfilled"
	StatusCancelled Status = "cancelled"
)

// Enum lists the allowed values.
func (Status) Enum() []any { return []any{StatusNew, StatusReserved, StatusFulfilled, StatusCancelled} }

// Order is what a customer ordered through a channel.
type Order struct {
	tenant.Row
	Channel           string
	ExternalRef       *string
	PartnerID         tenant.ID
	Currency          money.Currency
	ShipToCountryCode *string
	Marketplace       *string
	Notes             *string
	VATScheme         vat.Scheme
	GrossMinor        int64
	Status            Status
	InvoiceID         *tenant.ID
	CreatedAt         clock.Time
	UpdatedAt         clock.Time
	Lines             []Line `gorm:"-"`
}

// TableName names the table for the mapper.
func (Order) TableName() string { return "orders" }

// Gross is what the order comes to, with VAT.
func (o *Order) Gross() money.Amount { return money.New(o.GrossMinor, o.Currency) }

// Line is one thing ordered. The price is without VAT.
type Line struct {
	tenant.Row
	OrderID     tenant.ID
	SortOrder   int
	Description string
	Quantity    money.Decimal
	UnitPrice   money.Decimal
	VATRate     money.Decimal
}

// TableName names the table for the mapper.
func (Line) TableName() string { return "order_lines" }

// Payment is the confirmed payment of an order.
type Payment struct {
	tenant.Row
	OrderID              tenant.ID
	Currency             money.Currency
	AmountMinor          int64
	BaseMinor            int64
	JournalTransactionID tenant.ID
	PaidAt               clock.Time
}

// TableName names the table for the mapper.
func (Payment) TableName() string { return "order_payments" }

const (
	entity        = "order"
	paymentSource = ledger.SourceOrderPayment
)

// view is an order in the audit log.
type view struct {
	Status    Status       `json:"status"`
	Channel   string       `json:"channel"`
	Reference *string      `json:"externalRef,omitzero"`
	Gross     money.Amount `json:"grossTotal"`
	InvoiceID *tenant.ID   `json:"invoiceId,omitzero"`
}

func (o *Order) view() view { return view{o.Status, o.Channel, o.ExternalRef, o.Gross(), o.InvoiceID} }

func (o *Order) record(ctx context.Context, tx tenant.Tx, action string, before any) error {
	return audit.Record(ctx, tx, audit.Entry{ //nolint:wrapcheck // says what was recorded
		Action: action, Entity: entity, EntityID: o.ID.String(), Before: before, After: o.view(),
	})
}

// Get reads an order with its lines. Error: not_found.
func Get(ctx context.Context, r tenant.Reader, id tenant.ID) (*Order, error) {
	o, err := tenant.Get[Order](ctx, r, id)
	if err != nil {
		return nil, err //nolint:wrapcheck // a refusal as it stands
	}
	return o, o.readLines(ctx, r)
}

// lock holds an order until the transaction ends. Error: not_found.
func lock(ctx context.Context, tx tenant.Tx, id tenant.ID) (*Order, error) {
	o, err := tenant.Lock[Order](ctx, tx, id)
	if err != nil {
		return nil, err //nolint:wrapcheck // a refusal as it stands
	}
	return o, o.readLines(ctx, tx)
}

func (o *Order) readLines(ctx context.Context, r tenant.Reader) error {
	lines, err := tenant.Query[Line](ctx, r,
		"SELECT * FROM order_lines WHERE company_id = @company AND order_id = ? ORDER BY sort_order", o.ID)
	if err != nil {
		return fmt.Errorf("reading the lines of the order: %w", err)
	}
	o.Lines = lines
	return nil
}

// refuseCancelled refuses what a cancelled order cannot do any more.
func (o *Order) refuseCancelled() error {
	if o.Status == StatusCancelled {
		return ErrCancelled.New("The order was cancelled and takes no changes.")
	}
	return nil
}

// refuseFulfilled refuses what a fulfilled order cannot do any more.
func (o *Order) refuseFulfilled() error {
	if o.Status != StatusFulfilled {
		return nil
	}
	return ErrFulfilled.New("The order was fulfilled before; credit its invoice to take it back.").
		Detail("existingId", *o.InvoiceID).Detail("index", "one invoice per order")
}

var listing = tenant.Listing{
	Sources: []tenant.Source{{
		From: "orders",
		Fields: map[string]tenant.Field{
			"id":          tenant.IDField("id"),
			"channel":     tenant.TextField("channel"),
			"externalRef": tenant.TextField("external_ref"),
			"partnerId":   tenant.IDField("partner_id"),
			"currency":    tenant.TextField("currency"),
			"status":      tenant.TextField("status"),
			"invoiceId":   tenant.IDField("invoice_id"),
			"createdAt":   tenant.TimeField("created_at"),
		},
	}},
	Order: []tenant.Sort{{Field: "createdAt", Dir: "desc"}},
}

// List reads a page of orders without their lines, the newest first unless asked otherwise.
func List(ctx context.Context, r tenant.ReadTx, q tenant.ListQuery) (tenant.Page[Order], error) {
	return tenant.ListRows[Order](ctx, r, q, listing) //nolint:wrapcheck // names the field at fault
}

func invalid(path, format string, args ...any) error {
	return ErrTerms.New("The order cannot be taken as it is; see fieldErrors.").Field(path, format, args...)
}
