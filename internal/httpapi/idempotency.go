package httpapi

import (
	"context"

	"github.com/go-json-experiment/json/jsontext"

	"github.com/vienkart/vienkart/internal/apperr"
	"github.com/vienkart/vienkart/internal/clock"
	"github.com/vienkart/vienkart/internal/idempotency"
	"github.com/vienkart/vienkart/internal/tenant"
)

// idempotencyOperations look keys up and review refused duplicates.
func idempotencyOperations(runner *idempotency.Runner) []Operation {
	return []Operation{
		query("/v1/idempotency/keys/get", tenant.LookUpKeys, "Look up an Idempotency-Key: did it happen?",
			func(ctx context.Context, r tenant.ReadTx, in keyRequest) (keyResponse, error) {
				return lookUpKey(ctx, r, runner, in)
			}),
		query("/v1/idempotency/rejections/list", tenant.ReviewRefusals, "List refused duplicates", listRejections),
		query("/v1/idempotency/rejections/get", tenant.ReviewRefusals, "Get a refused duplicate with both requests", getRejection),
		mutation("/v1/idempotency/rejections/review", tenant.ReviewRefusals, "Mark a refused duplicate as reviewed", reviewRejection,
			about("idempotency_rejection")),
	}
}

type keyRequest struct {
	Key string `json:"key" description:"The key, as sent in the Idempotency-Key header, without quotes."`
}

type keyResponse struct {
	Key            string     `json:"key"`
	State          string     `json:"state" description:"running, done or failed. A failed request may be sent again with the same key."`
	Operation      string     `json:"operation" description:"Path of the first request."`
	FirstRequestID string     `json:"firstRequestId"`
	FirstAt        clock.Time `json:"firstAt"`
	ExpiresAt      clock.Time `json:"expiresAt" description:"When the key becomes free."`
	ReplayCount    int64      `json:"replayCount"`
	Status         *int       `json:"status,omitzero" description:"HTTP status of the stored answer."`
	ErrorCode      *string    `json:"errorCode,omitzero" description:"Why the first request was refused."`
	ResourceType   *string    `json:"resourceType,omitzero" description:"What was created or changed."`
	ResourceID     *string    `json:"resourceId,omitzero"`
}

func lookUpKey(ctx context.Context, r tenant.ReadTx, runner *idempotency.Runner, in keyRequest) (keyResponse, error) {
	key, err := idempotency.NewKey(in.Key)
	if err != nil {
		return keyResponse{}, apperr.Invalid("key", "%s", err.Error())
	}
	s, err := runner.Status(ctx, r.Scope(), key)
	if err != nil {
		return keyResponse{}, err //nolint:wrapcheck // says what was read
	}
	if s == nil {
		return keyResponse{}, apperr.ErrNotFound.New("No request of the last hours used this key; it is free.")
	}
	return keyResponse{
		Key: in.Key, State: s.State, Operation: s.Operation, FirstRequestID: s.FirstRequestID, FirstAt: clock.At(s.FirstAt),
		ExpiresAt: clock.At(s.ExpiresAt), ReplayCount: s.ReplayCount, Status: s.Status, ErrorCode: s.ErrorCode,
		ResourceType: s.ResourceType, ResourceID: s.ResourceID,
	}, nil
}

// rejectionRow is a refused duplicate without its payloads.
type rejectionRow struct {
	ID             tenant.ID             `json:"id"`
	Reason         idempotency.Reason    `json:"reason"`
	Key            string                `json:"key,omitzero"`
	Operation      string                `json:"operation"`
	ActorType      tenant.ActorType      `json:"actorType"`
	ActorID        string                `json:"actorId"`
	ClientAddress  string                `json:"clientAddress"`
	RequestID      string                `json:"requestId" description:"The latest refused request."`
	FirstRequestID *string               `json:"firstRequestId,omitzero"`
	FirstAt        *clock.Time           `json:"firstAt,omitzero"`
	ExistingID     *string               `json:"existingId,omitzero" description:"The document that exists."`
	BusinessIndex  *string               `json:"businessIndex,omitzero" description:"The rule that found the duplicate."`
	Occurrences    int64                 `json:"occurrences" description:"How often the same request was refused."`
	CreatedAt      clock.Time            `json:"createdAt"`
	LastSeenAt     clock.Time            `json:"lastSeenAt"`
	ReviewDecision *idempotency.Decision `json:"reviewDecision,omitzero"`
	ReviewNote     *string               `json:"reviewNote,omitzero"`
	ReviewedBy     *string               `json:"reviewedBy,omitzero"`
	ReviewedAt     *clock.Time           `json:"reviewedAt,omitzero"`
}

