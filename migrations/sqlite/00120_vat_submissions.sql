-- +goose Up
CREATE TABLE vat_submissions (
    company_id BLOB NOT NULL,
    id BLOB NOT NULL,
    obligation TEXT NOT NULL,
    period_year INTEGER NOT NULL,
    -- The first month.
    period_month INTEGER NOT NULL,
    period_from TEXT NOT NULL,
    period_to TEXT NOT NULL,
    -- The data type of i.SAF: F, S or P.
    variant TEXT NOT NULL,
    part_number TEXT NOT NULL,
    status TEXT NOT NULL,
    file_id BLOB NOT NULL,
    file_name TEXT NOT NULL,
    file_sha256 BLOB NOT NULL,
    -- Digest of the file without what differs each time it is made.
    content_sha256 BLOB NOT NULL,
    -- The earlier submission of the same part that this one replaces.
    corrects_id BLOB NULL,
    -- What the file was made from: rows of the register, with their sums.
    row_count INTEGER NOT NULL,
    base_net_minor INTEGER NOT NULL,
    base_vat_minor INTEGER NOT NULL,
    external_ref TEXT NULL,
    message TEXT NULL,
    created_at TEXT NOT NULL,
    updated_at TEXT NOT NULL,
    PRIMARY KEY (company_id, id),
    CONSTRAINT vat_submissions_company FOREIGN KEY (company_id) REFERENCES companies (id),
    CONSTRAINT vat_submissions_file FOREIGN KEY (company_id, file_id) REFERENCES files (company_id, id),
    CONSTRAINT vat_submissions_corrects FOREIGN KEY (company_id, corrects_id) REFERENCES vat_submissions (company_id, id),
    CONSTRAINT vat_submissions_status CHECK (status IN ('generated', 'submitted', 'accepted', 'rejected')),
    CONSTRAINT vat_submissions_period CHECK (period_from <= period_to AND row_count >= 0)
) STRICT;

CREATE UNIQUE INDEX vat_submissions_content ON vat_submissions (company_id, obligation, period_from, content_sha256);
CREATE INDEX vat_submissions_recent ON vat_submissions (company_id, created_at);
