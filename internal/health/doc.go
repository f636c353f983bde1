// Package health says whether this server can serve, and how far behind its background work is.
//
// Owns: the checks of readiness, their bounds, and the report that lists them.
//
// Does not own: the route and its status (package httpapi), metrics (package metrics).
//
// Invariants: a report is true of the last second; whoever asks often does not load the database; a report holds no
// address, no name of a company and no text of a driver, since anybody may read it; what is late degrades a server and
// does not take it out of service, because the API works and other servers would be as late.
package health
