package httpapi

import (
	"context"
	"fmt"
	"io"

	"github.com/go-json-experiment/json"
	"github.com/go-json-experiment/json/jsontext"

	"github.com/vienkart/vienkart/internal/apperr"
	"github.com/vienkart/vienkart/internal/date"
	"github.com/vienkart/vienkart/internal/export"
	"github.com/vienkart/vienkart/internal/tenant"
	"github.com/vienkart/vienkart/internal/vat/fr0600"
	"github.com/vienkart/vienkart/internal/vat/isaf"
	"github.com/vienkart/vienkart/internal/vat/saft"
)

// errFaultyFile ends a job whose file the tax authority would refuse.
var errFaultyFile = apperr.Define("export.faulty", apperr.Rule,
	"The tax authority would refuse the file; declarations/lt/isaf/generate lists what to correct.")

// vatExports are the files for the tax authority. Those of i.SAF and SAF-T name the moment they were made, so that only the stored
// file of locked months is the same each time.
func vatExports(version string) export.Reports {
	isafFile := exportOf("i.SAF", nil, nil, func(in generateISAFRequest) export.Span {
		p, _ := in.period() // a fault is found by checked
		return export.Span{From: p.From, To: p.To}
	})
	isafFile.Formats, isafFile.Produce = []export.Format{export.XML}, nil
	isafFile.Prepare = checked(isafFile.Prepare, func(in generateISAFRequest) error {
		_, err := in.period()
		return err
	})
	isafFile.ProduceXML = xmlOf(func(ctx context.Context, r tenant.ReadTx, in generateISAFRequest, w io.Writer) ([]string, error) {
		return exportISAF(ctx, r, version, in, w)
	})

	fr0600File := exportOf("FR0600", exportFR0600, nil, func(in computeFR0600Request) export.Span {
		p, _ := in.period() // as above
		return export.Span{From: p.From, To: p.To}
	})
	fr0600File.Formats = append([]export.Format{export.JSON, export.XML}, export.Tabular[1:]...)
	fr0600File.Prepare = checked(fr0600File.Prepare, func(in computeFR0600Request) error {
		_, err := in.period()
		return err
	})
	fr0600File.ProduceXML = xmlOf(exportFFData)

	saftFile := exportOf("SAF-T", nil, nil, func(in generateSAFTRequest) export.Span {
		return export.Span{From: in.FromDate, To: in.ToDate, Openings: true}
	})
	saftFile.Formats, saftFile.Produce = []export.Format{export.XML}, nil
	saftFile.Prepare = checked(saftFile.Prepare, func(in generateSAFTRequest) error {
		o := saft.Options{From: in.FromDate, To: in.ToDate, DataType: in.DataType}
		return o.Complete() //nolint:wrapcheck // a refusal of the domain is the answer
	})
	saftFile.ProduceXML = xmlOf(func(ctx context.Context, r tenant.ReadTx, in generateSAFTRequest, w io.Writer) ([]string, error) {
		made, err := saft.Write(ctx, r, in.options(r, version), w)
		if err != nil {
			return nil, err //nolint:wrapcheck // the job tells refusals from faults
		}
		return made.Warnings, nil
	})
	return export.Reports{"isaf": isafFile, "fr0600": fr0600File, "saft": saftFile}
}

// mayExport refuses files for the tax authority to callers who may not file returns. Error: forbidden.
func mayExport(scope tenant.Scope, report string) error {
	if _, isVAT := vatExports("")[report]; isVAT && !scope.Can(tenant.FileReturns) {
		return tenant.ErrForbidden.New("The role of the token may not make files for the tax authority; it takes the permission %s.", tenant.FileReturns)
	}
	return nil
}

// preparing is the Prepare of a report.
type preparing = func(jsontext.Value, date.Date) (export.Prepared, error)

// checked refuses parameters that fit each member and not together, before they are used.
func checked[In any](prepare preparing, check func(In) error) preparing {
	return func(params jsontext.Value, today date.Date) (export.Prepared, error) {
		var in In
		if err := decodeRequest(params, &in); err != nil {
			return export.Prepared{}, underParams(err)
		}
		if err := check(in); err != nil {
			return export.Prepared{}, underParams(err)
		}
		return prepare(params, today)
	}
}

