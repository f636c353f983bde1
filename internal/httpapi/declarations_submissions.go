package httpapi

import (
	"bytes"
	"context"
	"fmt"

	"github.com/vienkart/vienkart/internal/clock"
	"github.com/vienkart/vienkart/internal/date"
	"github.com/vienkart/vienkart/internal/files"
	"github.com/vienkart/vienkart/internal/money"
	"github.com/vienkart/vienkart/internal/tenant"
	"github.com/vienkart/vienkart/internal/vat/isaf"
	"github.com/vienkart/vienkart/internal/vat/register"
	"github.com/vienkart/vienkart/internal/vat/submission"
)

// submissionHandlers keep what is sent to the tax authority.
type submissionHandlers struct {
	version string
	depot   files.Depot
}

func submissionOperations(version string, depot files.Depot) []Operation {
	h := submissionHandlers{version, depot}
	return []Operation{
		mutation("/v1/declarations/submissions/create", tenant.FileReturns, "Make and keep a file for the tax authority", h.create,
			about("declaration_submission"),
			described("Makes the i.SAF file of a period and keeps it with the rows of the VAT register it was made from. Nothing is sent: "+
				"fetch the file by files/get, upload it, and say what came of it by submissions/mark. The same content is kept once for a "+
				"period, whatever the key. A correction bears the part number of the file that was sent before.")),
		mutation("/v1/declarations/submissions/mark", tenant.FileReturns, "Say what became of a file", markSubmission,
			about("declaration_submission"),
			described("generated becomes submitted, accepted or rejected; submitted becomes accepted or rejected; a rejected file may be "+
				"submitted once more. Saying a status again keeps it and may add a reference or a message.")),
		query("/v1/declarations/submissions/list", tenant.FileReturns, "List files for the tax authority", listSubmissions),
		query("/v1/declarations/submissions/late-changes", tenant.FileReturns, "List what came into a period after its file", lateChanges,
			described("Compares the register of the period, and payments under cash accounting, with those that the file was made from. While a list is not empty "+
				"the period must be corrected: make another submission of the same data type; it bears the same part number.")),
	}
}

type createSubmissionRequest struct {
	Obligation      submission.Obligation `json:"obligation" description:"What to report: lt-isaf."`
	Year            int                   `json:"year" minimum:"2016" maximum:"2099" description:"Year of the period."`
	Month           int                   `json:"month" minimum:"1" maximum:"12" description:"Month, or the first one of a half-year."`
	Months          *int                  `json:"months,omitzero" minimum:"1" maximum:"6" description:"1, or 6 for a payer with half-years; 1 unless given."`
	DataType        isaf.DataType         `json:"dataType,omitzero" description:"F both registers, S issued invoices, P received ones; F unless given."`
	PartNumber      string                `json:"partNumber,omitzero" maxLength:"15" description:"Part number of the file that was sent before by another program; otherwise the server knows it."`
	NumbersAsStored bool                  `json:"numbersAsStored,omitzero" description:"Leave document numbers as they are."`
}

type submissionMembers struct {
	ID          tenant.ID             `json:"id" description:"Id of the submission."`
	Obligation  submission.Obligation `json:"obligation" description:"What is reported."`
	PeriodYear  int                   `json:"periodYear" description:"Year of the period."`
	PeriodMonth int                   `json:"periodMonth" description:"Its first month."`
	Variant     string                `json:"variant" description:"Data type of i.SAF."`
	Status      submission.Status     `json:"status" description:"How far it is."`
	FileName    string                `json:"fileName" description:"Name of the file."`
	FileID      tenant.ID             `json:"fileId" description:"Id for files/get."`
	ExternalRef *string               `json:"externalRef,omitzero" description:"What the authority calls it."`
	Message     *string               `json:"message,omitzero" description:"What the authority said."`
	CreatedAt   clock.Time            `json:"createdAt" description:"When it was made."`
	UpdatedAt   clock.Time            `json:"updatedAt" description:"When it last changed."`
	PartNumber  string                `json:"partNumber" description:"Part number in the file."`
	SHA256      string                `json:"sha256" description:"SHA-256 of the file, in hexadecimal."`
	CorrectsID  *tenant.ID            `json:"correctsId,omitzero" description:"The submission that was sent before for the same part."`
	Rows        int                   `json:"rows" description:"Rows of the VAT register in it."`
}

