package export

import (
	"context"
	"fmt"

	"github.com/go-json-experiment/json/jsontext"

	"github.com/vienkart/vienkart/internal/clock"
	"github.com/vienkart/vienkart/internal/tenant"
)

// Card is a job as the API shows it.
type Card struct {
	ID         tenant.ID      `json:"id" description:"Id of the job."`
	ReportType string         `json:"reportType" description:"Report that it makes."`
	Params     jsontext.Value `json:"params" description:"Parameters, completed when the job was created."`
	Formats    []Format       `json:"formats" description:"Formats asked for."`
	Status     ShownStatus    `json:"status" description:"Where the job is; a cancelled one has failed."`
	Error      string         `json:"error,omitzero" description:"Why it failed."`
	Outputs    []Output       `json:"outputs,omitempty" description:"Finished files, one for each format."`
	CreatedAt  clock.Time     `json:"createdAt" description:"When it was created."`
	StartedAt  clock.Time     `json:"startedAt,omitzero" description:"When work on it first began."`
	FinishedAt clock.Time     `json:"finishedAt,omitzero" description:"When it ended."`
	Progress   int            `json:"progress" description:"How much is done, in per cent."`
	Warnings   []string       `json:"warnings,omitempty" description:"What the books lack for the files."`
	ErrorCode  string         `json:"errorCode,omitzero" description:"Stable code of the error; see docs/errors.md."`
}

// ShownStatus is the contract's status: it has no word for cancelled.
type ShownStatus string

// Enum lists the allowed values.
func (ShownStatus) Enum() []any {
	return []any{ShownStatus(Queued), ShownStatus(Running), ShownStatus(Completed), ShownStatus(Failed)}
}

// Output is a finished file.
type Output struct {
	Format    Format    `json:"format" description:"Format of the file."`
	FileID    tenant.ID `json:"fileId" description:"Id for files/get."`
	FileName  string    `json:"fileName" description:"Name of the file."`
	SizeBytes int64     `json:"sizeBytes" description:"Size in bytes."`
	SHA256    string    `json:"sha256" description:"SHA-256 of the bytes, in hexadecimal."`
	IsFinal   bool      `json:"isFinal" description:"Whether all its months were locked, so that every further file is the same."`
}

// Show gives the card of a job with its files.
func Show(ctx context.Context, r tenant.Reader, job Job) (Card, error) {
	cards, err := cardsOf(ctx, r, []Job{job})
	if err != nil {
		return Card{}, err
	}
	return cards[0], nil
}

// Get reads a job. Error: not_found.
func Get(ctx context.Context, r tenant.Reader, id tenant.ID) (Card, error) {
	job, err := tenant.Get[Job](ctx, r, id)
	if err != nil {
		return Card{}, err //nolint:wrapcheck // says what was read
	}
	return Show(ctx, r, *job)
}

var jobListing = tenant.Listing{
	Sources: []tenant.Source{{
		From: "export_jobs",
		Fields: map[string]tenant.Field{
			"id":         tenant.IDField("id"),
			"reportType": tenant.TextField("report_type"),
			"status":     tenant.TextField("(CASE WHEN status = 'cancelled' THEN 'failed' ELSE status END)"),
			"progress":   tenant.IntField("progress"),
			"createdAt":  tenant.TimeField("created_at"),
			"startedAt":  tenant.TimeField("started_at"),
			"finishedAt": tenant.TimeField("finished_at"),
		},
	}},
	Order: []tenant.Sort{{Field: "id", Dir: "desc"}},
}

// List reads a page of jobs, the latest first unless asked otherwise.
func List(ctx context.Context, r tenant.ReadTx, q tenant.ListQuery) (tenant.Page[Card], error) {
	page, err := tenant.ListRows[Job](ctx, r, q, jobListing)
	if err != nil {
		return tenant.Page[Card]{}, err //nolint:wrapcheck // names the field at fault
	}
	cards, err := cardsOf(ctx, r, page.Rows)
	return tenant.Page[Card]{Rows: cards, Page: page.Page, PageSize: page.PageSize, Total: page.Total}, err
}

func cardsOf(ctx context.Context, r tenant.Reader, jobs []Job) ([]Card, error) {
	cards := make([]Card, len(jobs))
	position := make(map[tenant.ID]*Card, len(jobs))
	var completed []tenant.ID
	for i, job := range jobs {
		cards[i] = job.card()
		position[job.ID] = &cards[i]
		if job.Status == Completed {
			completed = append(completed, job.ID)
		}
	}
	if len(completed) == 0 {
		return cards, nil
	}
	files, err := tenant.Query[File](ctx, r, "SELECT * FROM export_files WHERE company_id = @company AND job_id IN ? ORDER BY id", completed)
	if err != nil {
		return nil, fmt.Errorf("reading files: %w", err)
	}
	for _, f := range files {
		card := position[f.JobID]
		card.Outputs = append(card.Outputs, f.output())
	}
	return cards, nil
}

func (j Job) card() Card {
	c := Card{
		ID: j.ID, ReportType: j.ReportType, Params: jsontext.Value(j.Params), Formats: splitFormats(j.Formats), Status: ShownStatus(j.Status),
		CreatedAt: j.CreatedAt, StartedAt: j.StartedAt, FinishedAt: j.FinishedAt, Progress: j.Progress,
	}
	c.Warnings = j.warnings()
	if j.ErrorCode != nil {
		c.ErrorCode, c.Error = *j.ErrorCode, *j.ErrorMessage
	}
	if j.Status == Cancelled {
		c.Status, c.ErrorCode, c.Error = ShownStatus(Failed), errCancelled.Name(), "The job was cancelled."
	}
	return c
}
