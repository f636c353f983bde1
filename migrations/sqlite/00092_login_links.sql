-- +goose Up
CREATE TABLE login_links (
    id BLOB NOT NULL,
    -- SHA-256 of the token: whoever reads the table cannot sign in with it.
    token_hash BLOB NOT NULL,
    email TEXT NOT NULL,
    locale TEXT NOT NULL,
    created_at TEXT NOT NULL,
    expires_at TEXT NOT NULL,
    used_at TEXT NULL,
    PRIMARY KEY (id)
) STRICT;

CREATE UNIQUE INDEX login_links_token ON login_links (token_hash);
CREATE INDEX login_links_expiry ON login_links (expires_at);
