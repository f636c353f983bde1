package httpapi

import (
	"context"

	"github.com/go-json-experiment/json/jsontext"

	"github.com/vienkart/vienkart/internal/export"
	"github.com/vienkart/vienkart/internal/tenant"
)

// jobOperations make files of reports in the background.
func jobOperations(reports export.Reports) []Operation {
	h := jobHandlers{reports}
	return []Operation{
		mutation("/v1/reports/jobs/create", tenant.MakeExports, "Make files of a report", h.create, about("report_job"),
			described("The parameters are those of the report; a member that names today is filled in at once. isaf, fr0600 and saft take those of "+
				"their declarations, also as xml, and the right to file returns. Any server makes the files, "+
				"from one snapshot. Fetch them by files/get when the job is completed; report.completed and report.failed tell the end. "+
				"Once all its months are locked, a report gives the same bytes whenever it is made.")),
		mutation("/v1/reports/jobs/cancel", tenant.MakeExports, "Cancel a job", cancelJob, about("report_job"),
			described("Ends a job that is queued or running; no file of it is kept. The contract has no word for it: the job has failed.")),
		query("/v1/reports/jobs/get", tenant.ReadBooks, "Show a job", getJob),
		query("/v1/reports/jobs/list", tenant.ReadBooks, "List jobs", export.List),
	}
}

type jobHandlers struct{ reports export.Reports }

type createJobRequest struct {
	ReportType string          `json:"reportType" maxLength:"64" description:"Name of the report, as in its path: trial-balance, general-journal and so on."`
	Params     jsontext.Value  `json:"params,omitzero" description:"Parameters of the report."`
	Formats    []export.Format `json:"formats,omitzero" maxItems:"5" description:"Formats of the files; json unless given."`
}

func (h jobHandlers) create(ctx context.Context, tx tenant.Tx, in createJobRequest) (export.Card, error) {
	if err := mayExport(tx.Scope(), in.ReportType); err != nil {
		return export.Card{}, err
	}
	job, err := export.Create(ctx, tx, h.reports, export.CreateInput(in))
	if err != nil {
		return export.Card{}, err //nolint:wrapcheck // a refusal of the domain is the answer
	}
	return export.Show(ctx, tx, *job)
}

func cancelJob(ctx context.Context, tx tenant.Tx, in idRequest) (export.Card, error) {
	job, err := export.Cancel(ctx, tx, in.ID)
	if err != nil {
		return export.Card{}, err //nolint:wrapcheck // a refusal of the domain is the answer
	}
	return export.Show(ctx, tx, *job)
}

func getJob(ctx context.Context, r tenant.ReadTx, in idRequest) (export.Card, error) {
	return export.Get(ctx, r, in.ID)
}
