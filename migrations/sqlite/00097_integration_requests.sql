-- +goose Up
CREATE TABLE integration_requests (
    id BLOB NOT NULL,
    integration TEXT NOT NULL,
    name TEXT NOT NULL,
    company TEXT NULL,
    email TEXT NOT NULL,
    website TEXT NULL,
    details TEXT NULL,
    created_at TEXT NOT NULL,
    PRIMARY KEY (id)
) STRICT;
