// Package payout keeps the settlements of payment providers: what a payout to the bank is made of, and its way into the books.
//
// Owns: settlements and their lines, their import, the match of lines with sales invoices, and the one posting of each.
//
// Does not own: the reading of reports (package report); sales documents, which it reaches through the open items of the ledger
// alone; bank accounts, whose ledger account the caller hands over.
//
// Invariants: a payout of a provider is one settlement, a movement of a provider is one line; a settlement is posted once, and from then
// on neither it nor its lines change; whether it is posted is the row that says so, never a state of its own; what a line settled is
// its allocation in the ledger, under the id of the line.
//
// Posting. The bank is debited with the net of the payout, and fees with what the provider kept. What came in for an invoice is
// credited to the account of its open item, up to what is open. What went back on an invoice is debited there and opens it again,
// up to what was settled. Lines of a payment without an invoice are the sales of others when commissionPercent is given: that per cent is
// own revenue, line by line, and the rest is owed to the seller. Everything else, such as disputes, is suspense until an accountant
// explains it. Money that came in is looked at before money that went back, so that the order of a report does not matter.
//
// A payment and its refund may be in two payouts that are posted in either order. The second takes into account what the first did:
// a payment that was given back before does not pay its invoice, and a refund of what was never applied opens nothing again.
//
// A foreign payout is converted at the rate of the day it arrives, or of its posting where that day is not known, in shares that add
// up. What an invoice was booked at leaves the books at that value; the difference is an exchange gain or loss.
//
// Lock order: settlement, period, open items by id. Settlements are taken by id.
package payout
