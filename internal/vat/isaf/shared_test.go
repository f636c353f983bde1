package isaf

import (
	"bytes"
	"context"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"github.com/vienkart/vienkart/internal/tenant"
	"github.com/vienkart/vienkart/internal/testkit"
)

// shared is the specification folder beside the repository.
var shared = filepath.Join("..", "..", "..", "..", "shared")

// missing fails under CI, where everything must be there, and skips elsewhere.
func missing(t testing.TB, what string) {
	t.Helper()
	if os.Getenv("CI") != "" {
		t.Fatalf("%s IS MISSING", what)
	}
	t.Skipf("NOT TESTED: %s IS MISSING", what)
}

func readShared(t testing.TB, name string) []byte {
	t.Helper()
	if _, err := os.Stat(shared); os.IsNotExist(err) {
		missing(t, "THE SPECIFICATION FOLDER shared/")
	}
	content, err := os.ReadFile(filepath.Join(shared, filepath.FromSlash(name)))
	require.NoError(t, err)
	return content
}

// requireValid puts files through xmllint with VMI's schema, all in one call, and through our own reader.
func requireValid(t testing.TB, files ...[]byte) {
	t.Helper()
	for i, file := range files {
		require.Empty(t, Validate(bytes.NewReader(file)), "file %d:\n%s", i, shorten(file))
	}
	require.NoError(t, xmllint(t, files...))
}

func xmllint(t testing.TB, files ...[]byte) error {
	t.Helper()
	program, err := exec.LookPath("xmllint")
	if err != nil {
		missing(t, "xmllint (libxml2-utils)")
	}
	schema := filepath.Join(shared, "tax", "isaf_1.2.xsd")
	if _, err := os.Stat(schema); err != nil {
		missing(t, "THE SPECIFICATION FOLDER shared/")
	}
	folder, err := os.MkdirTemp(t.TempDir(), "")
	require.NoError(t, err)
	arguments := []string{"--noout", "--nonet", "--schema", schema}
	for i, file := range files {
		name := filepath.Join(folder, fmt.Sprintf("%03d.xml", i))
		require.NoError(t, os.WriteFile(name, file, 0o600))
		arguments = append(arguments, name)
	}
	out, err := exec.CommandContext(t.Context(), program, arguments...).CombinedOutput()
	if err != nil {
		return fmt.Errorf("%w: %s", err, shorten(out))
	}
	return nil
}

func shorten(b []byte) []byte { return b[:min(len(b), 3000)] }

// taxpayer is the company that the samples name.
func taxpayer(c *tenant.Company) {
	code, vatCode := "900000105", "LT999000060116"
	c.Code, c.VATCode = &code, &vatCode
}

// options are those of the sample of January 2026.
func options(t testing.TB, year, month int) Options {
	t.Helper()
	p, err := NewPeriod(year, month, 1)
	require.NoError(t, err)
	return Options{
		Period: p, DataType: Full, CreatedAt: time.Date(2028, 3, 10, 9, 30, 0, 0, time.UTC),
		Software: Software{Company: "Vienkart", Name: "Vienkart", Version: "1.0"},
	}
}

// filed is a filing with the bytes of its parts.
type filed struct {
	*Filing
	parts [][]byte
}

func file(t testing.TB, c *testkit.Company, o Options) filed {
	t.Helper()
	var f filed
	c.Read(t, func(ctx context.Context, r tenant.ReadTx) (err error) {
		if f.Filing, err = Prepare(ctx, r, o); err != nil {
			return err
		}
		for i := range f.Parts {
			var b bytes.Buffer
			if err := f.Write(i, &b); err != nil {
				return err
			}
			f.parts = append(f.parts, b.Bytes())
		}
		return nil
	})
	return f
}

// codes are the codes of the problems, errors with an exclamation mark, each once.
func (f *Filing) codes() []string {
	var list []string
	for _, p := range f.Problems {
		code := p.Code
		if code == "" {
			code = "-"
		}
		if p.Level == LevelError {
			code += "!"
		}
		if !slices.Contains(list, code) {
			list = append(list, code)
		}
	}
	slices.Sort(list)
	return list
}

// invoicesIn cuts a tree into its invoices.
func invoicesIn(tree string) []string {
	const indented = "      Invoice\n"
	parts := strings.Split(tree, indented)[1:]
	for i, part := range parts {
		lines := strings.Split(part, "\n")
		end := slices.IndexFunc(lines, func(line string) bool { return !strings.HasPrefix(line, "        ") })
		if end >= 0 {
			lines = lines[:end]
		}
		parts[i] = strings.Join(lines, "\n")
	}
	return parts
}

// readBlocked expects a filing that says why no file can be written, and writes none.
func readBlocked(t *testing.T, o Options) func(context.Context, tenant.ReadTx) error {
	t.Helper()
	return func(ctx context.Context, r tenant.ReadTx) error {
		f, err := Prepare(ctx, r, o)
		require.NoError(t, err)
		require.True(t, f.Blocked())
		require.Equal(t, []string{"12001!"}, f.codes())
		var b bytes.Buffer
		require.Error(t, f.Write(0, &b))
		require.Empty(t, b.Bytes())
		return nil
	}
}
