// Package invoice issues sales documents: invoices, debit notes, credit notes, advance invoices and proformas.
//
// Owns: drafts, issued documents with their lines, the crediting, cancelling and the taking off of advances.
//
// Does not own: the arithmetic of VAT (package vat), numbers (numbering), what is owed and paid (open items in ledger), and the
// register that returns are computed from (vat/register).
//
// Invariants: a draft has no number and posts nothing; an issued document never changes, for it is a row of a table that takes
// no update, under the id of its draft. What changes after issue is derived: what was paid from its open item, the invoice an
// advance went into and the cancellation from rows of their own. Credits never pass what they credit, per VAT code and rate and
// in total, to the cent; and the last one takes exactly what is left, in the base currency too.
//
// Kinds of document: a debit note is an invoice that names the invoice it raises (creditedInvoiceId), DS in i.SAF. A credit note
// names the invoice or advance it lowers; its amounts are positive and its effect is not. It settles what is still open; what was
// paid before stays owed to the customer as a payable open item of the credit note. A proforma is an offer: it has a number and no
// effect. An advance invoice is owed and taxed like an invoice, and is taken off the invoice once, as a whole.
//
// Totals: the lines of one code and rate never come to less than nothing, for i.SAF takes negative values on notes alone; a
// discount is a line with a negative price or quantity beside the lines it lowers. A document of nothing is not issued.
//
// Revenue goes to the account of the rule sales.revenueProducts: a line does not tell goods from services.
//
// Lock order: draft, period, open items by id, series last. The draft is held from its first statement, so that of two issuers
// the second finds it gone.
package invoice
