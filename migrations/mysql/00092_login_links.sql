-- +goose Up
CREATE TABLE login_links (
    id BINARY(16) NOT NULL,
    -- SHA-256 of the token: whoever reads the table cannot sign in with it.
    token_hash BINARY(32) NOT NULL,
    email VARCHAR(255) NOT NULL,
    locale VARCHAR(5) NOT NULL,
    created_at DATETIME(6) NOT NULL,
    expires_at DATETIME(6) NOT NULL,
    used_at DATETIME(6) NULL,
    PRIMARY KEY (id),
    UNIQUE KEY login_links_token (token_hash),
    KEY login_links_expiry (expires_at)
) DEFAULT CHARACTER SET utf8mb4 COLLATE utf8mb4_bin;
