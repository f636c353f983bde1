package webui

import (
	"errors"
	"net/http"
)

// lookUpKey answers "did it happen?".
func lookUpKey(v *visit) (answer, error) {
	p := v.newPage("keys.title")
	p.Lead = v.t("keys.lead")
	key := v.param("key")
	p.add(block{Filters: &filterBar{Action: "/ui/keys", Fields: []field{
		{Name: "key", ID: "q-key", Label: v.t("field.key"), Kind: kindText, Value: key},
	}}})
	if key == "" {
		return p, nil
	}
	out, err := v.query("/v1/idempotency/keys/get", map[string]any{"key": key})
	if refused, ok := errors.AsType[*refusal](err); ok {
		p.Status = refused.Status
		if refused.Status == http.StatusNotFound {
			p.add(block{Notice: &notice{Kind: "info", Title: v.t("keys.free"), Text: v.t("keys.freeText")}})
			return p, nil
		}
		n := v.refusalNotice(refused)
		for _, texts := range refused.Fields {
			for _, text := range texts {
				n.Items = append(n.Items, link{Text: text})
			}
		}
		p.add(block{Notice: n})
		return p, nil
	}
	if err != nil {
		return nil, err
	}
	state := out.text("state")
	kind := map[string]string{"done": "good", "running": "warn", "failed": "info"}[state]
	n := &notice{Kind: kind, Title: v.t("keys.state." + state), Text: v.t("keys.stateText." + state)}
	if to := documentURL(out.text("resourceType"), out.text("resourceId")); to != "" {
		n.Items = []link{{Text: v.t("error.openExisting"), URL: to}}
	}
	facts := []fact{
		{Label: v.t("field.operation"), Value: out.text("operation"), Mono: true},
		{Label: v.t("field.firstAt"), Value: v.moment(out.text("firstAt"))},
		{Label: v.t("field.expiresAt"), Value: v.moment(out.text("expiresAt"))},
		{Label: v.t("field.replays"), Value: out.text("replayCount")},
		{Label: v.t("field.firstRequestId"), Value: out.text("firstRequestId"), Mono: true},
	}
	for _, member := range []string{"errorCode", "resourceType", "resourceId"} {
		if value := out.text(member); value != "" {
			facts = append(facts, fact{Label: v.t("field." + member), Value: value, Mono: true})
		}
	}
	p.add(block{Notice: n})
	p.add(block{Facts: facts})
	return p, nil
}

func listAudit(v *visit) (answer, error) {
	p := v.newPage("audit.title")
	p.Lead = v.t("audit.lead")
	l := listing{
		operation: "/v1/audit/list", file: "audit-log", sort: "-id",
		columns: []column{
			{Title: "field.createdAt", Field: "createdAt", Kind: cellTime, Sort: "createdAt"},
			{Title: "field.actor", Kind: cellMono, Sort: "actorId", Text: func(_ *visit, r record) string {
				return r.text("actorType") + " " + r.text("actorId")
			}, Most: 20},
			{Title: "field.what", Field: "action", Kind: cellMono, Sort: "action"},
			{Title: "field.object", Field: "entity", Words: "entity.", Sort: "entity", Link: func(r record) string {
				return documentURL(r.text("entity"), r.text("entityId"))
			}},
			{Title: "field.requestId", Field: "requestId", Kind: cellMono, Minor: true, Most: 13},
		},
		criteria: []criterion{
			{Name: "action", Label: "field.what", Kind: kindText, Op: "contains"},
			{Name: "actor", Label: "field.actor", Kind: kindText, Field: "actorId", Op: "contains"},
			{Name: "object", Label: "field.objectId", Kind: kindText, Field: "entityId"},
			{Name: "from", Label: "filter.from", Kind: kindDate, Field: "createdAt", Op: "gte"},
			{Name: "to", Label: "filter.to", Kind: kindDate, Field: "createdAt", Op: "lte"},
		},
		none: &empty{Text: v.t("audit.none")},
	}
	return l.show(v, p)
}
