package saft

import (
	"iter"
	"slices"

	"github.com/vienkart/vienkart/internal/date"
	"github.com/vienkart/vienkart/internal/fx"
	"github.com/vienkart/vienkart/internal/money"
	"github.com/vienkart/vienkart/internal/tenant"
	"github.com/vienkart/vienkart/internal/vat"
)

// invoice is a document of a sale or of a purchase.
type invoice struct {
	invoiceRow
	isSale      bool
	lines       []invoiceLine
	settlements []settlement
}

type invoiceRow struct {
	ID           tenant.ID
	Number       string
	DocumentDate date.Date
	PostingDate  date.Date
	SupplyDate   date.Date
	Type         string
	Currency     money.Currency
	// ExchangeRate is units of the currency for one unit of the base currency.
	ExchangeRate  money.Decimal
	NetMinor      int64
	GrossMinor    int64
	PartnerID     tenant.ID
	PartnerName   string
	Code          *string
	VATCode       *string `gorm:"column:vat_code"`
	CountryCode   *string
	TransactionID *tenant.ID
	Adjusts       *string
	CancelledOn   date.Date
	DebtAccount   *string
	IncomeAccount *string
}

type invoiceLine struct {
	InvoiceID        tenant.ID
	SortOrder        int
	Description      string
	Unit             string
	Quantity         money.Decimal
	UnitPrice        money.Decimal
	PriceIncludesVAT bool          `gorm:"column:price_includes_vat"`
	VATRate          money.Decimal `gorm:"column:vat_rate"`
	VATCode          *string       `gorm:"column:vat_code"`
	AccountCode      *string
	NetMinor         int64
	VATMinor         int64 `gorm:"column:vat_minor"`
}

// isImport reports import VAT on a customs declaration, which charges the VAT of goods and not the goods.
func (l invoiceLine) isImport() bool {
	if l.VATCode == nil {
		return false
	}
	code, _ := vat.Lookup(*l.VATCode)
	return code.IsImportVAT()
}

const creditNote = "credit_note"

// isCredit reports the side of a line: income of a sale is credit, cost of a purchase debit, and a credit note or a negative line
// turns it.
func (i invoice) isCredit(l invoiceLine) bool {
	return (i.isSale != (i.Type == creditNote)) != (l.NetMinor < 0)
}

func (i invoice) amount(minor int64) money.Amount { return money.New(minor, i.Currency) }

func (i invoice) toBase(minor int64, base money.Currency) money.Amount {
	return fx.ToBase(i.amount(minor), i.ExchangeRate, base)
}

// sides adds up the lines as they are written.
func (i invoice) sides(base money.Currency) (debit, credit money.Amount) {
	debit, credit = money.Zero(base), money.Zero(base)
	for _, l := range i.lines {
		if amount := i.toBase(l.NetMinor, base).Abs(); i.isCredit(l) {
			credit = credit.Add(amount)
		} else {
			debit = debit.Add(amount)
		}
	}
	return debit, credit
}

func (f *file) invoices(name string, count *int, rows iter.Seq2[invoice, error]) error {
	base := f.content.company.BaseCurrency
	t, err := reckon(base, rows, func(i invoice) (money.Amount, money.Amount) { return i.sides(base) })
	if err != nil || t.count == 0 {
		return err
	}
	f.markup.write("<" + name + ">\n")
	f.totals(t)
	err = each(f, rows, func(i invoice) {
		*count++
		f.invoice(i)
	})
	f.markup.write("</" + name + ">\n")
	return err
}

func (f *file) invoice(i invoice) {
	base := f.content.company.BaseCurrency
	f.in("Invoice", func() {
		f.text("InvoiceNo", lengthName, i.Number)
		f.otherSide(i)
		f.text("AccountID", lengthName, deref(i.DebtAccount))
		f.day("InvoiceDate", i.DocumentDate)
		f.text("InvoiceType", lengthCode, f.invoiceType(i))
		f.optionalDay("GLPostingDate", i.PostingDate)
		f.text("SystemID", lengthMiddle, short(i.ID))
		f.text("TransactionID", lengthName, transactionName(i.TransactionID))
		for _, l := range i.lines {
			f.line(i, l, base)
		}
		if adjusts := deref(i.Adjusts); adjusts != "" {
			f.in("References", func() {
				f.in("CreditNote", func() { f.text("Reference", lengthMiddle, adjusts) })
			})
		}
		for _, s := range i.settlements {
			f.settlement(i, s, base)
		}
		f.in("DocumentTotals", func() {
			for _, t := range i.taxTotals() {
				f.taxInformation("TaxInformationTotals", i, t, base)
			}
			f.amount("NetTotal", i.toBase(i.NetMinor, base))
			f.amount("GrossTotal", i.toBase(i.GrossMinor, base))
		})
	})
}

