package metrics

import (
	"log/slog"
	"net/http"
	"time"

	"github.com/prometheus/client_golang/prometheus"
	"github.com/prometheus/client_golang/prometheus/collectors"
	"github.com/prometheus/client_golang/prometheus/promhttp"

	"github.com/vienkart/vienkart/internal/database"
	"github.com/vienkart/vienkart/internal/idempotency"
	"github.com/vienkart/vienkart/internal/tenant"
)

// seconds are the buckets of durations: a replay takes a millisecond, a mutation some ten, and ten seconds is when
// clients give up.
var seconds = []float64{0.002, 0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 1, 10}

// Metrics is the registry of one server. It observes the API and the runner of mutations.
type Metrics struct {
	registry  *prometheus.Registry
	requests  *prometheus.CounterVec
	durations *prometheus.HistogramVec
	refusals  *prometheus.CounterVec
	endings   *prometheus.CounterVec
	takeovers prometheus.Counter
	retries   prometheus.Counter
	replica   *prometheus.CounterVec
}

// New makes the registry, with the metrics of the process and of Go.
func New(version string) *Metrics {
	m := &Metrics{
		registry:  prometheus.NewRegistry(),
		requests:  counters("http_requests_total", "Answers by operation and outcome: ok, replayed, or the code of the error.", "operation", "outcome"),
		refusals:  counters("refusals_total", "Error answers by their exact reason, as docs/errors.md lists them.", "reason"),
		endings:   counters("idempotency_outcomes_total", "Mutations with a key by how they ended.", "outcome"),
		takeovers: counter("idempotency_takeovers_total", "Claims that had failed or expired and were taken by a new request."),
		retries:   counter("transaction_retries_total", "Transactions run again after a deadlock, a lock timeout or a race for a unique index."),
		replica:   counters("replica_reports_total", "Reports and export files that a replica may answer: used, or behind, unfit or broke, where the primary did.", "use"),
		durations: prometheus.NewHistogramVec(prometheus.HistogramOpts{
			Namespace: namespace, Name: "http_request_duration_seconds", Help: "Time from the request to the end of the answer, by operation.",
			Buckets: seconds,
		}, []string{"operation"}),
	}
	build := prometheus.NewGaugeVec(prometheus.GaugeOpts{Namespace: namespace, Name: "build_info", Help: "1, with the version of the server."}, []string{"version"})
	build.WithLabelValues(version).Set(1)
	m.registry.MustRegister(
		m.requests, m.durations, m.refusals, m.endings, m.takeovers, m.retries, m.replica, build,
		collectors.NewGoCollector(), collectors.NewProcessCollector(collectors.ProcessCollectorOpts{}),
	)
	for _, e := range idempotency.Endings() {
		m.endings.WithLabelValues(string(e)) // a rate over a counter that is not there yet is a hole, not zero
	}
	for _, u := range tenant.ReplicaUses() {
		m.replica.WithLabelValues(string(u))
	}
	return m
}

const namespace = "vienkart"

func counters(name, help string, labels ...string) *prometheus.CounterVec {
	return prometheus.NewCounterVec(prometheus.CounterOpts{Namespace: namespace, Name: name, Help: help}, labels)
}

func counter(name, help string) prometheus.Counter {
	return prometheus.NewCounter(prometheus.CounterOpts{Namespace: namespace, Name: name, Help: help})
}

// Answered counts an answer of the API.
func (m *Metrics) Answered(operation, outcome string, took time.Duration) {
	m.requests.WithLabelValues(operation, outcome).Inc()
	m.durations.WithLabelValues(operation).Observe(took.Seconds())
}

// Refused counts an error by its reason.
func (m *Metrics) Refused(reason string) { m.refusals.WithLabelValues(reason).Inc() }

// Ended counts a mutation with a key.
func (m *Metrics) Ended(e idempotency.Ending) { m.endings.WithLabelValues(string(e)).Inc() }

// TookOver counts a claim that changed hands.
func (m *Metrics) TookOver() { m.takeovers.Inc() }

// RanAgain counts a transaction that is run once more.
func (m *Metrics) RanAgain() { m.retries.Inc() }

// ReadReport counts a report that a replica may answer.
func (m *Metrics) ReadReport(use tenant.ReplicaUse) { m.replica.WithLabelValues(string(use)).Inc() }

// WatchReplica adds the pool of a replica to those of WatchPools.
func (m *Metrics) WatchReplica(r *database.Replica) {
	m.registry.MustRegister(collectors.NewDBStatsCollector(r.Pool(), "replica"))
}

// WatchPools adds connections in use, waits for one and the time waited, of each pool.
func (m *Metrics) WatchPools(db *database.DB) {
	m.registry.MustRegister(collectors.NewDBStatsCollector(db.Writer(), "writer"), collectors.NewDBStatsCollector(db.Reader(), "reader"))
	if db.Dirty() != nil {
		m.registry.MustRegister(collectors.NewDBStatsCollector(db.Dirty(), "dirty"))
	}
}

// Gather is what a scrape would show.
func (m *Metrics) Gather() prometheus.Gatherer { return m.registry }

// Handler shows the metrics. What cannot be measured is left out, and the rest is shown.
func (m *Metrics) Handler() http.Handler {
	return promhttp.HandlerFor(m.registry, promhttp.HandlerOpts{
		ErrorHandling: promhttp.ContinueOnError, ErrorLog: slog.NewLogLogger(slog.Default().Handler(), slog.LevelWarn),
	})
}
