package files_test

import (
	"archive/zip"
	"bytes"
	"context"
	"crypto/rand"
	"crypto/sha256"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/vienkart/vienkart/internal/apperr"
	"github.com/vienkart/vienkart/internal/audit"
	"github.com/vienkart/vienkart/internal/files"
	"github.com/vienkart/vienkart/internal/partner"
	"github.com/vienkart/vienkart/internal/tenant"
	"github.com/vienkart/vienkart/internal/testkit"
)

func upload(t *testing.T, d files.Depot, c *testkit.Company, in files.New) (f *files.File, err error) {
	t.Helper()
	if in.Entity == "" {
		in.Entity, in.EntityID = "note", "1"
	}
	err = c.TryMutate(t.Context(), func(ctx context.Context, tx tenant.Tx) (err error) {
		f, err = d.Upload(ctx, tx, in)
		return err
	})
	return f, err
}

func content(t *testing.T, d files.Depot, c *testkit.Company, id tenant.ID) (b []byte, err error) {
	t.Helper()
	c.Read(t, func(ctx context.Context, r tenant.ReadTx) error {
		f, getErr := files.Get(ctx, r, id)
		if err = getErr; err == nil {
			b, err = d.Content(ctx, r, *f)
		}
		return nil
	})
	return b, err
}

func remove(t *testing.T, d files.Depot, c *testkit.Company, id tenant.ID) error {
	t.Helper()
	var drop func()
	err := c.TryMutate(t.Context(), func(ctx context.Context, tx tenant.Tx) (err error) {
		drop, err = d.Delete(ctx, tx, id)
		return err
	})
	if err == nil {
		drop()
	}
	return err
}

// depots are both places of contents.
func depots(t *testing.T) map[string]files.Depot {
	t.Helper()
	return map[string]files.Depot{"database": {}, "folder": files.NewDepot(t.TempDir())}
}

func TestUpload(t *testing.T) {
	t.Parallel()
	testkit.EachEngine(t, func(t *testing.T, e *testkit.Engine) {
		c, other := e.Company(t), e.Company(t)
		big := make([]byte, files.MaxSize)
		_, _ = rand.Read(big)
		copy(big, "%PDF-")
		for place, d := range depots(t) {
			for name, bytes := range map[string][]byte{"Small": []byte("%PDF-1.7"), "Largest": big} {
				f, err := upload(t, d, c, files.New{FileName: "a.pdf", MIMEType: "application/pdf", Content: bytes})
				require.NoError(t, err, "%s %s", place, name)
				require.Equal(t, files.Storage(place), f.Storage)
				got, err := content(t, d, c, f.ID)
				require.NoError(t, err)
				require.Equal(t, sha256.Sum256(bytes), sha256.Sum256(got))
				_, err = content(t, d, other, f.ID)
				require.ErrorIs(t, err, apperr.ErrNotFound)
				require.ErrorIs(t, remove(t, d, other, f.ID), apperr.ErrNotFound)
				require.NoError(t, remove(t, d, c, f.ID))
				_, err = content(t, d, c, f.ID)
				require.ErrorIs(t, err, apperr.ErrNotFound)
			}
		}
		c.Read(t, func(ctx context.Context, r tenant.ReadTx) error {
			lines, err := audit.List(ctx, r, tenant.ListQuery{})
			require.NoError(t, err)
			require.Equal(t, 8, lines.Total, "each upload and each deletion is recorded")
			chunks, err := tenant.QueryOne[int](ctx, r, "SELECT COUNT(*) FROM file_chunks WHERE company_id = @company")
			require.NoError(t, err)
			require.Zero(t, *chunks)
			return nil
		})
	})
}

func workbook(t *testing.T, names ...string) []byte {
	t.Helper()
	var b bytes.Buffer
	w := zip.NewWriter(&b)
	for _, name := range names {
		_, err := w.Create(name)
		require.NoError(t, err)
	}
	require.NoError(t, w.Close())
	return b.Bytes()
}

