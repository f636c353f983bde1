package walk_test

import (
	"testing"
	"time"

	"github.com/vienkart/vienkart/internal/testkit/process"
)

// undeclared is a month that no other submission of the process is about, so that its content is new.
func undeclared() body {
	n := serial.Add(1)
	month := time.Date(2017, time.January, 1, 0, 0, 0, 0, time.UTC).AddDate(0, int(n%100), 0)
	return body{"obligation": "lt-isaf", "year": month.Year(), "month": int(month.Month()), "partNumber": unique("P")}
}

func newSubmission(t *testing.T, c *process.Client) body {
	t.Helper()
	taxpayer(t, c)
	return undeclared()
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
