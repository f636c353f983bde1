package webui

import (
	"fmt"
	"strconv"
	"strings"

	"github.com/vienkart/vienkart/internal/date"
	"github.com/vienkart/vienkart/internal/tenant"
)

// Operations of months.
const (
	opPeriodList   = "/v1/ledger/periods/list"
	opPeriodLock   = "/v1/ledger/periods/lock"
	opPeriodUnlock = "/v1/ledger/periods/unlock"
)

// shownMonths is how far back the page goes when nothing was posted before.
const shownMonths = 12

func listPeriods(v *visit) (answer, error) {
	rows, err := v.everything(opPeriodList, map[string]any{}, maxDownload)
	if err != nil {
		return nil, err
	}
	states := map[string]string{}
	first := date.MonthOf(v.today())
	for range shownMonths - 1 {
		first = first.Prev()
	}
	last := date.MonthOf(v.today())
	for _, r := range rows {
		m := date.MonthOf(date.New(r.whole("year"), 1, 1).AddMonths(r.whole("month") - 1))
		states[m.String()] = r.text("status")
		if m.Compare(first) < 0 {
			first = m
		}
		if m.Compare(last) > 0 {
			last = m
		}
	}
	var months []record
	for m := last; m.Compare(first) >= 0; m = m.Prev() {
		state := states[m.String()]
		if state == "" {
			state = "open"
		}
		months = append(months, record{"month": m.String(), "status": state, "from": m.First().String(), "to": m.Last().String()})
	}
	p := v.newPage("periods.title")
	p.Lead = v.t("periods.lead")
	columns := []column{
		{Title: "field.month", Field: "month", Kind: cellDate, Sort: "month"},
		{Title: "field.status", Field: "status", Kind: cellPill, Sort: "status"},
		{Title: "journal.title", Text: func(v *visit, _ record) string { return v.t("action.show") }, Minor: true, Shown: true, Link: func(r record) string {
			return fmt.Sprintf("/ui/journal?from=%s&to=%s", r.text("from"), r.text("to"))
		}},
	}
	s := sheet{File: "periods", Caption: p.Title, Columns: columns, Rows: months}
	if v.can(tenant.LockPeriods) {
		s.Actions = []rowAction{{"field.action", func(r record) *action { return v.periodAction(r.text("month"), r.text("status")) }}}
	}
	p.add(block{Table: v.sheet(s)})
	return p, nil
}

// periodAction locks at a click; opening a locked month again asks why.
func (v *visit) periodAction(month, state string) *action {
	f, a := v.lockForm(month), action{}
	if state == "locked" {
		f, a.Label, a.Danger = v.unlockForm(month), v.t("periods.unlock"), true
	}
	if v.shown != nil && v.shown.Action == f.Action && v.shown.value("month") == month {
		f, a.Open = v.shown, true
		v.placed = true
	}
	a.Form = v.keyed(f)
	return &a
}

func (v *visit) lockForm(month string) *form {
	return &form{
		Action: "/ui/periods/lock", Submit: v.t("periods.lock"), Plain: true,
		Fields: []field{{Name: "month", Kind: kindHidden, Value: month, Local: true}},
	}
}

func (v *visit) unlockForm(month string) *form {
	return &form{
		Action: "/ui/periods/unlock", Submit: v.t("periods.unlock"), Danger: true,
		Fields: []field{
			{Name: "month", Kind: kindHidden, Value: month, Local: true},
			{
				Name: "reason", ID: "reason-" + month, Label: v.t("field.reason"), Kind: kindText, Required: true, Wide: true, Max: 500,
				Help: v.t("periods.reasonHelp"),
			},
		},
	}
}

// yearMonth reads 2026-08.
func yearMonth(s string) map[string]any {
	year, month, _ := strings.Cut(s, "-")
	y, _ := strconv.Atoi(year)
	m, _ := strconv.Atoi(month)
	return map[string]any{"year": y, "month": m}
}

func periodsPage(record) string { return "/ui/periods" }

func lockPeriod(v *visit) (answer, error) {
	month := v.r.PostFormValue("month")
	f := v.lockForm(month)
	return v.runAction(f, once(opPeriodLock, f, yearMonth(month), periodsPage), listPeriods)
}

func unlockPeriod(v *visit) (answer, error) {
	month := v.r.PostFormValue("month")
	f := v.unlockForm(month)
	return v.runAction(f, once(opPeriodUnlock, f, yearMonth(month), periodsPage), listPeriods)
}
