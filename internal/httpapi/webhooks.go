package httpapi

import (
	"context"

	"github.com/go-json-experiment/json/jsontext"

	"github.com/vienkart/vienkart/internal/apperr"
	"github.com/vienkart/vienkart/internal/clock"
	"github.com/vienkart/vienkart/internal/tenant"
	"github.com/vienkart/vienkart/internal/webhook"
	"github.com/vienkart/vienkart/internal/webhook/delivery"
)

// webhookHandlers are the operations that the operator's policy bears on.
type webhookHandlers struct{ policy delivery.Policy }

// webhookOperations keep subscriptions to events and show what became of each event.
func webhookOperations(policy delivery.Policy) []Operation {
	h := webhookHandlers{policy}
	return []Operation{
		mutation("/v1/webhooks/subscriptions/create", tenant.ManageKeys, "Subscribe an endpoint to events", h.createSubscription, about("webhook_subscription"),
			keptAsSecret("secret", policy.Vault),
			described("Events are sent as POST with the headers webhook-id, webhook-timestamp and webhook-signature of the Standard Webhooks "+
				"specification, at least once: drop an event whose webhook-id you have seen. Only an answer of 2xx says that it was taken; "+
				"redirects are not followed. What fails is sent again, with growing pauses, twelve times in about three days; 410 ends the "+
				"subscription. An event names its object and does not hold it. The JSON Schema of every event is in "+
				"/v1/webhooks/event-types/list and in the folder docs/events of the source; a receiver to start from is in docs/webhooks.")),
		query("/v1/webhooks/subscriptions/list", tenant.ManageKeys, "List subscriptions", listSubscriptions),
		mutation("/v1/webhooks/subscriptions/update", tenant.ManageKeys, "Change a subscription", h.updateSubscription, about("webhook_subscription"),
			described("Absent members stay as they are. A subscription that is switched off misses what happens meanwhile; one that the server "+
				"paused gets it when it is active again.")),
		mutation("/v1/webhooks/subscriptions/delete", tenant.ManageKeys, "Delete a subscription", deleteSubscription, about("webhook_subscription"),
			described("What waited for it is cancelled; its deliveries stay in the list, as failed.")),
		mutation("/v1/webhooks/subscriptions/rotate-secret", tenant.ManageKeys, "Replace the secret of a subscription", h.rotateSecret, about("webhook_subscription"),
			described("The new secret is in the first answer alone. For 24 hours the old one signs too: webhook-signature then holds two signatures.")),
		mutation("/v1/webhooks/subscriptions/test", tenant.ManageKeys, "Send a test event", testSubscription, about("webhook_subscription"),
			described("Sends webhook_subscription.tested to this subscription alone, whatever events it asked for.")),
		query("/v1/webhooks/deliveries/list", tenant.ManageKeys, "List deliveries", listDeliveries,
			described("One row per event and subscription, kept for thirty days; the newest comes first.")),
		mutation("/v1/webhooks/deliveries/redeliver", tenant.ManageKeys, "Send a delivery again", redeliver, about("webhook_delivery"),
			described("A finished delivery gets exactly one new attempt, with the same id and bytes; one that waits gets its next attempt now. "+
				"Asked again within ten seconds, it does nothing.")),
		query("/v1/webhooks/event-types/list", tenant.ManageKeys, "List the events there are", listEventTypes,
			described("Every event with the JSON Schema of its body.")),
	}
}

type subscription struct {
	ID           tenant.ID      `json:"id" description:"Id of the subscription."`
	URL          string         `json:"url" description:"Where events are sent."`
	Events       []string       `json:"events" description:"Events it asked for; a star stands for all."`
	IsActive     bool           `json:"isActive" description:"Whether events are sent to it."`
	CreatedAt    clock.Time     `json:"createdAt" description:"When it was created."`
	State        delivery.State `json:"state" description:"active; off: switched off; paused: failed for days, and stopped by the server; gone: the receiver answered 410."`
	StateReason  *string        `json:"stateReason,omitzero" description:"Why the server stopped it."`
	FailingSince *clock.Time    `json:"failingSince,omitzero" description:"The first failed attempt after the last one that was taken."`
}

