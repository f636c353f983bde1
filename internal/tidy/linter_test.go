package tidy_test

import (
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"
	"go.yaml.in/yaml/v3"
)

// linterRule is one rule of depguard, as far as ours use it: files are named by
// folder, and what is denied by prefix, or exactly with a final "$".
type linterRule struct {
	Files []string
	Deny  []struct{ Pkg string }
}

// TestLinterConfinesTheSameModules keeps the two tables from drifting apart: the linter speaks in the editor, the test
// here needs no tool.
func TestLinterConfinesTheSameModules(t *testing.T) {
	t.Parallel()
	rules := linterRules(t)
	for module := range confined {
		for from, layer := range layers {
			if layer < 0 || from == "cmd" {
				continue
			}
			refused := confinementFault(from, module) != ""
			require.Equal(t, refused, deniedByLinter(rules, from, module), "%s imports %s", from, module)
		}
	}
}

func linterRules(t *testing.T) map[string]linterRule {
	t.Helper()
	content, err := os.ReadFile(filepath.Join(root, ".golangci.yml"))
	require.NoError(t, err)
	var configuration struct {
		Linters struct {
			Settings struct {
				Depguard struct{ Rules map[string]linterRule }
			}
		}
	}
	require.NoError(t, yaml.Unmarshal(content, &configuration))
	rules := configuration.Linters.Settings.Depguard.Rules
	require.NotEmpty(t, rules)
	return rules
}

func deniedByLinter(rules map[string]linterRule, folder, imported string) bool {
	for _, rule := range rules {
		if !rule.appliesTo(folder) {
			continue
		}
		for _, deny := range rule.Deny {
			exact, isExact := strings.CutSuffix(deny.Pkg, "$")
			if isExact && imported == exact || !isExact && strings.HasPrefix(imported, deny.Pkg) {
				return true
			}
		}
	}
	return false
}

// appliesTo tells whether a rule covers the files of a folder: those it names,
// or all but those it excepts when it names none.
func (r linterRule) appliesTo(folder string) bool {
	namesSome, named := false, false
	for _, pattern := range r.Files {
		if pattern == "!$test" {
			continue
		}
		excepted, isException := strings.CutPrefix(pattern, "!")
		matches := matchesFolder(excepted, folder)
		if isException && matches {
			return false
		}
		if !isException {
			namesSome = true
			named = named || matches
		}
	}
	return named || !namesSome
}

func matchesFolder(pattern, folder string) bool {
	pattern = strings.TrimPrefix(pattern, "**/")
	if parent, isTree := strings.CutSuffix(pattern, "/**"); isTree {
		return folder == parent || strings.HasPrefix(folder, parent+"/")
	}
	return strings.TrimSuffix(pattern, "/*.go") == folder
}
