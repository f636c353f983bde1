-- +goose Up
CREATE TABLE invites (
    company_id BLOB NOT NULL,
    id BLOB NOT NULL,
    email TEXT NOT NULL,
    role TEXT NOT NULL,
    -- SHA-256 of the token in the answer, and of the one in the mail, which alone proves the mailbox.
    token_hash BLOB NOT NULL,
    mail_token_hash BLOB NOT NULL,
    invited_by TEXT NOT NULL,
    created_at TEXT NOT NULL,
    expires_at TEXT NOT NULL,
    accepted_at TEXT NULL,
    revoked_at TEXT NULL,
    PRIMARY KEY (company_id, id),
    CONSTRAINT invites_company FOREIGN KEY (company_id) REFERENCES companies (id),
    CONSTRAINT invites_role CHECK (role IN ('admin', 'accountant', 'manager', 'developer', 'viewer')),
    CONSTRAINT invites_end CHECK (accepted_at IS NULL OR revoked_at IS NULL)
) STRICT;

CREATE INDEX invites_token ON invites (token_hash);
CREATE INDEX invites_mail_token ON invites (mail_token_hash);
CREATE INDEX invites_email ON invites (company_id, email);
