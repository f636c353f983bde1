package metrics

import (
	"context"
	"log/slog"
	"time"

	"github.com/prometheus/client_golang/prometheus"
)

// Work is how far behind the background work is, of all servers on the database together.
type Work struct {
	OutboxWaiting      time.Duration
	WebhookUndelivered time.Duration
	SweeperLag         time.Duration
	// ExportJobs counts jobs by state.
	ExportJobs    map[string]int64
	ExportWaiting time.Duration
}

// measureTimeout bounds what a scrape asks of the database.
const measureTimeout = 5 * time.Second

// WatchWork measures the work at each scrape. While the database does not answer, its metrics are absent rather than old.
func (m *Metrics) WatchWork(measure func(context.Context) (Work, error)) {
	m.registry.MustRegister(workCollector{measure})
}

var (
	outboxWaiting = gauge("outbox_waiting_seconds", "Age of the oldest event that is not handed out to subscriptions; 0 when there is none.")
	undelivered   = gauge("webhook_undelivered_seconds", "Age of the oldest delivery that an active subscription has not got; 0 when there is none.")
	sweeperLag    = gauge("sweeper_lag_seconds", "How long the oldest expired key has been waiting to be deleted; 0 when there is none.")
	exportJobs    = gauge("export_jobs", "Export jobs by state.", "state")
	exportWaiting = gauge("export_waiting_seconds", "How long the oldest queued export job has waited; 0 when there is none.")
)

func gauge(name, help string, labels ...string) *prometheus.Desc {
	return prometheus.NewDesc(prometheus.BuildFQName(namespace, "", name), help, labels, nil)
}

type workCollector struct {
	measure func(context.Context) (Work, error)
}

// Describe lists the metrics.
func (workCollector) Describe(out chan<- *prometheus.Desc) {
	for _, d := range []*prometheus.Desc{outboxWaiting, undelivered, sweeperLag, exportJobs, exportWaiting} {
		out <- d
	}
}

// Collect measures.
func (c workCollector) Collect(out chan<- prometheus.Metric) {
	ctx, cancel := context.WithTimeout(context.Background(), measureTimeout)
	defer cancel()
	work, err := c.measure(ctx)
	if err != nil {
		slog.WarnContext(ctx, "background work not measured", "error", err)
		return
	}
	send := func(d *prometheus.Desc, value float64, labels ...string) {
		out <- prometheus.MustNewConstMetric(d, prometheus.GaugeValue, value, labels...)
	}
	send(outboxWaiting, work.OutboxWaiting.Seconds())
	send(undelivered, work.WebhookUndelivered.Seconds())
	send(sweeperLag, work.SweeperLag.Seconds())
	send(exportWaiting, work.ExportWaiting.Seconds())
	for state, n := range work.ExportJobs {
		send(exportJobs, float64(n), state)
	}
}
