package httpapi

import (
	"fmt"

	"github.com/vienkart/vienkart/internal/invoice"
)

// saleLines translates lines, and refuses members that this server accepts and cannot serve. Absent lines stay absent.
func saleLines(in []saleLineRequest) ([]invoice.LineInput, error) {
	if in == nil {
		return nil, nil
	}
	lines := make([]invoice.LineInput, len(in))
	for i, l := range in {
		if err := l.served(fmt.Sprintf("lines.%d", i)); err != nil {
			return nil, err
		}
		lines[i] = invoice.LineInput{
			Description: l.Description, Unit: l.Unit, Quantity: l.Quantity, UnitPriceExclVAT: l.UnitPriceExclVAT,
			UnitPriceInclVAT: l.UnitPriceInclVAT, VATRatePercent: l.VATRatePercent, VATClassifierCode: l.VATClassifierCode,
		}
	}
	return lines, nil
}

func (l saleLineRequest) served(at string) error {
	switch {
	case !l.ItemID.IsZero():
		return notServed(at+".itemId", "this server keeps no items; describe the line instead")
	case !l.CostCenterID.IsZero():
		return notServed(at+".costCenterId", "this server keeps no cost centres")
	case l.StandaloneSellingRate != nil:
		return notServed(at+".standaloneSellingPrice", "this server does not allocate revenue between lines")
	case l.RefundEstimate != nil:
		return notServed(at+".refundEstimatePercent", "this server books no refund liability")
	case l.Recognition == nil:
		return nil
	}
	r := l.Recognition
	plain := r.StartDate.IsZero() && r.EndDate.IsZero() && len(r.Milestones) == 0
	if !plain || (r.Method != "" && r.Method != invoice.RecognitionPointInTime) {
		return notServed(at+".recognition", "this server recognises revenue when the invoice is issued (point_in_time)")
	}
	return nil
}

func notServed(member, why string) error {
	return invoice.ErrNotServed.New("%s cannot be used: %s. Leave it out.", member, why).Field(member, "is not served: %s", why)
}