func subscriptionCard(s delivery.Subscription) subscription {
	return subscription{s.ID, s.URL, s.EventList(), s.State == delivery.StateActive, s.CreatedAt, s.State, s.Reason, s.FailingSince}
}

type createSubscriptionRequest struct {
	URL    string   `json:"url" maxLength:"2000" description:"An https address on the public internet."`
	Events []string `json:"events" minItems:"1" maxItems:"100" description:"Names of events; sale_invoice.* for all of an object, * for all."`
	Secret string   `json:"secret,omitzero" maxLength:"100" description:"A secret of your own: whsec_ and 24 to 64 bytes in base64, or 24 to 75 bytes of text; a random one is made unless given."`
}

type createSubscriptionResponse struct {
	subscription
	Secret string `json:"secret" description:"The signing secret, in the first answer alone."`
}

// Masked is the answer that is stored and replayed.
func (r createSubscriptionResponse) Masked() any {
	r.Secret = maskedSecret
	return r
}

func (h webhookHandlers) createSubscription(ctx context.Context, tx tenant.Tx, in createSubscriptionRequest) (createSubscriptionResponse, error) {
	s, secret, err := delivery.Create(ctx, tx, h.policy, delivery.CreateInput{URL: in.URL, Events: in.Events, Secret: in.Secret})
	if err != nil {
		return createSubscriptionResponse{}, err //nolint:wrapcheck // a refusal of the domain is the answer
	}
	return createSubscriptionResponse{subscriptionCard(*s), secret}, nil
}

func listSubscriptions(ctx context.Context, r tenant.ReadTx, q tenant.ListQuery) (tenant.Page[subscription], error) {
	page, err := delivery.List(ctx, r, q)
	return tenant.MapPage(page, subscriptionCard), err
}

type updateSubscriptionRequest struct {
	ID       tenant.ID `json:"id" description:"Id of the subscription."`
	URL      *string   `json:"url,omitzero" maxLength:"2000" description:"An https address on the public internet."`
	Events   []string  `json:"events,omitzero" maxItems:"100" description:"Names of events, in place of those it asked for."`
	IsActive *bool     `json:"isActive,omitzero" description:"False stops it; true starts it again, and sends what waited."`
}

func (h webhookHandlers) updateSubscription(ctx context.Context, tx tenant.Tx, in updateSubscriptionRequest) (subscription, error) {
	s, err := delivery.Update(ctx, tx, h.policy, delivery.UpdateInput{ID: in.ID, URL: in.URL, Events: in.Events, IsActive: in.IsActive})
	if err != nil {
		return subscription{}, err //nolint:wrapcheck // a refusal of the domain is the answer
	}
	return subscriptionCard(*s), nil
}

type subscriptionIDResponse struct {
	ID tenant.ID `json:"id" description:"Id of the subscription."`
}

func deleteSubscription(ctx context.Context, tx tenant.Tx, in idRequest) (subscriptionIDResponse, error) {
	return subscriptionIDResponse(in), delivery.Delete(ctx, tx, in.ID)
}

type rotateSecretResponse struct {
	ID                  tenant.ID  `json:"id" description:"Id of the subscription."`
	Secret              string     `json:"secret" description:"The new signing secret, in the first answer alone."`
	PreviousSecretUntil clock.Time `json:"previousSecretUntil" description:"Until when the old secret signs too."`
}

// Masked is the answer that is stored and replayed.
func (r rotateSecretResponse) Masked() any {
	r.Secret = maskedSecret
	return r
}