func TestTypes(t *testing.T) {
	t.Parallel()
	c := testkit.SQLite(t).Company(t)
	const sheet = "application/vnd.openxmlformats-officedocument.spreadsheetml.sheet"
	for name, example := range map[string]struct {
		said    string
		content []byte
		stored  string
	}{
		"PNG":                 {"image/png", []byte("\x89PNG\r\n\x1a\n..."), "image/png"},
		"JPEGByItsOldName":    {"image/jpg", []byte("\xff\xd8\xff\xe0"), "image/jpeg"},
		"WebP":                {"image/webp", []byte("RIFF\x00\x00\x00\x00WEBPVP8 "), "image/webp"},
		"CSVWithParameters":   {"text/csv; charset=utf-8", []byte("a;b\n"), "text/csv"},
		"Text":                {"text/plain", []byte("ąčę"), "text/plain"},
		"XML":                 {"text/xml", []byte("\xef\xbb\xbf<?xml version=\"1.0\"?><iSAFFile/>"), "application/xml"},
		"JSON":                {"application/json", []byte(`{"a":[1]}`), "application/json"},
		"Workbook":            {sheet, workbook(t, "xl/workbook.xml"), sheet},
		"WorkbookWithMacro":   {sheet, workbook(t, "xl/workbook.xml", "xl/vbaProject.bin"), ""},
		"ArchiveAsWorkbook":   {sheet, workbook(t, "evil.exe"), ""},
		"HTML":                {"text/html", []byte("<html>"), ""},
		"SVG":                 {"image/svg+xml", []byte("<svg/>"), ""},
		"HTMLAsXML":           {"application/xml", []byte("<?xml version='1.0'?><HTML>"), ""},
		"SVGAsXML":            {"application/xml", []byte("<svg onload='x'/>"), ""},
		"SVGBehindAComment":   {"application/xml", []byte("<!--" + strings.Repeat("x", 5000) + "--><svg onload='x'/>"), ""},
		"ScriptDeepInside":    {"application/xml", []byte("<a>" + strings.Repeat("<b/>", 2000) + "<h:script xmlns:h='http://www.w3.org/1999/xhtm&#108;'/></a>"), ""},
		"PictureDeepInside":   {"application/xml", []byte("<a>" + strings.Repeat("<b/>", 2000) + "<svg xmlns='http://www.w3.org/2000/svg'/></a>"), ""},
		"Stylesheet":          {"application/xml", []byte("<?xml version='1.0'?><?xml-stylesheet href='x'?><a/>"), ""},
		"Entities":            {"application/xml", []byte(`<!DOCTYPE a [<!ENTITY b "c">]><a>&b;</a>`), ""},
		"ExternalEntity":      {"application/xml", []byte(`<!DOCTYPE a SYSTEM "file:///etc/passwd"><a/>`), ""},
		"BrokenXML":           {"application/xml", []byte("<a><b></a>"), ""},
		"TwoRoots":            {"application/xml", []byte("<a/><b/>"), ""},
		"DeepXML":             {"application/xml", []byte(strings.Repeat("<a>", 5000) + strings.Repeat("</a>", 5000)), ""},
		"XMLInAnotherCharset": {"application/xml", []byte("<?xml version='1.0' encoding='windows-1257'?><a>\xe0\xe8</a>"), "application/xml"},
		"XMLInUTF7":           {"application/xml", []byte("<?xml version='1.0' encoding='utf-7'?><a>+ADw-svg+AD4-</a>"), ""},
		"XMLOfPlainWords":     {"application/xml", []byte("<a>&lt;svg&gt; and &lt;script&gt;<![CDATA[<html>]]></a>"), "application/xml"},
		"ProgramAsPDF":        {"application/pdf", []byte("MZ\x90"), ""},
		"PDFAsText":           {"text/plain", []byte("%PDF-1.7"), ""},
		"BinaryAsText":        {"text/plain", []byte("a\x00b"), ""},
		"BrokenJSON":          {"application/json", []byte(`{"a":`), ""},
		"NoType":              {"", []byte("a"), ""},
		"AnyType":             {"*/*", []byte("a"), ""},
		"PNGAsJPEG":           {"image/jpeg", []byte("\x89PNG\r\n\x1a\n"), ""},
	} {
		f, err := upload(t, files.Depot{}, c, files.New{FileName: "a", MIMEType: example.said, Content: example.content})
		if example.stored == "" {
			require.ErrorIs(t, err, files.ErrType, name)
			continue
		}
		require.NoError(t, err, name)
		require.Equal(t, example.stored, f.MIMEType, name)
	}
	_, err := upload(t, files.Depot{}, c, files.New{FileName: "a", MIMEType: "text/plain", Content: bytes.Repeat([]byte("a"), files.MaxSize+1)})
	require.ErrorIs(t, err, files.ErrTooLarge)
	_, err = upload(t, files.Depot{}, c, files.New{FileName: "a", MIMEType: "text/plain"})
	require.ErrorIs(t, err, apperr.ErrValidation)
}

