package export

import (
	"context"
	"fmt"
	"io"

	"github.com/go-json-experiment/json"
	"github.com/go-json-experiment/json/jsontext"

	"github.com/vienkart/vienkart/internal/tenant"
)

// product is a file before it is stored: its bytes, or the earlier file that has them.
type product struct {
	file    File
	content *spool
	same    *File
}

// production is what an attempt at a job made.
type production struct {
	products []product
	// warnings say what the books lack for the files.
	warnings []string
}

// produce makes the files of a job from one snapshot. Formats whose final file exists are not made again.
func (w *Worker) produce(ctx context.Context, c *claimed, job Job, f *fan) (production, error) {
	report, err := w.Reports.find(job.ReportType)
	if err != nil {
		return production{}, err
	}
	params := jsontext.Value(job.Params)
	var made production
	err = w.System.Store().ReportSnapshot(ctx, c.scope, func(ctx context.Context, r tenant.ReadTx) error {
		made = production{} // the work may run twice
		f.reset()
		prepared, err := report.Prepare(params, r.Today())
		if err != nil {
			return err
		}
		mark := watermark{
			SnapshotAt: r.Now(), ReportType: job.ReportType, Params: params, FromDate: prepared.Span.From, ToDate: prepared.Span.To,
		}
		if mark.Locks, mark.IsFinal, err = locksOf(ctx, r, prepared.Span); err != nil {
			return err
		}
		missing := []Format{}
		for _, format := range splitFormats(job.Formats) {
			p := product{file: File{
				JobID: job.ID, Format: format, FileName: job.ReportType + "_" + prepared.FileName + "." + string(format), MimeType: mimeTypes[format],
			}}
			if p.file.FinalKey, err = mark.finalKey(format); err != nil {
				return err
			}
			if p.same, err = finalFile(ctx, r, p.file.FinalKey); err != nil {
				return err
			}
			if p.same == nil {
				missing = append(missing, format)
			}
			if p.same != nil && made.warnings == nil {
				if made.warnings, err = warningsOf(ctx, r, p.same.JobID); err != nil {
					return err
				}
			}
			made.products = append(made.products, p)
		}
		contents, warnings, err := report.contents(ctx, r, prepared, missing, f)
		if err != nil {
			return err
		}
		mark.Rows, mark.Sums = f.rows.Load(), f.columnSums()
		made.warnings = append(made.warnings, warnings...)
		return describe(made.products, contents, mark)
	})
	if err != nil {
		return production{}, err //nolint:wrapcheck // the caller tells refusals from faults
	}
	return made, nil
}

// describe puts bytes and watermarks to the files. A file with the bytes of an earlier one has its watermark too.
func describe(made []product, contents map[Format]*spool, mark watermark) error {
	text, err := json.Marshal(mark, json.Deterministic(true))
	if err != nil {
		return fmt.Errorf("encoding the watermark: %w", err)
	}
	for i := range made {
		made[i].file.Watermark = string(text)
		made[i].content = contents[made[i].file.Format]
		if same := made[i].same; same != nil {
			made[i].file.Watermark = same.Watermark
		}
	}
	return nil
}

// contents writes a report in the given formats: once, however many they are.
func (report Report) contents(
	ctx context.Context, r tenant.ReadTx, prepared Prepared, formats []Format, f *fan,
) (contents map[Format]*spool, warnings []string, err error) {
	contents = map[Format]*spool{}
	for _, format := range formats {
		contents[format] = newSpool()
		if format == XML {
			if warnings, err = report.ProduceXML(ctx, r, prepared.Params, contents[format]); err != nil {
				return nil, nil, err
			}
			continue
		}
		writer, err := newFormat(format, contents[format], head{prepared.Title, subtitle(r, prepared.Span), prepared.Span})
		if err != nil {
			return nil, nil, err
		}
		f.writers = append(f.writers, writer)
	}
	if len(f.writers) > 0 {
		if err := report.Produce(ctx, r, prepared.Params, f); err != nil {
			return nil, nil, err
		}
	}
	for _, writer := range f.writers {
		if err := writer.Close(); err != nil {
			return nil, nil, err //nolint:wrapcheck // says what was written
		}
	}
	for _, content := range contents {
		if err := content.close(); err != nil {
			return nil, nil, err
		}
	}
	return contents, warnings, nil
}

// subtitle says whose report it is, of which days and in which currency.
func subtitle(r tenant.ReadTx, span Span) string {
	days := span.From.String() + " – " + span.To.String()
	if span.From == span.To {
		days = span.To.String()
	}
	return r.Company().Name + ", " + days + ", " + r.Company().BaseCurrency.Code()
}

func newFormat(format Format, w io.Writer, h head) (formatWriter, error) {
	switch format {
	case JSON:
		return newJSON(w)
	case CSV:
		return newCSV(w), nil
	case XLSX:
		return newXLSX(w, h)
	case PDF:
		return newPDF(w, h), nil
	case XML:
	}
	return nil, ErrUnknownFormat.New("No file can be written as %q.", format)
}

// columnSums are the sums of the columns of amounts.
func (f *fan) columnSums() []sumOfColumn {
	sums := []sumOfColumn{}
	for i, sum := range f.sums {
		if !sum.Currency().IsZero() {
			sums = append(sums, sumOfColumn{f.columns[i].Title, sum})
		}
	}
	return sums
}
