-- +goose Up
CREATE TABLE idempotency_rejections (
    company_id BLOB NOT NULL,
    id BLOB NOT NULL,
    reason TEXT NOT NULL,
    -- One digest of reason, key, operation and refused payload: a repeat raises the counter instead of adding a row.
    identity BLOB NOT NULL,
    idempotency_key BLOB NULL,
    operation TEXT NOT NULL,
    actor_type TEXT NOT NULL,
    actor_id TEXT NOT NULL,
    client_address TEXT NOT NULL,
    request_id TEXT NOT NULL,
    first_request_id TEXT NULL,
    first_operation TEXT NULL,
    first_request BLOB NULL,
    first_at TEXT NULL,
    refused_request BLOB NOT NULL,
    existing_type TEXT NULL,
    existing_id TEXT NULL,
    business_index TEXT NULL,
    occurrences INTEGER NOT NULL,
    created_at TEXT NOT NULL,
    last_seen_at TEXT NOT NULL,
    review_decision TEXT NULL,
    review_note TEXT NULL,
    reviewed_by TEXT NULL,
    reviewed_at TEXT NULL,
    PRIMARY KEY (company_id, id),
    CONSTRAINT idempotency_rejections_company FOREIGN KEY (company_id) REFERENCES companies (id),
    CONSTRAINT idempotency_rejections_reason CHECK (reason IN ('key_reuse', 'in_progress', 'duplicate')),
    CONSTRAINT idempotency_rejections_review CHECK ((reviewed_at IS NULL) = (review_decision IS NULL))
) STRICT;

CREATE UNIQUE INDEX idempotency_rejections_identity ON idempotency_rejections (company_id, identity);
CREATE INDEX idempotency_rejections_recent ON idempotency_rejections (company_id, last_seen_at);
