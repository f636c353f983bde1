// Command bench measures the server against what its database can do at all.
//
// It starts a durable MariaDB (synced log, synced binlog), the real server and the load, all on loopback, and prints one
// table: rate, percentiles, errors, CPU seconds, and the ratio to the raw limit measured in the same run, which is a Go
// program doing the minimal writes of one mutation by plain SQL at its own best concurrency. Afterwards the books must
// balance and each acknowledged request must exist exactly once: a fast wrong answer fails the run.
//
// With -returns it measures large books instead: it fills companies by statements that keep every constraint, has the real server
// make FR0600 and i.SAF as jobs and answer trial balances and lists, and prints time, CPU and the server's memory above idle.
//
// Owns: the load, the raw limit and the table of results.
//
// Does not own: the server it measures, which it builds and starts as a user would.
package main
