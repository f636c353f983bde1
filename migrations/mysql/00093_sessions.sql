-- +goose Up
CREATE TABLE sessions (
    id BINARY(16) NOT NULL,
    user_id BINARY(16) NOT NULL,
    -- SHA-256 of the jti that the tokens of the session carry.
    jti_hash BINARY(32) NOT NULL,
    -- How the user showed who they are; invite_url proves no mailbox.
    proof VARCHAR(16) NOT NULL,
    address VARCHAR(64) NOT NULL,
    created_at DATETIME(6) NOT NULL,
    last_seen_at DATETIME(6) NOT NULL,
    expires_at DATETIME(6) NOT NULL,
    revoked_at DATETIME(6) NULL,
    PRIMARY KEY (id),
    UNIQUE KEY sessions_jti (jti_hash),
    KEY sessions_user (user_id),
    KEY sessions_expiry (expires_at),
    CONSTRAINT sessions_user_exists FOREIGN KEY (user_id) REFERENCES users (id),
    CONSTRAINT sessions_proof CHECK (proof IN ('link', 'password', 'invite_mail', 'invite_url'))
) DEFAULT CHARACTER SET utf8mb4 COLLATE utf8mb4_bin;
