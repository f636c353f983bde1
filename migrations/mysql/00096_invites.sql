-- +goose Up
CREATE TABLE invites (
    company_id BINARY(16) NOT NULL,
    id BINARY(16) NOT NULL,
    email VARCHAR(255) NOT NULL,
    role VARCHAR(16) NOT NULL,
    -- SHA-256 of the token in the answer, and of the one in the mail, which alone proves the mailbox.
    token_hash BINARY(32) NOT NULL,
    mail_token_hash BINARY(32) NOT NULL,
    invited_by VARCHAR(255) NOT NULL,
    created_at DATETIME(6) NOT NULL,
    expires_at DATETIME(6) NOT NULL,
    accepted_at DATETIME(6) NULL,
    revoked_at DATETIME(6) NULL,
    PRIMARY KEY (company_id, id),
    KEY invites_token (token_hash),
    KEY invites_mail_token (mail_token_hash),
    KEY invites_email (company_id, email),
    CONSTRAINT invites_company FOREIGN KEY (company_id) REFERENCES companies (id),
    CONSTRAINT invites_role CHECK (role IN ('admin', 'accountant', 'manager', 'developer', 'viewer')),
    CONSTRAINT invites_end CHECK (accepted_at IS NULL OR revoked_at IS NULL)
) DEFAULT CHARACTER SET utf8mb4 COLLATE utf8mb4_bin;
