package purchase

import (
	"fmt"
	"strconv"
	"strings"

	"github.com/vienkart/vienkart/internal/apperr"
	"github.com/vienkart/vienkart/internal/money"
)

// Limits of a document.
const (
	// maxLines keeps a document within one posting of 500 lines, with room for VAT and the payable.
	maxLines = 400
	// maxAnswer is the size of a document as an answer, in bytes, under the 256 KiB that are stored for replays; lineSize is what
	// a line takes in it at most beside its texts.
	maxAnswer = 240 << 10
	lineSize  = 500
)

// defaultUnit is the abbreviation of "piece" on Lithuanian invoices.
const defaultUnit = "vnt."

// LineInput is a line as the supplier wrote it.
type LineInput struct {
	Description string
	// Unit is "vnt." when empty.
	Unit string
	// Quantity is 1 when nil, and not 0.
	Quantity *money.Decimal
	// Exactly one of the prices is given. A negative one is a discount.
	UnitPriceExclVAT *money.Decimal
	UnitPriceInclVAT *money.Decimal
	// VATRatePercent is the rate on the document. Nil means the rate of the classifier code; without a code the standard
	// rate when a Lithuanian VAT payer supplies, and otherwise 0.
	VATRatePercent *money.Decimal
	// VATClassifierCode is chosen by the supplier and the supply when empty. PVM23 and PVM24 make the document a customs
	// declaration; the price is then the taxable value of the import, which is not owed.
	VATClassifierCode string
	// StatedVAT is the VAT of the line as the document states it, where rounding made it another amount; see vat.Restate.
	StatedVAT *money.Decimal
	// AccountCode is that of the posting rule purchases.defaultExpense when empty.
	AccountCode string
}

// draftLine is a line on its way into the database. Rate is nil while it waits for the default, stated is the VAT that the
// document states.
type draftLine struct {
	draftLineRow
	rate, stated *money.Decimal
}

// readLines checks what can be checked of a line by itself. Error: validation, naming every member at fault.
func readLines(in []LineInput) ([]draftLine, error) {
	if len(in) == 0 || len(in) > maxLines {
		return nil, apperr.Invalid("lines", "must have 1 to %d items", maxLines)
	}
	faults := apperr.ErrValidation.New("Some fields are not valid; see fieldErrors.")
	lines := make([]draftLine, len(in))
	for n, l := range in {
		lines[n] = l.read(n, faults)
	}
	if len(faults.Fields()) > 0 {
		return nil, faults
	}
	return lines, fitAnswer(lines)
}

// fitAnswer refuses a document whose answer could not be stored for replays.
func fitAnswer(lines []draftLine) error {
	size := 0
	for _, l := range lines {
		size += lineSize + len(strconv.Quote(l.Description)) + len(l.Unit)
	}
	if size > maxAnswer {
		return ErrTooLong.New("The lines and their texts are too long for one document; shorten descriptions or book less lines.").
			Field("lines", "are too long together")
	}
	return nil
}

func (l LineInput) read(n int, faults *apperr.Error) draftLine {
	fault := func(member, text string) { faults.Field(fmt.Sprintf("lines.%d.%s", n, member), "%s", text) }
	line := draftLine{rate: l.VATRatePercent, stated: l.StatedVAT}
	line.SortOrder = n + 1
	line.Description, line.Unit = strings.TrimSpace(l.Description), strings.TrimSpace(l.Unit)
	if line.Description == "" {
		fault("description", "is required")
	}
	if line.Unit == "" {
		line.Unit = defaultUnit
	}
	line.Quantity = money.DecimalFromInt(1)
	if l.Quantity != nil {
		line.Quantity = *l.Quantity
	}
	if line.Quantity.IsZero() {
		fault("quantity", "must not be 0")
	}
	switch {
	case (l.UnitPriceExclVAT == nil) == (l.UnitPriceInclVAT == nil):
		fault("unitPriceExclVat", "give either this or unitPriceInclVat")
	case l.UnitPriceExclVAT != nil:
		line.UnitPrice = *l.UnitPriceExclVAT
	default:
		line.UnitPrice, line.PriceIncludesVAT = *l.UnitPriceInclVAT, true
	}
	if l.VATClassifierCode != "" {
		line.VATCode, line.VATCodeNamed = &l.VATClassifierCode, true
	}
	if l.AccountCode != "" {
		line.AccountCode = &l.AccountCode
	}
	return line
}
