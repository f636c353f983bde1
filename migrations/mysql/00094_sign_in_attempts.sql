-- +goose Up
CREATE TABLE sign_in_attempts (
    -- SHA-256 of what is counted: an e-mail or an address, and what was tried.
    subject_hash BINARY(32) NOT NULL,
    attempts INTEGER NOT NULL,
    last_at DATETIME(6) NOT NULL,
    blocked_until DATETIME(6) NOT NULL,
    PRIMARY KEY (subject_hash),
    KEY sign_in_attempts_last (last_at),
    CONSTRAINT sign_in_attempts_count CHECK (attempts >= 0)
) DEFAULT CHARACTER SET utf8mb4 COLLATE utf8mb4_bin;
