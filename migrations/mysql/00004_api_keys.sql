-- +goose Up
CREATE TABLE api_keys (
    company_id BINARY(16) NOT NULL,
    id BINARY(16) NOT NULL,
    name VARCHAR(100) NOT NULL,
    role VARCHAR(16) NOT NULL,
    scopes VARCHAR(1000) NOT NULL,
    created_by VARCHAR(255) NOT NULL,
    created_at DATETIME(6) NOT NULL,
    last_used_at DATETIME(6) NULL,
    revoked_at DATETIME(6) NULL,
    PRIMARY KEY (company_id, id),
    CONSTRAINT api_keys_company FOREIGN KEY (company_id) REFERENCES companies (id),
    CONSTRAINT api_keys_role CHECK (role IN ('admin', 'accountant', 'manager', 'developer', 'viewer'))
) DEFAULT CHARACTER SET utf8mb4 COLLATE utf8mb4_bin;
