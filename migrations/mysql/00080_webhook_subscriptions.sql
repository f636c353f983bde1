-- +goose Up
CREATE TABLE webhook_subscriptions (
    company_id BINARY(16) NOT NULL,
    id BINARY(16) NOT NULL,
    url VARCHAR(2000) NOT NULL,
    -- Names of events, parted by blanks.
    events VARCHAR(4000) NOT NULL,
    -- off: switched off by the tenant; paused: failed too long; gone: the receiver answered 410.
    state VARCHAR(8) NOT NULL,
    reason VARCHAR(500) NULL,
    -- Sealed under a key that is not in the database.
    secret VARBINARY(255) NULL,
    previous_secret VARBINARY(255) NULL,
    previous_until DATETIME(6) NULL,
    -- The first failure after the last success.
    failing_since DATETIME(6) NULL,
    created_at DATETIME(6) NOT NULL,
    updated_at DATETIME(6) NOT NULL,
    PRIMARY KEY (company_id, id),
    CONSTRAINT webhook_subscriptions_company FOREIGN KEY (company_id) REFERENCES companies (id),
    CONSTRAINT webhook_subscriptions_state CHECK (state IN ('active', 'off', 'paused', 'gone', 'deleted')),
    CONSTRAINT webhook_subscriptions_secret CHECK ((secret IS NULL) = (state = 'deleted')),
    CONSTRAINT webhook_subscriptions_previous CHECK ((previous_secret IS NULL) = (previous_until IS NULL))
) DEFAULT CHARACTER SET utf8mb4 COLLATE utf8mb4_bin;
