package submission

import (
	"context"

	"github.com/vienkart/vienkart/internal/clock"
	"github.com/vienkart/vienkart/internal/date"
	"github.com/vienkart/vienkart/internal/tenant"
	"github.com/vienkart/vienkart/internal/vat/register"
)

// Obligation is what is reported.
type Obligation string

// ISAF is the registers of issued and received VAT invoices.
const ISAF Obligation = "lt-isaf"

// Enum lists the allowed values.
func (Obligation) Enum() []any { return []any{ISAF} }

// Status is how far a submission is.
type Status string

// The states.
const (
	Generated Status = "generated" // the file was made and kept
	Submitted Status = "submitted" // the company uploaded it
	Accepted  Status = "accepted"  // the authority took it
	Rejected  Status = "rejected"  // the authority refused it
)

// Enum lists the allowed values.
func (Status) Enum() []any { return []any{Generated, Submitted, Accepted, Rejected} }

// Submission is a file that was made for a period.
type Submission struct {
	tenant.Row
	Obligation  Obligation
	PeriodYear  int
	PeriodMonth int
	PeriodFrom  date.Date
	PeriodTo    date.Date
	// Variant is the data type of i.SAF.
	Variant    string
	PartNumber string
	Status     Status
	FileID     tenant.ID
	FileName   string
	FileSHA256 []byte `gorm:"column:file_sha256"`
	// ContentSHA256 is the digest without what differs each time the file is made.
	ContentSHA256 []byte `gorm:"column:content_sha256"`
	// CorrectsID is the submission of the same part that was sent before, or nil.
	CorrectsID *tenant.ID
	// RowCount and the sums, in minor units of the base currency, are of the rows of the register that the file was made from.
	RowCount     int
	BaseNetMinor int64
	BaseVATMinor int64
	ExternalRef  *string
	Message      *string
	CreatedAt    clock.Time
	UpdatedAt    clock.Time
}

// TableName names the table for the mapper.
func (Submission) TableName() string { return "vat_submissions" }

// entity is what submissions are called in the audit log, in events and by files.
const entity = "declaration_submission"

// sides are the registers that a variant has.
func (s Submission) sides() []register.Direction {
	switch s.Variant {
	case "S":
		return []register.Direction{register.Sales}
	case "P":
		return []register.Direction{register.Purchases}
	}
	return []register.Direction{register.Purchases, register.Sales}
}

var listing = tenant.Listing{
	Sources: []tenant.Source{{
		From: "vat_submissions",
		Fields: map[string]tenant.Field{
			"id":          tenant.IDField("id"),
			"obligation":  tenant.TextField("obligation"),
			"periodYear":  tenant.IntField("period_year"),
			"periodMonth": tenant.IntField("period_month"),
			"variant":     tenant.TextField("variant"),
			"status":      tenant.TextField("status"),
			"fileName":    tenant.TextField("file_name"),
			"externalRef": tenant.TextField("external_ref"),
			"createdAt":   tenant.TimeField("created_at"),
			"updatedAt":   tenant.TimeField("updated_at"),
		},
	}},
	Order: []tenant.Sort{{Field: "createdAt", Dir: "desc"}},
}

// List reads a page of submissions, the latest first unless asked otherwise.
func List(ctx context.Context, r tenant.ReadTx, q tenant.ListQuery) (tenant.Page[Submission], error) {
	return tenant.ListRows[Submission](ctx, r, q, listing) //nolint:wrapcheck // names the field at fault
}

// Previous is the latest submission of a variant of a period that was sent, or nil: the one that the next file corrects.
func Previous(ctx context.Context, r tenant.Reader, o Obligation, from date.Date, variant string) (*Submission, error) {
	return tenant.QueryOne[Submission](ctx, r, `SELECT * FROM vat_submissions WHERE company_id = @company AND obligation = ?
		AND period_from = ? AND variant = ? AND status IN ('submitted', 'accepted') ORDER BY created_at DESC, id DESC LIMIT 1`, o, from, variant) //nolint:wrapcheck // a plain read
}
