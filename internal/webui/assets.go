package webui

import (
	"net/http"

	"github.com/vienkart/vienkart/internal/tenant"
)

// Operations of fixed assets.
const (
	opFixedAssetList      = "/v1/assets/assets/list"
	opFixedAssetGet       = "/v1/assets/assets/get"
	opFixedAssetCreate    = "/v1/assets/assets/create"
	opFixedAssetModernize = "/v1/assets/assets/modernize"
	opFixedAssetDispose   = "/v1/assets/assets/dispose"
	opGroupList           = "/v1/assets/groups/list"
	opGroupCreate         = "/v1/assets/groups/create"
	opPreview             = "/v1/assets/depreciation/preview"
	opDepreciate          = "/v1/assets/depreciation/post"
)

func assetURL(r record) string { return "/ui/assets/" + r.text("id") }

func listAssets(v *visit) (answer, error) {
	p := v.newPage("assets.title")
	p.Links = []link{{Text: v.t("assets.depreciation"), URL: "/ui/assets/depreciation"}}
	none := &empty{Text: v.t("assets.none")}
	if v.can(tenant.WriteLedger) {
		p.Links = append(p.Links, link{Text: v.t("assets.newGroup"), URL: "/ui/assets/groups/new"},
			link{Text: v.t("assets.new"), URL: "/ui/assets/new", Primary: true})
		none.Links = p.Links[1:]
	}
	l := listing{
		operation: opFixedAssetList, file: "assets", sort: "code",
		columns: []column{
			{Title: "field.code", Field: "code", Kind: cellMono, Sort: "code", Link: assetURL},
			{Title: "field.name", Field: "name", Sort: "name", Link: assetURL},
			{Title: "field.acquisitionDate", Field: "acquisitionDate", Kind: cellDate, Sort: "acquisitionDate", Minor: true},
			{Title: "field.status", Field: "status", Kind: cellPill, Sort: "status"},
			{Title: "field.months", Kind: cellNumber, Minor: true, Text: func(_ *visit, r record) string {
				return r.text("depreciatedMonths") + " / " + r.text("totalLifeMonths")
			}},
			{Title: "field.totalCost", Field: "totalCost", Kind: cellMoney, Sort: "totalCost", Total: true},
			{Title: "field.accumulated", Field: "accumulatedDepreciation", Kind: cellMoney, Sort: "accumulatedDepreciation", Total: true, Minor: true},
			{Title: "field.netBook", Field: "netBookValue", Kind: cellMoney, Sort: "netBookValue", Total: true},
		},
		criteria: []criterion{
			{Name: "name", Label: "field.name", Kind: kindText, Op: "contains"},
			{Name: "status", Label: "field.status", Kind: kindSelect, Words: "state.", Values: []string{"active", "fully_depreciated", "disposed"}},
		},
		none: none,
	}
	return l.show(v, p)
}

func (v *visit) assetForm() (*form, error) {
	groups, err := v.everything(opGroupList, map[string]any{}, maxDownload)
	if err != nil {
		return nil, err
	}
	options := []option{{Text: v.t("form.choose")}}
	for _, g := range groups {
		options = append(options, option{Value: g.text("id"), Text: g.text("code") + " " + g.text("name")})
	}
	return &form{
		Action: "/ui/assets/new", Submit: v.t("action.save"),
		Fields: []field{
			{Name: "groupId", Label: v.t("field.group"), Kind: kindSelect, Options: options, Required: true},
			{Name: "code", Label: v.t("field.code"), Kind: kindText, Required: true, Max: 50},
			{Name: "name", Label: v.t("field.name"), Kind: kindText, Required: true, Max: 255},
			{Name: "acquisitionDate", Label: v.t("field.acquisitionDate"), Kind: kindDate, Required: true},
			{Name: "depreciationStartDate", Label: v.t("field.depreciationStart"), Kind: kindDate, Help: v.t("assets.startHelp")},
			{Name: "acquisitionCost", Label: v.t("field.cost"), Kind: kindMoney, Required: true},
			{Name: "salvageValue", Label: v.t("field.salvage"), Kind: kindMoney},
			{Name: "usefulLifeMonths", Label: v.t("field.life"), Kind: kindWhole, Help: v.t("assets.lifeHelp")},
			{Name: "openingAccumulatedDepreciation", Label: v.t("field.openingDepreciation"), Kind: kindMoney, Help: v.t("assets.openingHelp")},
			{Name: "openingDepreciatedMonths", Label: v.t("field.openingMonths"), Kind: kindWhole},
			{Name: "notes", Label: v.t("field.notes"), Kind: kindArea, Wide: true, Max: 2000},
		},
	}, nil
}

