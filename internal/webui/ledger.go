package webui

import (
	"net/http"

	"github.com/vienkart/vienkart/internal/tenant"
)

// Operations of the ledger.
const (
	opJournalList    = "/v1/ledger/journal/transactions/list"
	opJournalGet     = "/v1/ledger/journal/transactions/get"
	opJournalCreate  = "/v1/ledger/journal/transactions/create"
	opJournalReverse = "/v1/ledger/journal/transactions/reverse"
	opTrialBalance   = opReports + "trial-balance"
)

func journalURL(r record) string { return "/ui/journal/" + r.text("id") }

func listJournal(v *visit) (answer, error) {
	p := v.newPage("journal.title")
	if v.can(tenant.WriteLedger) {
		p.Links = []link{{Text: v.t("journal.new"), URL: "/ui/journal/new", Primary: true}}
	}
	l := listing{
		operation: opJournalList, file: "journal", sort: "-date",
		columns: []column{
			{Title: "field.date", Field: "date", Kind: cellDate, Sort: "date", Link: journalURL},
			{Title: "field.description", Field: "description", Sort: "description", Link: journalURL},
			{
				Title: "field.document", Field: "documentType", Words: "entity.", Sort: "documentType",
				Link: func(r record) string { return documentURL(r.text("documentType"), r.text("documentId")) },
			},
			{Title: "field.reversal", Text: func(v *visit, r record) string {
				if r.has("reversesId") {
					return v.t("journal.isReversal")
				}
				return ""
			}, Link: func(r record) string {
				if !r.has("reversesId") {
					return ""
				}
				return "/ui/journal/" + r.text("reversesId")
			}, Minor: true},
			{Title: "field.postedAt", Field: "postedAt", Kind: cellTime, Sort: "postedAt", Minor: true},
		},
		criteria: []criterion{
			{Name: "description", Label: "field.description", Kind: kindText, Op: "contains"},
			{Name: "from", Label: "filter.from", Kind: kindDate, Field: "date", Op: "gte"},
			{Name: "to", Label: "filter.to", Kind: kindDate, Field: "date", Op: "lte"},
			{
				Name: "documentType", Label: "field.document", Kind: kindSelect, Words: "entity.",
				Values: []string{"sale_invoice", "purchase_invoice", "settlement", "bank_transaction", "depreciation_run", "asset"},
			},
		},
		none: &empty{Text: v.t("journal.none"), Links: p.Links},
	}
	return l.show(v, p)
}

func (v *visit) journalForm() (*form, error) {
	accounts, err := v.accounts()
	if err != nil {
		return nil, err
	}
	return &form{
		Action: "/ui/journal/new", Submit: v.t("journal.post"), Lists: []dataList{accounts},
		Fields: []field{
			{Name: "date", Label: v.t("field.date"), Kind: kindDate, Required: true, Value: v.today().String()},
			{Name: "description", Label: v.t("field.description"), Kind: kindText, Wide: true, Max: 500},
		},
		Lines: &lines{
			Name: "entries", Label: v.t("journal.entries"), Row: v.t("form.line"), Least: 4,
			Columns: []field{
				{Name: "accountCode", Label: v.t("field.account"), Kind: kindText, List: accounts.ID, Max: 20},
				{Name: "debit", Label: v.t("field.debit"), Kind: kindMoney},
				{Name: "credit", Label: v.t("field.credit"), Kind: kindMoney},
				{Name: "description", Label: v.t("field.description"), Kind: kindText, Wide: true, Max: 500},
			},
		},
	}, nil
}

func newJournal(v *visit) (answer, error) {
	f, err := v.journalForm()
	if err != nil {
		return nil, err
	}
	p := v.newPage("journal.new")
	p.Lead = v.t("journal.lead", "Currency", v.base())
	p.Crumb = &link{Text: v.t("journal.title"), URL: "/ui/journal"}
	if v.r.Method == http.MethodGet {
		return v.freshForm(p, f)
	}
	return v.submitted(p, f, once(opJournalCreate, f, nil, journalURL))
}

