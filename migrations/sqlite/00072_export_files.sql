-- +goose Up
CREATE TABLE export_files (
    company_id BLOB NOT NULL,
    id BLOB NOT NULL,
    job_id BLOB NOT NULL,
    format TEXT NOT NULL,
    file_name TEXT NOT NULL,
    mime_type TEXT NOT NULL,
    size_bytes INTEGER NOT NULL,
    sha256 BLOB NOT NULL,
    -- The file whose chunks hold the bytes: itself, or the earlier file of the same locked months.
    content_id BLOB NOT NULL,
    -- Digest of what the file is of, when its months are locked; null for a provisional file.
    final_key BLOB NULL,
    -- The snapshot that it was made from, as JSON.
    watermark TEXT NOT NULL,
    created_at TEXT NOT NULL,
    PRIMARY KEY (company_id, id),
    CONSTRAINT export_files_job_exists FOREIGN KEY (company_id, job_id) REFERENCES export_jobs (company_id, id),
    CONSTRAINT export_files_content_exists FOREIGN KEY (company_id, content_id) REFERENCES export_files (company_id, id),
    CONSTRAINT export_files_format CHECK (format IN ('json', 'csv', 'xlsx', 'pdf', 'xml')),
    CONSTRAINT export_files_size CHECK (size_bytes >= 0)
) STRICT;

CREATE UNIQUE INDEX export_files_job ON export_files (company_id, job_id, format);
CREATE INDEX export_files_final ON export_files (company_id, final_key);
CREATE INDEX export_files_content ON export_files (company_id, content_id);

-- +goose StatementBegin
CREATE TRIGGER export_files_no_update BEFORE UPDATE ON export_files
BEGIN
    SELECT RAISE(ABORT, 'export_files is append-only: a row is never updated');
END;
-- +goose StatementEnd

-- +goose StatementBegin
CREATE TRIGGER export_files_no_delete BEFORE DELETE ON export_files
BEGIN
    SELECT RAISE(ABORT, 'export_files is append-only: a row is never deleted');
END;
-- +goose StatementEnd