func newAsset(v *visit) (answer, error) {
	f, err := v.assetForm()
	if err != nil {
		return nil, err
	}
	p := v.newPage("assets.new")
	p.Crumb = &link{Text: v.t("assets.title"), URL: "/ui/assets"}
	if len(f.Fields[0].Options) == 1 {
		p.add(block{Empty: &empty{Text: v.t("assets.noGroup"), Links: []link{{Text: v.t("assets.newGroup"), URL: "/ui/assets/groups/new", Primary: true}}}})
		return p, nil
	}
	if v.r.Method == http.MethodGet {
		return v.freshForm(p, f)
	}
	return v.submitted(p, f, once(opFixedAssetCreate, f, nil, assetURL))
}

func newAssetGroup(v *visit) (answer, error) {
	accounts, err := v.accounts()
	if err != nil {
		return nil, err
	}
	f := &form{
		Action: "/ui/assets/groups/new", Submit: v.t("action.save"), Lists: []dataList{accounts},
		Fields: []field{
			{Name: "code", Label: v.t("field.code"), Kind: kindText, Required: true, Max: 50},
			{Name: "name", Label: v.t("field.name"), Kind: kindText, Required: true, Max: 255},
			{Name: "defaultUsefulLifeMonths", Label: v.t("field.life"), Kind: kindWhole},
			{Name: "assetAccountCode", Label: v.t("field.assetAccount"), Kind: kindText, List: accounts.ID, Required: true, Max: 20},
			{Name: "depreciationAccountCode", Label: v.t("field.depreciationAccount"), Kind: kindText, List: accounts.ID, Required: true, Max: 20},
			{Name: "expenseAccountCode", Label: v.t("field.expenseAccount"), Kind: kindText, List: accounts.ID, Max: 20, Help: v.t("assets.expenseHelp")},
		},
	}
	p := v.newPage("assets.newGroup")
	p.Crumb = &link{Text: v.t("assets.title"), URL: "/ui/assets"}
	if v.r.Method == http.MethodGet {
		return v.freshForm(p, f)
	}
	return v.submitted(p, f, once(opGroupCreate, f, nil, func(record) string { return "/ui/assets/new" }))
}

func showAsset(v *visit) (answer, error) {
	doc, err := v.query(opFixedAssetGet, v.id())
	if err != nil {
		return nil, err
	}
	p := v.newPage("assets.one", "Code", doc.text("code"), "Name", doc.text("name"))
	p.Crumb = &link{Text: v.t("assets.title"), URL: "/ui/assets"}
	p.Pill = v.state("", doc.text("status"))
	var facts []fact
	for _, f := range []struct{ label, member string }{
		{"field.totalCost", "totalCost"},
		{"field.accumulated", "accumulatedDepreciation"},
		{"field.netBook", "netBookValue"},
		{"field.cost", "acquisitionCost"},
		{"field.salvage", "salvageValue"},
	} {
		facts = append(facts, fact{Label: v.t(f.label), Value: v.lang.amount(doc.text(f.member))})
	}
	facts = append(facts,
		fact{Label: v.t("field.months"), Value: doc.text("depreciatedMonths") + " / " + doc.text("totalLifeMonths")},
		fact{Label: v.t("field.depreciationStart"), Value: doc.text("depreciationStartDate")})
	facts = append(facts, v.plainFacts(doc, "acquisitionDate", "disposalDate", "disposalReason", "notes")...)
	p.add(block{Facts: facts})
	if v.can(tenant.WriteLedger) && doc.text("status") != "disposed" {
		at := assetURL(doc)
		p.add(block{Actions: []action{v.act("assets.modernize", v.modernizeForm(at)), v.act("assets.dispose", v.disposeForm(at))}})
	}
	return p, nil
}

