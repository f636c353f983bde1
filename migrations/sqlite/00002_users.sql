-- +goose Up
CREATE TABLE users (
    id BLOB NOT NULL,
    email TEXT NOT NULL,
    name TEXT NULL,
    locale TEXT NOT NULL,
    created_at TEXT NOT NULL,
    PRIMARY KEY (id)
) STRICT;

CREATE UNIQUE INDEX users_email ON users (email);