func toSubmission(s submission.Submission) submissionMembers {
	return submissionMembers{
		s.ID, s.Obligation, s.PeriodYear, s.PeriodMonth, s.Variant, s.Status, s.FileName, s.FileID, s.ExternalRef, s.Message, s.CreatedAt,
		s.UpdatedAt, s.PartNumber, fmt.Sprintf("%x", s.FileSHA256), s.CorrectsID, s.RowCount,
	}
}

type createSubmissionResponse struct {
	submissionMembers
	Warnings []string `json:"warnings" description:"What to look at before it is sent."`
}

func (h submissionHandlers) create(ctx context.Context, tx tenant.Tx, in createSubmissionRequest) (createSubmissionResponse, error) {
	generate := generateISAFRequest{
		Year: in.Year, Month: in.Month, Months: in.Months, DataType: in.DataType, PartNumber: in.PartNumber, NumbersAsStored: in.NumbersAsStored,
	}
	options, err := generate.options(tx.ReadTx, h.version)
	if err != nil {
		return createSubmissionResponse{}, err
	}
	if options.DataType == "" {
		options.DataType = isaf.Full
	}
	if err := h.keepPartNumber(ctx, tx, in.Obligation, &options); err != nil {
		return createSubmissionResponse{}, err
	}
	rows, err := submission.Take(ctx, tx, options.Period.From, options.Period.To, options.DataType.Sides())
	if err != nil {
		return createSubmissionResponse{}, err //nolint:wrapcheck // a refusal of the domain is the answer
	}
	filing, err := isaf.PrepareFrom(tx.Company(), isaf.Source{Documents: rows.Documents, Payments: rows.Payments}, options)
	if err != nil {
		return createSubmissionResponse{}, err //nolint:wrapcheck // a refusal of the domain is the answer
	}
	if err := sendable(filing); err != nil {
		return createSubmissionResponse{}, err
	}
	var b bytes.Buffer
	if err := filing.Write(0, &b); err != nil {
		return createSubmissionResponse{}, err //nolint:wrapcheck // says what was written
	}
	s, err := submission.Create(ctx, tx, h.depot, rows, submission.CreateInput{
		Obligation: in.Obligation, Variant: string(options.DataType), PartNumber: filing.Parts[0].Number, FileName: filing.Parts[0].FileName,
		MIMEType: "application/xml", File: b.Bytes(), ContentSHA256: isaf.ContentDigest(b.Bytes()),
	})
	if err != nil {
		return createSubmissionResponse{}, err //nolint:wrapcheck // a refusal of the domain is the answer
	}
	drafts, err := draftsIn(ctx, tx, rows.From, rows.To)
	return createSubmissionResponse{toSubmission(*s), append(toISAF(filing, options.Period, 0).Warnings, draftsWarning(drafts)...)}, err
}

// keepPartNumber gives a correction the part number of the file that was sent.
func (h submissionHandlers) keepPartNumber(ctx context.Context, r tenant.Reader, o submission.Obligation, options *isaf.Options) error {
	if options.PartNumber != "" {
		return nil
	}
	sent, err := submission.Previous(ctx, r, o, options.Period.From, string(options.DataType))
	if err == nil && sent != nil {
		options.PartNumber = sent.PartNumber
	}
	return err //nolint:wrapcheck // says what was read
}

// listedFaults is how many faults a refusal names; isaf/generate lists all.
const listedFaults = 20

// sendable refuses what cannot be one file that the authority takes.
func sendable(f *isaf.Filing) error {
	if len(f.Parts) > 1 {
		return submission.ErrTooLarge.New("The period needs %d files. Make them by declarations/lt/isaf/generate and keep them yourself.", len(f.Parts))
	}
	if !f.Blocked() && f.Errors == 0 {
		return nil
	}
	faults := []isafProblem{}
	for _, p := range f.Problems {
		if p.Level == isaf.LevelError && len(faults) < listedFaults {
			faults = append(faults, toISAFProblem(p))
		}
	}
	first := ""
	if len(faults) > 0 {
		first = " The first: " + faults[0].Message
	}
	return submission.ErrFaulty.New("VMI would refuse the file for %d faults; declarations/lt/isaf/generate lists them.%s", f.Errors, first).
		Detail("errors", faults)
}

