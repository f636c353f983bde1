// Package pain writes payment files for banks: ISO 20022 pain.001.001.09, SEPA credit transfers in euro.
//
// Owns: the document, the character set and the lengths that banks take, and a check of the finished document against the
// rules of its schema.
//
// Does not own: what is paid, to whom and whether it was paid before.
//
// Invariants: a document that Check refuses is not given out; count and control sum are those of its payments.
//
// Source: ISO 20022 message definition CustomerCreditTransferInitiationV09, and the European Payments Council's SEPA credit
// transfer scheme implementation guidelines, customer to PSP.
package pain
