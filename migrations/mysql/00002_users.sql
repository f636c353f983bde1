-- +goose Up
CREATE TABLE users (
    id BINARY(16) NOT NULL,
    email VARCHAR(255) NOT NULL,
    name VARCHAR(255) NULL,
    locale VARCHAR(5) NOT NULL,
    created_at DATETIME(6) NOT NULL,
    PRIMARY KEY (id),
    UNIQUE KEY users_email (email)
) DEFAULT CHARACTER SET utf8mb4 COLLATE utf8mb4_bin;
