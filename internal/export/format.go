package export

import (
	"slices"
	"strings"
)

// Format is the sort of a file.
type Format string

// The formats.
const (
	JSON Format = "json"
	CSV  Format = "csv"
	XLSX Format = "xlsx"
	PDF  Format = "pdf"
	XML  Format = "xml"
)

// Tabular are the formats that any report can be made in.
var Tabular = []Format{JSON, CSV, XLSX, PDF}

// Enum lists the allowed values.
func (Format) Enum() []any { return []any{JSON, CSV, XLSX, PDF, XML} }

var mimeTypes = map[Format]string{
	JSON: "application/json",
	CSV:  "text/csv; charset=utf-8; header=present",
	XLSX: "application/vnd.openxmlformats-officedocument.spreadsheetml.sheet",
	PDF:  "application/pdf",
	XML:  "application/xml",
}

func joinFormats(formats []Format) string {
	names := make([]string, len(formats))
	for i, f := range formats {
		names[i] = string(f)
	}
	return strings.Join(names, ",")
}

func splitFormats(s string) []Format {
	formats := []Format{}
	for name := range strings.SplitSeq(s, ",") {
		formats = append(formats, Format(name))
	}
	return formats
}

// unique keeps the first of each format.
func unique(formats []Format) []Format {
	var kept []Format
	for _, f := range formats {
		if !slices.Contains(kept, f) {
			kept = append(kept, f)
		}
	}
	return kept
}
