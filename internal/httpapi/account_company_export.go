package httpapi

import (
	"bytes"
	"context"

	"github.com/vienkart/vienkart/internal/apperr"
	"github.com/vienkart/vienkart/internal/backup"
	"github.com/vienkart/vienkart/internal/files"
	"github.com/vienkart/vienkart/internal/tenant"
)

// maxCompanyFile bounds an export in an answer: it is held in memory, and in base64 it travels a third larger.
const maxCompanyFile = 32 << 20

var errCompanyTooLarge = apperr.Define("company.export_too_large", apperr.Rule,
	"The file of the company is larger than an answer may be; the operator makes it with the command server company export.")

// companyExportOperations give a company its own data.
func companyExportOperations(store *tenant.Store, depot files.Depot, version string) []Operation {
	h := companyExporter{store, depot, version}
	return []Operation{
		query("/v1/account/companies/export", tenant.ManageCompany, "Export the whole company", h.export,
			described("Gives everything of the company as of one moment, with its journal, documents, files, log and members: gzip of lines of JSON, "+
				"whose last line has their number and SHA-256. Another server imports it. Up to 32 MiB; a larger one the operator exports.")),
	}
}

type companyExporter struct {
	store   *tenant.Store
	depot   files.Depot
	version string
}

type companyFile struct {
	FileName  string `json:"fileName" description:"Name for the file."`
	MIMEType  string `json:"mimeType" description:"Always application/gzip."`
	SizeBytes int64  `json:"sizeBytes" description:"Length of the content."`
	Rows      int64  `json:"rows" description:"Rows in it."`
	SHA256    string `json:"sha256" description:"SHA-256 of the lines before the last, in hexadecimal."`
	Content   []byte `json:"content" description:"The file in base64."`
}

func (h companyExporter) export(ctx context.Context, r tenant.ReadTx, _ emptyRequest) (companyFile, error) {
	company := r.Company().ID
	var out boundedFile
	totals, err := backup.WriteCompany(ctx, h.store.Database(), r, &out, backup.CompanyInput{
		Server: h.version, Now: r.Now(),
		Contents: func(f backup.FolderFile) ([]byte, error) { return h.depot.FromFolder(company, f.ID, f.SHA256) },
	})
	if err != nil {
		return companyFile{}, err //nolint:wrapcheck // says what failed already
	}
	return companyFile{
		FileName: "company_" + company.String() + "_" + r.Today().String() + ".jsonl.gz", MIMEType: "application/gzip",
		SizeBytes: int64(out.Len()), Rows: totals.Rows, SHA256: totals.SHA256, Content: out.Bytes(),
	}, nil
}

// boundedFile is a buffer that refuses to grow beyond the size of an answer.
type boundedFile struct{ bytes.Buffer }

// Write appends. Error: company.export_too_large.
func (b *boundedFile) Write(p []byte) (int, error) {
	if b.Len()+len(p) > maxCompanyFile {
		return 0, errCompanyTooLarge.New("The company's file is larger than %d MiB; ask the operator for it (server company export).", maxCompanyFile>>20)
	}
	return b.Buffer.Write(p) //nolint:wrapcheck // a buffer never fails
}
