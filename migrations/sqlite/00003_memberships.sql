-- +goose Up
CREATE TABLE memberships (
    company_id BLOB NOT NULL,
    id BLOB NOT NULL,
    user_id BLOB NOT NULL,
    role TEXT NOT NULL,
    -- The language in this company; that of the user when NULL.
    locale TEXT NULL,
    created_at TEXT NOT NULL,
    PRIMARY KEY (company_id, id),
    CONSTRAINT memberships_company FOREIGN KEY (company_id) REFERENCES companies (id),
    CONSTRAINT memberships_user_exists FOREIGN KEY (user_id) REFERENCES users (id),
    CONSTRAINT memberships_role CHECK (role IN ('admin', 'accountant', 'manager', 'developer', 'viewer'))
) STRICT;

CREATE UNIQUE INDEX memberships_user ON memberships (company_id, user_id);
CREATE INDEX memberships_companies ON memberships (user_id, company_id);