func (h webhookHandlers) rotateSecret(ctx context.Context, tx tenant.Tx, in idRequest) (rotateSecretResponse, error) {
	s, secret, err := delivery.RotateSecret(ctx, tx, h.policy, in.ID)
	if err != nil {
		return rotateSecretResponse{}, err //nolint:wrapcheck // a refusal of the domain is the answer
	}
	return rotateSecretResponse{s.ID, secret, *s.PreviousUntil}, nil
}

func testSubscription(ctx context.Context, tx tenant.Tx, in idRequest) (subscription, error) {
	s, err := delivery.Test(ctx, tx, in.ID)
	if err != nil {
		return subscription{}, err //nolint:wrapcheck // a refusal of the domain is the answer
	}
	return subscriptionCard(*s), nil
}

type deliveryRow struct {
	ID             tenant.ID       `json:"id" description:"Id of the delivery."`
	SubscriptionID tenant.ID       `json:"subscriptionId" description:"Where it goes."`
	EventID        tenant.ID       `json:"eventId" description:"Id of the event, as webhook-id has it."`
	EventType      string          `json:"eventType" description:"Name of the event."`
	ObjectID       tenant.ID       `json:"objectId" description:"Id of the object the event is about."`
	Status         delivery.Status `json:"status" description:"pending until it was taken or given up."`
	Attempts       int             `json:"attempts" description:"How often it was sent."`
	LastError      *string         `json:"lastError,omitzero" description:"Why the last attempt failed."`
	CreatedAt      clock.Time      `json:"createdAt" description:"When it was written, within moments of the event."`
	DeliveredAt    *clock.Time     `json:"deliveredAt,omitzero" description:"When it was taken last."`
	NextAttemptAt  *clock.Time     `json:"nextAttemptAt,omitzero" description:"When it is sent next, while it is pending."`
}

func deliveryCard(d delivery.Delivery) deliveryRow {
	row := deliveryRow{
		ID: d.ID, SubscriptionID: d.SubscriptionID, EventID: d.EventID, EventType: d.EventType, ObjectID: d.ObjectID, Status: d.Shown(),
		Attempts: d.Attempts, LastError: d.LastError, CreatedAt: d.CreatedAt, DeliveredAt: d.DeliveredAt,
	}
	if d.Status == delivery.StatusPending {
		row.NextAttemptAt = &d.NextAttemptAt
	}
	return row
}

func listDeliveries(ctx context.Context, r tenant.ReadTx, q tenant.ListQuery) (tenant.Page[deliveryRow], error) {
	page, err := delivery.ListDeliveries(ctx, r, q)
	return tenant.MapPage(page, deliveryCard), err
}

type redeliverResponse struct {
	ID     tenant.ID       `json:"id" description:"Id of the delivery."`
	Status delivery.Status `json:"status" description:"pending until the attempt is made."`
}

func redeliver(ctx context.Context, tx tenant.Tx, in idRequest) (redeliverResponse, error) {
	d, err := delivery.Redeliver(ctx, tx, in.ID)
	if err != nil {
		return redeliverResponse{}, err //nolint:wrapcheck // a refusal of the domain is the answer
	}
	return redeliverResponse{d.ID, d.Shown()}, nil
}

type eventType struct {
	Type    string         `json:"type" description:"Name of the event."`
	Object  string         `json:"object" description:"Sort of object it is about."`
	Meaning string         `json:"meaning" description:"What happened."`
	Schema  jsontext.Value `json:"schema" description:"JSON Schema of the body."`
}

type eventTypesResponse struct {
	Rows []eventType `json:"rows" description:"Every event, by name."`
}

func listEventTypes(context.Context, tenant.ReadTx, emptyRequest) (eventTypesResponse, error) {
	types := webhook.Types()
	rows := make([]eventType, len(types))
	for i, t := range types {
		schema, err := t.Schema()
		if err != nil {
			return eventTypesResponse{}, apperr.ErrInternal.New("An event cannot be described.").Because(err)
		}
		rows[i] = eventType{t.Name, t.Object, t.Meaning, schema}
	}
	return eventTypesResponse{rows}, nil
}
