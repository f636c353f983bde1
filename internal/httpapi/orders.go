package httpapi

import (
	"context"

	"github.com/vienkart/vienkart/internal/clock"
	"github.com/vienkart/vienkart/internal/date"
	"github.com/vienkart/vienkart/internal/invoice"
	"github.com/vienkart/vienkart/internal/money"
	"github.com/vienkart/vienkart/internal/order"
	"github.com/vienkart/vienkart/internal/tenant"
)

// orderOperations take orders of web shops from arrival to invoice.
func orderOperations() []Operation {
	return []Operation{
		mutation("/v1/ecommerce/orders/create", tenant.WriteSales, "Take an order in", createOrder, about("order"),
			described("A reference that the channel has sent before is refused with the id of the order that exists.")),
		query("/v1/ecommerce/orders/get", tenant.ReadBooks, "Get an order", getOrder),
		query("/v1/ecommerce/orders/list", tenant.ReadBooks, "List orders", listOrders),
		mutation("/v1/ecommerce/orders/reserve", tenant.WriteSales, "Mark an order as being prepared", reserveOrder, about("order")),
		mutation("/v1/ecommerce/orders/fulfill", tenant.WriteSales, "Issue the invoice of an order", fulfillOrder, about("order"),
			described("The invoice is issued once. A payment confirmed before is taken off it.")),
		mutation("/v1/ecommerce/orders/cancel", tenant.WriteSales, "Cancel an order", cancelOrder, about("order")),
		mutation("/v1/ecommerce/orders/confirm-payment", tenant.WriteSales, "Confirm that an order was paid", confirmOrderPayment,
			described("Confirmed again, also under another key, it gives the same answer and has no second effect.")),
	}
}

type orderLineRequest struct {
	ItemID           string         `json:"itemId,omitzero" description:"Not served: the server keeps no items."`
	Description      string         `json:"description" maxLength:"1000" description:"What was ordered."`
	Quantity         money.Decimal  `json:"quantity" description:"How much of it."`
	UnitPriceExclVAT money.Decimal  `json:"unitPriceExclVat" description:"Price of one without VAT."`
	VATRatePercent   *money.Decimal `json:"vatRatePercent,omitzero" description:"VAT rate; the standard rate unless given, required for a sale taxed in another EU state."`
}

type orderBuyerRequest struct {
	Name  string `json:"name" maxLength:"255" description:"Name of the buyer."`
	Email string `json:"email,omitzero" maxLength:"255" description:"E-mail address."`
	Code  string `json:"code,omitzero" maxLength:"35" description:"Registration number."`
}

type createOrderRequest struct {
	Channel           string             `json:"channel,omitzero" maxLength:"50" description:"Where the order comes from; api unless given."`
	ExternalRef       string             `json:"externalRef,omitzero" maxLength:"100" description:"Id of the order in the channel, once per channel."`
	PartnerID         tenant.ID          `json:"partnerId,omitzero" description:"Id of the customer."`
	Partner           *orderBuyerRequest `json:"partner,omitzero" description:"The customer, found or created."`
	WarehouseID       string             `json:"warehouseId,omitzero" description:"Not served: the server keeps no stock."`
	Currency          money.Currency     `json:"currency,omitzero" description:"Currency; the company's for invoices unless given."`
	ShipToCountryCode string             `json:"shipToCountryCode,omitzero" minLength:"2" maxLength:"2" pattern:"^[A-Z]{2}$" description:"Country of delivery; it decides where VAT is due."`
	Marketplace       string             `json:"marketplace,omitzero" maxLength:"100" description:"Marketplace that took the order."`
	Notes             string             `json:"notes,omitzero" maxLength:"2000" description:"Notes."`
	Lines             []orderLineRequest `json:"lines" minItems:"1" maxItems:"500" description:"What was ordered."`
}

type orderLineResponse struct {
	ID               tenant.ID     `json:"id" description:"Id of the line."`
	Description      string        `json:"description" description:"What was ordered."`
	Quantity         money.Decimal `json:"quantity" description:"How much of it."`
	UnitPriceExclVAT money.Decimal `json:"unitPriceExclVat" description:"Price of one without VAT."`
	VATRatePercent   money.Decimal `json:"vatRatePercent" description:"VAT rate."`
	ItemID           *string       `json:"itemId,omitzero" description:"Never given: the server keeps no items."`
}