func TestCleanName(t *testing.T) {
	t.Parallel()
	for given, want := range map[string]string{
		"sąskaita.pdf":                   "sąskaita.pdf",
		"../../etc/passwd":               "passwd",
		`D:\scans\invoice 1.pdf`:         "invoice 1.pdf",
		"a\x00b\nc.txt":                  "ab c.txt",
		"invoice\u202efdp.exe":           "invoicefdp.exe",
		"a<b>:c.pdf":                     "a_b__c.pdf",
		" .hidden. ":                     "hidden",
		strings.Repeat("ž", 300) + ".md": strings.Repeat("ž", 197) + ".md",
		"x\xff.txt":                      "x.txt",
		"":                               "",
		"..":                             "",
		"a/":                             "",
		"\u200b":                         "",
	} {
		got, err := files.CleanName(given)
		if want == "" {
			require.ErrorIs(t, err, files.ErrName, given)
			continue
		}
		require.NoError(t, err, given)
		require.Equal(t, want, got)
	}
}

func TestEntity(t *testing.T) {
	t.Parallel()
	testkit.EachEngine(t, func(t *testing.T, e *testkit.Engine) {
		c, other := e.Company(t), e.Company(t)
		var p *partner.Partner
		c.Mutate(t, func(ctx context.Context, tx tenant.Tx) (err error) {
			name := "A"
			p, err = partner.Create(ctx, tx, partner.Fields{Name: &name})
			return err
		})
		try := func(c *testkit.Company, entity, id string) error {
			_, err := upload(t, files.Depot{}, c, files.New{Entity: entity, EntityID: id, FileName: "a.txt", MIMEType: "text/plain", Content: []byte("a")})
			return err
		}
		require.NoError(t, try(c, "partner", p.ID.String()))
		require.NoError(t, try(c, "company", c.Scope.Company().ID.String()))
		require.NoError(t, try(c, "something_of_mine", "any id"))
		require.ErrorIs(t, try(other, "partner", p.ID.String()), files.ErrNoEntity)
		require.ErrorIs(t, try(c, "company", other.Scope.Company().ID.String()), files.ErrNoEntity)
		for _, entity := range []string{"partner", "sale_invoice", "purchase_invoice", "journal_transaction", "asset", "bank_transaction"} {
			require.ErrorIs(t, try(c, entity, tenant.NewID().String()), files.ErrNoEntity, entity)
			require.ErrorIs(t, try(c, entity, "1"), files.ErrNoEntity, entity)
		}
	})
}