func (v *visit) modernizeForm(at string) *form {
	return &form{
		Action: at + "/modernize", Submit: v.t("assets.modernize"), Lead: v.t("assets.modernizeLead"),
		Fields: []field{
			{Name: "date", Label: v.t("field.date"), Kind: kindDate, Required: true, ID: "modernize-date"},
			{Name: "amount", Label: v.t("field.amount"), Kind: kindMoney, Required: true},
			{Name: "addedLifeMonths", Label: v.t("field.addedMonths"), Kind: kindWhole},
			{Name: "notes", Label: v.t("field.notes"), Kind: kindText, Wide: true, Max: 2000},
		},
	}
}

func (v *visit) disposeForm(at string) *form {
	return &form{
		Action: at + "/dispose", Submit: v.t("assets.dispose"), Danger: true, Lead: v.t("assets.disposeLead"),
		Fields: []field{
			{Name: "date", Label: v.t("field.date"), Kind: kindDate, Required: true, ID: "dispose-date"},
			{Name: "expenseAccountCode", Label: v.t("field.expenseAccount"), Kind: kindText, Max: 20},
			{Name: "reason", Label: v.t("field.reason"), Kind: kindText, Required: true, Wide: true, Max: 500},
		},
	}
}

func modernizeAsset(v *visit) (answer, error) {
	f := v.modernizeForm(v.here("/ui/assets/"))
	return v.runAction(f, once(opFixedAssetModernize, f, v.id(), assetURL), showAsset)
}

func disposeAsset(v *visit) (answer, error) {
	f := v.disposeForm(v.here("/ui/assets/"))
	return v.runAction(f, once(opFixedAssetDispose, f, v.id(), assetURL), showAsset)
}

func (v *visit) depreciationForm(month string) *form {
	return &form{
		Action: "/ui/assets/depreciation/post", Submit: v.t("assets.post", "Month", month),
		Fields: []field{{Name: "month", Kind: kindHidden, Value: month, Local: true}},
	}
}

func showDepreciation(v *visit) (answer, error) {
	m := v.vatMonth()
	out, err := v.query(opPreview, monthBody(m))
	if err != nil {
		return nil, err
	}
	p := v.newPage("assets.depreciation")
	p.Lead = v.t("assets.depreciationLead")
	p.Crumb = &link{Text: v.t("assets.title"), URL: "/ui/assets"}
	columns := []column{
		{Title: "field.code", Field: "code", Kind: cellMono, Sort: "code", Link: func(r record) string { return "/ui/assets/" + r.text("assetId") }},
		{Title: "field.name", Field: "name", Sort: "name"},
		{Title: "field.posted", Field: "alreadyPosted", Words: "yesno."},
		{Title: "field.amount", Field: "amount", Kind: cellMoney, Sort: "amount", Total: true},
	}
	rows := out.list("rows")
	p.add(block{Filters: v.monthBar(m)}, block{Table: v.sheet(sheet{
		File: "depreciation-" + m.String(), Caption: p.Title, Columns: columns, Rows: rows, None: &empty{Text: v.t("assets.nothingDue")},
	})})
	due := false
	for _, r := range rows {
		due = due || !r.isTrue("alreadyPosted")
	}
	if due && v.can(tenant.WriteLedger) {
		f := v.depreciationForm(m.String())
		if v.shown != nil {
			f = v.shown
		}
		p.add(block{Form: v.keyed(f)})
	}
	return p, nil
}

func postDepreciation(v *visit) (answer, error) {
	month := v.r.PostFormValue("month")
	f := v.depreciationForm(month)
	return v.runAction(f, once(opDepreciate, f, yearMonth(month), func(record) string { return "/ui/assets/depreciation?month=" + month }), showDepreciation)
}
