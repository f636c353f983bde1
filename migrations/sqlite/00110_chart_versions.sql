-- +goose Up
CREATE TABLE chart_versions (
    company_id BLOB NOT NULL,
    id BLOB NOT NULL,
    -- Raised by what changes where documents post: servers keep accounts and posting rules in memory while it stays.
    version INTEGER NOT NULL,
    PRIMARY KEY (company_id, id)
) STRICT;

CREATE UNIQUE INDEX chart_versions_company ON chart_versions (company_id);
