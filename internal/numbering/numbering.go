// Package numbering gives documents their gapless numbers.
//
// Owns: series, and the taking of a number.
//
// Does not own: the documents; each keeps its number in a unique index of its own.
//
// Invariants: a number is taken inside the transaction that stores its document, so a rollback gives it back; within a
// series numbers run from the first without gap or repeat; two series of one prefix never share a full number.
//
// Lock order: the series row is the tenant's hottest lock and is held until commit, so a number is taken last.
package numbering

import (
	"context"
	"database/sql"
	"errors"
	"fmt"

	"github.com/vienkart/vienkart/internal/apperr"
	"github.com/vienkart/vienkart/internal/clock"
	"github.com/vienkart/vienkart/internal/memory"
	"github.com/vienkart/vienkart/internal/tenant"
)

// DocumentType names the kind of document a series numbers.
type DocumentType string

// The document types.
const (
	SaleInvoice DocumentType = "sale_invoice"
	CreditNote  DocumentType = "credit_note"
	Proforma    DocumentType = "proforma"
	Advance     DocumentType = "advance_invoice"
)

// Enum lists the allowed values.
func (DocumentType) Enum() []any { return []any{SaleInvoice, CreditNote, Proforma, Advance} }

// defaultPrefixes begin the series that a company gets without asking; the year follows, so that a new year starts at
// one without repeating a full number.
var defaultPrefixes = map[DocumentType]string{SaleInvoice: "SF", CreditNote: "KR", Proforma: "IS", Advance: "AV"}

// DefaultPrefix is the prefix of the series that a document of a year gets without asking.
func DefaultPrefix(t DocumentType, year int) string {
	return fmt.Sprintf("%s%02d", defaultPrefixes[t], year%100)
}

// Errors of this package.
var (
	ErrUnknownSeries = apperr.Define("numbering.unknown_series", apperr.Rule,
		"The company has no such series for the year of the document; create it first.")
	ErrSeriesExists = apperr.Define("numbering.series_exists", apperr.Duplicate, "The company already has this series for the year.")
	ErrPrefixTaken  = apperr.Define("numbering.prefix_taken", apperr.Rule,
		"Another kind of document has a series of this prefix, so their full numbers would meet.")
	ErrOverlap = apperr.Define("numbering.numbers_overlap", apperr.Rule,
		"A series of the same prefix has already reached the number, so full numbers would repeat.")
)

// Series is one run of numbers.
type Series struct {
	tenant.Row
	DocumentType DocumentType
	Prefix       string
	Year         int
	FirstNumber  int64
	NextNumber   int64
	CreatedAt    clock.Time
}

// TableName names the table for the mapper.
func (Series) TableName() string { return "number_series" }

// FullNumber is the number as printed: VMI advises neither blanks nor punctuation, and keeps leading zeros (KD-8736).
func FullNumber(prefix string, number int64) string { return fmt.Sprintf("%s%07d", prefix, number) }

// Find gives the series a document of a year belongs to: the one with the prefix, or for an empty prefix the default
// one, which is made when it is missing. Call it before Take, and any time before: it locks nothing that exists. Its next number
// may be old; Take knows it.
// Errors: numbering.unknown_series.
func Find(ctx context.Context, tx tenant.Tx, t DocumentType, prefix string, year int) (*Series, error) {
	isDefault := prefix == ""
	if isDefault {
		prefix = DefaultPrefix(t, year)
	}
	key := seriesKey{tx.Company().ID, t, prefix, year}
	if s, ok := found.Get(key); ok {
		return &s, nil
	}
	s, err := find(ctx, tx, t, prefix, year)
	if err != nil {
		return nil, err
	}
	if s != nil {
		found.Put(key, *s)
		return s, nil
	}
	if !isDefault {
		return nil, ErrUnknownSeries.New("There is no series %s for %d; create it with reference/series/create.", prefix, year).
			Field("series", "is not a series of %d", year)
	}
	s = &Series{DocumentType: t, Prefix: prefix, Year: year, FirstNumber: 1, NextNumber: 1, CreatedAt: tx.Now()}
	// A race for the first document of a year ends in a duplicate; the pipeline runs the loser again and it finds this row.
	return s, tenant.Insert(ctx, tx, s) //nolint:wrapcheck // says what was stored
}

