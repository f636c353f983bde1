package scenario_test

import (
	"context"
	"fmt"
	"net/url"
	"regexp"
	"strconv"
	"strings"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"github.com/vienkart/vienkart/internal/testkit"
	"github.com/vienkart/vienkart/internal/testkit/mailbox"
	"github.com/vienkart/vienkart/internal/testkit/process"
	"github.com/vienkart/vienkart/internal/testkit/tap"
)

// explainer asks MySQL how it would answer statements, one of each shape.
type explainer struct {
	engine *testkit.Engine
	seen   map[string]bool
	faults []string
}

// background explains what a server asks for beside answering.
func (x *explainer) background(t *testing.T) {
	t.Helper()
	address, err := url.Parse(x.engine.URL)
	require.NoError(t, err)
	line := tap.Start(t, address.Host)
	behind := *x.engine
	address.Host = line.Address()
	behind.URL = address.String()
	box, err := mailbox.Open()
	require.NoError(t, err)
	server := process.Start(t, &behind, "VIENKART_WEBHOOK_KEY="+webhookKey, "VIENKART_SMTP_URL="+box.URL)
	var statements []string
	require.Eventually(t, func() bool {
		statements = append(statements, line.Take()...)
		all := strings.Join(statements, "\n")
		for _, work := range []string{"FROM idempotency_keys", "FROM webhook_subscriptions", "FROM outbox_events", "FROM export_jobs", "FROM sales_letters"} {
			if !strings.Contains(all, work) {
				return false
			}
		}
		return true
	}, 30*time.Second, 10*poll, "the server does its work")
	server.Stop(t)
	x.explain(t, "background", append(statements, line.Take()...))
}

func (x *explainer) explain(t *testing.T, operation string, statements []string) {
	t.Helper()
	for _, statement := range statements {
		shape := tap.Shape(statement)
		if x.seen[shape] || !explainable.MatchString(statement) {
			continue
		}
		x.seen[shape] = true
		for _, step := range x.plan(t, statement) {
			fault := step.fault(ofAll.MatchString(operation) && !isOfDays(operation, step["base"]))
			if fault == "" && strings.HasSuffix(operation, "/list") {
				fault = step.sorts()
			}
			if fault != "" {
				x.faults = append(x.faults, fmt.Sprintf("%s: %s: %s\n\t%s", operation, fault, step, shape))
			}
		}
	}
}

var (
	explainable = regexp.MustCompile(`^(SELECT|UPDATE|DELETE|\(SELECT|WITH|SET STATEMENT \S+ FOR (UPDATE|DELETE))`)
	impatient   = regexp.MustCompile(`^SET STATEMENT \S+ FOR `)
	mentioned   = regexp.MustCompile("(?i)\\b(?:FROM|JOIN|UPDATE)\\s+`?([a-z_]+)`?(?:\\s+(?:AS\\s+)?([a-z_]+))?")
)

// step is one line of a plan.
type step map[string]string

func (s step) String() string {
	return fmt.Sprintf("%s of %s by %s (%s bytes), %s rows, %s", s["type"], s["base"], s["key"], s["key_len"], s["rows"], s["Extra"])
}

// fault says what is wrong with a step, or nothing.
func (s step) fault(readsAll bool) string {
	rows, err := strconv.Atoi(s["rows"])
	if err != nil || rows < large || s["base"] == "" || fixedTables[s["base"]] {
		return ""
	}
	const company = "16" // bytes of a company's id
	switch {
	case s["type"] == "ALL" || s["type"] == "index":
		return "reads a table of all companies"
	case !readsAll && s["key_len"] == company:
		return "reads all that a company has in a table"
	}
	return ""
}

// sortedTables are those that a list may put in order: drafts wait, and assets are bought, however many documents there are.
var sortedTables = map[string]bool{"sales_drafts": true, "purchase_drafts": true, "assets": true}

// sorts says that a list in its default order, in which those explained are, does not take it from an index: then its first page costs
// more with each row there is.
func (s step) sorts() string {
	rows, err := strconv.Atoi(s["rows"])
	if err != nil || rows < large || !strings.Contains(s["Extra"], "filesort") || fixedTables[s["base"]] || sortedTables[s["base"]] {
		return ""
	}
	if s["base"] == "" {
		return "sorts what it gathered"
	}
	return "sorts a table"
}

func (x *explainer) plan(t *testing.T, statement string) []step {
	t.Helper()
	statement = impatient.ReplaceAllString(statement, "")
	aliases := map[string]string{}
	for _, m := range mentioned.FindAllStringSubmatch(statement, -1) {
		aliases[m[1]] = m[1]
		if m[2] != "" {
			aliases[m[2]] = m[1]
		}
	}
	// The format has to be named: it is the default of MariaDB, and was that of MySQL.
	rows, err := x.engine.Admin.Reader().QueryContext(context.Background(), "EXPLAIN FORMAT=TRADITIONAL "+statement)
	require.NoError(t, err, statement)
	defer func() { require.NoError(t, rows.Close()) }()
	names, err := rows.Columns()
	require.NoError(t, err)
	var steps []step
	for rows.Next() {
		values, into := make([]*string, len(names)), make([]any, len(names))
		for i := range values {
			into[i] = &values[i]
		}
		require.NoError(t, rows.Scan(into...))
		one := step{}
		for i, name := range names {
			if values[i] != nil {
				one[name] = *values[i]
			}
		}
		one["base"] = aliases[one["table"]]
		steps = append(steps, one)
	}
	require.NoError(t, rows.Err())
	return steps
}
