package document

import "github.com/vienkart/vienkart/internal/invoice"

// Labels of a document.
var (
	wordNumber      = words{"Serija ir numeris", "Number", "Серия и номер"}
	wordIssued      = words{"Išrašymo data", "Date of issue", "Дата выписки"}
	wordSupplied    = words{"Prekių tiekimo (paslaugų suteikimo) data", "Date of supply", "Дата поставки"}
	wordDue         = words{"Apmokėti iki", "Payment due", "Оплатить до"}
	wordAdjusts     = words{"Tikslinamas dokumentas", "Adjusted document", "Корректируемый документ"}
	wordSeller      = words{"Pardavėjas", "Seller", "Продавец"}
	wordBuyer       = words{"Pirkėjas", "Buyer", "Покупатель"}
	wordCode        = words{"Kodas", "Registration no.", "Код"}
	wordVATCode     = words{"PVM mokėtojo kodas", "VAT no.", "Код плательщика НДС"}
	wordSMENumber   = words{"Smulkiojo verslo schemos numeris", "SME scheme no.", "Номер схемы малого бизнеса"}
	wordAddress     = words{"Adresas", "Address", "Адрес"}
	wordPhone       = words{"Tel.", "Phone", "Тел."}
	wordEmail       = words{"El. paštas", "E-mail", "Эл. почта"}
	wordAccount     = words{"Sąskaita", "Account", "Счёт"}
	wordBank        = words{"Bankas", "Bank", "Банк"}
	wordLine        = words{"Nr.", "No.", "№"}
	wordDescription = words{"Pavadinimas", "Description", "Наименование"}
	wordQuantity    = words{"Kiekis", "Quantity", "Кол-во"}
	wordUnit        = words{"Mato vnt.", "Unit", "Ед. изм."}
	wordPrice       = words{"Kaina be PVM", "Price excl. VAT", "Цена без НДС"}
	wordPlainPrice  = words{"Kaina", "Price", "Цена"}
	wordRate        = words{"PVM", "VAT", "НДС"}
	wordSum         = words{"Suma be PVM", "Net", "Сумма без НДС"}
	wordPlainSum    = words{"Suma", "Amount", "Сумма"}
	wordTax         = words{"PVM kodas ir tarifas", "VAT code and rate", "Код и ставка НДС"}
	wordTaxable     = words{"Apmokestinamoji vertė", "Taxable value", "Облагаемая стоимость"}
	wordVATSum      = words{"PVM suma", "VAT amount", "Сумма НДС"}
	wordNet         = words{"Suma be PVM", "Total excl. VAT", "Сумма без НДС"}
	wordVAT         = words{"PVM", "VAT", "НДС"}
	wordGross       = words{"Iš viso", "Total", "Всего"}
	wordInBase      = words{"PVM suma", "VAT", "НДС"}
	wordExchange    = words{"kursas", "rate", "курс"}
	wordAdvance     = words{"Įskaitytas avansas", "Less advance", "Зачтён аванс"}
	wordLeft        = words{"Liko mokėti", "Left to pay", "Осталось оплатить"}
	wordInWords     = words{"Suma žodžiais", "In words", "Сумма прописью"}
	wordNotes       = words{"Pastabos", "Notes", "Примечания"}
	wordPage        = words{"puslapis", "page", "страница"}
	wordDraft       = words{"JUODRAŠTIS", "DRAFT", "ЧЕРНОВИК"}
	wordDraftText   = words{"Juodraštis: dokumentas neišrašytas ir neturi numerio.", "A draft: the document is not issued and has no number.", "Черновик: документ не выписан и не имеет номера."}
	wordCancelled   = words{"ANULIUOTA", "CANCELLED", "АННУЛИРОВАНО"}
	wordOffer       = words{"Tai nėra PVM sąskaita faktūra.", "This is not a VAT invoice.", "Это не счёт-фактура НДС."}
	wordNone        = words{"be tarifo", "no rate", "без ставки"}
)

// title is what the document is called. Only a VAT payer issues VAT invoices, Art 79 of the VAT law.
func title(p *invoice.Printout) words {
	taxed, noted := p.IsTaxed(), p.Adjusts != nil
	switch {
	case p.Type == invoice.TypeProforma:
		return words{"Išankstinė sąskaita", "Proforma invoice", "Предварительный счёт"}
	case p.Type == invoice.TypeCreditNote && taxed:
		return words{"Kreditinė PVM sąskaita faktūra", "VAT credit note", "Кредитовый счёт-фактура НДС"}
	case p.Type == invoice.TypeCreditNote:
		return words{"Kreditinė sąskaita faktūra", "Credit note", "Кредитовый счёт-фактура"}
	case p.Type == invoice.TypeAdvance && taxed:
		return words{"Avansinė PVM sąskaita faktūra", "Advance VAT invoice", "Авансовый счёт-фактура НДС"}
	case p.Type == invoice.TypeAdvance:
		return words{"Avansinė sąskaita faktūra", "Advance invoice", "Авансовый счёт-фактура"}
	case noted && taxed:
		return words{"Debetinė PVM sąskaita faktūra", "VAT debit note", "Дебетовый счёт-фактура НДС"}
	case noted:
		return words{"Debetinė sąskaita faktūra", "Debit note", "Дебетовый счёт-фактура"}
	case taxed:
		return words{"PVM sąskaita faktūra", "VAT invoice", "Счёт-фактура НДС"}
	}
	return words{"Sąskaita faktūra", "Invoice", "Счёт-фактура"}
}
