// Package mysqltest gives tests a MySQL they may do anything to.
//
// Owns: finding a server (one that is named by the environment, a private one
// of a local binary, or one in Docker), ending it whatever happens to the
// process that asked for it, and making databases with the two users the
// product runs with; killing a server and starting it again on its data.
//
// Does not own: the schema, SQLite, and the choice of engines a test runs on.
//
// Invariants: a private server listens on loopback only, and neither it nor
// its folder outlives the process that started it, not even when that process
// is killed. A fresh database is reachable by its own two users alone. The
// serving user starts without any right: what it may do is what the migrations
// grant.
package mysqltest
