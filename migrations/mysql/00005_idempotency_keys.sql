-- +goose Up
CREATE TABLE idempotency_keys (
    company_id BINARY(16) NOT NULL,
    idempotency_key VARBINARY(1020) NOT NULL,
    -- running is seen by dirty reads alone: no committed row is ever in it.
    state VARCHAR(8) NOT NULL,
    fingerprint BINARY(32) NOT NULL,
    method VARCHAR(10) NOT NULL,
    route VARCHAR(255) NOT NULL,
    media_type VARCHAR(100) NOT NULL,
    query VARCHAR(2000) NOT NULL,
    -- The canonical request, gzipped when that is shorter; the first byte tells.
    request MEDIUMBLOB NOT NULL,
    request_id VARCHAR(64) NOT NULL,
    actor VARCHAR(255) NOT NULL,
    -- The attempt tells the owner of an unknown commit that the row is its own.
    attempt BINARY(16) NOT NULL,
    status SMALLINT NULL,
    content_type VARCHAR(100) NULL,
    location VARCHAR(255) NULL,
    response MEDIUMBLOB NULL,
    error_code VARCHAR(100) NULL,
    resource_type VARCHAR(64) NULL,
    resource_id VARCHAR(64) NULL,
    replay_count BIGINT NOT NULL,
    created_at DATETIME(6) NOT NULL,
    expires_at DATETIME(6) NOT NULL,
    PRIMARY KEY (company_id, idempotency_key),
    KEY idempotency_keys_expiry (expires_at),
    CONSTRAINT idempotency_keys_company FOREIGN KEY (company_id) REFERENCES companies (id),
    CONSTRAINT idempotency_keys_state CHECK (state IN ('running', 'done', 'failed')),
    CONSTRAINT idempotency_keys_answer CHECK (state <> 'done' OR (status IS NOT NULL AND response IS NOT NULL))
) DEFAULT CHARACTER SET utf8mb4 COLLATE utf8mb4_bin;
