package order

import (
	"context"
	"fmt"

	"github.com/vienkart/vienkart/internal/identifier"
	"github.com/vienkart/vienkart/internal/money"
	"github.com/vienkart/vienkart/internal/partner"
	"github.com/vienkart/vienkart/internal/tenant"
	"github.com/vienkart/vienkart/internal/vat"
)

// defaultChannel is where an order comes from that names no channel.
const defaultChannel = "api"

// maxLines is what one invoice can hold.
const maxLines = 500

// Buyer names a customer who may not be known yet.
type Buyer struct{ Name, Email, Code string }

// LineInput is a line of a new order. Without a rate it bears the standard rate, or none where none is charged.
type LineInput struct {
	Description string
	Quantity    money.Decimal
	UnitPrice   money.Decimal
	VATRate     *money.Decimal
}

// CreateInput is a new order. PartnerID or Buyer is given.
type CreateInput struct {
	Channel           string
	ExternalRef       string
	PartnerID         tenant.ID
	Buyer             *Buyer
	Currency          money.Currency
	ShipToCountryCode string
	Marketplace       string
	Notes             string
	Lines             []LineInput
}

// Create takes an order in. Errors: order.duplicate, order.unknown_partner, order.terms, validation.
func Create(ctx context.Context, tx tenant.Tx, in CreateInput) (*Order, error) {
	o := &Order{
		Row: tenant.Row{ID: tenant.NewID()}, Channel: in.Channel, ExternalRef: optional(in.ExternalRef), Currency: in.Currency,
		ShipToCountryCode: optional(in.ShipToCountryCode), Marketplace: optional(in.Marketplace), Notes: optional(in.Notes),
		Status: StatusNew, CreatedAt: tx.Now(), UpdatedAt: tx.Now(),
	}
	if o.Channel == "" {
		o.Channel = defaultChannel
	}
	if o.Currency.IsZero() {
		o.Currency = tx.Company().DefaultInvoiceCurrency
	}
	if err := o.refuseRepeated(ctx, tx); err != nil {
		return nil, err
	}
	if err := o.findPartner(ctx, tx, in); err != nil {
		return nil, err
	}
	if err := o.price(tx, in.Lines); err != nil {
		return nil, err
	}
	err := tenant.OnDuplicate(tx, tenant.Insert(ctx, tx, o), "orders_external_ref",
		func(ctx context.Context, r tenant.ReadTx) error { return o.refuseRepeated(ctx, r) })
	if err != nil {
		return nil, err
	}
	lines := make([]*Line, len(o.Lines))
	for i := range o.Lines {
		lines[i] = &o.Lines[i]
	}
	if err := tenant.Insert(ctx, tx, lines...); err != nil {
		return nil, err //nolint:wrapcheck // says what was stored
	}
	return o, o.record(ctx, tx, "order.created", nil)
}

// refuseRepeated refuses a reference that the channel has sent before.
func (o *Order) refuseRepeated(ctx context.Context, r tenant.Reader) error {
	if o.ExternalRef == nil {
		return nil
	}
	other, err := tenant.First[Order](ctx, r, "channel = ? AND external_ref = ?", o.Channel, *o.ExternalRef)
	if err != nil || other == nil {
		return err //nolint:wrapcheck // says what was read
	}
	return ErrDuplicate.New("The channel %s has sent the order %s before.", o.Channel, *o.ExternalRef).
		Detail("existingId", other.ID).Detail("index", "one order per channel and external reference")
}

func (o *Order) findPartner(ctx context.Context, tx tenant.Tx, in CreateInput) error {
	if in.Buyer != nil && in.PartnerID.IsZero() {
		fields := partner.Fields{Name: &in.Buyer.Name}
		if in.Buyer.Email != "" {
			fields.Email = &in.Buyer.Email
		}
		if in.Buyer.Code != "" {
			fields.Code = &in.Buyer.Code
		}
		p, _, err := partner.FindOrCreate(ctx, tx, fields)
		if err != nil {
			return fmt.Errorf("finding the buyer: %w", err)
		}
		o.PartnerID = p.ID
		return nil
	}
	p, err := tenant.First[partner.Partner](ctx, tx, "id = ?", in.PartnerID)
	if err != nil {
		return err //nolint:wrapcheck // says what was read
	}
	if p == nil || in.Buyer != nil {
		return ErrPartner.New("Name a partner of the company by partnerId, or a buyer by partner, and not both.").
			Field("partnerId", "must be the id of a partner of the company")
	}
	o.PartnerID = p.ID
	return nil
}

// price decides how VAT is charged and what the order comes to, with the rules its invoice will be made by.
func (o *Order) price(tx tenant.Tx, in []LineInput) error {
	if len(in) == 0 || len(in) > maxLines {
		return invalid("lines", "must have 1 to %d lines", maxLines)
	}
	o.VATScheme = o.scheme(tx.Company())
	charges := tx.Company().IsVATPayer && o.VATScheme.ChargesVAT()
	lines := make([]vat.Line, len(in))
	for i, l := range in {
		rate := money.DecimalFromInt(0)
		switch {
		case l.VATRate != nil:
			rate = *l.VATRate
		case charges && o.VATScheme == vat.SchemeDomestic:
			rate = vat.DomesticRatesOn(tx.Today())[0].Percent
		case charges:
			return invalid(fmt.Sprintf("lines.%d.vatRatePercent", i), "is required for a sale taxed in %s", *o.ShipToCountryCode)
		}
		if !charges && !rate.IsZero() {
			return invalid(fmt.Sprintf("lines.%d.vatRatePercent", i), "must be 0: no VAT is charged on this order")
		}
		if l.Quantity.Sign() <= 0 || l.UnitPrice.Sign() < 0 {
			return invalid(fmt.Sprintf("lines.%d.quantity", i), "must be more than 0, at a price of 0 or more")
		}
		lines[i] = vat.Line{Quantity: l.Quantity, UnitPrice: l.UnitPrice, Rate: rate, ChargesVAT: charges}
		o.Lines = append(o.Lines, Line{
			OrderID: o.ID, SortOrder: i + 1, Description: l.Description, Quantity: l.Quantity, UnitPrice: l.UnitPrice, VATRate: rate,
		})
	}
	totals, err := vat.Compute(lines, o.Currency)
	if err != nil {
		return invalid("lines", "%s", err.Error())
	}
	if !totals.Gross.IsPositive() {
		return invalid("lines", "come to nothing; an order must be worth more than 0")
	}
	o.GrossMinor = totals.Gross.Minor()
	return nil
}

// scheme is how a web shop's sale to consumers is taxed: at home, in the buyer's EU country under the one-stop shop, or
// not at all when the goods leave the EU (VAT law Art 41).
func (o *Order) scheme(c tenant.Company) vat.Scheme {
	switch {
	case o.ShipToCountryCode == nil || *o.ShipToCountryCode == c.CountryCode:
		return vat.SchemeDomestic
	case identifier.IsEU(*o.ShipToCountryCode):
		return vat.SchemeOSSUnion
	}
	return vat.SchemeExport
}

func optional(s string) *string {
	if s == "" {
		return nil
	}
	return &s
}