func transactionName(id *tenant.ID) string {
	if id == nil {
		return ""
	}
	return id.String()
}

// otherSide is the customer of a sale and the supplier of a purchase.
func (f *file) otherSide(i invoice) {
	block, id := "SupplierInfo", "SupplierID"
	if i.isSale {
		block, id = "CustomerInfo", "CustomerID"
	}
	country := origin(i.CountryCode, i.VATCode)
	number, sort := deref(i.VATCode), "PVM"
	if number == "" {
		number, sort = deref(i.Code), codeSort(country)
	}
	if number == "" {
		number, sort = unknown, "KT"
	}
	f.in(block, func() {
		f.text(id, lengthMiddle, short(i.PartnerID))
		f.text("TaxRegistrationNumber", lengthMiddle, number)
		f.text("TaxType", lengthCode, sort)
		f.text("Country", 3, country)
	})
}

// invoiceType is that of a VAT invoice, or of an invoice where the seller is no VAT payer.
func (f *file) invoiceType(i invoice) string {
	isVAT := f.content.company.IsVATPayer
	if !i.isSale {
		isVAT = deref(i.VATCode) != ""
	}
	switch {
	case slices.ContainsFunc(i.lines, invoiceLine.isImport):
		return "KT" // no invoice but a customs declaration
	case !i.CancelledOn.IsZero() && !i.CancelledOn.After(f.options.To):
		return "AN"
	case i.Type == creditNote && isVAT:
		return "KS"
	case i.Type == creditNote:
		return "K"
	case isVAT:
		return "SF"
	}
	return "S"
}

func (f *file) line(i invoice, l invoiceLine, base money.Currency) {
	supplied := i.SupplyDate
	if supplied.IsZero() {
		supplied = i.DocumentDate
	}
	f.in("Line", func() {
		f.text("LineNumber", lengthShort, itoa(l.SortOrder))
		f.text("AccountID", lengthName, deref(l.AccountCode, i.IncomeAccount))
		f.text("Quantity", 40, unsigned(l.Quantity).String())
		f.text("InvoiceUOM", lengthCode, l.Unit)
		f.text("UnitPrice", 40, i.netPrice(l).String())
		f.day("TaxPointDate", supplied)
		f.text("Description", lengthLong, l.Description)
		f.amounts("InvoiceLineAmount", i.toBase(l.NetMinor, base), i.amount(l.NetMinor))
		f.indicator(i.isCredit(l))
		f.taxInformation("TaxInformation", i, taxTotal{deref(l.VATCode), l.VATRate, i.taxBase(l), l.VATMinor}, base)
	})
}

func unsigned(d money.Decimal) money.Decimal {
	if d.Sign() < 0 {
		return d.Neg()
	}
	return d
}

// taxBase is the taxable value of a line in minor units. Of an import it is what the declaration prices, and no part of the total.
func (i invoice) taxBase(l invoiceLine) int64 {
	if l.isImport() {
		return money.MulRound(l.UnitPrice, l.Quantity, i.Currency).Minor()
	}
	return l.NetMinor
}

// pricePlaces is how exact a price without VAT is when the document has it with VAT.
const pricePlaces = 6

// netPrice is the price of one unit without VAT.
func (i invoice) netPrice(l invoiceLine) money.Decimal {
	if l.isImport() {
		return money.Decimal{}
	}
	if !l.PriceIncludesVAT || l.Quantity.IsZero() {
		return l.UnitPrice
	}
	return i.amount(l.NetMinor).Decimal().Div(l.Quantity, pricePlaces)
}
