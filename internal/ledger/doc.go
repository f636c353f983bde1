// Package ledger keeps a company's books: what was posted, to which accounts, in which month, and what is still owed.
//
// Owns: the chart of accounts, posting rules, the journal, periods, open items, and balances computed from entries.
//
// Does not own: the documents behind postings; a document hands over lines and keeps the transaction's id.
//
// Invariants: a posting balances per currency and in the base currency, or is not stored; a posted row is never changed;
// a transaction is reversed at most once, by the mirror of its stored lines; nothing is posted into a locked month, and once
// the lock of a month commits no posting into it is in flight; a locked month, and no other, has stored turnovers, which are
// the sums of its entries; an open item is never settled beyond its amount.
//
// Lock order: period (shared to post, exclusive to lock), then open items by id.
package ledger
