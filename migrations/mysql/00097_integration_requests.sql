-- +goose Up
CREATE TABLE integration_requests (
    id BINARY(16) NOT NULL,
    integration VARCHAR(100) NOT NULL,
    name VARCHAR(255) NOT NULL,
    company VARCHAR(255) NULL,
    email VARCHAR(255) NOT NULL,
    website VARCHAR(255) NULL,
    details TEXT NULL,
    created_at DATETIME(6) NOT NULL,
    PRIMARY KEY (id)
) DEFAULT CHARACTER SET utf8mb4 COLLATE utf8mb4_bin;
