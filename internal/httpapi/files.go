package httpapi

import (
	"context"
	"encoding/hex"

	"github.com/vienkart/vienkart/internal/clock"
	"github.com/vienkart/vienkart/internal/export"
	"github.com/vienkart/vienkart/internal/tenant"
)

// fileOperations give files out.
func fileOperations() []Operation {
	return []Operation{
		query("/v1/files/get", tenant.ReadBooks, "Get a file", getFile,
			described("Gives a finished file of an export job with its content in base64. A file has up to 32 MiB.")),
	}
}

type fileResponse struct {
	ID        tenant.ID  `json:"id" description:"Id of the file."`
	Entity    string     `json:"entity" description:"Sort of object that the file belongs to."`
	EntityID  tenant.ID  `json:"entityId" description:"Id of that object."`
	FileName  string     `json:"fileName" description:"Name of the file."`
	MimeType  string     `json:"mimeType" description:"Media type of the content."`
	SizeBytes int64      `json:"sizeBytes" description:"Size in bytes."`
	SHA256    string     `json:"sha256" description:"SHA-256 of the content, in hexadecimal."`
	CreatedAt clock.Time `json:"createdAt" description:"When the file was stored."`
	Content   []byte     `json:"content" description:"The bytes in base64."`
}

func getFile(ctx context.Context, r tenant.ReadTx, in idRequest) (fileResponse, error) {
	f, content, err := export.ReadFile(ctx, r, in.ID)
	if err != nil {
		return fileResponse{}, err //nolint:wrapcheck // a refusal of the domain is the answer
	}
	return fileResponse{
		f.ID, f.Entity(), f.JobID, f.FileName, f.MimeType, f.SizeBytes, hex.EncodeToString(f.SHA256), f.CreatedAt, content,
	}, nil
}
