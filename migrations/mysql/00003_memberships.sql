-- +goose Up
CREATE TABLE memberships (
    company_id BINARY(16) NOT NULL,
    id BINARY(16) NOT NULL,
    user_id BINARY(16) NOT NULL,
    role VARCHAR(16) NOT NULL,
    -- The language in this company; that of the user when NULL.
    locale VARCHAR(5) NULL,
    created_at DATETIME(6) NOT NULL,
    PRIMARY KEY (company_id, id),
    UNIQUE KEY memberships_user (company_id, user_id),
    KEY memberships_companies (user_id, company_id),
    CONSTRAINT memberships_company FOREIGN KEY (company_id) REFERENCES companies (id),
    CONSTRAINT memberships_user_exists FOREIGN KEY (user_id) REFERENCES users (id),
    CONSTRAINT memberships_role CHECK (role IN ('admin', 'accountant', 'manager', 'developer', 'viewer'))
) DEFAULT CHARACTER SET utf8mb4 COLLATE utf8mb4_bin;
