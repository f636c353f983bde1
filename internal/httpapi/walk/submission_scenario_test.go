package walk_test

import (
	"testing"

	"github.com/vienkart/vienkart/internal/testkit/process"
)

// newSubmission is of January 2026 with a sale in it. Its part number makes its content new.
func newSubmission(t *testing.T, c *process.Client) body {
	t.Helper()
	taxpayer(t, c)
	return body{"obligation": "lt-isaf", "year": 2026, "month": 1, "partNumber": unique("P")}
}

func aSubmission(t *testing.T, c *process.Client) string {
	t.Helper()
	return made(t, c, "/v1/declarations/submissions/create", newSubmission(t, c))
}

var submissionScenarios = map[string]scenario{
	"/v1/declarations/submissions/create": newSubmission,
	"/v1/declarations/submissions/mark": func(t *testing.T, c *process.Client) body {
		return body{"id": aSubmission(t, c), "status": "accepted", "externalRef": "17"}
	},
	"/v1/declarations/submissions/list": fixed(body{}),
	"/v1/declarations/submissions/late-changes": func(t *testing.T, c *process.Client) body {
		return body{"id": aSubmission(t, c)}
	},
}
