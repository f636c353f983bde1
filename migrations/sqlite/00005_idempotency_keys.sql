-- +goose Up
CREATE TABLE idempotency_keys (
    company_id BLOB NOT NULL,
    idempotency_key BLOB NOT NULL,
    -- running is seen by dirty reads alone: no committed row is ever in it.
    state TEXT NOT NULL,
    fingerprint BLOB NOT NULL,
    method TEXT NOT NULL,
    route TEXT NOT NULL,
    media_type TEXT NOT NULL,
    query TEXT NOT NULL,
    -- The canonical request, gzipped when that is shorter; the first byte tells.
    request BLOB NOT NULL,
    request_id TEXT NOT NULL,
    actor TEXT NOT NULL,
    -- The attempt tells the owner of an unknown commit that the row is its own.
    attempt BLOB NOT NULL,
    status INTEGER NULL,
    content_type TEXT NULL,
    location TEXT NULL,
    response BLOB NULL,
    error_code TEXT NULL,
    resource_type TEXT NULL,
    resource_id TEXT NULL,
    replay_count INTEGER NOT NULL,
    created_at TEXT NOT NULL,
    expires_at TEXT NOT NULL,
    PRIMARY KEY (company_id, idempotency_key),
    CONSTRAINT idempotency_keys_company FOREIGN KEY (company_id) REFERENCES companies (id),
    CONSTRAINT idempotency_keys_state CHECK (state IN ('running', 'done', 'failed')),
    CONSTRAINT idempotency_keys_answer CHECK (state <> 'done' OR (status IS NOT NULL AND response IS NOT NULL))
) STRICT;

CREATE INDEX idempotency_keys_expiry ON idempotency_keys (expires_at);
