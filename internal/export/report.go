package export

import (
	"context"
	"io"
	"maps"
	"slices"
	"strings"

	"github.com/go-json-experiment/json/jsontext"

	"github.com/vienkart/vienkart/internal/date"
	"github.com/vienkart/vienkart/internal/tenant"
)

// Report is what a job can be of.
type Report struct {
	// Formats are what it can be made in, the default first.
	Formats []Format
	// Prepare checks parameters and completes them with everything that would otherwise depend on the day of the run: what it
	// returns, it returns again when it is given it. Errors are those of a request, with the fields of the parameters.
	Prepare func(params jsontext.Value, today date.Date) (Prepared, error)
	// Produce writes the report, for every format but XML.
	Produce func(ctx context.Context, r tenant.ReadTx, params jsontext.Value, w Writer) error
	// ProduceXML writes the file of the format XML, and warns of what the books lack for it; nil unless Formats has it.
	ProduceXML func(ctx context.Context, r tenant.ReadTx, params jsontext.Value, w io.Writer) (warnings []string, err error)
}

// Prepared is a report with its parameters.
type Prepared struct {
	// Params are complete and in one form.
	Params jsontext.Value
	Title  string
	// FileName tells one file of the report from another; its name begins with that of the report.
	FileName string
	Span     Span
}

// Span is which days a file tells of.
type Span struct {
	From, To date.Date
	// Openings is set when the file also tells what all days before came to, such as a balance.
	Openings bool
}

// Reports are the reports by name.
type Reports map[string]Report

func (r Reports) find(name string) (Report, error) {
	found, ok := r[name]
	if !ok {
		return Report{}, ErrUnknownReport.New("There is no export of %q; there is %s.", name, strings.Join(slices.Sorted(maps.Keys(r)), ", ")).
			Field("reportType", "is not the name of an export")
	}
	return found, nil
}
