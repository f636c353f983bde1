-- +goose Up
CREATE TABLE webhook_subscriptions (
    company_id BLOB NOT NULL,
    id BLOB NOT NULL,
    url TEXT NOT NULL,
    -- Names of events, parted by blanks.
    events TEXT NOT NULL,
    -- off: switched off by the tenant; paused: failed too long; gone: the receiver answered 410.
    state TEXT NOT NULL,
    reason TEXT NULL,
    -- Sealed under a key that is not in the database.
    secret BLOB NULL,
    previous_secret BLOB NULL,
    previous_until TEXT NULL,
    -- The first failure after the last success.
    failing_since TEXT NULL,
    created_at TEXT NOT NULL,
    updated_at TEXT NOT NULL,
    PRIMARY KEY (company_id, id),
    CONSTRAINT webhook_subscriptions_company FOREIGN KEY (company_id) REFERENCES companies (id),
    CONSTRAINT webhook_subscriptions_state CHECK (state IN ('active', 'off', 'paused', 'gone', 'deleted')),
    CONSTRAINT webhook_subscriptions_secret CHECK ((secret IS NULL) = (state = 'deleted')),
    CONSTRAINT webhook_subscriptions_previous CHECK ((previous_secret IS NULL) = (previous_until IS NULL))
) STRICT;
