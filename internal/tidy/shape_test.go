package tidy_test

import (
	"fmt"
	"go/ast"
	"path"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"
)

const (
	// maxFunctionLines is what fits a screen.
	maxFunctionLines = 70
	// longFileLines is the length above which a file should explain itself.
	longFileLines = 500
)

func TestFunctionLength(t *testing.T) {
	t.Parallel()
	body := func(lines int) string { return "package x\n\nfunc f() {\n" + strings.Repeat("\tg()\n", lines) + "}\n" }
	t.Run("LimitIsAllowed", func(t *testing.T) {
		t.Parallel()
		require.Empty(t, longFunctions(parse(t, "internal/x/x.go", body(maxFunctionLines))))
	})
	t.Run("OneLineMoreIsFound", func(t *testing.T) {
		t.Parallel()
		require.Equal(t, []string{"internal/x/x.go:3: f has 71 lines"}, longFunctions(parse(t, "internal/x/x.go", body(maxFunctionLines+1))))
	})
	t.Run("TableTestMayBeLonger", func(t *testing.T) {
		t.Parallel()
		require.Empty(t, longFunctions(parse(t, "internal/x/x_test.go", body(maxFunctionLines+1))))
	})
	t.Run("RepositoryKeepsTheLimit", func(t *testing.T) {
		t.Parallel()
		var faults []string
		for _, file := range goSources(t) {
			faults = append(faults, longFunctions(file)...)
			if lines := file.line(file.syntax.FileEnd); lines > longFileLines {
				t.Logf("%s has %d lines: is it about one subject?", file.path, lines)
			}
		}
		require.Empty(t, faults)
	})
}

func longFunctions(file source) []string {
	if file.isTest() {
		return nil
	}
	var faults []string
	for _, declaration := range file.syntax.Decls {
		function, isFunction := declaration.(*ast.FuncDecl)
		if !isFunction || function.Body == nil {
			continue
		}
		if lines := file.line(function.Body.Rbrace) - file.line(function.Body.Lbrace) - 1; lines > maxFunctionLines {
			faults = append(faults, fmt.Sprintf("%s:%d: %s has %d lines", file.path, file.line(function.Pos()), function.Name.Name, lines))
		}
	}
	return faults
}

func TestPackageComment(t *testing.T) {
	t.Parallel()
	const good = "// Package x adds.\n//\n// Owns: sums.\n//\n// Does not own: products.\n//\n// Invariants: none is lost.\npackage x\n"
	for name, example := range map[string]struct{ path, content, fault string }{
		"CompleteIsAllowed":              {"internal/x/doc.go", good, ""},
		"MissingIsFound":                 {"internal/x/x.go", "package x\n", "internal/x: no package comment"},
		"OtherOpeningIsFound":            {"internal/x/x.go", "// Adds.\npackage x\n", `internal/x: the package comment does not begin with "Package x "`},
		"MissingHeadingIsFound":          {"internal/x/doc.go", strings.ReplaceAll(good, "Invariants:", "Rules:"), `internal/x: the package comment has no paragraph "Invariants:"`},
		"CommandNeedsNoHeading":          {"cmd/server/main.go", "// Command server serves.\npackage main\n", ""},
		"OutsideInternalNeedsNoHeading":  {"migrations/migrations.go", "// Package migrations embeds.\npackage migrations\n", ""},
		"TestPackageNeedsNoComment":      {"internal/x/x_test.go", "package x_test\n", ""},
		"CommandWithoutCommentIsRefused": {"cmd/server/main.go", "package main\n", "cmd/server: no package comment"},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			faults := commentFaults([]source{parse(t, example.path, example.content)})
			if example.fault == "" {
				require.Empty(t, faults)
				return
			}
			require.Equal(t, []string{example.fault}, faults)
		})
	}
	t.Run("EveryPackageHasOne", func(t *testing.T) {
		t.Parallel()
		require.Empty(t, commentFaults(goSources(t)))
	})
}

// commentFaults looks at the package comments of each folder together: one
// file is enough.
func commentFaults(sources []source) []string {
	names, comments := map[string]string{}, map[string]string{}
	var folders []string
	for _, file := range sources {
		if file.isTest() {
			continue
		}
		if _, seen := names[file.folder()]; !seen {
			folders = append(folders, file.folder())
		}
		names[file.folder()] = file.syntax.Name.Name
		comments[file.folder()] += file.syntax.Doc.Text()
	}
	var faults []string
	for _, folder := range folders {
		faults = append(faults, commentFaultsOf(folder, names[folder], comments[folder])...)
	}
	return faults
}

func commentFaultsOf(folder, name, comment string) []string {
	opening := "Package " + name + " "
	if name == "main" {
		opening = "Command " + path.Base(folder) + " "
	}
	switch {
	case comment == "":
		return []string{folder + ": no package comment"}
	case !strings.HasPrefix(comment, opening):
		return []string{fmt.Sprintf("%s: the package comment does not begin with %q", folder, opening)}
	case !strings.HasPrefix(folder, "internal/"):
		return nil
	}
	var faults []string
	for _, heading := range []string{"Owns:", "Does not own:", "Invariants:"} {
		if !strings.Contains(comment, "\n"+heading) {
			faults = append(faults, fmt.Sprintf("%s: the package comment has no paragraph %q", folder, heading))
		}
	}
	return faults
}
