package tidy_test

import (
	"fmt"
	"strconv"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"
)

// layers is the order of ARCHITECTURE.md: a package imports strictly lower
// layers, and besides only the package it is nested in. A new package is
// placed here first.
var layers = map[string]int{
	"migrations":     -1,
	"web":            -1,
	"internal/fault": -1, // empty in a release build; even the clock and the engines bear its marks

	"internal/money":      0,
	"internal/date":       0,
	"internal/clock":      0,
	"internal/apperr":     0,
	"internal/identifier": 0,
	"internal/database":   0,
	"internal/mail":       0,
	"internal/memory":     0,
	"internal/trace":      0,

	"internal/certificate": 1,

	"internal/tenant":         1,
	"internal/bank/statement": 1,
	"internal/payout/report":  1,

	"internal/audit":     2,
	"internal/numbering": 2,
	"internal/webhook":   2,
	"internal/fx":        2,
	"internal/backup":    2,

	"internal/idempotency":  3,
	"internal/ledger":       3,
	"internal/partner":      3,
	"internal/vat":          3,
	"internal/vat/register": 3,
	"internal/vat/rates":    3,
	"internal/files":        3,

	"internal/webhook/delivery": 3,

	"internal/invoice":  4,
	"internal/purchase": 4,
	"internal/bank":     4,
	"internal/payout":   4,
	"internal/asset":    4,
	"internal/order":    4,
	"internal/account":  4,
	"internal/vat/cash": 4,

	"internal/vat/fr0600":     5,
	"internal/vat/isaf":       5,
	"internal/vat/saft":       5,
	"internal/vat/submission": 5,
	"internal/health":         5,
	"internal/metrics":        5,
	"internal/report":         5,
	"internal/export":         5,

	"internal/httpapi": 6,
	"internal/webui":   6,

	"internal/testkit": 7,
	"internal/tidy":    7,

	"cmd":           8,
	"bench":         8,
	"docs/webhooks": 8,
	"docs/guides":   8,
}

// testsOnly are packages that no part of the product may import, each with the
// packages that may.
var testsOnly = map[string][]string{
	"internal/testkit": {"internal/testkit", "bench"},
	"internal/tidy":    nil,
}

// confined are modules that only some packages may import, so that the rules
// those packages keep cannot be walked around.
var confined = map[string][]string{
	"gorm.io":                     {"internal/database", "internal/tenant"},
	"github.com/libtnb/sqlite":    {"internal/database", "internal/tenant"},
	"github.com/golang-jwt/jwt":   {"internal/tenant"},
	"github.com/labstack/echo":    {"internal/httpapi", "internal/webui", "cmd/server"},
	"github.com/ory/dockertest":   {"internal/testkit", "bench"},
	"github.com/stretchr/testify": {"internal/testkit", "bench"},
}

