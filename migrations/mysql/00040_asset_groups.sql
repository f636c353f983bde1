-- +goose Up
CREATE TABLE asset_groups (
    company_id BINARY(16) NOT NULL,
    id BINARY(16) NOT NULL,
    code VARCHAR(50) NOT NULL,
    name VARCHAR(255) NOT NULL,
    default_useful_life_months SMALLINT NULL,
    asset_account_code VARCHAR(20) NOT NULL,
    depreciation_account_code VARCHAR(20) NOT NULL,
    expense_account_code VARCHAR(20) NOT NULL,
    created_at DATETIME(6) NOT NULL,
    PRIMARY KEY (company_id, id),
    UNIQUE KEY asset_groups_code (company_id, code),
    CONSTRAINT asset_groups_company FOREIGN KEY (company_id) REFERENCES companies (id),
    CONSTRAINT asset_groups_asset_account FOREIGN KEY (company_id, asset_account_code) REFERENCES ledger_accounts (company_id, code),
    CONSTRAINT asset_groups_depreciation_account FOREIGN KEY (company_id, depreciation_account_code) REFERENCES ledger_accounts (company_id, code),
    CONSTRAINT asset_groups_expense_account FOREIGN KEY (company_id, expense_account_code) REFERENCES ledger_accounts (company_id, code),
    CONSTRAINT asset_groups_accounts CHECK (asset_account_code <> depreciation_account_code),
    CONSTRAINT asset_groups_life CHECK (default_useful_life_months BETWEEN 1 AND 1200)
) DEFAULT CHARACTER SET utf8mb4 COLLATE utf8mb4_bin;
