package httpapi

import (
	"bytes"
	"context"
	"errors"

	"github.com/vienkart/vienkart/internal/apperr"
	"github.com/vienkart/vienkart/internal/date"
	"github.com/vienkart/vienkart/internal/tenant"
	"github.com/vienkart/vienkart/internal/vat/saft"
)

// Refusals of an audit file in an answer.
var (
	errSaftPersist = apperr.Define("saft.persist", apperr.Rule,
		"The operation stores nothing; a job of reports/jobs/create with the report saft keeps the file.")
	errSaftTooLarge = apperr.Define("saft.too_large", apperr.Rule,
		"The audit file is too large for an answer; make it for shorter periods or for single data types.")
)

func saftOperations(version string) []Operation {
	generate := func(ctx context.Context, r tenant.ReadTx, in generateSAFTRequest) (generateSAFTResponse, error) {
		return generateSAFT(ctx, r, version, in)
	}
	return []Operation{
		reportQuery("/v1/declarations/lt/saft/generate", tenant.FileReturns, "Make the audit file SAF-T", generate,
			described("Makes SAF-T (LT) 2.01 of up to a year: the journal (GL), sales (SI) and purchase invoices (PI), payments (PA), fixed "+
				"assets (AS) or all of it (F), with the accounts and parties it names. Stock (MG) is not kept here. To keep the file, ask for "+
				"it by reports/jobs/create with the report saft.")),
	}
}

type generateSAFTRequest struct {
	FromDate date.Date     `json:"fromDate" description:"First day."`
	ToDate   date.Date     `json:"toDate" description:"Last day, less than a year later."`
	DataType saft.DataType `json:"dataType,omitzero" description:"Sections of the file: F, GL, SI, PI, PA or AS; F unless given."`
	Persist  bool          `json:"persist,omitzero" description:"Not served: the operation stores nothing."`
}

type saftCounts struct {
	Accounts          int `json:"accounts" description:"Accounts of the chart."`
	Customers         int `json:"customers" description:"Customers."`
	Suppliers         int `json:"suppliers" description:"Suppliers."`
	GLTransactions    int `json:"glTransactions" description:"Transactions of the journal."`
	SalesInvoices     int `json:"salesInvoices" description:"Documents of sales."`
	PurchaseInvoices  int `json:"purchaseInvoices" description:"Documents of purchases."`
	Payments          int `json:"payments" description:"Payments."`
	StockMovements    int `json:"stockMovements" description:"Always 0: no stock is kept here."`
	AssetTransactions int `json:"assetTransactions" description:"What happened to fixed assets."`
}

type generateSAFTResponse struct {
	FileName    string     `json:"fileName" description:"Name for the file."`
	PeriodStart date.Date  `json:"periodStart" description:"First day."`
	PeriodEnd   date.Date  `json:"periodEnd" description:"Last day."`
	Counts      saftCounts `json:"counts" description:"What is in it."`
	Warnings    []string   `json:"warnings" description:"What the books lack."`
	XML         string     `json:"xml" description:"The file."`
	FileID      *tenant.ID `json:"fileId,omitzero" description:"Always absent: the operation stores nothing."`
}

func (in generateSAFTRequest) options(r tenant.ReadTx, version string) saft.Options {
	return saft.Options{
		From: in.FromDate, To: in.ToDate, DataType: in.DataType, CreatedAt: r.Now().In(zoneOf(r.Company())),
		Software: saft.Software{Company: software, Name: software, Version: version},
	}
}

func generateSAFT(ctx context.Context, r tenant.ReadTx, version string, in generateSAFTRequest) (generateSAFTResponse, error) {
	if in.Persist {
		return generateSAFTResponse{}, errSaftPersist.New("The operation stores nothing. To keep the file, make it by reports/jobs/create with the report saft.").
			Field("persist", "cannot be true")
	}
	var b answeredFile
	made, err := saft.Write(ctx, r, in.options(r, version), &b)
	if errors.Is(err, errSaftTooLarge) {
		return generateSAFTResponse{}, errSaftTooLarge.New("The file would be larger than %d MiB; make it for shorter periods or single data types.", maxAnsweredFile>>20)
	}
	if err != nil {
		return generateSAFTResponse{}, err //nolint:wrapcheck // a refusal of the domain is the answer
	}
	return generateSAFTResponse{
		FileName: made.FileName, PeriodStart: in.FromDate, PeriodEnd: in.ToDate, Warnings: made.Warnings, XML: b.String(),
		Counts: saftCounts{
			Accounts: made.Accounts, Customers: made.Customers, Suppliers: made.Suppliers, GLTransactions: made.Transactions,
			SalesInvoices: made.SalesInvoices, PurchaseInvoices: made.PurchaseInvoices, Payments: made.Payments, AssetTransactions: made.AssetEntries,
		},
	}, nil
}

// answeredFile takes a file that fits into an answer.
type answeredFile struct{ bytes.Buffer }

// Write appends. Error: saft.too_large.
func (a *answeredFile) Write(p []byte) (int, error) {
	if a.Len()+len(p) > maxAnsweredFile {
		return 0, errSaftTooLarge
	}
	return a.Buffer.Write(p) //nolint:wrapcheck // a buffer never fails
}
