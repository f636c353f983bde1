// Package account keeps companies, their members and API keys, signs people in, and tells callers who they are.
//
// Owns: opening, changing, archiving and deleting a company; memberships, invitations and their letters; login links,
// passwords and sessions; the life of API keys; which companies a user may work in.
//
// Does not own: the check of tokens and the rows of companies and people (package tenant); the books a company opens
// with (package ledger).
//
// Invariants: a company opens with its chart of accounts, and with its founder as admin, or not at all; one that has
// members keeps an admin; the company's own identifiers have right check digits, since they go into every return; a key
// never carries more rights than its maker, and its secret is in one answer and in no table. Of every link and
// invitation the digest alone is stored, and it works once. No answer and no letter tells a stranger whether an e-mail
// address is a user's. Every attempt is counted before it is made. The address of an invitation opens no account that
// exists.
package account
