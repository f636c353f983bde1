// Package delivery sends the events of the outbox to the endpoints that subscribed to them.
//
// Owns: subscriptions with their secrets; one delivery per event and subscription; the dispatcher that writes, claims,
// signs, sends, retries and sweeps them; the guard against addresses inside the operator's network.
//
// Does not own: the events (package webhook).
//
// Invariants: every committed event is handed to the subscriptions of its company, whatever order commits come in, since
// what is left to do is a mark on the event and never a position in the outbox; at most one server sends a delivery at a
// time; an event is sent once or more, under the same id and with the same bytes; while an event of an object waits, a
// later one of the same object does not overtake it, for a bounded time; a secret leaves the database sealed only.
package delivery
