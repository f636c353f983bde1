package purchase

import (
	"fmt"
	"slices"

	"github.com/vienkart/vienkart/internal/apperr"
	"github.com/vienkart/vienkart/internal/date"
	"github.com/vienkart/vienkart/internal/identifier"
	"github.com/vienkart/vienkart/internal/money"
	"github.com/vienkart/vienkart/internal/partner"
	"github.com/vienkart/vienkart/internal/tenant"
	"github.com/vienkart/vienkart/internal/vat"
)

const (
	lithuania = "LT"
	// prefixNorthernIreland begins VAT numbers that count as EU ones for goods only.
	prefixNorthernIreland = "XI"
	// boxDeductible is the box of the return that takes input VAT.
	boxDeductible = vat.Box("25")
)

// setting is what decides about VAT on a document besides its lines.
type setting struct {
	// payer says that the company is a VAT payer; if not, VAT is a part of the cost and nothing enters the register.
	payer  bool
	origin vat.SupplierOrigin
	// suppliedByPayer says that the supplier has a VAT number.
	suppliedByPayer bool
	supply          vat.Supply
	// declaration says that the document is a customs declaration.
	declaration bool
	// day is the day of the supply, by which rates and codes are judged; a note has that of the invoice it names.
	day date.Date
}

func newSetting(company tenant.Company, supplier *partner.Partner, h *Header, credited *invoiceRow) setting {
	s := setting{
		payer: company.IsVATPayer, supply: vat.Supply(h.SupplyType), day: h.supplyDay(), suppliedByPayer: supplier.VATCode != nil,
	}
	s.origin = originOf(supplier, s.supply, company.CountryCode)
	if credited != nil && h.SupplyDate.IsZero() {
		s.day = credited.supplyDay()
	}
	return s
}

func (h *Header) supplyDay() date.Date {
	if h.SupplyDate.IsZero() {
		return h.DocumentDate
	}
	return h.SupplyDate
}

// originOf goes by the VAT number first: a foreign business that gives a Lithuanian one charges Lithuanian VAT. A supplier of
// whom neither number nor country is known is taken to be where the company is.
func originOf(supplier *partner.Partner, supply vat.Supply, home string) vat.SupplierOrigin {
	if supplier.VATCode != nil {
		number := *supplier.VATCode
		country, inEU := identifier.VATCountry(number)
		switch {
		case country == lithuania:
			return vat.SupplierOriginLithuania
		case inEU && (number[:2] != prefixNorthernIreland || supply == vat.SupplyGoods):
			return vat.SupplierOriginEUPayer
		case inEU:
			return vat.SupplierOriginForeign
		}
	}
	country := home
	if supplier.CountryCode != nil {
		country = *supplier.CountryCode
	}
	if country == lithuania {
		return vat.SupplierOriginLithuania
	}
	return vat.SupplierOriginForeign
}

// treatment is what becomes of a line's VAT.
type treatment struct {
	code string
	// rate is the code's where the buyer computes VAT, else that on the document.
	rate money.Decimal
	// buyerComputes says that the document charges no VAT and the buyer owes it (boxes 32, 33 and 34).
	buyerComputes bool
	// deductible says that VAT on the document is input VAT; otherwise it is a part of the cost, as is the VAT of another
	// state and VAT under the margin scheme.
	deductible bool
	// importCode is the code of import VAT; its value is not owed to customs. offset says that its VAT is not either.
	importCode string
	offset     bool
}

func (t treatment) isImport() bool { return t.importCode != "" }

// treat completes a line's rate and code. Error: purchase.vat.
func (s setting) treat(line *draftLine) (treatment, error) {
	at := fmt.Sprintf("lines.%d", line.SortOrder-1)
	var code vat.Code
	if line.VATCodeNamed {
		known := false
		if code, known = vat.Lookup(*line.VATCode); !known {
			return treatment{}, refused(at+".vatClassifierCode", fmt.Sprintf("%s is no code of the classifier, such as PVM1", *line.VATCode))
		}
	}
	if line.rate == nil {
		rate := s.defaultRate(code)
		line.rate = &rate
	}
	line.VATRate = *line.rate
	if !line.VATCodeNamed {
		line.VATCode = nil
	}
	if code.IsImportVAT() {
		return s.treatImport(line, code, at)
	}
	if !s.payer {
		return s.treatCost(line, code, at)
	}
	if line.VATCodeNamed {
		if err := vat.CheckPurchaseCode(code, s.origin, line.VATRate, s.day); err != nil {
			return treatment{}, refused(at+".vatClassifierCode", err.Error())
		}
		return treatUnder(code, line.VATRate), nil
	}
	code, needed, err := vat.DefaultPurchaseCode(s.origin, s.supply, line.VATRate, s.day)
	if err != nil {
		return treatment{}, refused(at+".vatClassifierCode", err.Error())
	}
	if needed {
		line.VATCode = &code.Code
		return treatUnder(code, line.VATRate), nil
	}
	if !vat.IsDomesticRate(line.VATRate, s.day) {
		return treatment{}, refused(at+".vatRatePercent", fmt.Sprintf(
			"%s %% is no Lithuanian VAT rate on %s; correct it, or name the code of another case, such as PVM49 for a farmer's 6 %%",
			line.VATRate, s.day))
	}
	return treatment{rate: line.VATRate, deductible: true}, nil
}

// treatCost is for a company that is no VAT payer. It must not book what only a VAT payer can declare.
func (s setting) treatCost(line *draftLine, code vat.Code, at string) (treatment, error) {
	if code.BuyerComputesVAT() {
		return treatment{}, refused(at+".vatClassifierCode", "the company is no VAT payer, so it computes no VAT on purchases: leave the code out")
	}
	return treatment{code: code.Code, rate: line.VATRate}, nil
}

func treatUnder(code vat.Code, rate money.Decimal) treatment {
	if code.BuyerComputesVAT() {
		return treatment{code: code.Code, rate: code.Rate, buyerComputes: true}
	}
	return treatment{code: code.Code, rate: rate, deductible: slices.Contains(code.PurchaseBoxes.VAT, boxDeductible)}
}

func (s setting) defaultRate(code vat.Code) money.Decimal {
	switch {
	case code.BuyerComputesVAT():
		return money.Decimal{}
	case code.IsImportVAT():
		return vat.DomesticRatesOn(s.day)[0].Percent
	case code.Code != "":
		return code.Rate
	case s.origin == vat.SupplierOriginLithuania && s.suppliedByPayer:
		return vat.DomesticRatesOn(s.day)[0].Percent // the highest is the standard rate
	default:
		return money.Decimal{}
	}
}

// entersRegister reports a group that is a fact of VAT: what somebody in Lithuania who is no VAT payer supplied without VAT is
// no VAT invoice (tax law of i.SAF: only VAT invoices are registered). Duties on a customs declaration are none either, whoever
// clears the goods.
func (s setting) entersRegister(t treatment) bool {
	if s.declaration {
		return s.payer && t.isImport()
	}
	noVATInvoice := s.origin == vat.SupplierOriginLithuania && !s.suppliedByPayer && t.code == "" && t.rate.IsZero()
	return s.payer && !noVATInvoice
}

func refused(member, reason string) *apperr.Error {
	return ErrVAT.New("The VAT of a line does not fit: %s.", reason).Field(member, "%s", reason)
}
