package webui

import (
	"net/http"

	"github.com/vienkart/vienkart/internal/tenant"
)

// Operations of bank accounts and statements.
const (
	opBankAccounts   = "/v1/bank/accounts/list"
	opBankCreate     = "/v1/bank/accounts/create"
	opStatement      = "/v1/bank/statements/import"
	opTransactions   = "/v1/bank/transactions/list"
	opMatch          = "/v1/bank/transactions/match"
	opSuggestMatches = "/v1/bank/transactions/suggest-matches"
)

func transactionColumns() []column {
	at := func(r record) string { return "/ui/bank/transactions/" + r.text("id") }
	return []column{
		{Title: "field.date", Field: "date", Kind: cellDate, Sort: "date", Link: at},
		{Title: "field.counterparty", Field: "counterpartyName", Sort: "counterpartyName", Link: at},
		{Title: "field.description", Field: "description", Minor: true},
		{Title: "field.status", Field: "status", Kind: cellPill, Sort: "status"},
		{
			Title: "field.document", Field: "matchedDocumentType", Words: "entity.", Minor: true,
			Link: func(r record) string { return documentURL(r.text("matchedDocumentType"), r.text("matchedDocumentId")) },
		},
		{Title: "field.amount", Field: "amount", Kind: cellMoney, Sort: "amount", Total: true},
		{Title: "field.currency", Field: "currency", Hidden: true},
	}
}

func listBank(v *visit) (answer, error) {
	p := v.newPage("bank.title")
	if !v.ui.serves(opBankAccounts) || !v.ui.serves(opTransactions) {
		p.add(block{Empty: &empty{Text: v.t("error.notServedText")}})
		return p, nil
	}
	accounts, err := v.everything(opBankAccounts, map[string]any{}, maxDownload)
	if err != nil {
		return nil, err
	}
	if v.can(tenant.WriteBank) {
		p.Links = []link{{Text: v.t("bank.newAccount"), URL: "/ui/bank/accounts/new", Primary: len(accounts) == 0}}
		if len(accounts) > 0 {
			p.Links = append(p.Links, link{Text: v.t("bank.import"), URL: "/ui/bank/import", Primary: true})
		}
	}
	if len(accounts) == 0 {
		p.add(block{Empty: &empty{Text: v.t("bank.noAccounts"), Links: p.Links}})
		return p, nil
	}
	p.add(block{Heading: v.t("bank.accounts"), Table: v.sheet(sheet{
		Name: "accounts", File: "bank-accounts", Caption: v.t("bank.accounts"), Rows: accounts, Columns: []column{
			{Title: "field.name", Field: "name", Link: func(r record) string { return "/ui/bank?bankAccountId=" + r.text("id") }},
			{Title: "field.iban", Field: "iban", Kind: cellMono},
			{Title: "field.account", Field: "accountCode", Kind: cellMono},
			{Title: "field.currency", Field: "currency"},
			{Title: "field.active", Field: "isActive", Words: "yesno.", Minor: true},
		},
	})})
	l := listing{
		operation: opTransactions, file: "bank-transactions", sort: "-date", columns: transactionColumns(),
		criteria: []criterion{
			{Name: "counterparty", Label: "field.counterparty", Kind: kindText, Field: "counterpartyName", Op: "contains"},
			{Name: "status", Label: "field.status", Kind: kindSelect, Words: "state.", Values: []string{"new", "matched"}},
			{Name: "from", Label: "filter.from", Kind: kindDate, Field: "date", Op: "gte"},
			{Name: "to", Label: "filter.to", Kind: kindDate, Field: "date", Op: "lte"},
			{Name: "bankAccountId", Label: "field.account", Kind: kindHidden},
		},
		none: &empty{Text: v.t("bank.none"), Links: p.Links},
	}
	p.add(block{Heading: v.t("bank.transactions")})
	return l.show(v, p)
}

func newBankAccount(v *visit) (answer, error) {
	accounts, err := v.accounts("asset")
	if err != nil {
		return nil, err
	}
	f := &form{
		Action: "/ui/bank/accounts/new", Submit: v.t("action.save"), Lists: []dataList{accounts},
		Fields: []field{
			{Name: "name", Label: v.t("field.name"), Kind: kindText, Required: true, Max: 255},
			{Name: "iban", Label: v.t("field.iban"), Kind: kindText, Max: 50},
			{Name: "currency", Label: v.t("field.currency"), Kind: kindText, Value: v.base(), Max: 3},
			{Name: "accountCode", Label: v.t("field.account"), Kind: kindText, List: accounts.ID, Max: 20, Help: v.t("bank.accountHelp")},
		},
	}
	p := v.newPage("bank.newAccount")
	p.Crumb = &link{Text: v.t("bank.title"), URL: "/ui/bank"}
	if v.r.Method == http.MethodGet {
		return v.freshForm(p, f)
	}
	return v.submitted(p, f, once(opBankCreate, f, nil, func(record) string { return "/ui/bank" }))
}

