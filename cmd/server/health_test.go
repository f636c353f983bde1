package main

import (
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"github.com/vienkart/vienkart/internal/clock"
	"github.com/vienkart/vienkart/internal/tenant"
)

func TestMeasureWork(t *testing.T) {
	t.Parallel()
	for _, engine := range []string{"SQLite", "MySQL"} {
		t.Run(engine, func(t *testing.T) {
			t.Parallel()
			e := emptyEngine(t, engine)
			idle, err := measureWork(t.Context(), e.System)
			require.NoError(t, err)
			require.Zero(t, idle.OutboxWaiting+idle.WebhookUndelivered+idle.SweeperLag+idle.ExportWaiting)
			require.Equal(t, map[string]int64{"queued": 0, "running": 0, "completed": 0, "failed": 0, "cancelled": 0}, idle.ExportJobs)

			company, active, off, event := e.Company(t).Scope.Company().ID, tenant.NewID(), tenant.NewID(), tenant.NewID()
			now := clock.System{}.Now()
			insert := func(query string, args ...any) {
				_, err := e.DB.Writer().ExecContext(t.Context(), query, append([]any{company}, args...)...)
				require.NoError(t, err)
			}
			insert("INSERT INTO export_jobs (company_id, id, report_type, params, formats, status, progress, attempts, created_at) VALUES (?, ?, 'x', '{}', 'csv', 'queued', 0, 0, ?)",
				tenant.NewID(), clock.At(now.Add(-time.Hour)))
			insert("INSERT INTO outbox_events (company_id, id, event_type, object_type, object_id, payload, created_at) VALUES (?, ?, 'a', 'b', ?, ?, ?)",
				event, event, []byte("x"), clock.At(now.Add(-2*time.Hour)))
			for subscription, hours := range map[tenant.ID]time.Duration{active: 3, off: 9} {
				state := "active"
				if subscription == off {
					state = "off"
				}
				insert("INSERT INTO webhook_subscriptions (company_id, id, url, events, state, secret, created_at, updated_at) VALUES (?, ?, 'https://x', '*', ?, ?, ?, ?)",
					subscription, state, []byte("s"), clock.At(now), clock.At(now))
				insert(`INSERT INTO webhook_deliveries (company_id, id, subscription_id, event_id, event_type, object_id, status, attempts, failures,
					is_redelivery, next_attempt_at, created_at) VALUES (?, ?, ?, ?, 'a', ?, 'pending', 0, 0, 0, ?, ?)`,
					tenant.NewID(), subscription, event, event, clock.At(now), clock.At(now.Add(-hours*time.Hour)))
			}
			busy, err := measureWork(t.Context(), e.System)
			require.NoError(t, err)
			require.Equal(t, int64(1), busy.ExportJobs["queued"])
			for wanted, measured := range map[time.Duration]time.Duration{
				time.Hour: busy.ExportWaiting, 2 * time.Hour: busy.OutboxWaiting, 3 * time.Hour: busy.WebhookUndelivered,
			} {
				require.InDelta(t, wanted, measured, float64(time.Minute), "a subscription that is off holds up nobody")
			}
		})
	}
}
