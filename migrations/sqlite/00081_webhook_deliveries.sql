-- +goose Up
CREATE TABLE webhook_deliveries (
    company_id BLOB NOT NULL,
    id BLOB NOT NULL,
    subscription_id BLOB NOT NULL,
    event_id BLOB NOT NULL,
    event_type TEXT NOT NULL,
    object_id BLOB NOT NULL,
    status TEXT NOT NULL,
    -- Attempts begun, those cut off by a crash too; failures are attempts with a bad end since the row became pending.
    attempts INTEGER NOT NULL,
    failures INTEGER NOT NULL,
    -- One more attempt that a person asked for: it waits for no other delivery, and none waits for it.
    is_redelivery INTEGER NOT NULL,
    redelivered_at TEXT NULL,
    next_attempt_at TEXT NOT NULL,
    -- Who sends it now, and since when.
    claim BLOB NULL,
    claimed_at TEXT NULL,
    last_error TEXT NULL,
    created_at TEXT NOT NULL,
    delivered_at TEXT NULL,
    PRIMARY KEY (company_id, id),
    CONSTRAINT webhook_deliveries_company FOREIGN KEY (company_id) REFERENCES companies (id),
    CONSTRAINT webhook_deliveries_to FOREIGN KEY (company_id, subscription_id) REFERENCES webhook_subscriptions (company_id, id),
    CONSTRAINT webhook_deliveries_of FOREIGN KEY (company_id, event_id) REFERENCES outbox_events (company_id, id),
    CONSTRAINT webhook_deliveries_status CHECK (status IN ('pending', 'delivered', 'failed', 'cancelled')),
    CONSTRAINT webhook_deliveries_time CHECK (status <> 'delivered' OR delivered_at IS NOT NULL),
    CONSTRAINT webhook_deliveries_claim CHECK ((claim IS NULL) = (claimed_at IS NULL) AND (claim IS NULL OR status = 'pending'))
) STRICT;

CREATE UNIQUE INDEX webhook_deliveries_event ON webhook_deliveries (company_id, event_id, subscription_id);

CREATE INDEX webhook_deliveries_due ON webhook_deliveries (company_id, subscription_id, status, next_attempt_at);

CREATE INDEX webhook_deliveries_object ON webhook_deliveries (company_id, subscription_id, object_id, event_id);

CREATE INDEX webhook_deliveries_age ON webhook_deliveries (created_at);
