package webui

import (
	"net/http"
	"strings"
)

// Operations of webhooks.
const (
	opHookCreate    = "/v1/webhooks/subscriptions/create"
	opHookList      = "/v1/webhooks/subscriptions/list"
	opHookUpdate    = "/v1/webhooks/subscriptions/update"
	opHookDelete    = "/v1/webhooks/subscriptions/delete"
	opHookRotate    = "/v1/webhooks/subscriptions/rotate-secret"
	opHookTest      = "/v1/webhooks/subscriptions/test"
	opDeliveryList  = "/v1/webhooks/deliveries/list"
	opDeliveryAgain = "/v1/webhooks/deliveries/redeliver"
)

func (v *visit) hookForm() *form {
	return &form{
		Title: v.t("webhooks.new"), Action: "/ui/webhooks", Submit: v.t("webhooks.subscribe"), Lead: v.t("webhooks.lead"),
		Fields: []field{
			{Name: "url", Label: v.t("field.url"), Kind: kindText, Required: true, Wide: true, Max: 2000, Placeholder: "https://"},
			{Name: "events", Label: v.t("field.events"), Kind: kindText, Required: true, Wide: true, Value: "*", Local: true, Help: v.t("webhooks.eventsHelp")},
		},
	}
}

func showWebhooks(v *visit) (answer, error) {
	p := v.newPage("webhooks.title")
	if !v.ui.serves(opHookList) {
		p.add(block{Empty: &empty{Text: v.t("error.notServedText")}})
		return p, nil
	}
	p.Links = []link{{Text: v.t("webhooks.deliveries"), URL: "/ui/webhooks/deliveries"}}
	f := v.hookForm()
	if v.r.Method == http.MethodPost {
		secret, err := v.createSecret(f, opHookCreate, "secret", func(body map[string]any) {
			body["events"] = strings.FieldsFunc(f.value("events"), func(r rune) bool { return r == ',' || r == ' ' })
		})
		if err != nil {
			return nil, err
		}
		p.add(secret...)
	}
	rows, err := v.everything(opHookList, map[string]any{}, maxDownload)
	if err != nil {
		return nil, err
	}
	columns := []column{
		{Title: "field.url", Field: "url", Kind: cellMono, Sort: "url", Link: func(r record) string { return "/ui/webhooks/deliveries?subscriptionId=" + r.text("id") }},
		{Title: "field.events", Text: func(_ *visit, r record) string { return strings.Join(r.texts("events"), ", ") }, Minor: true},
		{Title: "field.state", Field: "state", Kind: cellPill, Sort: "state"},
		{Title: "field.reason", Field: "stateReason", Minor: true},
		{Title: "field.createdAt", Field: "createdAt", Kind: cellTime, Sort: "createdAt", Minor: true},
	}
	t := v.sheet(sheet{
		File: "webhooks", Caption: p.Title, Columns: columns, Rows: rows, None: &empty{Text: v.t("webhooks.none")},
		Actions: []rowAction{{"field.action", func(r record) *action {
			return &action{Label: v.t("webhooks.change"), Form: v.keyed(v.changeForm(r.text("id")))}
		}}},
	})
	p.add(block{Table: t}, block{Form: v.keyed(f)})
	return p, nil
}

// What can be done to a subscription, by the value of the button.
var hookActions = map[string]string{"test": opHookTest, "rotate": opHookRotate, "on": opHookUpdate, "off": opHookUpdate, "delete": opHookDelete}

func (v *visit) changeForm(id string) *form {
	f := &form{Action: "/ui/webhooks/" + id + "/change", Plain: true}
	for _, do := range []string{"test", "on", "off", "rotate", "delete"} {
		f.Buttons = append(f.Buttons, button{Name: fieldDo, Value: do, Text: v.t("webhooks.do." + do)})
	}
	return f
}

func changeSubscription(v *visit) (answer, error) {
	do := v.r.PostFormValue(fieldDo)
	operation := hookActions[do]
	if operation == "" {
		return nil, &refusal{Status: http.StatusNotFound, Message: v.t("error.noPage")}
	}
	f := v.changeForm(v.r.PathValue("id"))
	if do == "rotate" {
		secret, err := v.createSecret(f, operation, "secret", func(body map[string]any) { body["id"] = v.r.PathValue("id") })
		if err != nil {
			return nil, err
		}
		v.r.Method = http.MethodGet
		out, err := showWebhooks(v)
		if p, ok := out.(*page); ok {
			p.Blocks = append(secret, p.Blocks...)
			p.fromForm(f)
		}
		return out, err
	}
	extra := v.id()
	if operation == opHookUpdate {
		extra["isActive"] = do == "on"
	}
	show := func(v *visit) (answer, error) { v.r.Method = http.MethodGet; return showWebhooks(v) }
	return v.runAction(f, once(operation, f, extra, func(record) string { return "/ui/webhooks" }), show)
}

func listDeliveries(v *visit) (answer, error) {
	p := v.newPage("webhooks.deliveries")
	p.Crumb = &link{Text: v.t("webhooks.title"), URL: "/ui/webhooks"}
	l := listing{
		operation: opDeliveryList, file: "deliveries", sort: "-id",
		columns: []column{
			{Title: "field.createdAt", Field: "createdAt", Kind: cellTime, Sort: "createdAt"},
			{Title: "field.event", Field: "eventType", Kind: cellMono, Sort: "eventType"},
			{Title: "field.status", Field: "status", Kind: cellPill, Sort: "status"},
			{Title: "field.attempts", Field: "attempts", Kind: cellNumber, Sort: "attempts"},
			{Title: "field.lastError", Field: "lastError", Minor: true},
			{Title: "field.nextAttemptAt", Field: "nextAttemptAt", Kind: cellTime, Minor: true},
			{Title: "field.deliveredAt", Field: "deliveredAt", Kind: cellTime, Minor: true},
		},
		criteria: []criterion{
			{Name: "status", Label: "field.status", Kind: kindSelect, Words: "state.", Values: []string{"pending", "delivered", "failed"}},
			{Name: "event", Label: "field.event", Kind: kindText, Field: "eventType", Op: "contains"},
			{Name: "subscriptionId", Label: "field.url", Kind: kindHidden},
		},
		none: &empty{Text: v.t("webhooks.noDeliveries"), Links: []link{{Text: v.t("webhooks.title"), URL: "/ui/webhooks"}}},
		actions: func(v *visit, r record) *action {
			return &action{Form: v.keyed(v.idForm("/ui/webhooks/deliveries/redeliver", "webhooks.again", r.text("id")))}
		},
	}
	return l.show(v, p)
}

func redeliver(v *visit) (answer, error) {
	f := v.idForm("/ui/webhooks/deliveries/redeliver", "webhooks.again", "")
	show := func(v *visit) (answer, error) { v.r.Method = http.MethodGet; return listDeliveries(v) }
	return v.runAction(f, once(opDeliveryAgain, f, nil, func(record) string { return "/ui/webhooks/deliveries" }), show)
}
