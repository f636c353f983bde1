-- +goose Up
CREATE TABLE asset_depreciations (
    company_id BLOB NOT NULL,
    id BLOB NOT NULL,
    asset_id BLOB NOT NULL,
    run_id BLOB NOT NULL,
    year INTEGER NOT NULL,
    month INTEGER NOT NULL,
    amount_minor INTEGER NOT NULL,
    created_at TEXT NOT NULL,
    PRIMARY KEY (company_id, id),
    CONSTRAINT asset_depreciations_asset FOREIGN KEY (company_id, asset_id) REFERENCES assets (company_id, id),
    CONSTRAINT asset_depreciations_run_exists FOREIGN KEY (company_id, run_id) REFERENCES asset_depreciation_runs (company_id, id),
    CONSTRAINT asset_depreciations_calendar CHECK (month BETWEEN 1 AND 12),
    CONSTRAINT asset_depreciations_amount CHECK (amount_minor >= 0)
) STRICT;

CREATE UNIQUE INDEX asset_depreciations_month ON asset_depreciations (company_id, asset_id, year, month);
CREATE INDEX asset_depreciations_run ON asset_depreciations (company_id, run_id);
CREATE INDEX asset_depreciations_calendar_month ON asset_depreciations (company_id, year, month);

-- +goose StatementBegin
CREATE TRIGGER asset_depreciations_no_update BEFORE UPDATE ON asset_depreciations
BEGIN
    SELECT RAISE(ABORT, 'asset_depreciations is append-only: a row is never updated');
END;
-- +goose StatementEnd

-- +goose StatementBegin
CREATE TRIGGER asset_depreciations_no_delete BEFORE DELETE ON asset_depreciations
BEGIN
    SELECT RAISE(ABORT, 'asset_depreciations is append-only: a row is never deleted');
END;
-- +goose StatementEnd
