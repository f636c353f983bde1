package httpapi

import (
	"context"

	"github.com/vienkart/vienkart/internal/date"
	"github.com/vienkart/vienkart/internal/files"
	"github.com/vienkart/vienkart/internal/idempotency"
	"github.com/vienkart/vienkart/internal/partner"
	"github.com/vienkart/vienkart/internal/tenant"
)

type redactedPartnerResponse struct {
	partnerResponse
	IdentityKeptUntil date.Date `json:"identityKeptUntil,omitzero" description:"Last day on which documents ask for name, codes and address; absent when they are gone."`
	FilesLeft         int64     `json:"filesLeft" description:"Files kept for the partner; look into them and delete those that tell of the person."`
}

func redactPartner(ctx context.Context, tx tenant.Tx, in idRequest) (redactedPartnerResponse, error) {
	p, r, err := partner.Redact(ctx, tx, in.ID)
	if err != nil {
		return redactedPartnerResponse{}, err //nolint:wrapcheck // a refusal of the domain is the answer
	}
	if err := idempotency.ForgetRequests(ctx, tx, in.ID); err != nil {
		return redactedPartnerResponse{}, err //nolint:wrapcheck // says what failed already
	}
	left, err := tenant.Count[files.File](ctx, tx, "entity = 'partner' AND entity_id = ?", in.ID.String())
	answer := redactedPartnerResponse{partnerResponse: toPartner(*p, tx.Company()), FilesLeft: left}
	if !r.KeepUntil.Before(tx.Today()) {
		answer.IdentityKeptUntil = r.KeepUntil
	}
	return answer, err
}
