-- +goose Up
CREATE TABLE asset_depreciation_runs (
    company_id BINARY(16) NOT NULL,
    id BINARY(16) NOT NULL,
    year SMALLINT NOT NULL,
    month TINYINT NOT NULL,
    amount_minor BIGINT NOT NULL,
    -- Null when the parts of all assets round to nothing.
    journal_transaction_id BINARY(16) NULL,
    created_at DATETIME(6) NOT NULL,
    PRIMARY KEY (company_id, id),
    KEY asset_depreciation_runs_month (company_id, year, month),
    CONSTRAINT asset_depreciation_runs_company FOREIGN KEY (company_id) REFERENCES companies (id),
    CONSTRAINT asset_depreciation_runs_journal FOREIGN KEY (company_id, journal_transaction_id) REFERENCES journal_transactions (company_id, id),
    CONSTRAINT asset_depreciation_runs_calendar CHECK (month BETWEEN 1 AND 12),
    CONSTRAINT asset_depreciation_runs_posted CHECK (amount_minor >= 0 AND (amount_minor = 0) = (journal_transaction_id IS NULL))
) DEFAULT CHARACTER SET utf8mb4 COLLATE utf8mb4_bin;
