// Command report compares the operations of this server with the wire contract.
//
// Owns: printing where they deviate, and the exit status 1 when one does.
//
// Does not own: the comparison (package contract) and the document of this server (package httpapi).
//
// Invariants: an operation that is not served is no deviation.
package main

import (
	"errors"
	"flag"
	"fmt"
	"io"
	"os"

	"github.com/vienkart/vienkart/internal/httpapi"
	"github.com/vienkart/vienkart/internal/httpapi/contract"
)

var errDeviates = errors.New("operations deviate from the contract")

func main() {
	file := flag.String("contract", "../shared/contract/openapi.json", "the contract, an OpenAPI document")
	flag.Parse()
	if err := run(os.Stdout, *file); err != nil {
		fmt.Fprintln(os.Stderr, err)
		os.Exit(1)
	}
}

func run(w io.Writer, file string) error {
	theirs, err := contract.Open(file)
	if err != nil {
		return err //nolint:wrapcheck // says what was opened
	}
	document, err := httpapi.Document()
	if err != nil {
		return fmt.Errorf("describing the API: %w", err)
	}
	ours, err := contract.Parse(document)
	if err != nil {
		return err //nolint:wrapcheck // says what was read
	}
	report := contract.Compare(theirs, ours)
	if _, err := report.WriteTo(w); err != nil {
		return err //nolint:wrapcheck // says what was written
	}
	if report.Deviating() > 0 {
		return errDeviates
	}
	return nil
}