func TestLayers(t *testing.T) {
	t.Parallel()
	for name, example := range map[string]struct{ from, imported, fault string }{
		"LowerLayerIsAllowed":         {"internal/invoice/issue.go", modulePath + "/internal/ledger", ""},
		"SameLayerIsRefused":          {"internal/invoice/issue.go", modulePath + "/internal/purchase", "layer 4 imports internal/purchase of layer 4"},
		"HigherLayerIsRefused":        {"internal/money/amount.go", modulePath + "/internal/ledger", "layer 0 imports internal/ledger of layer 3"},
		"ReportsDoNotImportDocuments": {"internal/vat/isaf/file.go", modulePath + "/internal/invoice", "layer 5 imports internal/invoice, a document of layer 4"},
		"ReportsImportDerivedFacts":   {"internal/vat/isaf/file.go", modulePath + "/internal/vat/cash", ""},
		"EnclosingPackageIsAllowed":   {"internal/vat/register/row.go", modulePath + "/internal/vat", ""},
		"NestedPackageIsRefused":      {"internal/vat/code.go", modulePath + "/internal/vat/register", "layer 3 imports internal/vat/register of layer 3"},
		"UnknownPackageIsRefused":     {"internal/wizard/x.go", modulePath + "/internal/money", "internal/wizard has no layer"},
		"ProductDoesNotImportTestkit": {"cmd/server/main.go", modulePath + "/internal/testkit/mysqltest", "internal/testkit is for tests only"},
		"GormIsConfined":              {"internal/invoice/store.go", "gorm.io/gorm", "gorm.io is for internal/database, internal/tenant only"},
		"TokensAreConfined":           {"internal/httpapi/login.go", "github.com/golang-jwt/jwt/v5", "github.com/golang-jwt/jwt is for internal/tenant only"},
		"EchoAtTheEdgeIsAllowed":      {"internal/httpapi/routes.go", "github.com/labstack/echo/v4", ""},
		"StandardLibraryIsAllowed":    {"internal/money/amount.go", "errors", ""},
		"TestFilesAreFree":            {"internal/money/amount_test.go", modulePath + "/internal/testkit", ""},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			faults := importFaults(parse(t, example.from, "package x\n\nimport _ "+strconv.Quote(example.imported)))
			if example.fault == "" {
				require.Empty(t, faults)
				return
			}
			require.Len(t, faults, 1)
			require.Contains(t, faults[0], example.from+": "+example.fault)
		})
	}
	t.Run("RepositoryKeepsThem", func(t *testing.T) {
		t.Parallel()
		var faults []string
		for _, file := range goSources(t) {
			faults = append(faults, importFaults(file)...)
		}
		require.Empty(t, faults)
	})
}

// importFaults applies the rules above to one file. Test files are free: what
// they import is not part of the product.
func importFaults(file source) []string {
	if file.isTest() {
		return nil
	}
	from := entry(layers, file.folder())
	if from == "" {
		return []string{file.path + ": " + file.folder() + " has no layer: place it in the table of internal/tidy"}
	}
	var faults []string
	for _, spec := range file.syntax.Imports {
		imported, err := strconv.Unquote(spec.Path.Value)
		if err != nil {
			imported = spec.Path.Value
		}
		if fault := importFault(file.folder(), from, imported); fault != "" {
			faults = append(faults, file.path+": "+fault)
		}
	}
	return faults
}

func importFault(folder, from, imported string) string {
	own, isOwn := strings.CutPrefix(imported, modulePath+"/")
	if !isOwn {
		return confinementFault(folder, imported)
	}
	to := entry(layers, own)
	switch importers, only := testsOnly[to]; {
	case to == "":
		return own + " has no layer: place it in the table of internal/tidy"
	case only && entry(setOf(importers), folder) == "":
		return to + " is for tests only"
	case to == from || layers[to] < layers[from] && !isDocumentFrom(from, to):
		return ""
	case layers[to] == layers[from] && strings.HasPrefix(folder, own+"/"):
		return ""
	case isDocumentFrom(from, to):
		return fmt.Sprintf("layer %d imports %s, a document of layer %d", layers[from], to, layers[to])
	}
	return fmt.Sprintf("layer %d imports %s of layer %d", layers[from], to, layers[to])
}

// isDocumentFrom tells the one pair of layers between which even the lower is
// closed: reports and returns are computed from the ledger and the VAT
// register, so that no document can be counted in one and not in the other.
func isDocumentFrom(from, to string) bool {
	const documents, reports = 4, 5
	return layers[from] == reports && layers[to] == documents && !derived[to]
}

// derived are packages of the layer of documents that are none: they work out
// from ledger and VAT register what several returns need alike.
var derived = map[string]bool{"internal/vat/cash": true}

func confinementFault(folder, imported string) string {
	for module, importers := range confined {
		if imported != module && !strings.HasPrefix(imported, module+"/") {
			continue
		}
		if entry(setOf(importers), folder) == "" {
			return module + " is for " + strings.Join(importers, ", ") + " only"
		}
	}
	return ""
}

func setOf(names []string) map[string]struct{} {
	set := map[string]struct{}{}
	for _, name := range names {
		set[name] = struct{}{}
	}
	return set
}
