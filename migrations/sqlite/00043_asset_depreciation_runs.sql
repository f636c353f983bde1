-- +goose Up
CREATE TABLE asset_depreciation_runs (
    company_id BLOB NOT NULL,
    id BLOB NOT NULL,
    year INTEGER NOT NULL,
    month INTEGER NOT NULL,
    amount_minor INTEGER NOT NULL,
    -- Null when the parts of all assets round to nothing.
    journal_transaction_id BLOB NULL,
    created_at TEXT NOT NULL,
    PRIMARY KEY (company_id, id),
    CONSTRAINT asset_depreciation_runs_company FOREIGN KEY (company_id) REFERENCES companies (id),
    CONSTRAINT asset_depreciation_runs_journal FOREIGN KEY (company_id, journal_transaction_id) REFERENCES journal_transactions (company_id, id),
    CONSTRAINT asset_depreciation_runs_calendar CHECK (month BETWEEN 1 AND 12),
    CONSTRAINT asset_depreciation_runs_posted CHECK (amount_minor >= 0 AND (amount_minor = 0) = (journal_transaction_id IS NULL))
) STRICT;

CREATE INDEX asset_depreciation_runs_month ON asset_depreciation_runs (company_id, year, month);

-- +goose StatementBegin
CREATE TRIGGER asset_depreciation_runs_no_update BEFORE UPDATE ON asset_depreciation_runs
BEGIN
    SELECT RAISE(ABORT, 'asset_depreciation_runs is append-only: a row is never updated');
END;
-- +goose StatementEnd

-- +goose StatementBegin
CREATE TRIGGER asset_depreciation_runs_no_delete BEFORE DELETE ON asset_depreciation_runs
BEGIN
    SELECT RAISE(ABORT, 'asset_depreciation_runs is append-only: a row is never deleted');
END;
-- +goose StatementEnd