func TestFolder(t *testing.T) {
	t.Parallel()
	e := testkit.SQLite(t)
	c := e.Company(t)
	folder := t.TempDir()
	d := files.NewDepot(folder)
	in := files.New{FileName: "a.txt", MIMEType: "text/plain", Content: []byte("the same content")}
	kept := func() []string {
		found, err := filepath.Glob(filepath.Join(folder, "*", "*", "*"))
		require.NoError(t, err)
		return found
	}

	first, err := upload(t, d, c, in)
	require.NoError(t, err)
	second, err := upload(t, d, c, in)
	require.NoError(t, err)
	require.Len(t, kept(), 2)
	require.NoError(t, remove(t, d, c, first.ID))
	got, err := content(t, d, c, second.ID)
	require.NoError(t, err, "deleting one file leaves its equal")
	require.Equal(t, in.Content, got)
	require.Len(t, kept(), 1)

	_, err = content(t, files.Depot{}, c, second.ID)
	require.ErrorContains(t, err, "VIENKART_FILES_DIR")
	require.NoError(t, os.WriteFile(kept()[0], []byte("another content"), 0o600))
	_, err = content(t, d, c, second.ID)
	require.ErrorIs(t, err, files.ErrContent, "a content that was tampered with is not given")
	require.NoError(t, os.Remove(kept()[0]))
	_, err = content(t, d, c, second.ID)
	require.ErrorIs(t, err, files.ErrContent)
	require.NoError(t, remove(t, d, c, second.ID), "a file whose content is lost can be deleted")
}

func TestReferencedFileStays(t *testing.T) {
	t.Parallel()
	testkit.EachEngine(t, func(t *testing.T, e *testkit.Engine) {
		c := e.Company(t)
		f, err := upload(t, files.Depot{}, c, files.New{FileName: "a.txt", MIMEType: "text/plain", Content: []byte("a")})
		require.NoError(t, err)
		c.Mutate(t, func(ctx context.Context, tx tenant.Tx) error {
			company := tx.Company()
			company.LogoFileID = &f.ID
			return tenant.UpdateCompany(ctx, tx, company, "logo_file_id")
		})
		require.ErrorIs(t, remove(t, files.Depot{}, c, f.ID), files.ErrReferenced)
		_, err = content(t, files.Depot{}, c, f.ID)
		require.NoError(t, err)
	})
}

func TestReferencesOfTheSchemaAreSeen(t *testing.T) {
	t.Parallel()
	e := testkit.SQLite(t)
	c := e.Company(t)
	f, err := upload(t, files.Depot{}, c, files.New{FileName: "a.txt", MIMEType: "text/plain", Content: []byte("a")})
	require.NoError(t, err)
	for _, statement := range []string{
		`CREATE TABLE referrers (company_id BLOB, file_id BLOB, FOREIGN KEY (company_id, file_id) REFERENCES files (company_id, id))`,
		`INSERT INTO referrers SELECT company_id, id FROM files`,
	} {
		_, err := e.Admin.Writer().ExecContext(t.Context(), statement)
		require.NoError(t, err)
	}
	require.ErrorIs(t, remove(t, files.Depot{}, c, f.ID), files.ErrReferenced)
}

func TestList(t *testing.T) {
	t.Parallel()
	testkit.EachEngine(t, func(t *testing.T, e *testkit.Engine) {
		c, other := e.Company(t), e.Company(t)
		for _, name := range []string{"a.txt", "b.txt"} {
			_, err := upload(t, files.Depot{}, c, files.New{FileName: name, MIMEType: "text/plain", Content: []byte(name)})
			require.NoError(t, err)
		}
		for company, want := range map[*testkit.Company]int{c: 1, other: 0} {
			company.Read(t, func(ctx context.Context, r tenant.ReadTx) error {
				page, err := files.List(ctx, r, tenant.ListQuery{Filter: []tenant.Filter{{Field: "fileName", Op: "eq", Value: []byte(`"b.txt"`)}}})
				require.NoError(t, err)
				require.Equal(t, want, page.Total)
				return nil
			})
		}
	})
}

func TestInvariants(t *testing.T) {
	t.Parallel()
	e := testkit.SQLite(t)
	c := e.Company(t)
	broken := func() []tenant.Breach {
		breaches, err := tenant.Verify(t.Context(), e.System, files.Invariants)
		require.NoError(t, err)
		return breaches
	}
	for _, d := range depots(t) {
		_, err := upload(t, d, c, files.New{FileName: "a.txt", MIMEType: "text/plain", Content: []byte("abc")})
		require.NoError(t, err)
	}
	require.Empty(t, broken())
	_, err := e.Admin.Writer().ExecContext(t.Context(), "DELETE FROM file_chunks")
	require.NoError(t, err)
	require.Len(t, broken(), 1)
}
