-- +goose Up
CREATE TABLE chart_versions (
    company_id BINARY(16) NOT NULL,
    id BINARY(16) NOT NULL,
    -- Raised by what changes where documents post: servers keep accounts and posting rules in memory while it stays.
    version BIGINT NOT NULL,
    PRIMARY KEY (company_id, id),
    UNIQUE KEY chart_versions_company (company_id)
) DEFAULT CHARACTER SET utf8mb4 COLLATE utf8mb4_bin;
