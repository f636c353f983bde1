package httpapi

import (
	"bytes"
	"context"
	"fmt"

	"github.com/vienkart/vienkart/internal/tenant"
	"github.com/vienkart/vienkart/internal/vat"
	"github.com/vienkart/vienkart/internal/vat/fr0600"
)

// software is what files name as the program that made them.
const software = "Vienkart"

// maxListedDocuments is how many documents an answer lists: enough to look into, little enough to send.
const maxListedDocuments = 2000

// list adds the documents behind a box.
func (out *computeFR0600Response) list(ctx context.Context, r tenant.ReadTx, ret *fr0600.Return, box vat.Box) error {
	documents, err := ret.DocumentsOf(ctx, r, box)
	if err != nil {
		return err //nolint:wrapcheck // a refusal of the domain is the answer
	}
	listed := documents[:min(len(documents), maxListedDocuments)]
	out.OmittedDocuments = len(documents) - len(listed)
	out.Documents = make([]fr0600Document, len(listed))
	for i, d := range listed {
		out.Documents[i] = fr0600Document{
			Direction: d.Direction, DocumentType: d.DocumentType, DocumentID: d.DocumentID, Number: d.Number, Date: d.Date,
			RegisterDate: d.RegisterDate, InvoiceType: d.InvoiceType, PartnerName: d.PartnerName, TaxCode: d.Code, Amount: d.Amount.String(),
		}
	}
	return nil
}

func fileOfFR0600(ret *fr0600.Return, form fr0600.Form) (*fr0600File, error) {
	var b bytes.Buffer
	if err := ret.WriteFFData(&b, form); err != nil {
		return nil, err //nolint:wrapcheck // says what was written
	}
	return &fr0600File{FileName: fmt.Sprintf("FR0600-%s-%s.ffdata", ret.Period.From, ret.Period.To), FFData: b.String()}, nil
}
