package idempotency

import (
	"context"
	"fmt"
	"time"

	"github.com/go-json-experiment/json"
	"github.com/go-json-experiment/json/jsontext"

	"github.com/vienkart/vienkart/internal/audit"
	"github.com/vienkart/vienkart/internal/clock"
	"github.com/vienkart/vienkart/internal/tenant"
)

// Rejection is a duplicate that was refused, for an admin to look at (R60, R61).
type Rejection struct {
	tenant.Row
	Reason         Reason
	Identity       []byte
	IdempotencyKey []byte
	Operation      string
	ActorType      tenant.ActorType
	ActorID        string
	ClientAddress  string
	RequestID      string
	FirstRequestID *string
	FirstOperation *string
	FirstRequest   []byte
	FirstAt        *clock.Time
	RefusedRequest []byte
	ExistingType   *string
	ExistingID     *string
	BusinessIndex  *string
	Occurrences    int64
	CreatedAt      clock.Time
	LastSeenAt     clock.Time
	ReviewDecision *Decision
	ReviewNote     *string
	ReviewedBy     *string
	ReviewedAt     *clock.Time
}

// TableName names the table for the mapper.
func (Rejection) TableName() string { return "idempotency_rejections" }

// Decision is what an admin made of a rejection.
type Decision string

// The decisions.
const (
	DecisionClientBug  Decision = "client bug"
	DecisionLegitimate Decision = "legitimate, booked separately"
	DecisionIgnored    Decision = "ignored"
)

// Enum lists the allowed values.
func (Decision) Enum() []any { return []any{DecisionClientBug, DecisionLegitimate, DecisionIgnored} }

// envelope keeps the whole request, since a difference may lie outside the body.
type envelope struct {
	Method    string         `json:"method"`
	Route     string         `json:"route"`
	Query     string         `json:"query,omitzero"`
	MediaType string         `json:"mediaType,omitzero"`
	Body      jsontext.Value `json:"body"`
}

func packRequest(r Request) []byte {
	b, err := json.Marshal(envelope{r.Method, r.Route, r.Query, r.MediaType, r.Body.Bytes()})
	if err != nil {
		panic(fmt.Sprintf("idempotency: a canonical body does not encode: %v", err))
	}
	return pack(b)
}

func unpackRequest(stored []byte) (Request, error) {
	b, err := unpack(stored)
	if err != nil {
		return Request{}, err
	}
	var e envelope
	if err := json.Unmarshal(b, &e); err != nil {
		return Request{}, fmt.Errorf("reading a stored request: %w", err)
	}
	body, err := Canonicalize(e.Body, Limits{})
	if err != nil {
		return Request{}, fmt.Errorf("reading a stored request: %w", err)
	}
	return Request{Method: e.Method, Route: e.Route, Query: e.Query, MediaType: e.MediaType, Body: body}, nil
}

// Comparison is a rejection with both requests and their difference, member by member. First is nil for a duplicate
// of a document that came without a key, or whose key has been swept.
type Comparison struct {
	Rejection
	First       *Request
	Refused     Request
	Differences []Difference
}

// Compare reads one rejection. Error: not_found.
func Compare(ctx context.Context, r tenant.ReadTx, id tenant.ID) (*Comparison, error) {
	row, err := tenant.Get[Rejection](ctx, r, id)
	if err != nil {
		return nil, err //nolint:wrapcheck // a refusal as it stands
	}
	refused, err := unpackRequest(row.RefusedRequest)
	if err != nil {
		return nil, err
	}
	c := &Comparison{Rejection: *row, Refused: refused, Differences: []Difference{}}
	if row.FirstRequest == nil {
		return c, nil
	}
	earlier, err := unpackRequest(row.FirstRequest)
	if err != nil {
		return nil, err
	}
	c.First, c.Differences = &earlier, Differences(earlier, refused)
	return c, nil
}

