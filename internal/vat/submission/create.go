package submission

import (
	"context"
	"fmt"

	"github.com/vienkart/vienkart/internal/audit"
	"github.com/vienkart/vienkart/internal/files"
	"github.com/vienkart/vienkart/internal/tenant"
	"github.com/vienkart/vienkart/internal/webhook"
)

// whole is the variant with both registers in one file.
const whole = "F"

// CreateInput is a file that was made from Rows.
type CreateInput struct {
	Obligation Obligation
	Variant    string
	PartNumber string
	FileName   string
	MIMEType   string
	File       []byte
	// ContentSHA256 is the digest of the file without what differs each time it is made.
	ContentSHA256 [32]byte
}

// Create keeps a file with the rows it was made from. Errors: submission.duplicate, submission.division.
func Create(ctx context.Context, tx tenant.Tx, depot files.Depot, rows *Rows, in CreateInput) (*Submission, error) {
	s := &Submission{
		Row: tenant.Row{ID: tenant.NewID()}, Obligation: in.Obligation, PeriodYear: rows.From.Year(), PeriodMonth: int(rows.From.Month()),
		PeriodFrom: rows.From, PeriodTo: rows.To, Variant: in.Variant, PartNumber: in.PartNumber, Status: Generated, FileName: in.FileName,
		ContentSHA256: in.ContentSHA256[:], RowCount: rows.count, BaseNetMinor: rows.net, BaseVATMinor: rows.vat,
		CreatedAt: tx.Now(), UpdatedAt: tx.Now(),
	}
	if err := s.refuseSame(ctx, tx); err != nil {
		return nil, err
	}
	if err := s.refuseOtherDivision(ctx, tx); err != nil {
		return nil, err
	}
	previous, err := Previous(ctx, tx, s.Obligation, s.PeriodFrom, s.Variant)
	if err != nil {
		return nil, fmt.Errorf("looking for the submission to correct: %w", err)
	}
	if previous != nil {
		s.CorrectsID = &previous.ID
	}
	file, err := depot.Save(ctx, tx, files.New{
		Entity: entity, EntityID: s.ID.String(), FileName: in.FileName, MIMEType: in.MIMEType, Content: in.File,
	})
	if err != nil {
		return nil, err //nolint:wrapcheck // says what was stored
	}
	s.FileID, s.FileSHA256 = file.ID, file.SHA256
	err = tenant.OnDuplicate(tx, tenant.Insert(ctx, tx, s), "vat_submissions_content", func(ctx context.Context, r tenant.ReadTx) error {
		return s.refuseSame(ctx, r)
	})
	if err != nil {
		return nil, fmt.Errorf("keeping a submission: %w", err)
	}
	if err := rows.store(ctx, tx, s.ID); err != nil {
		return nil, err
	}
	return s, s.announce(ctx, tx, nil)
}

func (s *Submission) refuseSame(ctx context.Context, r tenant.Reader) error {
	same, err := tenant.First[Submission](ctx, r, "obligation = ? AND period_from = ? AND content_sha256 = ?",
		s.Obligation, s.PeriodFrom, s.ContentSHA256)
	if err != nil || same == nil {
		return err //nolint:wrapcheck // says what was read
	}
	return ErrDuplicate.New("The register of %s has not changed since the submission %s, which is %s; its file is there to be sent.",
		s.period(), same.ID, same.Status).Detail("existingId", same.ID).Detail("index", "the content of the file, by period")
}

// refuseOtherDivision keeps a period to one division: a file with one register does not replace one with both, nor the other way
// round, so their invoices would count twice.
func (s *Submission) refuseOtherDivision(ctx context.Context, r tenant.Reader) error {
	const others = "obligation = ? AND period_from = ? AND status IN ('submitted', 'accepted')"
	var other *Submission
	var err error
	if s.Variant == whole {
		other, err = tenant.First[Submission](ctx, r, others+" AND variant <> ?", s.Obligation, s.PeriodFrom, whole)
	} else {
		other, err = tenant.First[Submission](ctx, r, others+" AND variant = ?", s.Obligation, s.PeriodFrom, whole)
	}
	if err != nil || other == nil {
		return err //nolint:wrapcheck // says what was read
	}
	return ErrDivision.New("%s was sent as %s; correct it as %s, for a file of type %s would not replace it.", s.period(), other.Variant,
		other.Variant, s.Variant).Detail("existingId", other.ID)
}

func (s *Submission) period() string { return s.PeriodFrom.String()[:len("2006-01")] }

// view is a submission as the audit log keeps it.
type view struct {
	ID          tenant.ID  `json:"id"`
	Obligation  Obligation `json:"obligation"`
	Period      string     `json:"period"`
	Variant     string     `json:"variant"`
	PartNumber  string     `json:"partNumber"`
	Status      Status     `json:"status"`
	FileID      tenant.ID  `json:"fileId"`
	FileSHA256  string     `json:"fileSha256"`
	ExternalRef *string    `json:"externalRef,omitzero"`
	Message     *string    `json:"message,omitzero"`
}

func (s *Submission) view() view {
	return view{
		s.ID, s.Obligation, s.period(), s.Variant, s.PartNumber, s.Status, s.FileID, fmt.Sprintf("%x", s.FileSHA256), s.ExternalRef, s.Message,
	}
}

// announce records a new state and tells it.
func (s *Submission) announce(ctx context.Context, tx tenant.Tx, before any) error {
	action := entity + "." + string(s.Status)
	err := audit.Record(ctx, tx, audit.Entry{Action: action, Entity: entity, EntityID: s.ID.String(), Before: before, After: s.view()})
	if err != nil {
		return err //nolint:wrapcheck // says what was recorded
	}
	return webhook.Publish(ctx, tx, webhook.Event{Type: action, ObjectType: entity, ObjectID: s.ID}) //nolint:wrapcheck // says what was published
}
