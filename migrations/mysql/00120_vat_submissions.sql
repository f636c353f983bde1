-- +goose Up
CREATE TABLE vat_submissions (
    company_id BINARY(16) NOT NULL,
    id BINARY(16) NOT NULL,
    obligation VARCHAR(16) NOT NULL,
    period_year SMALLINT NOT NULL,
    -- The first month.
    period_month TINYINT NOT NULL,
    period_from DATE NOT NULL,
    period_to DATE NOT NULL,
    -- The data type of i.SAF: F, S or P.
    variant VARCHAR(8) NOT NULL,
    part_number VARCHAR(20) NOT NULL,
    status VARCHAR(10) NOT NULL,
    file_id BINARY(16) NOT NULL,
    file_name VARCHAR(255) NOT NULL,
    file_sha256 BINARY(32) NOT NULL,
    -- Digest of the file without what differs each time it is made.
    content_sha256 BINARY(32) NOT NULL,
    -- The earlier submission of the same part that this one replaces.
    corrects_id BINARY(16) NULL,
    -- What the file was made from: rows of the register, with their sums.
    row_count BIGINT NOT NULL,
    base_net_minor BIGINT NOT NULL,
    base_vat_minor BIGINT NOT NULL,
    external_ref VARCHAR(255) NULL,
    message VARCHAR(2000) NULL,
    created_at DATETIME(6) NOT NULL,
    updated_at DATETIME(6) NOT NULL,
    PRIMARY KEY (company_id, id),
    UNIQUE KEY vat_submissions_content (company_id, obligation, period_from, content_sha256),
    KEY vat_submissions_recent (company_id, created_at),
    CONSTRAINT vat_submissions_company FOREIGN KEY (company_id) REFERENCES companies (id),
    CONSTRAINT vat_submissions_file FOREIGN KEY (company_id, file_id) REFERENCES files (company_id, id),
    CONSTRAINT vat_submissions_corrects FOREIGN KEY (company_id, corrects_id) REFERENCES vat_submissions (company_id, id),
    CONSTRAINT vat_submissions_status CHECK (status IN ('generated', 'submitted', 'accepted', 'rejected')),
    CONSTRAINT vat_submissions_period CHECK (period_from <= period_to AND row_count >= 0)
) DEFAULT CHARACTER SET utf8mb4 COLLATE utf8mb4_bin;