var rejectionListing = tenant.Listing{
	Sources: []tenant.Source{{
		From: "idempotency_rejections",
		Fields: map[string]tenant.Field{
			"reason":         tenant.TextField("reason"),
			"operation":      tenant.TextField("operation"),
			"actorType":      tenant.TextField("actor_type"),
			"actorId":        tenant.TextField("actor_id"),
			"requestId":      tenant.TextField("request_id"),
			"existingId":     tenant.TextField("existing_id"),
			"occurrences":    tenant.IntField("occurrences"),
			"createdAt":      tenant.TimeField("created_at"),
			"lastSeenAt":     tenant.TimeField("last_seen_at"),
			"reviewed":       tenant.BoolField("(reviewed_at IS NOT NULL)"),
			"reviewDecision": tenant.TextField("review_decision"),
		},
	}},
	Order: []tenant.Sort{{Field: "lastSeenAt", Dir: "desc"}},
}

// Rejections reads a page of refused duplicates, the latest first unless asked otherwise.
func Rejections(ctx context.Context, r tenant.ReadTx, q tenant.ListQuery) (tenant.Page[Rejection], error) {
	return tenant.ListRows[Rejection](ctx, r, q, rejectionListing) //nolint:wrapcheck // names the field at fault
}

// ReviewInput is an admin's verdict.
type ReviewInput struct {
	ID       tenant.ID
	Decision Decision
	Note     string
}

// Review marks a rejection as looked at; a later review replaces an earlier one, and the audit log keeps both.
// Error: not_found.
func Review(ctx context.Context, tx tenant.Tx, in ReviewInput) (*Rejection, error) {
	row, err := tenant.Lock[Rejection](ctx, tx, in.ID)
	if err != nil {
		return nil, err //nolint:wrapcheck // a refusal as it stands
	}
	now, by := tx.Now(), tx.Scope().Actor().ID
	row.ReviewDecision, row.ReviewNote, row.ReviewedBy, row.ReviewedAt = &in.Decision, nullable(in.Note), &by, &now
	if err := tenant.Update(ctx, tx, row, "review_decision", "review_note", "reviewed_by", "reviewed_at"); err != nil {
		return nil, err //nolint:wrapcheck // says what was written
	}
	return row, audit.Record(ctx, tx, audit.Entry{ //nolint:wrapcheck // says what was recorded
		Action: "idempotency_rejection.reviewed", Entity: "idempotency_rejection", EntityID: in.ID.String(), After: in,
	})
}

// KeyStatus answers "did it happen?" without sending the request again (R43).
type KeyStatus struct {
	State          string
	Operation      string
	FirstRequestID string
	FirstAt        time.Time
	ExpiresAt      time.Time
	ReplayCount    int64
	Status         *int
	ErrorCode      *string
	ResourceType   *string
	ResourceID     *string
}

// Status looks a key up, a running one too; nil when the company has none that lives.
func (r *Runner) Status(ctx context.Context, scope tenant.Scope, k Key) (*KeyStatus, error) {
	found, err := r.readDirty(ctx, scope, k)
	if err != nil {
		return nil, err
	}
	if found != nil && found.State == stateDone {
		committed, err := r.read(ctx, scope, k)
		if err != nil {
			return nil, err
		}
		if committed == nil {
			found.State = stateRunning // done, and not committed yet: it may still roll back
			found.Status, found.ResourceType, found.ResourceID = nil, nil, nil
		} else {
			if err := r.keepClaim(ctx, Call{Scope: scope, Key: k}, committed); err != nil {
				return nil, err
			}
			found = committed
		}
	}
	if found == nil || found.Expired {
		return r.runningHere(scope, k), nil
	}
	return &KeyStatus{
		State: string(found.State), Operation: found.Route, FirstRequestID: found.RequestID, FirstAt: found.CreatedAt.Time,
		ExpiresAt: found.ExpiresAt.Time, ReplayCount: found.ReplayCount + r.replays.pending(scopedKey{scope.Company().ID, k}),
		Status: found.Status, ErrorCode: found.ErrorCode, ResourceType: found.ResourceType, ResourceID: found.ResourceID,
	}, nil
}

// runningHere finds a request of this process that no dirty read shows.
func (r *Runner) runningHere(scope tenant.Scope, k Key) *KeyStatus {
	r.registry.mu.Lock()
	defer r.registry.mu.Unlock()
	f, ok := r.registry.running[scopedKey{scope.Company().ID, k}]
	if !ok {
		return nil
	}
	return &KeyStatus{
		State: string(stateRunning), Operation: f.request.Route, FirstRequestID: f.requestID, FirstAt: f.at, ExpiresAt: f.at.Add(r.ttl),
	}
}
