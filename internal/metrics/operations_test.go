package metrics_test

import (
	"context"
	"errors"
	"os"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/go-json-experiment/json"
	"github.com/stretchr/testify/require"
	"go.yaml.in/yaml/v3"

	"github.com/vienkart/vienkart/internal/idempotency"
	"github.com/vienkart/vienkart/internal/metrics"
	"github.com/vienkart/vienkart/internal/testkit"
)

const root = "../.."

// used is a registry in which everything happened once.
func used(t *testing.T) *metrics.Metrics {
	t.Helper()
	m := metrics.New("test")
	m.Answered("/v1/test", "ok", time.Second)
	m.Refused("test")
	m.Ended(idempotency.EndingExecuted)
	m.TookOver()
	m.RanAgain()
	m.WatchPools(testkit.SQLite(t).DB)
	m.WatchWork(func(context.Context) (metrics.Work, error) {
		return metrics.Work{OutboxWaiting: time.Second, ExportJobs: map[string]int64{"queued": 1}}, nil
	})
	return m
}

// series are the names that a query may use.
func series(t *testing.T, m *metrics.Metrics) []string {
	t.Helper()
	families, err := m.Gather().Gather()
	require.NoError(t, err)
	var names []string
	for _, f := range families {
		names = append(names, f.GetName())
		if f.GetMetric()[0].GetHistogram() != nil {
			names = append(names, f.GetName()+"_bucket", f.GetName()+"_sum", f.GetName()+"_count")
		}
	}
	return names
}

var (
	metricName  = regexp.MustCompile(`\b(?:vienkart|go|process)_[a-z0-9_]+\b`)
	runbookName = regexp.MustCompile(`docs/[a-z/-]+\.md`)
)

// requireKnown checks that each metric of a query exists.
func requireKnown(t *testing.T, known []string, query string) {
	t.Helper()
	found := metricName.FindAllString(query, -1)
	for _, name := range found {
		require.Contains(t, known, name, query)
	}
	require.True(t, len(found) > 0 || strings.HasPrefix(query, "up{"), query)
}

func TestDashboardNamesMetricsThatExist(t *testing.T) {
	t.Parallel()
	text, err := os.ReadFile(filepath.Join(root, "docs/operations/grafana-dashboard.json"))
	require.NoError(t, err)
	var dashboard struct {
		Panels []struct {
			ID      int
			Title   string
			Targets []struct{ Expr string }
		}
	}
	require.NoError(t, json.Unmarshal(text, &dashboard, json.MatchCaseInsensitiveNames(true)))
	m := used(t)
	known := series(t, m)
	ids := map[int]bool{}
	for _, p := range dashboard.Panels {
		require.NotEmpty(t, p.Targets, p.Title)
		require.False(t, ids[p.ID], "two panels are number %d", p.ID)
		ids[p.ID] = true
		for _, target := range p.Targets {
			requireKnown(t, known, target.Expr)
		}
	}
	for _, name := range known {
		if strings.HasPrefix(name, "vienkart_") && !strings.HasSuffix(name, "_sum") && !strings.HasSuffix(name, "_count") {
			require.Contains(t, string(text), name, "a metric that no panel shows")
		}
	}
}

func TestAlertsNameMetricsThatExist(t *testing.T) {
	t.Parallel()
	text, err := os.ReadFile(filepath.Join(root, "docs/operations/alerts.yml"))
	require.NoError(t, err)
	var rules struct {
		Groups []struct {
			Rules []struct {
				Alert, Expr         string
				Labels, Annotations map[string]string
			}
		}
	}
	require.NoError(t, yaml.Unmarshal(text, &rules))
	known := series(t, used(t))
	var names []string
	for _, group := range rules.Groups {
		for _, r := range group.Rules {
			requireKnown(t, known, r.Expr)
			require.NotContains(t, names, r.Alert)
			names = append(names, r.Alert)
			require.True(t, slices.Contains([]string{"page", "ticket"}, r.Labels["severity"]), r.Alert)
			require.NotEmpty(t, r.Annotations["summary"], r.Alert)
			require.FileExists(t, filepath.Join(root, r.Annotations["runbook"]), r.Alert)
		}
	}
	require.NotEmpty(t, names)
}

// What a report of readiness points to must be there.
func TestRunbooksThatChecksNameExist(t *testing.T) {
	t.Parallel()
	text, err := os.ReadFile(filepath.Join(root, "internal/health/checker.go"))
	require.NoError(t, err)
	named := runbookName.FindAllString(string(text), -1)
	require.NotEmpty(t, named)
	for _, name := range named {
		require.FileExists(t, filepath.Join(root, name))
	}
}

func TestWorkThatIsNotMeasuredIsAbsent(t *testing.T) {
	t.Parallel()
	m := metrics.New("test")
	m.WatchWork(func(context.Context) (metrics.Work, error) { return metrics.Work{}, errors.New("no database") })
	known := series(t, m)
	require.NotContains(t, known, "vienkart_outbox_waiting_seconds")
	require.Contains(t, known, "vienkart_build_info")
}
