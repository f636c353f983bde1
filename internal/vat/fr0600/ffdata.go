package fr0600

import (
	"bytes"
	"encoding/xml"
	"fmt"
	"io"
	"strconv"
	"strings"

	"github.com/vienkart/vienkart/internal/vat"
)

// formDefinition is version 02 of the form in VMI's filling program.
const formDefinition = "{DFDCC8EC-FFAB-4AA2-92E3-E20980272B19}"

// cells is what fields for name, address and e-mail hold.
const cells = 30

// Form says what a file of the form needs beside the return.
type Form struct {
	// Program is the name of the program that made the file.
	Program string
	// ActivityCode is the EVRK code of six digits for box 10; empty leaves the box to the person who files.
	ActivityCode string
	// Corrected marks a return that replaces one that was filed (field E8).
	Corrected bool
}

// WriteFFData writes the return in the format of VMI's filling program, form version 02. It has no field for box 29A; the return
// warns of that from 2026. An empty box is an empty field, as the form's own script writes it.
func (ret *Return) WriteFFData(w io.Writer, form Form) error {
	var b bytes.Buffer
	fields := ret.fields(form)
	b.WriteString(xml.Header)
	fmt.Fprintf(&b, "<FFData Version=\"1\" CreatedByApp=\"%[1]s\" CreatedByLogin=\"%[1]s\" CreatedOn=\"%[2]s\">\n", escaped(form.Program), ret.today)
	fmt.Fprintf(&b, "<Form FormDefId=\"%s\">\n", formDefinition)
	b.WriteString("<DocumentPages>\n<Group Name=\"Visa forma\">\n<ListPages>\n<ListPage>FR0600</ListPage>\n</ListPages>\n</Group>\n</DocumentPages>\n")
	fmt.Fprintf(&b, "<Pages Count=\"1\">\n<Page PageDefName=\"FR0600\" PageNumber=\"1\">\n<Fields Count=\"%d\">\n", len(fields))
	for _, f := range fields {
		fmt.Fprintf(&b, "<Field Name=\"%s\">%s</Field>\n", f.name, escaped(f.value))
	}
	b.WriteString("</Fields>\n</Page>\n</Pages>\n</Form>\n</FFData>\n")
	if _, err := w.Write(b.Bytes()); err != nil {
		return fmt.Errorf("writing the file of FR0600: %w", err)
	}
	return nil
}

type formField struct{ name, value string }

// fields are the 40 fields of the form in its order.
func (ret *Return) fields(form Form) []formField {
	c := ret.company
	list := []formField{
		{"B_MM_Pavad", fitting(c.Name)},
		{"B_MM_ID", text(c.Code)},
		{"LT", ""},
		{"B_MM_PVM", strings.TrimPrefix(text(c.VATCode), "LT")},
		{"B_MM_Adresas", fitting(joined(text(c.Street), text(c.City)))},
		{"B_MM_Epastas", fitting(text(c.Email))},
		{"B_UzpildData", ret.today.String()},
		{"B_ML_DataNuo", ret.Period.From.String()},
		{"B_ML_DataIki", ret.Period.To.String()},
		{"E10", form.ActivityCode},
	}
	for _, caption := range captions {
		if caption.box != boxTwelveVAT {
			list = append(list, formField{"E" + string(caption.box), ret.cell(caption.box)})
		}
	}
	original := "1"
	if form.Corrected {
		original = "2"
	}
	return append(list, formField{"B_FormNr", ""}, formField{"B_FormVerNr", ""}, formField{"E8", original}, formField{"E9", "1"})
}

// cell is a box as text: nothing for nothing, but for the share, which the form demands.
func (ret *Return) cell(box vat.Box) string {
	whole := ret.Whole(box)
	if whole == 0 && box != boxDeductionPercent {
		return ""
	}
	return strconv.FormatInt(whole, 10)
}

// fitting is a text as the form's cells take it.
func fitting(s string) string {
	runes := []rune(strings.ToUpper(s))
	return strings.TrimSpace(string(runes[:min(len(runes), cells)]))
}

func joined(parts ...string) string {
	var filled []string
	for _, p := range parts {
		if p != "" {
			filled = append(filled, p)
		}
	}
	return strings.Join(filled, ", ")
}

func text(s *string) string {
	if s == nil {
		return ""
	}
	return *s
}

func escaped(s string) string {
	var b bytes.Buffer
	_ = xml.EscapeText(&b, []byte(s)) // a buffer takes everything
	return b.String()
}
