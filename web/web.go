// Package web holds what the pages are made of: templates, style, a little JavaScript and the texts in each language.
//
// Owns: the embedded files.
//
// Does not own: what the pages show (package webui).
//
// Invariants: a page needs nothing from another server, and works without JavaScript.
package web

import "embed"

// Files are the folders templates, static and translations.
//
//go:embed templates/*.html static/* translations/*.json
var Files embed.FS
