-- +goose Up
CREATE TABLE asset_depreciations (
    company_id BINARY(16) NOT NULL,
    id BINARY(16) NOT NULL,
    asset_id BINARY(16) NOT NULL,
    run_id BINARY(16) NOT NULL,
    year SMALLINT NOT NULL,
    month TINYINT NOT NULL,
    amount_minor BIGINT NOT NULL,
    created_at DATETIME(6) NOT NULL,
    PRIMARY KEY (company_id, id),
    UNIQUE KEY asset_depreciations_month (company_id, asset_id, year, month),
    KEY asset_depreciations_run (company_id, run_id),
    KEY asset_depreciations_calendar_month (company_id, year, month),
    CONSTRAINT asset_depreciations_asset FOREIGN KEY (company_id, asset_id) REFERENCES assets (company_id, id),
    CONSTRAINT asset_depreciations_run_exists FOREIGN KEY (company_id, run_id) REFERENCES asset_depreciation_runs (company_id, id),
    CONSTRAINT asset_depreciations_calendar CHECK (month BETWEEN 1 AND 12),
    CONSTRAINT asset_depreciations_amount CHECK (amount_minor >= 0)
) DEFAULT CHARACTER SET utf8mb4 COLLATE utf8mb4_bin;
