-- +goose Up
CREATE TABLE sessions (
    id BLOB NOT NULL,
    user_id BLOB NOT NULL,
    -- SHA-256 of the jti that the tokens of the session carry.
    jti_hash BLOB NOT NULL,
    -- How the user showed who they are; invite_url proves no mailbox.
    proof TEXT NOT NULL,
    address TEXT NOT NULL,
    created_at TEXT NOT NULL,
    last_seen_at TEXT NOT NULL,
    expires_at TEXT NOT NULL,
    revoked_at TEXT NULL,
    PRIMARY KEY (id),
    CONSTRAINT sessions_user_exists FOREIGN KEY (user_id) REFERENCES users (id),
    CONSTRAINT sessions_proof CHECK (proof IN ('link', 'password', 'invite_mail', 'invite_url'))
) STRICT;

CREATE UNIQUE INDEX sessions_jti ON sessions (jti_hash);
CREATE INDEX sessions_user ON sessions (user_id);
CREATE INDEX sessions_expiry ON sessions (expires_at);
