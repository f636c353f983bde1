package webui

import (
	"github.com/vienkart/vienkart/internal/tenant"
)

// Operations of orders of web shops.
const (
	opOrderList    = "/v1/ecommerce/orders/list"
	opOrderGet     = "/v1/ecommerce/orders/get"
	opOrderPay     = "/v1/ecommerce/orders/confirm-payment"
	opOrderReserve = "/v1/ecommerce/orders/reserve"
	opOrderFulfill = "/v1/ecommerce/orders/fulfill"
	opOrderCancel  = "/v1/ecommerce/orders/cancel"
)

func orderURL(r record) string { return "/ui/orders/" + r.text("id") }

// orderName is the shop's name of an order; one that came without has none.
func orderName(v *visit, r record) string {
	if name := r.text("externalRef"); name != "" {
		return name
	}
	return v.t("orders.noName")
}

func listOrders(v *visit) (answer, error) {
	p := v.newPage("orders.title")
	p.Lead = v.t("orders.lead")
	l := listing{
		operation: opOrderList, file: "orders", sort: "-createdAt",
		columns: []column{
			{Title: "field.order", Field: "externalRef", Kind: cellMono, Sort: "externalRef", Text: orderName, Link: orderURL},
			{Title: "field.customer", Field: "partnerName", Link: func(r record) string { return "/ui/partners/" + r.text("partnerId") }},
			{Title: "field.channel", Field: "channel", Sort: "channel", Minor: true},
			{Title: "field.createdAt", Field: "createdAt", Kind: cellTime, Sort: "createdAt", Minor: true},
			{Title: "field.status", Field: "status", Kind: cellPill, Words: "order.", Sort: "status"},
			{Title: "field.gross", Field: "grossTotal", Kind: cellMoney, Total: true},
			{Title: "field.currency", Field: "currency", Hidden: true},
		},
		criteria: []criterion{
			{Name: "reference", Label: "field.order", Kind: kindText, Field: "externalRef", Op: "contains"},
			{Name: "channel", Label: "field.channel", Kind: kindText, Op: "contains"},
			{Name: "status", Label: "field.status", Kind: kindSelect, Words: "order.", Values: []string{"new", "reserved", "fulfilled", "cancelled"}},
			{Name: "from", Label: "filter.from", Kind: kindDate, Field: "createdAt", Op: "gte"},
			{Name: "to", Label: "filter.to", Kind: kindDate, Field: "createdAt", Op: "lte"},
			{Name: "partnerId", Label: "field.customer", Kind: kindHidden},
		},
		none:    &empty{Text: v.t("orders.none"), Links: []link{{Text: v.t("settings.keys"), URL: "/ui/settings/keys"}, {Text: v.t("nav.api"), URL: "/docs"}}},
		prepare: func(v *visit, rows []record) error { return v.namePartners(rows) },
	}
	return l.show(v, p)
}

func showOrder(v *visit) (answer, error) {
	doc, err := v.query(opOrderGet, v.id())
	if err != nil {
		return nil, err
	}
	if err := v.partnerNames(doc.text("partnerId")); err != nil {
		return nil, err
	}
	entries, err := v.orderEntries(doc)
	if err != nil {
		return nil, err
	}
	p := v.newPage("orders.one", "Name", orderName(v, doc))
	p.Crumb = &link{Text: v.t("orders.title"), URL: "/ui/orders"}
	p.Pill = v.state("order.", doc.text("status"))
	p.add(block{Facts: v.orderFacts(doc, entries)})
	p.add(block{Heading: v.t("form.lines"), Table: v.sheet(sheet{
		File: "order-lines", Caption: v.t("form.lines"), Rows: doc.list("lines"), Columns: []column{
			{Title: "field.description", Field: "description"},
			{Title: "field.quantity", Field: "quantity", Kind: cellNumber},
			{Title: "field.priceExcl", Kind: cellMoney, Text: func(_ *visit, r record) string { return twoPlaces(r.text("unitPriceExclVat")) }},
			{Title: "field.rate", Field: "vatRatePercent", Kind: cellNumber},
		},
	})})
	if len(entries) > 0 {
		p.add(block{Heading: v.t("orders.entries"), Table: v.sheet(sheet{
			Name: "entries", File: "order-entries", Caption: v.t("orders.entries"), Rows: entries, Columns: []column{
				{Title: "field.date", Field: "date", Kind: cellDate, Link: journalURL},
				{Title: "field.description", Field: "description", Link: journalURL},
				{Title: "field.postedAt", Field: "postedAt", Kind: cellTime, Minor: true},
			},
		})})
	}
	if v.can(tenant.WriteSales) {
		p.add(block{Actions: v.orderActions(doc, len(entries) > 0)})
	}
	return p, nil
}