// orderSummary is an order without its lines.
type orderSummary struct {
	ID                tenant.ID      `json:"id" description:"Id of the order."`
	Channel           string         `json:"channel" description:"Where it comes from."`
	ExternalRef       *string        `json:"externalRef,omitzero" description:"Id of the order in the channel."`
	PartnerID         tenant.ID      `json:"partnerId" description:"Id of the customer."`
	WarehouseID       *string        `json:"warehouseId,omitzero" description:"Never given: the server keeps no stock."`
	Currency          money.Currency `json:"currency" description:"Currency."`
	Status            order.Status   `json:"status" description:"Where the order stands."`
	InvoiceID         *tenant.ID     `json:"invoiceId,omitzero" description:"Id of its invoice."`
	ShipToCountryCode *string        `json:"shipToCountryCode,omitzero" description:"Country of delivery."`
	Marketplace       *string        `json:"marketplace,omitzero" description:"Marketplace that took it."`
	Notes             *string        `json:"notes,omitzero" description:"Notes."`
	GrossTotal        money.Amount   `json:"grossTotal" description:"What the order comes to, with VAT."`
	CreatedAt         clock.Time     `json:"createdAt" description:"When it was taken in."`
}

type orderResponse struct {
	orderSummary
	Lines []orderLineResponse `json:"lines" description:"What was ordered."`
}

func toOrderSummary(o order.Order) orderSummary {
	return orderSummary{
		ID: o.ID, Channel: o.Channel, ExternalRef: o.ExternalRef, PartnerID: o.PartnerID, Currency: o.Currency, Status: o.Status,
		InvoiceID: o.InvoiceID, ShipToCountryCode: o.ShipToCountryCode, Marketplace: o.Marketplace, Notes: o.Notes,
		GrossTotal: o.Gross(), CreatedAt: o.CreatedAt,
	}
}

// toOrder shows an order, or passes the refusal on.
func toOrder(o *order.Order, err error) (orderResponse, error) {
	if err != nil {
		return orderResponse{}, err
	}
	out := orderResponse{orderSummary: toOrderSummary(*o), Lines: make([]orderLineResponse, len(o.Lines))}
	for i, l := range o.Lines {
		out.Lines[i] = orderLineResponse{
			ID: l.ID, Description: l.Description, Quantity: l.Quantity, UnitPriceExclVAT: l.UnitPrice, VATRatePercent: l.VATRate,
		}
	}
	return out, nil
}

func createOrder(ctx context.Context, tx tenant.Tx, in createOrderRequest) (orderResponse, error) {
	if in.WarehouseID != "" {
		return orderResponse{}, order.ErrNotServed.New("The server keeps no stock.").Field("warehouseId", "must be left out")
	}
	input := order.CreateInput{
		Channel: in.Channel, ExternalRef: in.ExternalRef, PartnerID: in.PartnerID, Currency: in.Currency,
		ShipToCountryCode: in.ShipToCountryCode, Marketplace: in.Marketplace, Notes: in.Notes,
	}
	if in.Partner != nil {
		input.Buyer = &order.Buyer{Name: in.Partner.Name, Email: in.Partner.Email, Code: in.Partner.Code}
	}
	for _, l := range in.Lines {
		if l.ItemID != "" {
			return orderResponse{}, order.ErrNotServed.New("The server keeps no items.").Field("lines", "must be without itemId")
		}
		input.Lines = append(input.Lines, order.LineInput{
			Description: l.Description, Quantity: l.Quantity, UnitPrice: l.UnitPriceExclVAT, VATRate: l.VATRatePercent,
		})
	}
	return toOrder(order.Create(ctx, tx, input))
}

func getOrder(ctx context.Context, r tenant.ReadTx, in idRequest) (orderResponse, error) {
	return toOrder(order.Get(ctx, r, in.ID))
}

func listOrders(ctx context.Context, r tenant.ReadTx, q tenant.ListQuery) (tenant.Page[orderSummary], error) {
	page, err := order.List(ctx, r, q)
	return tenant.MapPage(page, toOrderSummary), err //nolint:wrapcheck // names the field at fault
}

