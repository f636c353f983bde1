// Package galera holds tests of servers on different nodes of one Galera cluster.
//
// Owns: what two servers promise when their databases are different nodes, and what they promise while a node is away.
//
// Does not own: starting and breaking the cluster; that is package mysqltest.
//
// Invariants: the tests run on demand alone (make test-galera), because they need three database servers and minutes; each ends
// with the verification of the books on every node.
package galera
