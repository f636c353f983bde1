package httpapi

import (
	"context"
	"slices"
	"strconv"

	"github.com/vienkart/vienkart/internal/date"
	"github.com/vienkart/vienkart/internal/money"
	"github.com/vienkart/vienkart/internal/tenant"
	"github.com/vienkart/vienkart/internal/vat"
	"github.com/vienkart/vienkart/internal/vat/fr0600"
	"github.com/vienkart/vienkart/internal/vat/register"
)

// declarationOperations compute returns and make files from the VAT register. They store nothing: an answer can be computed again.
func declarationOperations(version string) []Operation {
	return slices.Concat(isafOperations(version), saftOperations(version), []Operation{
		reportQuery("/v1/declarations/lt/fr0600/compute", tenant.FileReturns, "Compute the VAT return FR0600", computeFR0600,
			described("Adds up the VAT register of a month, a quarter (months 3) or a half-year (months 6). Values are whole euro, each "+
				"box rounded once; exact has the cents. documentsOf lists the documents behind one box, withFile adds the file of the "+
				"form, version 02.")),
		reportQuery("/v1/declarations/vat/tie-out", tenant.FileReturns, "Compare the VAT of a month in all its places", tieOut,
			described("Compares FR0600, i.SAF, the VAT register and the VAT accounts of the ledger, and lists for every difference the "+
				"documents and entries that make it. Entries without a document, such as the payment of VAT, are differences too.")),
	})
}

type computeFR0600Request struct {
	Year             int    `json:"year" minimum:"2010" maximum:"2099" description:"Year of the period."`
	Month            int    `json:"month" minimum:"1" maximum:"12" description:"First month of the period."`
	Months           *int   `json:"months,omitzero" minimum:"1" maximum:"6" description:"Length of the period: 1, 3 or 6 months; 1 unless given."`
	DeductionPercent *int   `json:"deductionPercent,omitzero" minimum:"0" maximum:"100" description:"Share of input VAT that may be deducted; 100 unless given. 96 to 99 count as 100, as the form wants."`
	DocumentsOf      string `json:"documentsOf,omitzero" maxLength:"3" description:"Box whose documents to list, such as 29."`
	WithFile         bool   `json:"withFile,omitzero" description:"Add the file of the form for VMI's filling program."`
	ActivityCode     string `json:"activityCode,omitzero" pattern:"^[0-9]{6}$" description:"Code of the activity (EVRK) for box 10 of the file."`
	Corrected        bool   `json:"corrected,omitzero" description:"The file replaces a return that was filed."`
}

type fr0600Field struct {
	Field string `json:"field" description:"Box of the form: 11 to 36, or 29A."`
	Label string `json:"label" description:"What the box holds."`
	Value string `json:"value" description:"Whole euro; box 28 in per cent."`
	Exact string `json:"exact" description:"The same before rounding."`
}

type fr0600Feed struct {
	Direction     register.Direction `json:"direction" description:"Side of the register."`
	TaxCode       *string            `json:"taxCode,omitzero" description:"Classifier code; absent for domestic purchases without one."`
	Net           money.Amount       `json:"net" description:"Taxable value in euro."`
	VAT           money.Amount       `json:"vat" description:"VAT in euro."`
	TaxableFields []string           `json:"taxableFields" description:"Boxes that the taxable value enters."`
	VATFields     []string           `json:"vatFields" description:"Boxes that the VAT enters."`
}

type invoiceCounts struct {
	SalesInvoices    int `json:"salesInvoices" description:"Sales documents, cancelled ones left out."`
	PurchaseInvoices int `json:"purchaseInvoices" description:"Purchase documents."`
}

type fr0600Finding struct {
	Message string   `json:"message" description:"What is wrong and what to do."`
	Fields  []string `json:"fields" description:"Boxes it is about."`
}

type fr0600Document struct {
	Direction    register.Direction   `json:"direction" description:"Side of the register."`
	DocumentType string               `json:"documentType" description:"Sort of document."`
	DocumentID   tenant.ID            `json:"documentId" description:"Id of the document."`
	Number       string               `json:"number" description:"Number of the document."`
	Date         date.Date            `json:"date" description:"Date of the document."`
	RegisterDate date.Date            `json:"registerDate" description:"Day that puts it into the period."`
	InvoiceType  register.InvoiceType `json:"invoiceType" description:"Type in i.SAF."`
	PartnerName  string               `json:"partnerName" description:"The other side."`
	TaxCode      *string              `json:"taxCode,omitzero" description:"Classifier code."`
	Amount       string               `json:"amount" description:"What it enters the box with, exact."`
}

