package httpapi

import (
	"bytes"
	"context"
	"time"

	"github.com/vienkart/vienkart/internal/apperr"
	"github.com/vienkart/vienkart/internal/date"
	"github.com/vienkart/vienkart/internal/export"
	"github.com/vienkart/vienkart/internal/tenant"
	"github.com/vienkart/vienkart/internal/vat/isaf"
)

// maxAnsweredFile is the size of a part that an answer carries. Larger periods come in parts.
const maxAnsweredFile = export.MaxFileBytes

func isafOperations(version string) []Operation {
	generate := func(ctx context.Context, r tenant.ReadTx, in generateISAFRequest) (generateISAFResponse, error) {
		return generateISAF(ctx, r, version, in)
	}
	return []Operation{
		reportQuery("/v1/declarations/lt/isaf/generate", tenant.FileReturns, "Make the i.SAF file of a month", generate,
			described("Makes the file of one period, checked as VMI checks it. While errors has anything, xml is empty, so that a file that "+
				"VMI must refuse is not sent by accident; withErrors gives it all the same. Large periods come in parts: xml is the "+
				"part asked for. Documents under cash accounting come with their payments of the period. A correction has the part number of the file it corrects; the numbers made here stay the same for it.")),
	}
}

type generateISAFRequest struct {
	Year               int           `json:"year" minimum:"2016" maximum:"2099" description:"Year of the period."`
	Month              int           `json:"month" minimum:"1" maximum:"12" description:"Month, or the first one of a half-year."`
	Months             *int          `json:"months,omitzero" minimum:"1" maximum:"6" description:"1, or 6 for a payer with half-years; 1 unless given."`
	DataType           isaf.DataType `json:"dataType,omitzero" description:"F both registers, S issued invoices, P received ones; F unless given. A period that was sent as F is corrected as F."`
	PartNumber         string        `json:"partNumber,omitzero" maxLength:"15" description:"Number of the first part: 1 to 15 capital letters, digits and underscores; the data type unless given."`
	Part               *int          `json:"part,omitzero" minimum:"1" maximum:"9999" description:"Which part to give; the first unless given."`
	FiledParts         int           `json:"filedParts,omitzero" minimum:"0" maximum:"9999" description:"How many parts were sent before: parts that are no longer needed are made empty."`
	MaxInvoicesPerPart *int          `json:"maxInvoicesPerPart,omitzero" minimum:"1" maximum:"100000" description:"Most invoices and settlements in a part."`
	NumbersAsStored    bool          `json:"numbersAsStored,omitzero" description:"Leave document numbers as they are; otherwise only their letters and digits are sent."`
	WithErrors         bool          `json:"withErrors,omitzero" description:"Give the file in spite of errors."`
}

type isafCounts struct {
	SalesInvoices    int `json:"salesInvoices" description:"Issued invoices."`
	PurchaseInvoices int `json:"purchaseInvoices" description:"Received invoices."`
	Customers        int `json:"customers" description:"Customers, once in each part."`
	Suppliers        int `json:"suppliers" description:"Suppliers, once in each part."`
	Settlements      int `json:"settlements" description:"Payments of documents under cash accounting."`
}

type isafProblem struct {
	Code       string     `json:"code,omitzero" description:"Code of VMI's check."`
	Message    string     `json:"message" description:"What is wrong."`
	DocumentID *tenant.ID `json:"documentId,omitzero" description:"Document it is about."`
	Number     string     `json:"number,omitzero" description:"Number of the document."`
}

type isafPart struct {
	PartNumber string     `json:"partNumber" description:"Number of the part."`
	FileName   string     `json:"fileName" description:"Name for its file."`
	Counts     isafCounts `json:"counts" description:"What is in it."`
}

