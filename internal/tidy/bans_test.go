package tidy_test

import (
	"fmt"
	"go/ast"
	"go/token"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"
)

// floatingPoint are the files of internal/ that may hold binary floating
// point, each with the reason. Amounts, quantities, prices and rates never do:
// 0.1 has no exact form.
var floatingPoint = map[string]string{
	"internal/export/pdf.go":             "coordinates on a page, as the PDF library takes them; amounts are written as text",
	"internal/invoice/document/sheet.go": "coordinates on a page, as the PDF library takes them; amounts are written as text",
	"internal/metrics/metrics.go":        "buckets of durations, as Prometheus takes them; no amount is measured",
	"internal/metrics/work.go":           "durations and counts, as Prometheus takes them; no amount is measured",
}

// wallClock are the folders that may ask for the time of day.
var wallClock = map[string]string{
	"internal/clock": "the clock that everything else asks, and that tests pin",
	"bench":          "measures elapsed time; no business rule is in it",
	"docs/webhooks":  "a program of the receiver's own, to be copied out of this repository",
}

func TestFloatingPoint(t *testing.T) {
	t.Parallel()
	for name, example := range map[string]struct {
		path, declaration string
		faults            int
	}{
		"Float64IsFound":        {"internal/vat/rate.go", "type rate float64", 1},
		"Float32IsFound":        {"internal/vat/rate.go", "var rate float32", 1},
		"ConstantIsFound":       {"internal/vat/rate.go", "var rate = 0.21", 1},
		"IntegerIsAllowed":      {"internal/vat/rate.go", "var rate int64 = 21", 0},
		"TextIsAllowed":         {"internal/vat/rate.go", `var rate = "0.21"`, 0},
		"TestIsFree":            {"internal/vat/rate_test.go", "var rate float64", 0},
		"OutsideInternalIsFree": {"bench/rate.go", "var rate float64", 0},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			require.Len(t, floatFaults(parse(t, example.path, "package x\n\n"+example.declaration)), example.faults)
		})
	}
	t.Run("RepositoryHasNoneBeyondTheList", func(t *testing.T) {
		t.Parallel()
		unused := map[string]string{}
		for name, reason := range floatingPoint {
			unused[name] = reason
		}
		var faults []string
		for _, file := range goSources(t) {
			found := floatFaults(file)
			if _, listed := floatingPoint[file.path]; listed && len(found) > 0 {
				delete(unused, file.path)
				continue
			}
			faults = append(faults, found...)
		}
		require.Empty(t, faults)
		require.Empty(t, unused, "these files need no exception")
	})
}

func floatFaults(file source) []string {
	if file.isTest() || !strings.HasPrefix(file.path, "internal/") {
		return nil
	}
	var faults []string
	ast.Inspect(file.syntax, func(node ast.Node) bool {
		switch node := node.(type) {
		case *ast.Ident:
			if node.Name == "float32" || node.Name == "float64" {
				faults = append(faults, fmt.Sprintf("%s:%d: %s", file.path, file.line(node.Pos()), node.Name))
			}
		case *ast.BasicLit:
			if node.Kind == token.FLOAT {
				faults = append(faults, fmt.Sprintf("%s:%d: %s", file.path, file.line(node.Pos()), node.Value))
			}
		}
		return true
	})
	return faults
}

func TestWallClock(t *testing.T) {
	t.Parallel()
	for name, example := range map[string]struct {
		path, expression string
		faults           int
	}{
		"NowIsFound":            {"internal/asset/run.go", "time.Now()", 1},
		"NowAsValueIsFound":     {"cmd/server/main.go", "time.Now", 1},
		"SinceIsFound":          {"internal/asset/run.go", "time.Since(time.Time{})", 1},
		"TestIsNoException":     {"internal/asset/run_test.go", "time.Now()", 1},
		"ClockMayAsk":           {"internal/clock/clock.go", "time.Now()", 0},
		"FixedDateIsAllowed":    {"internal/asset/run.go", "time.Unix(0, 0)", 0},
		"OtherPackageIsAllowed": {"internal/asset/run.go", "clock.Now()", 0},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			require.Len(t, clockFaults(parse(t, example.path, "package x\n\nvar x = "+example.expression)), example.faults)
		})
	}
	t.Run("RepositoryAsksTheClockOnly", func(t *testing.T) {
		t.Parallel()
		var faults []string
		for _, file := range goSources(t) {
			faults = append(faults, clockFaults(file)...)
		}
		require.Empty(t, faults, "ask internal/clock instead")
	})
}

func clockFaults(file source) []string {
	if entry(wallClock, file.folder()) != "" {
		return nil
	}
	var faults []string
	ast.Inspect(file.syntax, func(node ast.Node) bool {
		selector, isSelector := node.(*ast.SelectorExpr)
		if !isSelector {
			return true
		}
		pkg, isIdent := selector.X.(*ast.Ident)
		if !isIdent || pkg.Name != "time" {
			return true
		}
		switch selector.Sel.Name {
		case "Now", "Since", "Until":
			faults = append(faults, fmt.Sprintf("%s:%d: time.%s", file.path, file.line(selector.Pos()), selector.Sel.Name))
		}
		return true
	})
	return faults
}
