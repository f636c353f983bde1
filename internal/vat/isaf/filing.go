package isaf

import (
	"context"
	"fmt"
	"strconv"

	"github.com/vienkart/vienkart/internal/apperr"
	"github.com/vienkart/vienkart/internal/date"
	"github.com/vienkart/vienkart/internal/money"
	"github.com/vienkart/vienkart/internal/tenant"
)

// ErrCurrency refuses files that would not be in euro.
var ErrCurrency = apperr.Define("isaf.currency", apperr.Rule, "i.SAF is in euro; the books of the company are in another currency.")

// Filing is what is to be sent for a period: the parts and what VMI would find fault with. Its files are written from the same
// rows by Write.
type Filing struct {
	Parts []Part
	// Problems are in the order of the file; Omitted counts those past the first thousand of each level.
	Problems []Problem
	Omitted  int
	Errors   int
	// Counts are over all parts; parties of several parts count once in each.
	SalesInvoices, PurchaseInvoices, Customers, Suppliers int
	// Settlements are payments of documents under cash accounting.
	Settlements int

	options            Options
	registrationNumber string
	from               Source
}

// Part is one file.
type Part struct {
	Number                                                string
	FileName                                              string
	SalesInvoices, PurchaseInvoices, Customers, Suppliers int
	// Settlements are payments of documents under cash accounting.
	Settlements int
	// Bytes is the size of the file.
	Bytes int64

	// first is the place of its first piece among those of the period.
	first int
	// parties are those of its invoices, as their last document names them.
	parties map[partyKey]Party
}

func (p Part) pieces() int { return p.SalesInvoices + p.PurchaseInvoices + p.Settlements }

// Prepare reads a period once, checks every invoice and settlement and divides them into parts. The data type F is divided like the others.
// Errors: validation for the options, isaf.currency.
func Prepare(ctx context.Context, r tenant.ReadTx, o Options) (*Filing, error) {
	return PrepareFrom(r.Company(), booksOf(ctx, r, o.Period), o)
}

// PrepareFrom is Prepare for what the caller holds, such as the rows that a submission was made of. Errors: as Prepare.
func PrepareFrom(company tenant.Company, from Source, o Options) (*Filing, error) {
	if company.BaseCurrency != money.EUR {
		return nil, ErrCurrency.New("i.SAF is filed in euro, the books are in %s.", company.BaseCurrency)
	}
	return prepare(from, company, o)
}

func prepare(from Source, company tenant.Company, o Options) (*Filing, error) {
	if err := o.complete(); err != nil {
		return nil, err
	}
	f := &Filing{options: o, from: from}
	c := &checker{period: o.Period, today: date.Of(o.CreatedAt), ownVAT: text(company.VATCode), company: company, seen: map[uint64]tenant.ID{}}
	f.identify(company, c)
	plan := &plan{filing: f}
	plan.begin()
	for piece, err := range o.pieces(from) {
		if err != nil {
			return nil, err
		}
		c.check(piece)
		plan.add(piece)
	}
	plan.end()
	if len(f.Parts) > maxParts {
		return nil, apperr.Invalid("maxInvoices", "gives %d parts, more than %d; raise it", len(f.Parts), maxParts)
	}
	for len(f.Parts) < o.FiledParts {
		plan.begin()
		plan.end()
	}
	f.Problems, f.Omitted, f.Errors = c.list, c.omitted(), c.errors
	return f, nil
}

// Blocked reports a filing whose header cannot be written: the company has no code of the register of taxpayers.
func (f *Filing) Blocked() bool { return f.registrationNumber == "" }

// identify decides about the header.
func (f *Filing) identify(company tenant.Company, c *checker) {
	code := text(company.Code)
	number, err := strconv.ParseUint(code, 10, 64)
	switch {
	case code == "":
		c.file(LevelError, "12001", "The company has no code; enter it in the company's profile.")
	case err != nil || number == 0 || len(code) > maxTaxpayerDigits:
		c.file(LevelError, "12001", "The company's code %q is not of the register of taxpayers: 9 to 11 digits.", clip(code, maxIdentifier))
	default:
		f.registrationNumber = code
	}
	if !company.IsVATPayer {
		c.file(LevelWarning, "", "The company is not marked as a VAT payer; nothing enters its VAT register.")
	}
	switch today := c.today; {
	case c.period.From.After(today):
		c.file(LevelError, "12003", "The period begins on %s, after today.", c.period.From)
	case !today.After(c.period.To):
		c.file(LevelWarning, "", "The period ends on %s, so the register may still change.", c.period.To)
	}
}

// maxTaxpayerDigits is the schema's for the company's own number.
const maxTaxpayerDigits = 11

// fileName names a part after the company, the period and the part.
func (f *Filing) fileName(number string) string {
	return fmt.Sprintf("isaf-%s-%s-%s.xml", f.registrationNumber, f.options.Period.From.String()[:len("2006-01")], number)
}
