// Command bench measures the server against what its database can do at all.
//
// It starts a durable MariaDB (synced log, synced binlog) or takes a SQLite file with the product's own settings, runs the real server,
// and loads it over loopback. What it prints is compared within one run: the machine differs from run to run. Each measurement ends
// with a check: "server verify" finds nothing, and what the server acknowledged is there, each document once and no other. A fast wrong
// answer fails the run, and then nothing is appended to a file.
//
// The parts (-part), and the targets of make that run them, with their times on two idle cores:
//
//   - load: rate, percentiles, CPU seconds, allocations, lock waits, statements and round trips of each operation, for one company and for
//     many, for 1 to 64 clients, with the ratio to the raw limit: the minimal writes of one mutation by plain SQL at its own best
//     concurrency. Six minutes for each engine.
//   - start: time to the first answer, and memory when idle. A minute for each engine. "make bench" is load and start.
//   - returns, lists, balances: FR0600 and i.SAF as jobs, pages of a list, trial balances of large books on MariaDB; time, CPU and
//     memory above idle. "make bench-books": half an hour, most of which fills the books.
//   - growth: the same operations with few and with a million keys, companies and invoices around them.
//   - dents: what the sweeper of keys and the dispatcher of events take from the rate, in turns with and without. "make bench-growth"
//     is both: half an hour.
//
// All sizes and times are flags, so that each part can be tried in seconds:
//
//	go run ./bench -part load -engine sqlite -only replay -duration 1s
//	go run ./bench -part returns,lists,balances -invoices 2000 -listed 2000 -entries 10000
//	go run ./bench -part growth,dents -tenants 8 -duration 1s -grown-tenants 100 -grown-invoices 20000 -expired 250000
//
// Owns: the load, the raw limit, large books and the tables of results.
//
// Does not own: the server it measures, which it builds and starts as a user would.
//
// Invariants: rows of large books are copies of what the server made, under ids and numbers of their own; no load ends in the middle of a
// request.
package main
