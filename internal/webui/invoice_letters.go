package webui

import (
	"encoding/base64"
	"fmt"
)

// letterColumns show where a document was sent, and what became of it.
func letterColumns() []column {
	return []column{
		{Title: "field.createdAt", Field: "createdAt", Kind: cellTime},
		{Title: "field.email", Field: "to"},
		{Title: "field.status", Field: "status", Kind: cellPill},
		{Title: "field.attempts", Field: "attempts", Kind: cellNumber, Minor: true},
		{Title: "field.lastError", Field: "lastError", Minor: true},
		{Title: "field.endedAt", Field: "endedAt", Kind: cellTime, Minor: true},
	}
}

// sendForm mails a document. The languages are named in themselves.
func (v *visit) sendForm(at string) *form {
	return &form{
		Action: at + "/send", Submit: v.t("invoices.send"), Lead: v.t("invoices.sendLead"),
		Fields: []field{
			{Name: "to", Label: v.t("field.email"), Kind: kindEmail, Max: 254, Help: v.t("invoices.sendToHelp")},
			{Name: "locale", Label: v.t("field.language"), Kind: kindSelect, Options: []option{
				{Text: v.t("invoices.languageOfBuyer")}, {Value: "lt", Text: "Lietuvių"}, {Value: "en", Text: "English"}, {Value: "ru", Text: "Русский"},
			}},
		},
	}
}

func sendInvoice(v *visit) (answer, error) {
	f := v.sendForm(v.here("/ui/invoices/"))
	return v.runAction(f, once(opSalesSend, f, v.id(), saleURL), showInvoice)
}

func invoicePDF(v *visit) (answer, error) {
	in := v.id()
	if v.lang.Tag != "ja" { // the API writes documents in other languages
		in["locale"] = v.lang.Tag
	}
	out, err := v.query(opSalesPDF, in)
	if err != nil {
		return nil, err
	}
	body, err := base64.StdEncoding.DecodeString(out.text("data"))
	if err != nil {
		return nil, fmt.Errorf("reading a PDF: %w", err)
	}
	return download{name: out.text("fileName"), contentType: out.text("contentType"), body: body}, nil
}
