// Package webui shows the books in a browser.
//
// Owns: the pages under /ui/, their forms, the session cookie and the choice of language.
//
// Does not own: any rule of accounting, permission or idempotency. A page calls the API's own handler in process, as the
// signed-in user, so that a click runs through the same pipeline as a request of a program.
//
// Invariants: every form that changes something carries an Idempotency-Key that was minted with it, and sends that key
// however often it is submitted; after a success the browser is redirected to a page that only reads; nothing in a page
// is executed or styled but the files of package web (Content-Security-Policy); a page works without JavaScript.
package webui