func xmlOf[In any](
	produce func(context.Context, tenant.ReadTx, In, io.Writer) ([]string, error),
) func(context.Context, tenant.ReadTx, jsontext.Value, io.Writer) ([]string, error) {
	return func(ctx context.Context, r tenant.ReadTx, params jsontext.Value, w io.Writer) ([]string, error) {
		var in In
		if err := json.Unmarshal(params, &in); err != nil {
			return nil, fmt.Errorf("reading the parameters of a job: %w", err)
		}
		return produce(ctx, r, in, w)
	}
}

func exportISAF(ctx context.Context, r tenant.ReadTx, version string, in generateISAFRequest, w io.Writer) ([]string, error) {
	options, err := in.options(r, version)
	if err != nil {
		return nil, err
	}
	filing, err := isaf.Prepare(ctx, r, options)
	if err != nil {
		return nil, err //nolint:wrapcheck // the job tells refusals from faults
	}
	if filing.Blocked() || (filing.Errors > 0 && !in.WithErrors) {
		return nil, errFaultyFile.New("VMI would refuse the file for %d faults; declarations/lt/isaf/generate lists them.", max(filing.Errors, 1))
	}
	part := 0
	if in.Part != nil {
		part = *in.Part - 1
	}
	if part >= len(filing.Parts) {
		return nil, apperr.Invalid("params.part", "must be 1 to %d", len(filing.Parts))
	}
	return toISAF(filing, options.Period, part).Warnings, filing.Write(part, w) //nolint:wrapcheck // says what was written
}

// returnOf computes the return with a file in it, whatever the request says of files.
func returnOf(ctx context.Context, r tenant.ReadTx, in computeFR0600Request) (computeFR0600Response, error) {
	in.WithFile = true
	return computeFR0600(ctx, r, in)
}

func exportFFData(ctx context.Context, r tenant.ReadTx, in computeFR0600Request, w io.Writer) ([]string, error) {
	out, err := returnOf(ctx, r, in)
	if err != nil {
		return nil, err
	}
	_, err = io.WriteString(w, out.File.FFData)
	return out.Warnings, err //nolint:wrapcheck // the job tells refusals from faults
}

func exportFR0600(ctx context.Context, r tenant.ReadTx, in computeFR0600Request, w export.Writer) error {
	out, err := computeFR0600(ctx, r, in)
	if err != nil {
		return err
	}
	w.Expect(int64(len(out.Fields)))
	before := []jsonMember{{"periodStart", out.PeriodStart}, {"periodEnd", out.PeriodEnd}, {"deductionPercent", out.DeductionPercent}}
	if err := jsonMembers(w, before); err != nil {
		return err
	}
	err = w.Table("fields", export.Column{Title: "Laukelis", Width: 3}, columnName, amountColumn("Suma"), amountColumn("Tiksliai"))
	if err != nil {
		return err //nolint:wrapcheck // the job tells refusals from faults
	}
	for _, f := range out.Fields {
		if err := w.Row(f, []any{f.Field, f.Label, f.Value, f.Exact}); err != nil {
			return err //nolint:wrapcheck // as above
		}
	}
	after := []jsonMember{{"breakdown", out.Breakdown}, {"counts", out.Counts}, {"warnings", out.Warnings}, {"notes", out.Notes}, {"errors", out.Errors}, {"drafts", out.Drafts}}
	if out.Documents != nil {
		after = append(after, jsonMember{"documents", out.Documents}, jsonMember{"omittedDocuments", out.OmittedDocuments})
	}
	if out.File != nil {
		after = append(after, jsonMember{"file", out.File})
	}
	return jsonMembers(w, after)
}

func (in computeFR0600Request) period() (fr0600.Period, error) {
	months := 1
	if in.Months != nil {
		months = *in.Months
	}
	return fr0600.NewPeriod(in.Year, in.Month, months) //nolint:wrapcheck // a refusal of the domain is the answer
}

func (in generateISAFRequest) period() (isaf.Period, error) {
	months := 1
	if in.Months != nil {
		months = *in.Months
	}
	return isaf.NewPeriod(in.Year, in.Month, months) //nolint:wrapcheck // a refusal of the domain is the answer
}
