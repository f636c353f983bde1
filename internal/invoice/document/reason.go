package document

import "github.com/vienkart/vienkart/internal/vat"

// reasons say why a supply under a code bears no Lithuanian VAT, with the provision, or that it is taxed in a way the buyer must
// know: Art 80(1)(11) and (12) of the VAT law, Art 226(11) to (14) of Directive 2006/112/EC. The articles of the law are those of
// VMI's classifier (order VA-49, annex 2). A code that is not here charges VAT by its rate and needs no words.
var reasons = map[string]words{
	"PVM5": {
		"PVM neapmokestinama (PVM įstatymo 20–33 ir 112 straipsniai)",
		"Exempt from VAT (Articles 20 to 33 and 112 of the Lithuanian VAT law)",
		"Не облагается НДС (статьи 20–33 и 112 закона Литвы об НДС)",
	},
	"PVM12": {
		"0 % PVM: prekių eksportas (PVM įstatymo 41 straipsnis)",
		"VAT 0 %: export of goods (Article 41 of the Lithuanian VAT law, Article 146 of Directive 2006/112/EC)",
		"НДС 0 %: экспорт товаров (статья 41 закона Литвы об НДС)",
	},
	"PVM13": {
		"0 % PVM: prekių tiekimas į kitą ES valstybę narę (PVM įstatymo 49 straipsnis)",
		"VAT 0 %: intra-Community supply of goods (Article 49 of the Lithuanian VAT law, Article 138 of Directive 2006/112/EC)",
		"НДС 0 %: поставка товаров в другое государство ЕС (статья 49 закона Литвы об НДС)",
	},
	"PVM14": {
		"0 % PVM (PVM įstatymo 42–48, 49, 51–53 straipsniai)",
		"VAT 0 % (Articles 42 to 48, 49 and 51 to 53 of the Lithuanian VAT law)",
		"НДС 0 % (статьи 42–48, 49, 51–53 закона Литвы об НДС)",
	},
	"PVM15": {
		"Ne Lietuvos PVM objektas: tiekimo vieta nėra Lietuva",
		"Outside the scope of Lithuanian VAT: the place of supply is not Lithuania",
		"Не является объектом НДС Литвы: место поставки не в Литве",
	},
	"PVM19": {
		"Atvirkštinis apmokestinimas: trikampė prekyba (Direktyvos 2006/112/EB 141 ir 197 straipsniai)",
		"Reverse charge: triangular transaction (Articles 141 and 197 of Directive 2006/112/EC)",
		"Обратное начисление (reverse charge): трёхсторонняя сделка (статьи 141 и 197 Директивы 2006/112/ЕС)",
	},
	"PVM25": domesticReverseCharge, "PVM26": domesticReverseCharge, "PVM27": domesticReverseCharge,
	"PVM32": margin, "PVM33": margin, "PVM52": margin, "PVM53": margin,
	"PVM34": {
		"Ne Lietuvos PVM objektas", "Outside the scope of Lithuanian VAT", "Не является объектом НДС Литвы",
	},
	"PVM50": {
		"0 % PVM: pagal pareikalavimą saugomų prekių tiekimas (PVM įstatymo 49 straipsnis)",
		"VAT 0 %: call-off stock in another EU state (Article 49 of the Lithuanian VAT law)",
		"НДС 0 %: запасы до востребования в другом государстве ЕС (статья 49 закона Литвы об НДС)",
	},
	"PVM51": {"0 % PVM", "VAT 0 %", "НДС 0 %"},
	"PVM55": {
		"0 % PVM (PVM įstatymo 50-1 straipsnis)", "VAT 0 % (Article 50-1 of the Lithuanian VAT law)", "НДС 0 % (статья 50-1 закона Литвы об НДС)",
	},
}

var (
	domesticReverseCharge = words{
		"Atvirkštinis apmokestinimas (PVM įstatymo 96 straipsnis): PVM apskaičiuoja ir sumoka pirkėjas",
		"Reverse charge (Article 96 of the Lithuanian VAT law): the buyer computes and pays the VAT",
		"Обратное начисление (reverse charge, статья 96 закона Литвы об НДС): НДС исчисляет и платит покупатель",
	}
	// foreignReverseCharge is a service to a VAT payer of another state.
	foreignReverseCharge = words{
		"Atvirkštinis apmokestinimas (PVM įstatymo 13 straipsnio 2 dalis, Direktyvos 2006/112/EB 44 ir 196 straipsniai)",
		"Reverse charge (Article 13(2) of the Lithuanian VAT law, Articles 44 and 196 of Directive 2006/112/EC)",
		"Обратное начисление (reverse charge, статья 13(2) закона Литвы об НДС, статьи 44 и 196 Директивы 2006/112/ЕС)",
	}
	margin = words{"Maržos apmokestinimo schema", "Margin scheme", "Схема налогообложения маржи"}
	// oneStopShop is VAT of the buyer's country.
	oneStopShop = words{
		"PVM apskaičiuotas pagal pirkėjo valstybės tarifą ir deklaruojamas per vieno langelio sistemą",
		"VAT at the rate of the buyer's country, declared through the one-stop shop",
		"НДС по ставке государства покупателя, декларируется через систему единого окна",
	}
	deemedSupply = words{
		"0 % PVM: tiekimas elektroninei sąsajai (Direktyvos 2006/112/EB 14a ir 136a straipsniai)",
		"VAT 0 %: supply to an electronic interface (Articles 14a and 136a of Directive 2006/112/EC)",
		"НДС 0 %: поставка электронному интерфейсу (статьи 14a и 136a Директивы 2006/112/ЕС)",
	}
	smallBusiness = words{
		"PVM neapmokestinama: smulkiojo verslo schema (Direktyvos 2006/112/EB 284 straipsnis)",
		"Exempt from VAT: scheme for small enterprises (Article 284 of Directive 2006/112/EC)",
		"Не облагается НДС: схема малого бизнеса (статья 284 Директивы 2006/112/ЕС)",
	}
	otherCase = words{"PVM neskaičiuojamas", "No VAT is computed", "НДС не исчисляется"}
)

// reason is what a document says of a code under its scheme; ok is false when nothing need be said.
func reason(code string, scheme vat.Scheme, charged bool) (w words, ok bool) {
	switch scheme {
	case vat.SchemeOSSUnion, vat.SchemeIOSS:
		return oneStopShop, true
	case vat.SchemeSMEExempt:
		return smallBusiness, true
	case vat.SchemeReverseCharge, vat.SchemeIntraEUB2B:
		if code == "PVM15" {
			return foreignReverseCharge, true
		}
	case vat.SchemeMarketplaceDeemed:
		if code == "PVM14" {
			return deemedSupply, true
		}
		if code == "PVM15" || code == "PVM100" {
			return oneStopShop, true
		}
	case vat.SchemeDomestic, vat.SchemeExport, vat.SchemeOutOfScope:
	}
	if w, ok = reasons[code]; ok {
		return w, true
	}
	return otherCase, !charged
}
