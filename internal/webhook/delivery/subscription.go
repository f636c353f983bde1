package delivery

import (
	"context"
	"slices"
	"strings"

	"github.com/vienkart/vienkart/internal/apperr"
	"github.com/vienkart/vienkart/internal/audit"
	"github.com/vienkart/vienkart/internal/clock"
	"github.com/vienkart/vienkart/internal/tenant"
	"github.com/vienkart/vienkart/internal/webhook"
)

// State is where a subscription stands.
type State string

// The states.
const (
	StateActive  State = "active"
	StateOff     State = "off"    // switched off by the tenant: events pass it by, and what waited waits on
	StatePaused  State = "paused" // failed too long: its events gather until it is active again
	StateGone    State = "gone"   // the receiver answered 410: events pass it by, and what waited was dropped
	stateDeleted State = "deleted"
)

// Enum lists the states that are shown.
func (State) Enum() []any { return []any{StateActive, StateOff, StatePaused, StateGone} }

// every is the filter of a subscription to all events; after an object and a dot, to all of that object.
const every = "*"

// Subscription is an endpoint of a tenant and what it wants to hear of.
type Subscription struct {
	tenant.Row
	URL string
	// Events are filters, parted by blanks.
	Events string
	State  State
	// Reason says why the server stopped it.
	Reason         *string
	Secret         []byte
	PreviousSecret []byte
	PreviousUntil  *clock.Time
	// FailingSince is the first failure after the last success.
	FailingSince *clock.Time
	CreatedAt    clock.Time
	UpdatedAt    clock.Time
}

// TableName names the table for the mapper.
func (Subscription) TableName() string { return "webhook_subscriptions" }

// EventList is Events one by one, never nil.
func (s Subscription) EventList() []string {
	return slices.AppendSeq([]string{}, strings.FieldsSeq(s.Events))
}

// wants reports whether an event is for the subscription.
func (s Subscription) wants(eventType string, object tenant.ID) bool {
	switch eventType {
	case webhook.SubscriptionTested:
		return s.ID == object
	case webhook.SubscriptionStopped:
		if s.ID == object {
			return false // it cannot be told
		}
	}
	kind, _, _ := strings.Cut(eventType, ".")
	return slices.ContainsFunc(s.EventList(), func(filter string) bool {
		return filter == eventType || filter == every || filter == kind+"."+every
	})
}

// line is a subscription as the audit log keeps it: without its secret.
type line struct {
	ID     tenant.ID `json:"id"`
	URL    string    `json:"url"`
	Events []string  `json:"events"`
	State  State     `json:"state"`
	Reason *string   `json:"reason,omitzero"`
}

func (s *Subscription) line() line { return line{s.ID, s.URL, s.EventList(), s.State, s.Reason} }

func (s *Subscription) record(ctx context.Context, tx tenant.Tx, verb string, before any) error {
	return audit.Record(ctx, tx, audit.Entry{ //nolint:wrapcheck // says what was recorded
		Action: webhook.SubscriptionObject + "." + verb, Entity: webhook.SubscriptionObject, EntityID: s.ID.String(),
		Before: before, After: s.line(),
	})
}

// checkEvents puts filters into one order, once each. Error: validation.
func checkEvents(events []string) (string, error) {
	if len(events) == 0 {
		return "", apperr.Invalid("events", "must name an event, or * for all")
	}
	known := []string{every}
	for _, t := range webhook.Types() {
		known = append(known, t.Name, t.Object+"."+every)
	}
	slices.Sort(known)
	known = slices.Compact(known)
	for i, event := range events {
		if !slices.Contains(known, event) {
			return "", apperr.Invalid("events", "item %d is unknown; use some of %s", i, strings.Join(known, ", "))
		}
	}
	return strings.Join(slices.Compact(slices.Sorted(slices.Values(events))), " "), nil
}

// CreateInput is a new subscription.
type CreateInput struct {
	URL    string
	Events []string
	// Secret is made when it is empty.
	Secret string
}

// Create stores a subscription and gives its secret, which cannot be read again. Errors: validation, webhook.no_key,
// webhook.too_many_subscriptions.
func Create(ctx context.Context, tx tenant.Tx, p Policy, in CreateInput) (*Subscription, string, error) {
	if p.Vault == nil {
		return nil, "", noKey()
	}
	if err := p.checkURL(in.URL); err != nil {
		return nil, "", err
	}
	events, err := checkEvents(in.Events)
	if err != nil {
		return nil, "", err
	}
	secret := in.Secret
	if secret == "" {
		secret = newSecret()
	}
	if _, err := signingKey(secret); err != nil {
		return nil, "", err
	}
	n, err := tenant.Count[Subscription](ctx, tx, "state <> ?", stateDeleted)
	if err != nil {
		return nil, "", err //nolint:wrapcheck // says what was counted
	}
	if n >= MaxSubscriptions {
		return nil, "", ErrTooMany.New("The company has %d webhook subscriptions and may not have more; delete one.", n)
	}
	s := &Subscription{
		Row: tenant.Row{ID: tenant.NewID()}, URL: in.URL, Events: events, State: StateActive, CreatedAt: tx.Now(), UpdatedAt: tx.Now(),
	}
	s.Secret = p.Vault.Seal(secret, tx.Company().ID, s.ID)
	if err := tenant.Insert(ctx, tx, s); err != nil {
		return nil, "", err //nolint:wrapcheck // says what was stored
	}
	return s, secret, s.record(ctx, tx, "created", nil)
}

func noKey() error {
	return ErrNoKey.New("This server has no key to keep webhook secrets under. Ask its operator to set VIENKART_WEBHOOK_KEY.")
}

var listing = tenant.Listing{
	Sources: []tenant.Source{{
		From: "webhook_subscriptions", Where: "state <> 'deleted'",
		Fields: map[string]tenant.Field{
			"id":        tenant.IDField("id"),
			"url":       tenant.TextField("url"),
			"state":     tenant.TextField("state"),
			"isActive":  tenant.BoolField("(state = 'active')"),
			"createdAt": tenant.TimeField("created_at"),
		},
	}},
	Order: []tenant.Sort{{Field: "createdAt"}},
}

// List reads a page of the company's subscriptions, the oldest first unless asked otherwise.
func List(ctx context.Context, r tenant.ReadTx, q tenant.ListQuery) (tenant.Page[Subscription], error) {
	return tenant.ListRows[Subscription](ctx, r, q, listing) //nolint:wrapcheck // names the field at fault
}

// lock holds a subscription that is not deleted. Error: not_found.
func lock(ctx context.Context, tx tenant.Tx, id tenant.ID) (*Subscription, error) {
	s, err := tenant.Lock[Subscription](ctx, tx, id)
	if err == nil && s.State == stateDeleted {
		err = tenant.NotFound("webhook subscription", id)
	}
	return s, err //nolint:wrapcheck // a refusal as it stands
}