type reserveOrderRequest struct {
	ID          tenant.ID `json:"id" description:"Id of the order."`
	WarehouseID string    `json:"warehouseId,omitzero" description:"Not served: the server keeps no stock."`
}

func reserveOrder(ctx context.Context, tx tenant.Tx, in reserveOrderRequest) (orderResponse, error) {
	if in.WarehouseID != "" {
		return orderResponse{}, order.ErrNotServed.New("The server keeps no stock.").Field("warehouseId", "must be left out")
	}
	return toOrder(order.Reserve(ctx, tx, in.ID))
}

func cancelOrder(ctx context.Context, tx tenant.Tx, in idRequest) (orderResponse, error) {
	return toOrder(order.Cancel(ctx, tx, in.ID))
}

type fulfillOrderRequest struct {
	ID                   tenant.ID `json:"id" description:"Id of the order."`
	Date                 date.Date `json:"date,omitzero" description:"Date of the invoice; today unless given."`
	CogsAccountCode      string    `json:"cogsAccountCode,omitzero" description:"Not served: the server keeps no stock."`
	InventoryAccountCode string    `json:"inventoryAccountCode,omitzero" description:"Not served: the server keeps no stock."`
}

func fulfillOrder(ctx context.Context, tx tenant.Tx, in fulfillOrderRequest) (orderResponse, error) {
	if in.CogsAccountCode != "" || in.InventoryAccountCode != "" {
		return orderResponse{}, order.ErrNotServed.New("The server keeps no stock, so it books no cost of goods.").
			Field("cogsAccountCode", "must be left out").Field("inventoryAccountCode", "must be left out")
	}
	return toOrder(order.Fulfill(ctx, tx, in.ID, in.Date, invoiceOfOrder))
}

// invoiceOfOrder makes and issues the invoice of an order: documents do not know each other, so the edge joins them.
func invoiceOfOrder(ctx context.Context, tx tenant.Tx, o *order.Order, day date.Date) (tenant.ID, error) {
	in := invoice.CreateInput{PartnerID: o.PartnerID, Currency: o.Currency, IssueDate: day, VATScheme: o.VATScheme}
	if o.ShipToCountryCode != nil {
		in.VATCountryCode = *o.ShipToCountryCode
	}
	for _, l := range o.Lines {
		in.Lines = append(in.Lines, invoice.LineInput{
			Description: l.Description, Quantity: &l.Quantity, UnitPriceExclVAT: &l.UnitPrice, VATRatePercent: &l.VATRate,
		})
	}
	draft, err := invoice.Create(ctx, tx, in)
	if err != nil {
		return tenant.ID{}, err //nolint:wrapcheck // a refusal as it stands
	}
	issued, err := invoice.Issue(ctx, tx, invoice.IssueInput{ID: draft.ID})
	if err != nil {
		return tenant.ID{}, err //nolint:wrapcheck // a refusal as it stands
	}
	return issued.ID, nil
}

type confirmOrderPaymentRequest struct {
	OrderID  tenant.ID      `json:"orderId" description:"Id of the order."`
	Amount   string         `json:"amount" maxLength:"30" description:"What was paid: what the order comes to."`
	Currency money.Currency `json:"currency" description:"Currency of the payment: that of the order."`
}

// paidStatus is the one answer of a confirmation.
type paidStatus string

const orderPaid paidStatus = "PAID"

// Enum lists the allowed values.
func (paidStatus) Enum() []any { return []any{orderPaid} }

type confirmOrderPaymentResponse struct {
	OrderID tenant.ID  `json:"orderId" description:"Id of the order."`
	Status  paidStatus `json:"status" description:"PAID."`
	PaidAt  clock.Time `json:"paidAt" description:"When the payment was first confirmed."`
}

func confirmOrderPayment(ctx context.Context, tx tenant.Tx, in confirmOrderPaymentRequest) (confirmOrderPaymentResponse, error) {
	paid, err := order.ConfirmPayment(ctx, tx, order.PaymentInput{OrderID: in.OrderID, Amount: in.Amount, Currency: in.Currency})
	if err != nil {
		return confirmOrderPaymentResponse{}, err //nolint:wrapcheck // a refusal as it stands
	}
	return confirmOrderPaymentResponse{OrderID: paid.OrderID, Status: orderPaid, PaidAt: paid.PaidAt}, nil
}