type generateISAFResponse struct {
	FileName        string        `json:"fileName" description:"Name for the file."`
	PeriodStart     date.Date     `json:"periodStart" description:"First day."`
	PeriodEnd       date.Date     `json:"periodEnd" description:"Last day."`
	Counts          isafCounts    `json:"counts" description:"What is in all parts."`
	Warnings        []string      `json:"warnings" description:"What to look at, errors among them."`
	XML             string        `json:"xml" description:"The file; empty while there are errors."`
	Errors          []isafProblem `json:"errors" description:"What VMI would refuse."`
	Parts           []isafPart    `json:"parts" description:"The parts of the period."`
	OmittedProblems int           `json:"omittedProblems" description:"Problems past the first thousand errors and warnings."`
	Drafts          int           `json:"drafts" description:"Drafts dated in the period; they are left out."`
}

func generateISAF(ctx context.Context, r tenant.ReadTx, version string, in generateISAFRequest) (generateISAFResponse, error) {
	options, err := in.options(r, version)
	if err != nil {
		return generateISAFResponse{}, err
	}
	filing, err := isaf.Prepare(ctx, r, options)
	if err != nil {
		return generateISAFResponse{}, err //nolint:wrapcheck // a refusal of the domain is the answer
	}
	part := 0
	if in.Part != nil {
		part = *in.Part - 1
	}
	if part >= len(filing.Parts) {
		return generateISAFResponse{}, apperr.Invalid("part", "must be 1 to %d", len(filing.Parts))
	}
	out := toISAF(filing, options.Period, part)
	if out.Drafts, err = draftsIn(ctx, r, options.Period.From, options.Period.To); err != nil {
		return out, err
	}
	out.Warnings = append(out.Warnings, draftsWarning(out.Drafts)...)
	if filing.Blocked() || (filing.Errors > 0 && !in.WithErrors) {
		return out, nil
	}
	var b bytes.Buffer
	b.Grow(int(filing.Parts[part].Bytes))
	if err := filing.Write(part, &b); err != nil {
		return out, err //nolint:wrapcheck // says what was written
	}
	out.XML = b.String()
	return out, nil
}

func (in generateISAFRequest) options(r tenant.ReadTx, version string) (isaf.Options, error) {
	perPart := 0
	if in.MaxInvoicesPerPart != nil {
		perPart = *in.MaxInvoicesPerPart
	}
	period, err := in.period()
	return isaf.Options{
		Period: period, DataType: in.DataType, CreatedAt: r.Now().In(zoneOf(r.Company())),
		Software:   isaf.Software{Company: software, Name: software, Version: version},
		PartNumber: in.PartNumber, FiledParts: in.FiledParts, NumbersAsStored: in.NumbersAsStored,
		MaxInvoices: perPart, MaxBytes: maxAnsweredFile,
	}, err
}

// zoneOf is where a company's days are counted; an operator who removes zone data gets UTC.
func zoneOf(c tenant.Company) *time.Location {
	zone, err := time.LoadLocation(c.TimeZone)
	if err != nil {
		return time.UTC
	}
	return zone
}

func toISAF(f *isaf.Filing, p isaf.Period, part int) generateISAFResponse {
	out := generateISAFResponse{
		FileName: f.Parts[part].FileName, PeriodStart: p.From, PeriodEnd: p.To, OmittedProblems: f.Omitted,
		Counts: isafCounts{f.SalesInvoices, f.PurchaseInvoices, f.Customers, f.Suppliers, f.Settlements},
	}
	for _, part := range f.Parts {
		counts := isafCounts{part.SalesInvoices, part.PurchaseInvoices, part.Customers, part.Suppliers, part.Settlements}
		out.Parts = append(out.Parts, isafPart{part.Number, part.FileName, counts})
	}
	for _, problem := range f.Problems {
		message := problem.Message
		if problem.Code != "" {
			message = problem.Code + " " + message
		}
		if problem.Level == isaf.LevelError {
			message = "Error: " + message
			out.Errors = append(out.Errors, toISAFProblem(problem))
		}
		out.Warnings = append(out.Warnings, message)
	}
	return out
}

func toISAFProblem(p isaf.Problem) isafProblem {
	problem := isafProblem{Code: p.Code, Message: p.Message, Number: p.Number}
	if !p.DocumentID.IsZero() {
		problem.DocumentID = &p.DocumentID
	}
	return problem
}