// orderEntries are what was booked for an order itself: its payment first.
func (v *visit) orderEntries(doc record) ([]record, error) {
	return v.everything(opJournalList, map[string]any{"sort": []order{{"postedAt", "asc"}}, "filter": []filter{
		{"documentType", "eq", "order"}, {"documentId", "eq", doc.text("id")},
	}}, maxPage)
}

func (v *visit) orderFacts(doc record, entries []record) []fact {
	facts := []fact{
		{Label: v.t("field.customer"), Value: v.partner[doc.text("partnerId")], URL: "/ui/partners/" + doc.text("partnerId")},
		{Label: v.t("field.gross"), Value: v.lang.amount(doc.text("grossTotal")) + " " + doc.text("currency")},
	}
	paid := fact{Label: v.t("field.payment"), Pill: v.state("", "unpaid")}
	if len(entries) > 0 {
		paid = fact{Label: v.t("field.payment"), Pill: v.state("", "paid"), Value: v.moment(entries[0].text("postedAt")), URL: journalURL(entries[0])}
	}
	if doc.text("status") != "cancelled" {
		facts = append(facts, paid)
	}
	facts = append(facts, v.plainFacts(doc, "channel", "marketplace")...)
	if country := doc.text("shipToCountryCode"); country != "" {
		facts = append(facts, fact{Label: v.t("field.shipTo"), Value: country})
	}
	facts = append(facts, fact{Label: v.t("field.createdAt"), Value: v.moment(doc.text("createdAt"))})
	if id := doc.text("invoiceId"); id != "" {
		facts = append(facts, fact{Label: v.t("field.invoice"), Value: v.t("action.open"), URL: "/ui/invoices/" + id})
	}
	return append(facts, v.plainFacts(doc, "notes")...)
}

func (v *visit) orderActions(doc record, paid bool) []action {
	at, status := orderURL(doc), doc.text("status")
	var out []action
	if status == "cancelled" {
		return nil
	}
	if !paid {
		out = append(out, v.act("orders.confirm", v.confirmForm(doc)))
	}
	if status == "fulfilled" {
		return out
	}
	out = append(out, v.act("orders.fulfill", v.fulfillForm(at)))
	if status == "new" {
		out = append(out, v.act("orders.reserve", v.reserveForm(at)))
	}
	if !paid {
		out = append(out, v.act("orders.cancel", v.cancelOrderForm(at)))
	}
	return out
}

// confirmForm asks for the amount, so that the person looks at what came in; it starts with what the order comes to.
func (v *visit) confirmForm(doc record) *form {
	return &form{
		Action: orderURL(doc) + "/confirm-payment", Submit: v.t("orders.confirm"), Lead: v.t("orders.confirmLead"),
		Fields: []field{
			{Name: "amount", Label: v.t("field.amount"), Kind: kindMoney, Required: true, Value: doc.text("grossTotal"), Max: 30},
			{Name: "currency", Label: v.t("field.currency"), Kind: kindText, Required: true, Value: doc.text("currency"), Max: 3},
		},
	}
}

func (v *visit) fulfillForm(at string) *form {
	return &form{
		Action: at + "/fulfill", Submit: v.t("orders.fulfill"), Lead: v.t("orders.fulfillLead"),
		Fields: []field{{Name: "date", Label: v.t("field.issueDate"), Kind: kindDate, Help: v.t("orders.dateHelp")}},
	}
}

func (v *visit) reserveForm(at string) *form {
	return &form{Action: at + "/reserve", Submit: v.t("orders.reserve"), Lead: v.t("orders.reserveLead"), Plain: true}
}

func (v *visit) cancelOrderForm(at string) *form {
	return &form{Action: at + "/cancel", Submit: v.t("orders.cancel"), Lead: v.t("orders.cancelLead"), Danger: true}
}

func confirmOrderPayment(v *visit) (answer, error) {
	f := v.confirmForm(v.id())
	extra := map[string]any{"orderId": v.r.PathValue("id")}
	return v.runAction(f, once(opOrderPay, f, extra, func(record) string { return v.here("/ui/orders/") }), showOrder)
}

func reserveOrder(v *visit) (answer, error) {
	f := v.reserveForm(v.here("/ui/orders/"))
	return v.runAction(f, once(opOrderReserve, f, v.id(), orderURL), showOrder)
}

func fulfillOrder(v *visit) (answer, error) {
	f := v.fulfillForm(v.here("/ui/orders/"))
	return v.runAction(f, once(opOrderFulfill, f, v.id(), orderURL), showOrder)
}

func cancelOrder(v *visit) (answer, error) {
	f := v.cancelOrderForm(v.here("/ui/orders/"))
	return v.runAction(f, once(opOrderCancel, f, v.id(), orderURL), showOrder)
}
