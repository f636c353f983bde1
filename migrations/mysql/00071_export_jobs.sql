-- +goose Up
CREATE TABLE export_jobs (
    company_id BINARY(16) NOT NULL,
    id BINARY(16) NOT NULL,
    report_type VARCHAR(64) NOT NULL,
    -- As completed when the job was created, so that every attempt is about the same days.
    params TEXT NOT NULL,
    -- Names with commas between them.
    formats VARCHAR(64) NOT NULL,
    status VARCHAR(10) NOT NULL,
    progress TINYINT NOT NULL,
    attempts TINYINT NOT NULL,
    -- The attempt that works on it, and until when nobody else may.
    owner BINARY(16) NULL,
    lease_until DATETIME(6) NULL,
    error_code VARCHAR(64) NULL,
    error_message VARCHAR(1000) NULL,
    created_at DATETIME(6) NOT NULL,
    started_at DATETIME(6) NULL,
    finished_at DATETIME(6) NULL,
    PRIMARY KEY (company_id, id),
    KEY export_jobs_due (status, lease_until),
    CONSTRAINT export_jobs_company FOREIGN KEY (company_id) REFERENCES companies (id),
    CONSTRAINT export_jobs_status CHECK (status IN ('queued', 'running', 'completed', 'failed', 'cancelled')),
    CONSTRAINT export_jobs_owned CHECK ((status = 'running') = (owner IS NOT NULL) AND (owner IS NULL) = (lease_until IS NULL)),
    CONSTRAINT export_jobs_finished CHECK ((status IN ('completed', 'failed', 'cancelled')) = (finished_at IS NOT NULL)),
    CONSTRAINT export_jobs_error CHECK ((status = 'failed') = (error_code IS NOT NULL) AND (error_code IS NULL) = (error_message IS NULL)),
    CONSTRAINT export_jobs_progress CHECK (progress BETWEEN 0 AND 100 AND attempts >= 0)
) DEFAULT CHARACTER SET utf8mb4 COLLATE utf8mb4_bin;
