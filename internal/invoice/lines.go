package invoice

import (
	"context"
	"fmt"
	"strings"

	"github.com/vienkart/vienkart/internal/apperr"
	"github.com/vienkart/vienkart/internal/money"
	"github.com/vienkart/vienkart/internal/tenant"
	"github.com/vienkart/vienkart/internal/vat"
)

// Limits of a document.
const (
	// maxLines keeps a document within one statement, and its answer within what can be stored for replays.
	maxLines = 500
	// maxAnswer is the size of a document as an answer, in bytes, under the 256 KiB that are stored for replays; lineSize is what
	// a line takes in it at most beside its texts.
	maxAnswer = 240 << 10
	lineSize  = 400
)

// defaultUnit is the unit of a line that names none: vienetas, a piece.
const defaultUnit = "vnt."

// LineInput is a line of a draft. Exactly one of the unit prices is given; what else is zero or nil gets its default.
type LineInput struct {
	Description string
	Unit        string
	// Quantity is 1 unless given, and not 0.
	Quantity         *money.Decimal
	UnitPriceExclVAT *money.Decimal
	UnitPriceInclVAT *money.Decimal
	// VATRatePercent is by default that of the code; without a code that of the adjusted document if it has one alone, 0 where no
	// VAT is charged, else the standard rate of the date of supply.
	VATRatePercent    *money.Decimal
	VATClassifierCode string
}

// replaceLines takes the lines of a request; a credit note without any gets what is left to credit.
func (d *draft) replaceLines(ctx context.Context, r tenant.Reader, in []LineInput) error {
	d.lines = nil
	if len(in) == 0 && d.row.Type == TypeCreditNote {
		return d.creditTheRest(ctx, r)
	}
	if len(in) == 0 || len(in) > maxLines {
		return apperr.Invalid("lines", "must have 1 to %d lines", maxLines)
	}
	for i, l := range in {
		content, err := d.line(fmt.Sprintf("lines.%d", i), l)
		if err != nil {
			return err
		}
		d.add(content)
	}
	return d.fitsAnswer()
}

func (d *draft) add(content LineContent) {
	content.SortOrder = len(d.lines) + 1
	d.lines = append(d.lines, &draftLineRow{Row: tenant.Row{ID: tenant.NewID()}, DraftID: d.row.ID, LineContent: content})
}

func (d *draft) line(at string, in LineInput) (LineContent, error) {
	l := LineContent{Description: strings.TrimSpace(in.Description), Unit: strings.TrimSpace(in.Unit), Quantity: money.DecimalFromInt(1)}
	faults := apperr.ErrValidation.New("Some fields are not valid; see fieldErrors.")
	if l.Description == "" {
		faults.Field(at+".description", "is required")
	}
	if l.Unit == "" {
		l.Unit = defaultUnit
	}
	if in.Quantity != nil {
		l.Quantity = *in.Quantity
	}
	if l.Quantity.IsZero() {
		faults.Field(at+".quantity", "must not be 0")
	}
	switch {
	case (in.UnitPriceExclVAT == nil) == (in.UnitPriceInclVAT == nil):
		faults.Field(at+".unitPriceExclVat", "give either unitPriceExclVat or unitPriceInclVat")
	case in.UnitPriceExclVAT != nil:
		l.UnitPrice = *in.UnitPriceExclVAT
	default:
		l.UnitPrice, l.PriceIncludesVAT = *in.UnitPriceInclVAT, true
	}
	if faults.Fields() != nil {
		return l, faults
	}
	var err error
	l.VATCode, l.VATRate, err = d.vatTerms(at, in)
	return l, err
}

// vatTerms decides the code and the rate of a line.
func (d *draft) vatTerms(at string, in LineInput) (*string, money.Decimal, error) {
	if !d.taxed {
		if in.VATClassifierCode != "" || (in.VATRatePercent != nil && !in.VATRatePercent.IsZero()) {
			return nil, money.Decimal{}, ErrVATTerms.New("The company is not a VAT payer, so its lines have no VAT code and the rate 0.").
				Field(at+".vatRatePercent", "must be 0 or absent, and vatClassifierCode absent")
		}
		return nil, money.Decimal{}, nil
	}
	rate, err := d.rate(at, in)
	if err != nil {
		return nil, rate, err
	}
	code := in.VATClassifierCode
	if code == "" && d.adjusted != nil {
		code = d.adjusted.codeAt(rate)
	}
	if code == "" {
		usual, err := vat.DefaultSaleCode(d.row.VATScheme, rate, d.taxDate)
		if err != nil {
			return nil, rate, ErrVATTerms.New("The VAT of a line is not clear: %s.", err).Field(at+".vatRatePercent", "%s", err.Error())
		}
		code = usual.Code
	}
	return &code, rate, d.checkCode(at, code, rate)
}

func (d *draft) rate(at string, in LineInput) (money.Decimal, error) {
	if in.VATRatePercent != nil {
		return *in.VATRatePercent, nil
	}
	code, _ := vat.Lookup(in.VATClassifierCode)
	scheme := d.row.VATScheme
	foreign := scheme == vat.SchemeOSSUnion || scheme == vat.SchemeIOSS
	switch {
	case code.HasRate:
		return code.Rate, nil
	case d.adjusted != nil && len(d.adjusted.groups) == 1:
		return d.adjusted.groups[0].rate, nil
	case foreign:
		return money.Decimal{}, ErrVATTerms.New("Under %s the rate is that of the buyer's country; send vatRatePercent.", scheme).
			Field(at+".vatRatePercent", "is required under %s", scheme)
	case in.VATClassifierCode != "" || !scheme.ChargesVAT():
		return money.Decimal{}, nil
	}
	return vat.DomesticRatesOn(d.taxDate)[0].Percent, nil
}

func (d *draft) checkCode(at, name string, rate money.Decimal) error {
	code, known := vat.Lookup(name)
	if !known {
		return ErrVATTerms.New("%s is no code of the PVM classifier; it is written as PVM1.", name).
			Field(at+".vatClassifierCode", "is no code of the PVM classifier")
	}
	if err := vat.CheckSaleCode(code, d.row.VATScheme, rate, d.taxDate); err != nil {
		return ErrVATTerms.New("A VAT code does not fit: %s.", err).Field(at+".vatClassifierCode", "%s", err.Error())
	}
	return nil
}

// recheck tests stored lines against the heading as it is now.
func (d *draft) recheck() error {
	for i, l := range d.lines {
		at := fmt.Sprintf("lines.%d", i)
		if (l.VATCode != nil) != d.taxed {
			return ErrVATTerms.New("The company became or ceased to be a VAT payer since the lines were written; send the lines again.").
				Field(at+".vatClassifierCode", "is from before the change")
		}
		if l.VATCode == nil {
			continue
		}
		if err := d.checkCode(at, *l.VATCode, l.VATRate); err != nil {
			return err
		}
	}
	return nil
}

// fitsAnswer refuses a document whose answer could not be stored for replays.
func (d *draft) fitsAnswer() error {
	size := 0
	for _, l := range d.lines {
		size += lineSize + encodedSize(l.Description) + encodedSize(l.Unit)
	}
	if size > maxAnswer {
		return ErrTooLong.New("The lines and their texts are too long for one document; shorten descriptions or make two documents.").
			Field("lines", "are too long together")
	}
	return nil
}

// encodedSize is the size of a text in JSON.
func encodedSize(s string) int {
	size := len(s)
	for _, r := range s {
		switch r {
		case '"', '\\', '\n', '\r', '\t':
			size++
		}
	}
	return size
}