func toRejectionRow(r idempotency.Rejection) rejectionRow {
	return rejectionRow{
		ID: r.ID, Reason: r.Reason, Key: string(r.IdempotencyKey), Operation: r.Operation, ActorType: r.ActorType, ActorID: r.ActorID,
		ClientAddress: r.ClientAddress, RequestID: r.RequestID, FirstRequestID: r.FirstRequestID, FirstAt: r.FirstAt,
		ExistingID: r.ExistingID, BusinessIndex: r.BusinessIndex, Occurrences: r.Occurrences, CreatedAt: r.CreatedAt,
		LastSeenAt: r.LastSeenAt, ReviewDecision: r.ReviewDecision, ReviewNote: r.ReviewNote, ReviewedBy: r.ReviewedBy,
		ReviewedAt: r.ReviewedAt,
	}
}

func listRejections(ctx context.Context, r tenant.ReadTx, q tenant.ListQuery) (tenant.Page[rejectionRow], error) {
	page, err := idempotency.Rejections(ctx, r, q)
	return tenant.MapPage(page, toRejectionRow), err //nolint:wrapcheck // names the field at fault
}

// comparedRequest is one of the two requests side by side.
type comparedRequest struct {
	Method    string         `json:"method"`
	Path      string         `json:"path"`
	Query     string         `json:"query,omitzero"`
	MediaType string         `json:"mediaType,omitzero"`
	Body      jsontext.Value `json:"body"`
}

type difference struct {
	Pointer string                     `json:"pointer" description:"JSON pointer into the body, or path, method, query, media type."`
	Kind    idempotency.DifferenceKind `json:"kind"`
	First   jsontext.Value             `json:"first,omitzero"`
	Refused jsontext.Value             `json:"refused,omitzero"`
}

type rejectionResponse struct {
	Rejection   rejectionRow     `json:"rejection"`
	First       *comparedRequest `json:"first,omitzero" description:"The request that came first; absent when it came without a key or its key has been swept."`
	Refused     comparedRequest  `json:"refused"`
	Differences []difference     `json:"differences"`
}

func toComparedRequest(r idempotency.Request) comparedRequest {
	return comparedRequest{Method: r.Method, Path: r.Route, Query: r.Query, MediaType: r.MediaType, Body: r.Body.Bytes()}
}

func getRejection(ctx context.Context, r tenant.ReadTx, in idRequest) (rejectionResponse, error) {
	c, err := idempotency.Compare(ctx, r, in.ID)
	if err != nil {
		return rejectionResponse{}, err //nolint:wrapcheck // a refusal as it stands
	}
	out := rejectionResponse{Rejection: toRejectionRow(c.Rejection), Refused: toComparedRequest(c.Refused), Differences: []difference{}}
	if c.First != nil {
		first := toComparedRequest(*c.First)
		out.First = &first
	}
	for _, d := range c.Differences {
		out.Differences = append(out.Differences, difference{d.Pointer, d.Kind, d.First, d.Second})
	}
	return out, nil
}

type reviewRequest struct {
	ID       tenant.ID            `json:"id"`
	Decision idempotency.Decision `json:"decision"`
	Note     string               `json:"note,omitzero" maxLength:"2000"`
}

func reviewRejection(ctx context.Context, tx tenant.Tx, in reviewRequest) (rejectionRow, error) {
	r, err := idempotency.Review(ctx, tx, idempotency.ReviewInput{ID: in.ID, Decision: in.Decision, Note: in.Note})
	if err != nil {
		return rejectionRow{}, err //nolint:wrapcheck // a refusal as it stands
	}
	return toRejectionRow(*r), nil
}
