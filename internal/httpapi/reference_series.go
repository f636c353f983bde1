package httpapi

import (
	"context"
	"regexp"
	"slices"

	"github.com/vienkart/vienkart/internal/apperr"
	"github.com/vienkart/vienkart/internal/audit"
	"github.com/vienkart/vienkart/internal/clock"
	"github.com/vienkart/vienkart/internal/numbering"
	"github.com/vienkart/vienkart/internal/tenant"
)

// errSeriesPrefix keeps full numbers readable and unmistakable: VMI advises neither blanks nor punctuation (KD-8736).
var errSeriesPrefix = apperr.Define("numbering.prefix", apperr.Rule,
	"The prefix of a series must be 1 to 20 upper-case letters and digits.")

var seriesPrefix = regexp.MustCompile(`^[A-Z0-9]{1,20}$`)

func seriesOperations() []Operation {
	return []Operation{
		mutation("/v1/reference/series/create", tenant.WriteLedger, "Create a number series", createSeries, about("number_series"),
			described("Without a prefix the series is the one that documents of the year get when they name none.")),
		query("/v1/reference/series/list", tenant.ReadBooks, "List number series", listSeries),
	}
}

type createSeriesRequest struct {
	DocumentType string  `json:"documentType" description:"Sort of document the series numbers: sale_invoice, credit_note, proforma or advance_invoice."`
	Prefix       *string `json:"prefix,omitzero" description:"What full numbers begin with: 1 to 20 upper-case letters and digits."`
	Year         int     `json:"year" minimum:"2000" maximum:"2199" description:"Year of the documents."`
	StartAt      int64   `json:"startAt,omitzero" minimum:"1" maximum:"999999999" description:"First number; unless given, the one after all series of the prefix."`
}

type seriesResponse struct {
	ID           tenant.ID              `json:"id" description:"Id of the series."`
	DocumentType numbering.DocumentType `json:"documentType" description:"Sort of document the series numbers."`
	Prefix       string                 `json:"prefix" description:"What full numbers begin with."`
	Year         int                    `json:"year" description:"Year of the documents."`
	NextNumber   int64                  `json:"nextNumber" description:"The number that the next document gets."`
	CreatedAt    clock.Time             `json:"createdAt" description:"When the series was created."`
}

func toSeries(s numbering.Series) seriesResponse {
	return seriesResponse{s.ID, s.DocumentType, s.Prefix, s.Year, s.NextNumber, s.CreatedAt}
}

func createSeries(ctx context.Context, tx tenant.Tx, in createSeriesRequest) (seriesResponse, error) {
	documentType := numbering.DocumentType(in.DocumentType)
	if known := documentType.Enum(); !slices.Contains(known, any(documentType)) {
		return seriesResponse{}, apperr.Invalid("documentType", "%s", oneOf(known))
	}
	prefix := numbering.DefaultPrefix(documentType, in.Year)
	if in.Prefix != nil {
		prefix = *in.Prefix
	}
	if !seriesPrefix.MatchString(prefix) {
		return seriesResponse{}, errSeriesPrefix.New("The prefix %q cannot begin a number; use 1 to 20 upper-case letters and digits, such as SF26.", shorten(prefix)).
			Field("prefix", "must be 1 to 20 upper-case letters A to Z and digits")
	}
	s, err := numbering.Create(ctx, tx, numbering.CreateInput{DocumentType: documentType, Prefix: prefix, Year: in.Year, StartAt: in.StartAt})
	// Whoever loses a race is run again and then finds the series.
	if err := tenant.OnDuplicate(tx, err, "number_series_prefix", tenant.RunAgain); err != nil {
		return seriesResponse{}, err //nolint:wrapcheck // a refusal of the domain is the answer
	}
	answer := toSeries(*s)
	return answer, audit.Record(ctx, tx, audit.Entry{
		Action: "number_series.created", Entity: "number_series", EntityID: s.ID.String(), After: answer,
	})
}

func listSeries(ctx context.Context, r tenant.ReadTx, q tenant.ListQuery) (tenant.Page[seriesResponse], error) {
	page, err := numbering.List(ctx, r, q)
	return tenant.MapPage(page, toSeries), err
}
