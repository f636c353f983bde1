package account

import (
	"context"
	"slices"

	"github.com/vienkart/vienkart/internal/files"
	"github.com/vienkart/vienkart/internal/tenant"
)

// entityLogo is what the file of a logo is for.
const entityLogo = "company_logo"

// KeepLogo stores a picture for the caller's company. Give its id to UpdateCompany, then call DropLogo. Errors: those of
// files.Upload.
func KeepLogo(ctx context.Context, tx tenant.Tx, depot files.Depot, in files.New) (*files.File, error) {
	if !slices.Contains(files.ImageTypes, in.MIMEType) {
		return nil, files.ErrType.New("A logo is a picture: png, jpeg or webp.").Field("logo.mimeType", "must be image/png, image/jpeg or image/webp")
	}
	in.Entity, in.EntityID = entityLogo, tx.Company().ID.String()
	return depot.Upload(ctx, tx, in) //nolint:wrapcheck // a refusal as it stands
}

// DropLogo removes the logos that the company no longer shows. What it gives is called after the commit.
func DropLogo(ctx context.Context, tx tenant.Tx, depot files.Depot) (drop func(), err error) {
	c, err := tenant.ReadCompany(ctx, tx)
	if err != nil || c.LogoFileID == nil {
		return nil, err //nolint:wrapcheck // says what was read
	}
	logos, err := tenant.Find[files.File](ctx, tx, "entity = ? AND id <> ?", entityLogo, *c.LogoFileID)
	if err != nil {
		return nil, err //nolint:wrapcheck // says what was read
	}
	var drops []func()
	for _, f := range logos {
		one, err := depot.Delete(ctx, tx, f.ID)
		if err != nil {
			return nil, err //nolint:wrapcheck // a refusal as it stands
		}
		drops = append(drops, one)
	}
	return func() {
		for _, f := range drops {
			f()
		}
	}, nil
}