type fr0600File struct {
	FileName string `json:"fileName" description:"Name for the file."`
	FFData   string `json:"ffdata" description:"Content of the file."`
}

type computeFR0600Response struct {
	PeriodStart      date.Date       `json:"periodStart" description:"First day."`
	PeriodEnd        date.Date       `json:"periodEnd" description:"Last day."`
	DeductionPercent int             `json:"deductionPercent" description:"Share used, box 28."`
	Fields           []fr0600Field   `json:"fields" description:"Boxes in the order of the form."`
	Breakdown        []fr0600Feed    `json:"breakdown" description:"What each side has under each code, and where it goes."`
	Counts           invoiceCounts   `json:"counts" description:"Documents in the return."`
	Warnings         []string        `json:"warnings" description:"What to look at, errors among them."`
	Notes            []string        `json:"notes" description:"How it was computed."`
	Errors           []fr0600Finding `json:"errors" description:"What VMI's form refuses."`
	Drafts           int             `json:"drafts" description:"Drafts dated in the period; they are left out."`
	// Documents is nil unless a box was asked for.
	Documents        []fr0600Document `json:"documents,omitzero" description:"Documents behind the box asked for."`
	OmittedDocuments int              `json:"omittedDocuments,omitzero" description:"Documents left out of a long list."`
	File             *fr0600File      `json:"file,omitzero" description:"File of the form, where asked for."`
}

func computeFR0600(ctx context.Context, r tenant.ReadTx, in computeFR0600Request) (computeFR0600Response, error) {
	percent := fr0600.Full
	if in.DeductionPercent != nil {
		percent = *in.DeductionPercent
	}
	period, err := in.period()
	if err != nil {
		return computeFR0600Response{}, err
	}
	ret, err := fr0600.Compute(ctx, r, period, percent)
	if err != nil {
		return computeFR0600Response{}, err //nolint:wrapcheck // a refusal of the domain is the answer
	}
	out := toFR0600(ret)
	if out.Drafts, err = draftsIn(ctx, r, period.From, period.To); err != nil {
		return out, err
	}
	out.Warnings = append(out.Warnings, draftsWarning(out.Drafts)...)
	if in.DocumentsOf != "" {
		if err := out.list(ctx, r, ret, vat.Box(in.DocumentsOf)); err != nil {
			return out, err
		}
	}
	if in.WithFile {
		out.File, err = fileOfFR0600(ret, fr0600.Form{Program: software, ActivityCode: in.ActivityCode, Corrected: in.Corrected})
	}
	return out, err
}

func toFR0600(ret *fr0600.Return) computeFR0600Response {
	out := computeFR0600Response{
		PeriodStart: ret.Period.From, PeriodEnd: ret.Period.To, DeductionPercent: ret.DeductionPercent, Notes: ret.Notes(),
		Counts: invoiceCounts{ret.SalesInvoices, ret.PurchaseInvoices},
	}
	for _, v := range ret.Boxes {
		out.Fields = append(out.Fields, fr0600Field{string(v.Box), v.Label, strconv.FormatInt(v.Whole, 10), v.Exact.String()})
	}
	for _, f := range ret.Breakdown {
		out.Breakdown = append(out.Breakdown, fr0600Feed{f.Direction, f.Code, f.Net, f.VAT, boxNames(f.TaxableBoxes), boxNames(f.VATBoxes)})
	}
	for _, w := range ret.Warnings {
		message := w.Message
		if w.Level == fr0600.LevelError {
			message = "Error: " + message
			out.Errors = append(out.Errors, fr0600Finding{w.Message, boxNames(w.Boxes)})
		}
		out.Warnings = append(out.Warnings, message)
	}
	return out
}

func boxNames(boxes []vat.Box) []string {
	names := make([]string, len(boxes))
	for i, b := range boxes {
		names[i] = string(b)
	}
	return names
}
