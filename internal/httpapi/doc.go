// Package httpapi is the REST API: the route table, the pipelines of mutations and queries, and the error bodies.
//
// Owns: routes, the shapes of requests and answers (one file per resource), statuses, and the API document.
//
// Does not own: rules of business; a handler translates, calls one domain function and translates back.
//
// Invariants: every mutation goes through one pipeline; nothing below a handler sees HTTP; an answer is encoded once and
// those bytes are stored and sent; every operation is listed once in the route table and is tested by being listed.
package httpapi
