// Package metrics counts what the server does, for Prometheus.
//
// Owns: the names, labels and buckets of metrics, and the handler that shows them.
//
// Does not own: when something is counted (the callers say so, through interfaces of their own), dashboards and alerts
// (docs/operations, which a test compares with the names here).
//
// Invariants: every label has a bounded set of values that the program chose: operations of the route table, codes of
// errors, states. No key, no company, no id and nothing else that a caller wrote is in a label.
package metrics
