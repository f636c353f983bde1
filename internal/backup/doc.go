// Package backup writes everything a database holds to one file, and restores it on the same engine or on another.
//
// Owns: the portable format, the snapshot it is taken from, and the checks before a restore.
//
// Does not own: the schema (package migrations), files that are kept in a folder and secrets that are kept outside the
// database (the runbook says what else to keep), and whether the books are right (server verify).
//
// Invariants: a backup is of one moment and holds up no writer; it depends on the schema alone and not on the engine, so the
// same rows give the same lines; memory is bounded by the largest row; a file is checked to its end before the first row of
// it is stored; a database that holds anything is never restored into.
//
// A file is gzip of lines of JSON: a header, then for each table a line that names it and its columns, its rows in the
// order of the primary key as arrays, and a line with their number; then a last line with the totals and the SHA-256 of
// all lines before it. Bytes are base64, decimals and dates text, instants text in UTC with microseconds.
package backup
