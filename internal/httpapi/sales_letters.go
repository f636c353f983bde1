package httpapi

import (
	"context"

	paper "github.com/vienkart/vienkart/internal/invoice/document" // "document" is the API description here
	"github.com/vienkart/vienkart/internal/invoice/letter"
	"github.com/vienkart/vienkart/internal/tenant"
)

type printSaleRequest struct {
	ID     tenant.ID      `json:"id" description:"Draft or issued document."`
	Locale paper.Language `json:"locale,omitzero" description:"Language of the PDF; that of the buyer unless given."`
}

type printSaleResponse struct {
	FileName    string `json:"fileName" description:"Name for the file."`
	ContentType string `json:"contentType" description:"Always application/pdf."`
	Data        []byte `json:"data" description:"The PDF in base64."`
}

func printSale(ctx context.Context, r tenant.ReadTx, in printSaleRequest) (printSaleResponse, error) {
	pdf, err := paper.Make(ctx, r, in.ID, in.Locale)
	if err != nil {
		return printSaleResponse{}, err //nolint:wrapcheck // a refusal of the domain is the answer
	}
	return printSaleResponse{pdf.FileName, paper.MIMEType, pdf.Content}, nil
}

// saleLetterHandlers are the operations that mail.
type saleLetterHandlers struct{ office *letter.Office }

type sendSaleRequest struct {
	ID     tenant.ID      `json:"id" description:"Issued document."`
	To     string         `json:"to,omitzero" maxLength:"254" description:"E-mail address; the partner's unless given."`
	Locale paper.Language `json:"locale,omitzero" description:"Language of letter and PDF; that of the buyer unless given."`
}

type sendSaleResponse struct {
	ID       tenant.ID `json:"id" description:"The document."`
	Sent     bool      `json:"sent" description:"Always true: the letter is queued, and goes out after this answer."`
	To       string    `json:"to" description:"Address it goes to."`
	LetterID tenant.ID `json:"letterId" description:"Id of the letter among letters of invoices/get. An addition of this server."`
}

func (h saleLetterHandlers) send(ctx context.Context, tx tenant.Tx, in sendSaleRequest) (sendSaleResponse, error) {
	l, err := h.office.Queue(ctx, tx, letter.QueueInput{InvoiceID: in.ID, To: in.To, Language: in.Locale})
	if err != nil {
		return sendSaleResponse{}, err //nolint:wrapcheck // a refusal of the domain is the answer
	}
	return sendSaleResponse{l.InvoiceID, true, l.Recipient, l.ID}, nil
}
