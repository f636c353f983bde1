-- +goose Up
CREATE TABLE asset_disposals (
    company_id BINARY(16) NOT NULL,
    id BINARY(16) NOT NULL,
    asset_id BINARY(16) NOT NULL,
    disposal_date DATE NOT NULL,
    reason VARCHAR(500) NOT NULL,
    expense_account_code VARCHAR(20) NOT NULL,
    cost_minor BIGINT NOT NULL,
    accumulated_minor BIGINT NOT NULL,
    journal_transaction_id BINARY(16) NOT NULL,
    created_at DATETIME(6) NOT NULL,
    PRIMARY KEY (company_id, id),
    UNIQUE KEY asset_disposals_asset (company_id, asset_id),
    CONSTRAINT asset_disposals_asset_exists FOREIGN KEY (company_id, asset_id) REFERENCES assets (company_id, id),
    CONSTRAINT asset_disposals_account FOREIGN KEY (company_id, expense_account_code) REFERENCES ledger_accounts (company_id, code),
    CONSTRAINT asset_disposals_journal FOREIGN KEY (company_id, journal_transaction_id) REFERENCES journal_transactions (company_id, id),
    CONSTRAINT asset_disposals_amounts CHECK (cost_minor > 0 AND accumulated_minor >= 0 AND accumulated_minor <= cost_minor)
) DEFAULT CHARACTER SET utf8mb4 COLLATE utf8mb4_bin;
