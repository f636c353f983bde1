package tidy_test

import (
	"go/ast"
	"go/parser"
	"go/token"
	"io/fs"
	"os"
	"path"
	"path/filepath"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"
)

const modulePath = "github.com/vienkart/vienkart"

// root is the repository, seen from the folder of this package, in which the
// tests run.
const root = "../.."

// source is one parsed Go file.
type source struct {
	path   string // relative to the root, with slashes
	fset   *token.FileSet
	syntax *ast.File
}

func (s source) folder() string { return path.Dir(s.path) }

func (s source) isTest() bool { return strings.HasSuffix(s.path, "_test.go") }

func (s source) line(pos token.Pos) int { return s.fset.Position(pos).Line }

// entry returns the key of table that is the folder or the nearest one above
// it, or "" when there is none.
func entry[V any](table map[string]V, folder string) string {
	for ; folder != "." && folder != "/"; folder = path.Dir(folder) {
		if _, found := table[folder]; found {
			return folder
		}
	}
	return ""
}

// goSources parses every Go file of the repository.
func goSources(t *testing.T) []source {
	t.Helper()
	var sources []source
	for _, name := range files(t) {
		if !strings.HasSuffix(name, ".go") || strings.Contains(name, "/testdata/") {
			continue
		}
		content, err := os.ReadFile(filepath.Join(root, name))
		require.NoError(t, err)
		sources = append(sources, parse(t, name, string(content)))
	}
	require.NotEmpty(t, sources)
	return sources
}

func parse(t *testing.T, name, content string) source {
	t.Helper()
	fset := token.NewFileSet()
	syntax, err := parser.ParseFile(fset, name, content, parser.ParseComments|parser.SkipObjectResolution)
	require.NoError(t, err)
	return source{path: name, fset: fset, syntax: syntax}
}

// files lists the files of the repository, relative to the root. Folders whose
// name begins with a dot hold no source, except that of the build server;
// local databases are in data.
func files(t *testing.T) []string {
	t.Helper()
	var names []string
	err := filepath.WalkDir(root, func(name string, item fs.DirEntry, err error) error {
		if err != nil {
			return err
		}
		relative, err := filepath.Rel(root, name)
		if err != nil {
			return err
		}
		relative = filepath.ToSlash(relative)
		hidden := strings.HasPrefix(item.Name(), ".") && relative != "." && relative != ".ci"
		switch {
		case item.IsDir() && (hidden || relative == "data"):
			return filepath.SkipDir
		case item.Type().IsRegular():
			names = append(names, relative)
		}
		return nil
	})
	require.NoError(t, err)
	return names
}
