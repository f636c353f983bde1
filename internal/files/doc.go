// Package files keeps the files of a company: attachments, logos, and what the server produced.
//
// Owns: the tables files and file_chunks, the folder of contents, the cleaning of names and the check of types.
//
// Does not own: what a file is about (its entity belongs to another package) and how a produced file is made.
//
// Invariants: a file is its bytes: size and SHA-256 are checked on every read; the row and its content commit together,
// and a content in the folder without a row is garbage that nobody can reach, swept when it is a day old; a file that another row refers to is not
// deleted; a content is never shared between two rows, so that deleting one cannot take it from another.
package files