func showJournal(v *visit) (answer, error) {
	doc, err := v.query(opJournalGet, v.id())
	if err != nil {
		return nil, err
	}
	p := v.newPage("journal.one", "Date", doc.text("date"))
	p.Crumb = &link{Text: v.t("journal.title"), URL: "/ui/journal"}
	facts := v.plainFacts(doc, "date", "description")
	if to := documentURL(doc.text("documentType"), doc.text("documentId")); to != "" {
		facts = append(facts, fact{Label: v.t("field.document"), Value: v.lang.known("entity.", doc.text("documentType")), URL: to})
	}
	for _, member := range []string{"reversesId", "reversedById"} {
		if id := doc.text(member); id != "" {
			facts = append(facts, fact{Label: v.t("field." + member), Value: v.t("action.open"), URL: "/ui/journal/" + id})
		}
	}
	facts = append(facts, fact{Label: v.t("field.postedAt"), Value: v.moment(doc.text("postedAt"))})
	columns := []column{
		{Title: "field.account", Field: "accountCode", Kind: cellMono, Sort: "accountCode"},
		{Title: "field.accountName", Field: "accountName"},
		{Title: "field.description", Field: "description", Minor: true},
		{Title: "field.debit", Field: "debit", Kind: cellMoney, Total: true, Text: notZero("debit")},
		{Title: "field.credit", Field: "credit", Kind: cellMoney, Total: true, Text: notZero("credit")},
	}
	t := v.sheet(sheet{File: "journal-entry", Caption: v.t("journal.entries"), Columns: columns, Rows: doc.list("entries")})
	p.add(block{Facts: facts}, block{Heading: v.t("journal.entries"), Table: t})
	if v.can(tenant.WriteLedger) && !doc.has("reversedById") && !doc.has("documentId") && !doc.has("reversesId") {
		p.add(block{Actions: []action{v.act("journal.reverse", v.reverseForm(journalURL(doc)))}})
	}
	return p, nil
}

// notZero leaves the empty side of an entry empty.
func notZero(member string) func(*visit, record) string {
	return func(_ *visit, r record) string {
		if r.decimal(member).IsZero() {
			return ""
		}
		return r.text(member)
	}
}

func (v *visit) reverseForm(at string) *form {
	return &form{
		Action: at + "/reverse", Submit: v.t("journal.reverse"), Danger: true, Lead: v.t("journal.reverseLead"),
		Fields: []field{
			{Name: "date", Label: v.t("field.date"), Kind: kindDate, Help: v.t("journal.reverseDateHelp")},
			{Name: "description", Label: v.t("field.description"), Kind: kindText, Max: 500},
		},
	}
}

func reverseJournal(v *visit) (answer, error) {
	f := v.reverseForm(v.here("/ui/journal/"))
	return v.runAction(f, once(opJournalReverse, f, v.id(), journalURL), showJournal)
}

func itemColumns(withPartner bool) []column {
	columns := []column{
		{
			Title: "field.document", Field: "documentNumber", Sort: "documentNumber", Kind: cellMono,
			Link: func(r record) string { return documentURL(r.text("documentType"), r.text("documentId")) },
		},
		{Title: "field.kind", Field: "kind", Words: "itemKind.", Sort: "kind"},
		{Title: "field.documentDate", Field: "documentDate", Kind: cellDate, Sort: "documentDate", Minor: true},
		{Title: "field.dueDate", Field: "dueDate", Kind: cellDate, Sort: "dueDate"},
		{Title: "field.state", Kind: cellPill, Text: itemState},
		{Title: "field.amount", Field: "amount", Kind: cellMoney, Total: true, Minor: true},
		{Title: "field.open", Field: "open", Kind: cellMoney, Total: true},
		{Title: "field.currency", Field: "currency", Hidden: true},
	}
	if !withPartner {
		return columns
	}
	return append([]column{columns[0], {
		Title: "field.partner", Field: "partnerName", Sort: "partnerName",
		Link: func(r record) string { return "/ui/partners/" + r.text("partnerId") },
	}}, columns[1:]...)
}

func itemState(v *visit, r record) string {
	switch {
	case r.isTrue("settled"):
		return "settled"
	case r.text("dueDate") < v.today().String():
		return "overdue"
	}
	return "unpaid"
}

func listOpenItems(v *visit) (answer, error) {
	p := v.newPage("items.title")
	p.Lead = v.t("items.lead")
	l := listing{
		operation: opItems, file: "open-items", sort: "dueDate", columns: itemColumns(true),
		criteria: []criterion{
			{Name: "kind", Label: "field.kind", Kind: kindSelect, Words: "itemKind.", Values: []string{"receivable", "payable"}},
			{Name: "partner", Label: "field.partner", Kind: kindText, Field: "partnerName", Op: "contains"},
			{Name: "due", Label: "filter.dueBy", Kind: kindDate, Field: "dueDate", Op: "lte"},
			{Name: "settled", Label: "state.settled", Kind: kindSelect, Words: "yesno.", Values: []string{"true", "false"}},
		},
		none: &empty{Text: v.t("items.none")},
	}
	if v.param("settled") == "" {
		l.fixed = []filter{{"settled", "eq", false}}
	}
	return l.show(v, p)
}
