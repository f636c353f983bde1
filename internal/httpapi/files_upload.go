package httpapi

import (
	"context"
	"encoding/hex"
	"errors"

	"github.com/vienkart/vienkart/internal/apperr"
	"github.com/vienkart/vienkart/internal/clock"
	"github.com/vienkart/vienkart/internal/export"
	"github.com/vienkart/vienkart/internal/files"
	"github.com/vienkart/vienkart/internal/tenant"
)

// uploadMaxBody holds files.MaxSize in base64, with room for the other members.
const uploadMaxBody = files.MaxSize*4/3 + 256<<10

// fileHandlers are the operations that reach contents.
type fileHandlers struct{ depot files.Depot }

// storedFileOperations keep files, and give out those that were produced too.
func storedFileOperations(depot files.Depot) []Operation {
	h := fileHandlers{depot}
	return []Operation{
		mutation("/v1/files/upload", tenant.WriteSales, "Keep a file", h.upload, about("file"), bodyUpTo(uploadMaxBody), keptByDigest("content"),
			described("Up to 10 MiB of pdf, png, jpeg, webp, xlsx, xml, json, csv or plain text; the content must be what mimeType says. Path and control characters are taken out of the name.")),
		query("/v1/files/get", tenant.ReadBooks, "Get a file with its content", h.get,
			described("Gives an uploaded file, or a finished file of an export job, with its content in base64.")),
		query("/v1/files/list", tenant.ReadBooks, "List files", listFiles),
		mutation("/v1/files/delete", tenant.WriteSales, "Delete a file", h.delete,
			described("It is gone for good. A file that something refers to stays.")),
	}
}

type uploadRequest struct {
	Entity   string `json:"entity" maxLength:"64" pattern:"^[a-z][a-z0-9_-]*$" description:"What the file is for: company, partner, sale_invoice, purchase_invoice, journal_transaction, asset, bank_transaction, or a word of your own."`
	EntityID string `json:"entityId" maxLength:"64" description:"Id of what the file is for; of a known sort it must exist."`
	FileName string `json:"fileName" maxLength:"1000" description:"Name of the file."`
	MIMEType string `json:"mimeType" maxLength:"255" description:"Media type of the content."`
	Content  []byte `json:"content" description:"The content in base64."`
}

type fileMembers struct {
	ID        tenant.ID  `json:"id" description:"Id of the file."`
	Entity    string     `json:"entity" description:"What the file is for."`
	EntityID  string     `json:"entityId" description:"Id of what the file is for."`
	FileName  string     `json:"fileName" description:"Name of the file."`
	MIMEType  string     `json:"mimeType" description:"Media type of the content."`
	SizeBytes int64      `json:"sizeBytes" description:"Length of the content."`
	SHA256    string     `json:"sha256" description:"SHA-256 of the content, in hexadecimal."`
	CreatedAt clock.Time `json:"createdAt" description:"When it was kept."`
}

func showFile(f files.File) fileMembers {
	return fileMembers{f.ID, f.Entity, f.EntityID, f.FileName, f.MIMEType, f.SizeBytes, f.Digest(), f.CreatedAt}
}

func (h fileHandlers) upload(ctx context.Context, tx tenant.Tx, in uploadRequest) (fileMembers, error) {
	f, err := h.depot.Upload(ctx, tx, files.New{
		Entity: in.Entity, EntityID: in.EntityID, FileName: in.FileName, MIMEType: in.MIMEType, Content: in.Content,
	})
	if err != nil {
		return fileMembers{}, err //nolint:wrapcheck // a refusal of the domain is the answer
	}
	return showFile(*f), nil
}

type getFileResponse struct {
	fileMembers
	Content []byte `json:"content" description:"The content in base64."`
}

func (h fileHandlers) get(ctx context.Context, r tenant.ReadTx, in idRequest) (getFileResponse, error) {
	f, err := files.Get(ctx, r, in.ID)
	if errors.Is(err, apperr.ErrNotFound) {
		return getProducedFile(ctx, r, in.ID)
	}
	if err != nil {
		return getFileResponse{}, err //nolint:wrapcheck // says what was read
	}
	content, err := h.depot.Content(ctx, r, *f)
	return getFileResponse{showFile(*f), content}, err
}

// getProducedFile gives a finished file of an export job.
func getProducedFile(ctx context.Context, r tenant.ReadTx, id tenant.ID) (getFileResponse, error) {
	f, content, err := export.ReadFile(ctx, r, id)
	if err != nil {
		return getFileResponse{}, err //nolint:wrapcheck // a refusal of the domain is the answer
	}
	return getFileResponse{fileMembers{
		f.ID, f.Entity(), f.JobID.String(), f.FileName, f.MimeType, f.SizeBytes, hex.EncodeToString(f.SHA256), f.CreatedAt,
	}, content}, nil
}

func listFiles(ctx context.Context, r tenant.ReadTx, in tenant.ListQuery) (tenant.Page[fileMembers], error) {
	page, err := files.List(ctx, r, in)
	return tenant.MapPage(page, showFile), err
}

type deleteFileResponse struct {
	Deleted bool `json:"deleted" description:"Always true."`

	drop func()
}

func (r deleteFileResponse) afterCommit() { r.drop() }

func (h fileHandlers) delete(ctx context.Context, tx tenant.Tx, in idRequest) (deleteFileResponse, error) {
	drop, err := h.depot.Delete(ctx, tx, in.ID)
	return deleteFileResponse{true, drop}, err
}
