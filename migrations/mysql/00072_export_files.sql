-- +goose Up
CREATE TABLE export_files (
    company_id BINARY(16) NOT NULL,
    id BINARY(16) NOT NULL,
    job_id BINARY(16) NOT NULL,
    format VARCHAR(8) NOT NULL,
    file_name VARCHAR(255) NOT NULL,
    mime_type VARCHAR(128) NOT NULL,
    size_bytes BIGINT NOT NULL,
    sha256 BINARY(32) NOT NULL,
    -- The file whose chunks hold the bytes: itself, or the earlier file of the same locked months.
    content_id BINARY(16) NOT NULL,
    -- Digest of what the file is of, when its months are locked; null for a provisional file.
    final_key BINARY(32) NULL,
    -- The snapshot that it was made from, as JSON.
    watermark TEXT NOT NULL,
    created_at DATETIME(6) NOT NULL,
    PRIMARY KEY (company_id, id),
    UNIQUE KEY export_files_job (company_id, job_id, format),
    KEY export_files_final (company_id, final_key),
    KEY export_files_content (company_id, content_id),
    CONSTRAINT export_files_job_exists FOREIGN KEY (company_id, job_id) REFERENCES export_jobs (company_id, id),
    CONSTRAINT export_files_content_exists FOREIGN KEY (company_id, content_id) REFERENCES export_files (company_id, id),
    CONSTRAINT export_files_format CHECK (format IN ('json', 'csv', 'xlsx', 'pdf', 'xml')),
    CONSTRAINT export_files_size CHECK (size_bytes >= 0)
) DEFAULT CHARACTER SET utf8mb4 COLLATE utf8mb4_bin;