type markSubmissionRequest struct {
	ID          tenant.ID         `json:"id" description:"Id of the submission."`
	Status      submission.Status `json:"status" description:"submitted, accepted or rejected."`
	ExternalRef *string           `json:"externalRef,omitzero" maxLength:"255" description:"What the authority calls it."`
	Message     *string           `json:"message,omitzero" maxLength:"2000" description:"What the authority said."`
}

func markSubmission(ctx context.Context, tx tenant.Tx, in markSubmissionRequest) (submissionMembers, error) {
	s, err := submission.Mark(ctx, tx, submission.MarkInput(in))
	if err != nil {
		return submissionMembers{}, err //nolint:wrapcheck // a refusal of the domain is the answer
	}
	return toSubmission(*s), nil
}

func listSubmissions(ctx context.Context, r tenant.ReadTx, q tenant.ListQuery) (tenant.Page[submissionMembers], error) {
	page, err := submission.List(ctx, r, q)
	return tenant.MapPage(page, toSubmission), err
}

type lateRow struct {
	Direction    register.Direction   `json:"direction" description:"Side of the register."`
	DocumentType string               `json:"documentType" description:"Sort of document."`
	DocumentID   tenant.ID            `json:"documentId" description:"Id of the document."`
	Number       string               `json:"number" description:"Number of the document."`
	Date         date.Date            `json:"date" description:"Date of the document."`
	RegisterDate date.Date            `json:"registerDate" description:"Day that puts it into the period."`
	Event        register.Event       `json:"event" description:"recorded, cancelled or advance_applied."`
	InvoiceType  register.InvoiceType `json:"invoiceType" description:"Type in i.SAF."`
	PartnerName  string               `json:"partnerName" description:"The other side."`
	TaxCode      *string              `json:"taxCode,omitzero" description:"Classifier code."`
	Net          money.Amount         `json:"net" description:"Taxable value in the base currency."`
	VAT          money.Amount         `json:"vat" description:"VAT in the base currency."`
	RecordedAt   clock.Time           `json:"recordedAt" description:"When it came into the register."`
}

type latePayment struct {
	Direction    register.Direction `json:"direction" description:"Side of the register of the document that was paid."`
	DocumentType string             `json:"documentType" description:"Sort of document."`
	DocumentID   tenant.ID          `json:"documentId" description:"Id of the document."`
	Number       string             `json:"number" description:"Number of the document."`
	Date         date.Date          `json:"date" description:"Day of the payment."`
	PartnerName  string             `json:"partnerName" description:"The other side."`
	Net          money.Amount       `json:"net" description:"Taxable value that was paid, in the base currency."`
	VAT          money.Amount       `json:"vat" description:"VAT that was paid, in the base currency."`
}

type lateChangesResponse struct {
	Submission    submissionMembers `json:"submission" description:"The submission."`
	Rows          []lateRow         `json:"rows" description:"Rows of the register that its file does not have, up to 2000."`
	Total         int64             `json:"total" description:"How many there are."`
	Payments      []latePayment     `json:"payments" description:"Payments of documents under cash accounting that its file does not have as they are now, up to 2000."`
	TotalPayments int64             `json:"totalPayments" description:"How many payments there are."`
	ReplacedByID  *tenant.ID        `json:"replacedById,omitzero" description:"The latest submission that corrects it."`
}

func lateChanges(ctx context.Context, r tenant.ReadTx, in idRequest) (lateChangesResponse, error) {
	late, err := submission.LateChanges(ctx, r, in.ID)
	if err != nil {
		return lateChangesResponse{}, err //nolint:wrapcheck // a refusal of the domain is the answer
	}
	out := lateChangesResponse{Submission: toSubmission(late.Submission), Total: late.Total, TotalPayments: late.TotalPayments, ReplacedByID: late.ReplacedByID}
	base := r.Company().BaseCurrency
	for _, row := range late.Rows {
		out.Rows = append(out.Rows, lateRow{
			row.Direction, row.DocumentType, row.DocumentID, row.DocumentNumber, row.DocumentDate, row.RegisterDate, row.Event, row.InvoiceType,
			row.PartnerName, row.VATCode, money.New(row.BaseNetMinor, base), money.New(row.BaseVATMinor, base), row.CreatedAt,
		})
	}
	for _, p := range late.Payments {
		net, tax := p.Sums(base)
		out.Payments = append(out.Payments, latePayment{
			p.Document.Direction, p.Document.DocumentType, p.Document.DocumentID, p.Document.DocumentNumber, p.Date, p.Document.PartnerName, net, tax,
		})
	}
	return out, nil
}
