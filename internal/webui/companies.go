package webui

import (
	"net/http"
)

const opCompanyCreate = "/v1/account/companies/create"

func (v *visit) newCompanyForm() *form {
	return &form{
		Action: "/ui/companies/new", Submit: v.t("companies.open"),
		Fields: []field{
			{Name: "name", Label: v.t("field.name"), Kind: kindText, Required: true, Wide: true, Max: 255},
			{Name: "code", Label: v.t("field.code"), Kind: kindText, Max: 64},
			{Name: "vatCode", Label: v.t("field.vatNumber"), Kind: kindText, Max: 64},
			{Name: "countryCode", Label: v.t("field.country"), Kind: kindText, Value: "LT", Max: 2, Help: v.t("companies.countryHelp")},
			{Name: "isVatPayer", Label: v.t("settings.vatPayer"), Kind: kindCheck},
			{Name: "isSandbox", Label: v.t("companies.sandbox"), Kind: kindCheck, Wide: true},
		},
	}
}

// newCompany opens a company and goes on in it. Who cannot choose it, such as an API key, stays where it is.
func newCompany(v *visit) (answer, error) {
	f := v.newCompanyForm()
	p := v.newPage("companies.new")
	p.Lead = v.t("companies.lead")
	p.Crumb = &link{Text: v.t("settings.company"), URL: "/ui/settings"}
	if v.r.Method == http.MethodGet {
		return v.freshForm(p, f)
	}
	return v.submitted(p, f, once(opCompanyCreate, f, nil, func(made record) string {
		if out, err := v.query(opSelect, map[string]any{"companyId": made.text("id")}); err == nil && out.text("token") != "" {
			v.keepSession(out.text("token"))
		}
		return Prefix
	}))
}
