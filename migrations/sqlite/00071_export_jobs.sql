-- +goose Up
CREATE TABLE export_jobs (
    company_id BLOB NOT NULL,
    id BLOB NOT NULL,
    report_type TEXT NOT NULL,
    -- As completed when the job was created, so that every attempt is about the same days.
    params TEXT NOT NULL,
    -- Names with commas between them.
    formats TEXT NOT NULL,
    status TEXT NOT NULL,
    progress INTEGER NOT NULL,
    attempts INTEGER NOT NULL,
    -- The attempt that works on it, and until when nobody else may.
    owner BLOB NULL,
    lease_until TEXT NULL,
    error_code TEXT NULL,
    error_message TEXT NULL,
    created_at TEXT NOT NULL,
    started_at TEXT NULL,
    finished_at TEXT NULL,
    PRIMARY KEY (company_id, id),
    CONSTRAINT export_jobs_company FOREIGN KEY (company_id) REFERENCES companies (id),
    CONSTRAINT export_jobs_status CHECK (status IN ('queued', 'running', 'completed', 'failed', 'cancelled')),
    CONSTRAINT export_jobs_owned CHECK ((status = 'running') = (owner IS NOT NULL) AND (owner IS NULL) = (lease_until IS NULL)),
    CONSTRAINT export_jobs_finished CHECK ((status IN ('completed', 'failed', 'cancelled')) = (finished_at IS NOT NULL)),
    CONSTRAINT export_jobs_error CHECK ((status = 'failed') = (error_code IS NOT NULL) AND (error_code IS NULL) = (error_message IS NULL)),
    CONSTRAINT export_jobs_progress CHECK (progress BETWEEN 0 AND 100 AND attempts >= 0)
) STRICT;

CREATE INDEX export_jobs_due ON export_jobs (status, lease_until);