// bankAccountField asks which account a file belongs to.
func (v *visit) bankAccountField() (field, error) {
	accounts, err := v.everything(opBankAccounts, map[string]any{}, maxDownload)
	f := field{Name: "bankAccountId", Label: v.t("field.bankAccount"), Kind: kindSelect, Required: true}
	for _, a := range accounts {
		f.Options = append(f.Options, option{Value: a.text("id"), Text: a.text("name") + " " + a.text("iban")})
	}
	return f, err
}

func importStatement(v *visit) (answer, error) {
	account, err := v.bankAccountField()
	if err != nil {
		return nil, err
	}
	f := &form{
		Action: "/ui/bank/import", Submit: v.t("bank.import"), Upload: true,
		Fields: []field{
			account,
			{Name: "format", Label: v.t("field.format"), Kind: kindSelect, Options: []option{
				{Value: "camt053", Text: "ISO 20022 camt.053 (XML)"}, {Value: "mt940", Text: "SWIFT MT940"}, {Value: "stripe-csv", Text: "Stripe (CSV)"},
			}, Value: "camt053"},
			{Name: "content", Label: v.t("field.file"), Kind: kindFile, Required: true, Wide: true},
		},
	}
	p := v.newPage("bank.import")
	p.Lead = v.t("bank.importLead")
	p.Crumb = &link{Text: v.t("bank.title"), URL: "/ui/bank"}
	if v.r.Method == http.MethodGet {
		return v.freshForm(p, f)
	}
	return v.submitted(p, f, once(opStatement, f, nil, func(record) string { return "/ui/bank" }))
}

func showTransaction(v *visit) (answer, error) {
	rows, err := v.everything(opTransactions, map[string]any{"filter": []filter{{"id", "eq", v.r.PathValue("id")}}}, 1)
	if err != nil {
		return nil, err
	}
	if len(rows) == 0 {
		return nil, &refusal{Status: http.StatusNotFound, Message: v.t("error.noPage")}
	}
	doc := rows[0]
	p := v.newPage("bank.one", "Date", doc.text("date"))
	p.Crumb = &link{Text: v.t("bank.title"), URL: "/ui/bank"}
	p.Pill = v.state("", doc.text("status"))
	facts := []fact{{Label: v.t("field.amount"), Value: v.lang.amount(doc.text("amount")) + " " + doc.text("currency")}}
	facts = append(facts, v.plainFacts(doc, "date", "counterpartyName", "counterpartyIban", "description", "externalId")...)
	if to := documentURL(doc.text("matchedDocumentType"), doc.text("matchedDocumentId")); to != "" {
		facts = append(facts, fact{Label: v.t("field.document"), Value: v.t("action.open"), URL: to})
	}
	facts = append(facts, v.documentLinks(record{"journalTransactionId": doc["journalTransactionId"]})...)
	p.add(block{Facts: facts})
	if doc.text("status") != "new" || !v.offers(opMatch, tenant.WriteBank) || !v.ui.serves(opSuggestMatches) {
		return p, nil
	}
	out, err := v.query(opSuggestMatches, map[string]any{"transactionId": doc.text("id")})
	if err != nil {
		return nil, err
	}
	p.add(block{Heading: v.t("bank.suggestions"), Table: v.suggestionTable(out.list("suggestions"))})
	return p, nil
}

func (v *visit) suggestionTable(rows []record) *table {
	return v.sheet(sheet{File: "suggestions", Caption: v.t("bank.suggestions"), Rows: rows, None: &empty{Text: v.t("bank.noSuggestions")}, Columns: []column{
		{Title: "field.document", Field: "number", Kind: cellMono, Link: func(r record) string {
			return documentURL(r.text("documentType"), r.text("documentId"))
		}},
		{Title: "field.partner", Field: "partnerName"},
		{Title: "field.open", Field: "remaining", Kind: cellMoney},
		{Title: "field.reason", Minor: true, Text: func(_ *visit, r record) string { return plain(r.at("reasons")) }},
	}, Actions: []rowAction{{"field.action", func(r record) *action {
		return &action{Form: v.keyed(v.matchForm(r.text("documentType"), r.text("documentId")))}
	}}}})
}

func (v *visit) matchForm(sort, id string) *form {
	return &form{
		Action: v.here("/ui/bank/transactions/") + "/match", Submit: v.t("bank.match"), Plain: true,
		Fields: []field{{Name: "documentType", Kind: kindHidden, Value: sort}, {Name: "documentId", Kind: kindHidden, Value: id}},
	}
}

func matchTransaction(v *visit) (answer, error) {
	f := v.matchForm("", "")
	extra := map[string]any{"transactionId": v.r.PathValue("id")}
	return v.runAction(f, once(opMatch, f, extra, func(record) string { return v.here("/ui/bank/transactions/") }), showTransaction)
}
