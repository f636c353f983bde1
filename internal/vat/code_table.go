package vat

import (
	"strings"

	"github.com/vienkart/vienkart/internal/date"
	"github.com/vienkart/vienkart/internal/money"
)

// codeTable is VMI's PVM classifier of 2025-12-16, annex 2 to order VA-49 of 2015-07-21. PVM4, PVM10 and PVM22 ended in 2016
// and PVM11 is in no source. The boxes follow the captions of FR0600 (version 03, VMI order VA-129 of 2025-12-22) and the
// check script in version 02; each row says how sure they are. Where sources disagree the table chooses:
//   - PVM19 sold goes to box 20, because VMI's script expects box 20 to exceed box 22 in triangular trade;
//   - PVM33 goes to box 16, the box of the margin scheme, whatever the rate;
//   - PVM38, 39, 41 and 42 go to box 23 (and 24) as services from abroad, without VAT;
//   - PVM43-45 and 60 give VAT to box 32 and no base to box 23, because VMI's script takes the base of box 32 to exceed box 23.
//
// Columns: code, rate, valid from..to, mark in purchases, mark in sales, base|VAT boxes of a sale, of a purchase, status.
var codeTable = []Code{
	row("PVM1", "21", "..", "x*", "x***", "11|29", "|25,35", BoxStatusConfirmed,
		"Supply of goods/services in Lithuania, standard rate, Art 19(1)"),
	row("PVM2", "9", "..2025-12-31", "x*", "x", "11|30", "|25,35", BoxStatusConfirmed,
		"Domestic supply, 9 %, Art 19(3) as in force to the end of 2025"),
	row("PVM3", "5", "..", "x*", "x", "11|31", "|25,35", BoxStatusConfirmed,
		"Domestic supply, 5 %, Art 19(4); books join from 2026"),
	row("PVM4", "21", "..2016-03-31", "?", "?", "|", "|", BoxStatusExpired,
		"Old Art 96 code, replaced by PVM25-27"),
	row("PVM5", "", "..", "x*", "x", "13|", "|", BoxStatusConfirmed,
		"Exempt supply, Arts 20-33 and 112; no rate"),
	row("PVM6", "21", "..", "-", "x", "14|29", "|", BoxStatusDerived,
		"Own (private) use of goods/services, Arts 5 and 8"),
	row("PVM7", "9", "..2025-12-31", "-", "x", "14|30", "|", BoxStatusDerived,
		"Own use, 9 %"),
	row("PVM8", "5", "..", "-", "x", "14|31", "|", BoxStatusDerived,
		"Own use, 5 %"),
	row("PVM9", "21", "..", "-", "x", "15|29", "|", BoxStatusDerived,
		"Self-made tangible fixed assets, Art 6 (VAT also deductible via 25/35: uncertain)"),
	row("PVM10", "", "..2016-03-31", "?", "?", "|", "|", BoxStatusExpired,
		"Expired, meaning not recovered"),
	row("PVM12", "0", "..", "-", "x", "17|", "|", BoxStatusConfirmed,
		"Export of goods, Art 41"),
	row("PVM13", "0", "..", "-", "x", "18|", "|", BoxStatusConfirmed,
		"Goods supplied to EU VAT payers, Art 49(1),(2),(4), except what is under PVM50"),
	row("PVM14", "0", "..", "x*", "x", "19|", "|", BoxStatusConfirmed,
		"Other 0 % supplies: Arts 42-48, 49(2) except new vehicles to EU VAT payers, 49(3), 51, 52, 53(1),(5),(6),(10)"),
	row("PVM15", "", "..", "-", "x", "20|", "|", BoxStatusConfirmed,
		"Supply outside Lithuania, not a LT VAT object, deduction allowed under Art 58(1)(2)"),
	row("PVM16", "21", "..", "x", "-", "|", "21|34,25,35", BoxStatusConfirmed,
		"Acquisition of goods from the EU, 21 %"),
	row("PVM17", "9", "..2025-12-31", "x", "-", "|", "21|34,25,35", BoxStatusConfirmed,
		"Acquisition of goods from the EU, 9 %"),
	row("PVM18", "5", "..", "x", "-", "|", "21|34,25,35", BoxStatusConfirmed,
		"Acquisition of goods from the EU, 5 %"),
	row("PVM19", "", "..", "x**", "x", "20|", "22|", BoxStatusUncertain,
		"Triangular trade, middle party"),
	row("PVM20", "21", "..", "x", "-", "|", "23|32,25,35", BoxStatusConfirmed,
		"Services from abroad other than from EU VAT payers, Art 95(2), 21 %"),
	row("PVM21", "21", "..", "x", "-", "|", "23,24|32,25,35", BoxStatusConfirmed,
		"Services from EU VAT payers, Art 95(2), 21 %"),
	row("PVM22", "", "..2016-03-31", "?", "?", "|", "|", BoxStatusExpired,
		"Expired, meaning not recovered"),
	row("PVM23", "", "..", "-", "-", "|", "|26,35", BoxStatusDerived,
		"Import VAT paid (21/9/5); not filled in i.SAF"),
	row("PVM24", "", "..", "-", "-", "|", "|27,35", BoxStatusDerived,
		"Import VAT whose offset VMI controls (21/9/5); not filled in i.SAF"),
	row("PVM25", "21", "..", "x", "x", "12|", "|33,25,35", BoxStatusConfirmed,
		"Art 96 reverse charge inside Lithuania, 21 %: construction work, asset contribution, handed-over building improvement; phones, tablets, laptops to 2026-12-31; (timber, bankrupt sellers to 2021-12-31; hard disks to 2022-02-28)"),
	row("PVM26", "9", "..", "x", "x", "12|", "|33,25,35", BoxStatusConfirmed,
		"Art 96 reverse charge, 9 % (only example: bankrupt sellers to 2021-12-31; no end date in the list)"),
	row("PVM27", "5", "..", "x", "x", "12|", "|33,25,35", BoxStatusConfirmed,
		"Art 96 reverse charge, 5 % (only example: bankrupt sellers to 2021-12-31)"),
	row("PVM28", "0", "..", "-", "x", "14|", "|", BoxStatusUncertain,
		"Own use, 0 % (e.g. international passenger carriage)"),
	row("PVM29", "", "..", "-", "x", "14|", "|", BoxStatusUncertain,
		"Own use, no rate (e.g. place of service not Lithuania)"),
	row("PVM30", "9", "..2025-12-31", "-", "x", "15|30", "|", BoxStatusDerived,
		"Self-made tangible fixed assets, 9 %"),
	row("PVM31", "5", "..", "-", "x", "15|31", "|", BoxStatusDerived,
		"Self-made tangible fixed assets, 5 %"),
	row("PVM32", "21", "..", "x*", "x", "16|29", "|", BoxStatusDerived,
		"Margin scheme, 21 %"),
	row("PVM33", "0", "..", "x*", "x", "16|", "|", BoxStatusUncertain,
		"Margin scheme, 0 % (travel outside the EU; used goods under Arts 41-44)"),
	row("PVM34", "", "..", "-", "x", "|", "|", BoxStatusUncertain,
		"Supply outside Lithuania without the right to deduct"),
	row("PVM35", "0", "..", "x**", "-", "|", "|", BoxStatusDerived,
		"Acquisition of goods from the EU, 0 %"),
	row("PVM36", "", "..", "x**", "-", "|", "|", BoxStatusDerived,
		"Acquisition of goods from the EU, exempt"),
	row("PVM37", "5", "..", "x", "-", "|", "23|32,25,35", BoxStatusDerived,
		"As PVM20, 5 %"),
	row("PVM38", "0", "..", "x**", "-", "|", "23|", BoxStatusUncertain,
		"Services from non-EU persons on which the buyer computes no VAT, 0 %, Art 95(1)(3) (e.g. carriage of exported goods)"),
	row("PVM39", "", "..", "x**", "-", "|", "23|", BoxStatusUncertain,
		"Services from non-EU persons, exempt, Art 95(1)(2) (finance, insurance)"),
	row("PVM40", "5", "..", "x", "-", "|", "23,24|32,25,35", BoxStatusDerived,
		"As PVM21, 5 %"),
	row("PVM41", "0", "..", "x**", "-", "|", "23,24|", BoxStatusUncertain,
		"Services from EU VAT payers on which the buyer computes no VAT, 0 %, Art 95(1)(3)"),
	row("PVM42", "", "..", "x**", "-", "|", "23,24|", BoxStatusUncertain,
		"Services from EU VAT payers, exempt, Art 95(1)(2)"),
	row("PVM43", "21", "..", "x", "-", "|", "|32,25,35", BoxStatusUncertain,
		"Foreign person's supply in Lithuania, buyer computes VAT, Art 95(3),(4),(5), 21 % (gas, electricity, goods installed here, third party of a triangular trade)"),
	row("PVM44", "9", "..2025-12-31", "x", "-", "|", "|32,25,35", BoxStatusUncertain,
		"As PVM43, 9 %"),
	row("PVM45", "5", "..", "x", "-", "|", "|32,25,35", BoxStatusUncertain,
		"As PVM43, 5 %"),
	row("PVM46", "0", "..", "x**", "-", "|", "|", BoxStatusUncertain,
		"As PVM43, 0 %"),
	row("PVM47", "", "..", "x**", "-", "|", "|", BoxStatusUncertain,
		"As PVM43, exempt"),
	row("PVM48", "", "..", "x**", "-", "|", "|", BoxStatusDerived,
		"Goods/services acquired outside Lithuania, not a LT VAT object (hotel abroad; goods from a third country imported for home use: the supplier's invoice)"),
	row("PVM49", "6", "..", "x", "-", "|", "|25,35", BoxStatusUncertain,
		"Purchase from a compensatory-scheme farmer, 6 %"),
	row("PVM50", "0", "..", "-", "x", "18|", "|", BoxStatusDerived,
		"Goods moved to / supplied from call-off stock in the EU, in FR0564"),
	row("PVM51", "0", "..2022-12-31", "x", "x", "19|", "|", BoxStatusDerived,
		"COVID-19 goods, 0 %"),
	row("PVM52", "9", "..2025-12-31", "x*", "x", "16|30", "|", BoxStatusDerived,
		"Margin scheme, 9 %"),
	row("PVM53", "5", "..", "x*", "x", "16|31", "|", BoxStatusDerived,
		"Margin scheme, 5 %"),
	row("PVM54", "9", "..2025-12-31", "x", "-", "|", "23|32,25,35", BoxStatusDerived,
		"As PVM20, 9 %"),
	row("PVM55", "0", "..", "x*", "x", "19|", "|", BoxStatusDerived,
		"Art 50-1(1),(4), 0 %: supplies to aid recipients for disaster victims"),
	row("PVM56", "", "..", "x**", "-", "|", "|", BoxStatusUncertain,
		"Art 50-1(2), no rate: EU acquisition by such aid recipients"),
	row("PVM57", "9", "..2025-12-31", "x", "-", "|", "23,24|32,25,35", BoxStatusDerived,
		"As PVM21, 9 %"),
	row("PVM58", "12", "2026-01-01..", "x*", "x", "11|29A", "|25,35", BoxStatusConfirmed,
		"Domestic services, 12 %, Art 19(3) from 2026: accommodation, scheduled passenger transport, admission to art and culture (where Art 23 does not exempt)"),
	row("PVM59", "12", "2026-01-01..", "-", "x", "14|29A", "|", BoxStatusDerived,
		"Own use of services, 12 %, Art 8"),
	row("PVM60", "12", "2026-01-01..", "x", "-", "|", "|32,25,35", BoxStatusUncertain,
		"As PVM43, services only, 12 %, Art 95(5)"),
	row("PVM100", "", "..", "x", "x", "|", "|", BoxStatusConfirmed,
		"Other cases kept apart in the books: invoices issued as VAT payer of another state; invoices from a small-business-scheme (SVS) seller; fines, interest, fees"),
}

func row(code, rate, valid, inPurchases, inSales, saleBoxes, purchaseBoxes string, status BoxStatus, meaning string) Code {
	c := Code{
		Code: code, HasRate: rate != "",
		InPurchases: RegisterMark(inPurchases), InSales: RegisterMark(inSales),
		SaleBoxes: boxes(saleBoxes), PurchaseBoxes: boxes(purchaseBoxes), BoxStatus: status, Meaning: meaning,
	}
	if c.HasRate {
		c.Rate = money.MustDecimal(rate)
	}
	from, to, _ := strings.Cut(valid, "..")
	c.ValidFrom, c.ValidTo = bound(from), bound(to)
	return c
}

func bound(s string) date.Date {
	if s == "" {
		return date.Date{}
	}
	return date.MustParse(s)
}

func boxes(s string) Boxes {
	base, vat, _ := strings.Cut(s, "|")
	return Boxes{Base: boxList(base), VAT: boxList(vat)}
}

func boxList(s string) []Box {
	if s == "" {
		return nil
	}
	var list []Box
	for _, name := range strings.Split(s, ",") {
		list = append(list, Box(name))
	}
	return list
}
