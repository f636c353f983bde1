package submission

import (
	"context"
	"slices"

	"github.com/vienkart/vienkart/internal/tenant"
)

// next are the states that may follow. Saying a state again keeps it and may add a reference or a message. A file that was
// refused may be sent once more: the reason may have lain outside it.
var next = map[Status][]Status{
	Generated: {Submitted, Accepted, Rejected},
	Submitted: {Submitted, Accepted, Rejected},
	Rejected:  {Rejected, Submitted},
	Accepted:  {Accepted},
}

// MarkInput says what became of a file.
type MarkInput struct {
	ID     tenant.ID
	Status Status
	// ExternalRef is what the authority calls it, Message what it said; nil leaves what is there.
	ExternalRef, Message *string
}

// Mark gives a submission its state. Errors: not_found, submission.state.
func Mark(ctx context.Context, tx tenant.Tx, in MarkInput) (*Submission, error) {
	s, err := tenant.Lock[Submission](ctx, tx, in.ID)
	if err != nil {
		return nil, err //nolint:wrapcheck // a refusal as it stands
	}
	if !slices.Contains(next[s.Status], in.Status) {
		return nil, ErrState.New("The submission is %s and cannot become %s; make a new one when the file has to be corrected.", s.Status, in.Status).
			Detail("status", s.Status)
	}
	before := s.view()
	s.Status, s.UpdatedAt = in.Status, tx.Now()
	if in.ExternalRef != nil {
		s.ExternalRef = in.ExternalRef
	}
	if in.Message != nil {
		s.Message = in.Message
	}
	if err := tenant.Update(ctx, tx, s, "status", "external_ref", "message", "updated_at"); err != nil {
		return nil, err //nolint:wrapcheck // says what was updated
	}
	return s, s.announce(ctx, tx, before)
}
