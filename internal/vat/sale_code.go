package vat

import (
	"fmt"
	"slices"
	"strings"

	"github.com/vienkart/vienkart/internal/date"
	"github.com/vienkart/vienkart/internal/money"
)

// saleCodes lists the codes a sale may carry: usual ones, of which the first that fits date and rate is the default, and others
// that must be named.
var saleCodes = map[Scheme]struct{ usual, others []string }{
	SchemeDomestic: {
		usual: []string{"PVM1", "PVM58", "PVM2", "PVM3"},
		others: []string{
			"PVM5", "PVM14", "PVM6", "PVM59", "PVM7", "PVM8", "PVM28", "PVM29", "PVM9", "PVM30", "PVM31",
			"PVM32", "PVM52", "PVM53", "PVM33", "PVM51", "PVM55", "PVM100",
		},
	},
	SchemeIntraEUB2B: {usual: []string{"PVM13"}, others: []string{"PVM15", "PVM14", "PVM19", "PVM50"}},
	// PVM15 is the service to a foreign VAT payer, who owes the VAT at home.
	SchemeReverseCharge: {usual: []string{"PVM25", "PVM26", "PVM27"}, others: []string{"PVM15"}},
	// A one-stop-shop sale is taxed in the buyer's country, so in Lithuania it is a supply outside the country that keeps the
	// right to deduct: PVM15, box 20. PVM100 is the other reading (an invoice with the VAT of another state, kept out of the
	// return) and the code for an import-shop sale to a Lithuanian buyer; it must be named.
	SchemeOSSUnion: {usual: []string{"PVM15"}, others: []string{"PVM100"}},
	SchemeIOSS:     {usual: []string{"PVM15"}, others: []string{"PVM100"}},
	// A Lithuanian rate is taken for a sale taxed in Lithuania, 0 for the seller's supply to the interface, any other rate for
	// a sale taxed elsewhere. Where another state shares a Lithuanian rate PVM15 must be named.
	SchemeMarketplaceDeemed: {
		usual:  []string{"PVM1", "PVM58", "PVM2", "PVM3", "PVM14", "PVM15"},
		others: []string{"PVM100"},
	},
	SchemeExport:     {usual: []string{"PVM12"}, others: []string{"PVM14"}},
	SchemeOutOfScope: {usual: []string{"PVM15"}, others: []string{"PVM34", "PVM100"}},
	// The classifier keeps the small-business scheme apart in PVM100.
	SchemeSMEExempt: {usual: []string{"PVM100"}, others: []string{"PVM15", "PVM34"}},
}

// DefaultSaleCode returns the code for a sale when none is named. Lines at a Lithuanian rate above 0 get the code of that rate;
// the other schemes have one usual code. A domestic sale at 0 % has no default: exempt and zero-rated sales enter different
// boxes. The error says what to send instead.
func DefaultSaleCode(scheme Scheme, rate money.Decimal, supplyDate date.Date) (Code, error) {
	for _, name := range saleCodes[scheme].usual {
		if c, _ := Lookup(name); c.ValidOn(supplyDate) && saleRateFits(c, scheme, rate) {
			return c, nil
		}
	}
	switch {
	case len(saleCodes[scheme].usual) == 0:
		_, err := ParseScheme(string(scheme))
		return Code{}, err
	case scheme == SchemeDomestic && rate.IsZero():
		return Code{}, fmt.Errorf("a domestic sale at 0 %% must name its code: PVM5 when exempt, PVM14 when zero-rated")
	case scheme == SchemeDomestic:
		return Code{}, fmt.Errorf("%s %% is no Lithuanian VAT rate on %s: use one of %s", rate, supplyDate, listRates(supplyDate))
	case scheme == SchemeReverseCharge:
		return Code{}, fmt.Errorf("under reverse_charge the rate is 0, or the rate the buyer owes (21, 9 or 5), not %s", rate)
	default:
		return Code{}, fmt.Errorf("under %s no VAT is charged: the rate must be 0, not %s", scheme, rate)
	}
}

// CheckSaleCode reports why a code does not fit a sale: unused in the register of issued invoices, not for supplies of that day,
// foreign to the scheme, or of another rate. The error names a code that fits, or says what else to change. Under
// reverse_charge the rate may be 0 or the rate of the code, for the seller charges nothing either way.
func CheckSaleCode(code Code, scheme Scheme, rate money.Decimal, supplyDate date.Date) error {
	allowed := saleCodes[scheme]
	problem := ""
	switch {
	case !code.ValidOn(supplyDate):
		problem = fmt.Sprintf("%s is not for supplies of %s", code.Code, supplyDate)
	case code.InSales == RegisterMarkUnused:
		problem = fmt.Sprintf("%s is not used for sales", code.Code)
	case !slices.Contains(allowed.usual, code.Code) && !slices.Contains(allowed.others, code.Code):
		problem = fmt.Sprintf("%s is not used under %s", code.Code, scheme)
	case !saleRateFits(code, scheme, rate):
		problem = fmt.Sprintf("%s %s, the line has %s %%", code.Code, describeRate(code), rate)
	default:
		return nil
	}
	fitting, err := DefaultSaleCode(scheme, rate, supplyDate)
	if err != nil {
		return fmt.Errorf("%s; %w", problem, err)
	}
	return fmt.Errorf("%s: use %s", problem, fitting.Code)
}

// saleRateFits compares a line's rate with the code's. Codes without a rate take 0, and the rate of the buyer's country where
// the scheme charges that country's VAT.
func saleRateFits(c Code, scheme Scheme, rate money.Decimal) bool {
	if !c.HasRate {
		return rate.IsZero() || scheme.chargesForeignVAT()
	}
	return rate.Cmp(c.Rate) == 0 || (scheme == SchemeReverseCharge && rate.IsZero())
}

func describeRate(c Code) string {
	if !c.HasRate {
		return "has no rate"
	}
	return "is for " + c.Rate.String() + " %"
}

// listCodes writes codes for an error message.
func listCodes(names []string) string { return strings.Join(names, ", ") }
