// Package database opens an engine and hides what differs between engines.
//
// Owns: connection addresses, pools and their waiting time, session settings, the migrations runner and its grants,
// and the classification of driver errors.
//
// Does not own: queries of the product, and who may see which row (package tenant).
//
// Invariants: a session is strict, UTC, utf8mb4 and READ COMMITTED; nothing outside this package matches a driver's
// error numbers; a wait for a connection is bounded.
package database
