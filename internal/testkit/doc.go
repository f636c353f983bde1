// Package testkit gives tests real engines and fresh tenants.
//
// Owns: opening SQLite and MySQL for tests, migrated, as the user that serves; companies of their own; the checks that
// must hold after every test.
//
// Does not own: starting a MySQL server (package mysqltest).
//
// Invariants: a test sees an empty company; on MySQL it works with the serving user's rights, so what production may not
// do a test may not do either.
package testkit
