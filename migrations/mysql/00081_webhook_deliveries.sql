-- +goose Up
CREATE TABLE webhook_deliveries (
    company_id BINARY(16) NOT NULL,
    id BINARY(16) NOT NULL,
    subscription_id BINARY(16) NOT NULL,
    event_id BINARY(16) NOT NULL,
    event_type VARCHAR(64) NOT NULL,
    object_id BINARY(16) NOT NULL,
    status VARCHAR(9) NOT NULL,
    -- Attempts begun, those cut off by a crash too; failures are attempts with a bad end since the row became pending.
    attempts INT NOT NULL,
    failures INT NOT NULL,
    -- One more attempt that a person asked for: it waits for no other delivery, and none waits for it.
    is_redelivery BOOLEAN NOT NULL,
    redelivered_at DATETIME(6) NULL,
    next_attempt_at DATETIME(6) NOT NULL,
    -- Who sends it now, and since when.
    claim BINARY(16) NULL,
    claimed_at DATETIME(6) NULL,
    last_error VARCHAR(500) NULL,
    created_at DATETIME(6) NOT NULL,
    delivered_at DATETIME(6) NULL,
    PRIMARY KEY (company_id, id),
    UNIQUE KEY webhook_deliveries_event (company_id, event_id, subscription_id),
    KEY webhook_deliveries_due (company_id, subscription_id, status, next_attempt_at),
    KEY webhook_deliveries_object (company_id, subscription_id, object_id, event_id),
    KEY webhook_deliveries_age (created_at),
    CONSTRAINT webhook_deliveries_company FOREIGN KEY (company_id) REFERENCES companies (id),
    CONSTRAINT webhook_deliveries_to FOREIGN KEY (company_id, subscription_id) REFERENCES webhook_subscriptions (company_id, id),
    CONSTRAINT webhook_deliveries_of FOREIGN KEY (company_id, event_id) REFERENCES outbox_events (company_id, id),
    CONSTRAINT webhook_deliveries_status CHECK (status IN ('pending', 'delivered', 'failed', 'cancelled')),
    CONSTRAINT webhook_deliveries_time CHECK (status <> 'delivered' OR delivered_at IS NOT NULL),
    CONSTRAINT webhook_deliveries_claim CHECK ((claim IS NULL) = (claimed_at IS NULL) AND (claim IS NULL OR status = 'pending'))
) DEFAULT CHARACTER SET utf8mb4 COLLATE utf8mb4_bin;
