package webhook

import "slices"

// Type is a sort of event that a tenant can subscribe to.
type Type struct {
	// Name is object.verb in the past tense.
	Name string
	// Object is the sort of object its id belongs to.
	Object string
	// Meaning is one sentence for the reader of the schema.
	Meaning string
}

// Events about subscriptions themselves, which package delivery publishes.
const (
	// SubscriptionTested is sent to the one subscription it names, whatever that is subscribed to.
	SubscriptionTested = "webhook_subscription.tested"
	// SubscriptionStopped goes to the company's other subscriptions.
	SubscriptionStopped = "webhook_subscription.stopped"
	// SubscriptionObject is the object of both.
	SubscriptionObject = "webhook_subscription"
)

// catalogue has every event, by name. An event that is added here gets its schema by running the tests of this package
// with -update.
var catalogue = []Type{
	{"declaration_submission.accepted", "declaration_submission", "The tax authority took a file that was sent to it."},
	{"declaration_submission.generated", "declaration_submission", "A file for the tax authority was made and kept."},
	{"declaration_submission.rejected", "declaration_submission", "The tax authority refused a file that was sent to it."},
	{"declaration_submission.submitted", "declaration_submission", "A file was sent to the tax authority."},
	{"order.paid", "order", "The payment of an order was confirmed."},
	{"purchase_invoice.paid", "purchase_invoice", "Nothing is owed any more on a supplier invoice or a credit note of a supplier, because money went out for it or came back."},
	{"purchase_invoice.registered", "purchase_invoice", "A supplier invoice or a credit note of a supplier was entered in the books."},
	{"report.completed", "report", "The files of a report job are ready; its id is that of the job."},
	{"report.failed", "report", "A report job ended without files; its id is that of the job."},
	{"sale_invoice.issued", "sale_invoice", "A sales invoice, credit note or advance invoice got its number and was entered in the books."},
	{"sale_invoice.paid", "sale_invoice", "Nothing is owed any more on a sales invoice, credit note or advance invoice, because money came in for it."},
	{"sale_invoice.sent", "sale_invoice", "The mail server took a letter with a sales document for the customer."},
	{"settlement.imported", "settlement", "A payout of a payment provider was imported for the first time."},
	{"settlement.posted", "settlement", "A payout was entered in the books."},
	{"settlement.updated", "settlement", "A payout was imported again, or one of its lines was matched by hand."},
	{SubscriptionStopped, SubscriptionObject, "A webhook subscription was stopped by the server, because its receiver failed too long or answered 410 Gone."},
	{SubscriptionTested, SubscriptionObject, "A test event was asked for. It is sent to the tested subscription alone."},
}

var typesByName = func() map[string]Type {
	byName := map[string]Type{}
	for _, t := range catalogue {
		byName[t.Name] = t
	}
	return byName
}()

// Types lists every event by name.
func Types() []Type { return slices.Clone(catalogue) }
