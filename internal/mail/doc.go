// Package mail sends letters by SMTP.
//
// Owns: the connection to the mail server, the queue of letters under way and their repetition.
//
// Does not own: what a letter says and who gets it.
//
// Invariants: handing a letter over never waits for the network, so that no answer tells by its time whether one was
// sent; a letter is handed over after the commit of what it speaks of; a letter may be lost, and none is sent twice on
// purpose: who misses one asks again.
package mail
