-- +goose Up
CREATE TABLE api_keys (
    company_id BLOB NOT NULL,
    id BLOB NOT NULL,
    name TEXT NOT NULL,
    role TEXT NOT NULL,
    scopes TEXT NOT NULL,
    created_by TEXT NOT NULL,
    created_at TEXT NOT NULL,
    last_used_at TEXT NULL,
    revoked_at TEXT NULL,
    PRIMARY KEY (company_id, id),
    CONSTRAINT api_keys_company FOREIGN KEY (company_id) REFERENCES companies (id),
    CONSTRAINT api_keys_role CHECK (role IN ('admin', 'accountant', 'manager', 'developer', 'viewer'))
) STRICT;
