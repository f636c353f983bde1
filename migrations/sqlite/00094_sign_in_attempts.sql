-- +goose Up
CREATE TABLE sign_in_attempts (
    -- SHA-256 of what is counted: an e-mail or an address, and what was tried.
    subject_hash BLOB NOT NULL,
    attempts INTEGER NOT NULL,
    last_at TEXT NOT NULL,
    blocked_until TEXT NOT NULL,
    PRIMARY KEY (subject_hash),
    CONSTRAINT sign_in_attempts_count CHECK (attempts >= 0)
) STRICT;

CREATE INDEX sign_in_attempts_last ON sign_in_attempts (last_at);