// seriesKey is what makes a series the one sought. Which row that is never changes, so it is remembered, all but the next number.
type seriesKey struct {
	company      tenant.ID
	documentType DocumentType
	prefix       string
	year         int
}

var found memory.Map[seriesKey, Series]

func find(ctx context.Context, r tenant.Reader, t DocumentType, prefix string, year int) (*Series, error) {
	return tenant.First[Series](ctx, r, "document_type = ? AND prefix = ? AND year = ?", t, prefix, year) //nolint:wrapcheck // says what was read
}

// Take gives the next number of a series and holds the series until the transaction ends. Take it last.
func Take(ctx context.Context, tx tenant.Tx, s *Series) (int64, error) {
	number, err := tenant.Increment(ctx, tx,
		"UPDATE number_series SET next_number = @previous(next_number) + 1 WHERE company_id = @company AND id = ?", s.ID)
	if errors.Is(err, sql.ErrNoRows) {
		// Remembered from a transaction that was rolled back after all.
		found.Forget(seriesKey{tx.Company().ID, s.DocumentType, s.Prefix, s.Year})
		return 0, tenant.Outdated(err)
	}
	if err != nil {
		return 0, fmt.Errorf("taking a number of series %s: %w", s.Prefix, err)
	}
	return number, nil
}

// CreateInput is what a new series needs.
type CreateInput struct {
	DocumentType DocumentType
	Prefix       string
	Year         int
	// StartAt is the first number; 0 continues after every series of the prefix.
	StartAt int64
}

// Create makes a series. Errors: numbering.series_exists, numbering.prefix_taken, numbering.numbers_overlap.
func Create(ctx context.Context, tx tenant.Tx, in CreateInput) (*Series, error) {
	same, err := tenant.Find[Series](ctx, tx, "prefix = ?", in.Prefix)
	if err != nil {
		return nil, err //nolint:wrapcheck // says what was read
	}
	next := int64(1)
	for _, s := range same {
		if s.DocumentType != in.DocumentType {
			return nil, ErrPrefixTaken.New("The prefix %s numbers documents of the type %s; choose another.", in.Prefix, s.DocumentType).
				Field("prefix", "is used by %s", s.DocumentType)
		}
		if s.Year == in.Year {
			return nil, ErrSeriesExists.New("The series %s of %d exists already.", in.Prefix, in.Year).
				Detail("existingId", s.ID).Detail("index", "one series per prefix and year")
		}
		next = max(next, s.NextNumber)
	}
	start := in.StartAt
	if start == 0 {
		start = next
	}
	if start < next {
		return nil, ErrOverlap.New("The prefix %s has reached number %d; start at %d or later, or choose another prefix.", in.Prefix, next-1, next).
			Field("startAt", "must be %d or more", next)
	}
	s := &Series{
		DocumentType: in.DocumentType, Prefix: in.Prefix, Year: in.Year, FirstNumber: start, NextNumber: start, CreatedAt: tx.Now(),
	}
	return s, tenant.Insert(ctx, tx, s) //nolint:wrapcheck // says what was stored
}

var listing = tenant.Listing{
	Sources: []tenant.Source{{
		From: "number_series",
		Fields: map[string]tenant.Field{
			"documentType": tenant.TextField("document_type"),
			"prefix":       tenant.TextField("prefix"),
			"year":         tenant.IntField("year"),
			"nextNumber":   tenant.IntField("next_number"),
			"createdAt":    tenant.TimeField("created_at"),
		},
	}},
	Order: []tenant.Sort{{Field: "year", Dir: "desc"}, {Field: "documentType"}, {Field: "prefix"}},
}

// List reads a page of series.
func List(ctx context.Context, r tenant.ReadTx, q tenant.ListQuery) (tenant.Page[Series], error) {
	return tenant.ListRows[Series](ctx, r, q, listing) //nolint:wrapcheck // names the field at fault
}
