package walk_test

import (
	"fmt"
	"maps"
	"sync/atomic"
	"testing"

	"github.com/vienkart/vienkart/internal/testkit/process"
)

// scenario prepares what an operation needs in the caller's company and gives a request that succeeds. Called again in
// the same company it prepares and gives anew.
type scenario func(t *testing.T, c *process.Client) body

// body is a JSON object.
type body map[string]any

// fixed is a scenario without preparation.
func fixed(b body) scenario {
	return func(*testing.T, *process.Client) body { return maps.Clone(b) }
}

var serial atomic.Int64

// unique is a text that no other scenario uses.
func unique(prefix string) string { return fmt.Sprintf("%s%d", prefix, 1000+serial.Add(1)) }

// made creates an object and gives its id.
func made(t *testing.T, c *process.Client, path string, b body) string {
	t.Helper()
	return c.OK(t, path, b, nil).ID(t)
}

// scenarios has every operation of the route table.
func scenarios() map[string]scenario {
	all := map[string]scenario{}
	for _, part := range []map[string]scenario{
		idempotencyScenarios, ledgerScenarios, accountScenarios, fileScenarios, partnerScenarios, referenceScenarios, assetScenarios,
		salesScenarios, purchaseScenarios, orderScenarios,
		bankScenarios, settlementScenarios, declarationScenarios, submissionScenarios, webhookScenarios, reportScenarios,
	} {
		maps.Copy(all, part)
	}
	return all
}
