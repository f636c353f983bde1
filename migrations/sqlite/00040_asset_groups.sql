-- +goose Up
CREATE TABLE asset_groups (
    company_id BLOB NOT NULL,
    id BLOB NOT NULL,
    code TEXT NOT NULL,
    name TEXT NOT NULL,
    default_useful_life_months INTEGER NULL,
    asset_account_code TEXT NOT NULL,
    depreciation_account_code TEXT NOT NULL,
    expense_account_code TEXT NOT NULL,
    created_at TEXT NOT NULL,
    PRIMARY KEY (company_id, id),
    CONSTRAINT asset_groups_company FOREIGN KEY (company_id) REFERENCES companies (id),
    CONSTRAINT asset_groups_asset_account FOREIGN KEY (company_id, asset_account_code) REFERENCES ledger_accounts (company_id, code),
    CONSTRAINT asset_groups_depreciation_account FOREIGN KEY (company_id, depreciation_account_code) REFERENCES ledger_accounts (company_id, code),
    CONSTRAINT asset_groups_expense_account FOREIGN KEY (company_id, expense_account_code) REFERENCES ledger_accounts (company_id, code),
    CONSTRAINT asset_groups_accounts CHECK (asset_account_code <> depreciation_account_code),
    CONSTRAINT asset_groups_life CHECK (default_useful_life_months BETWEEN 1 AND 1200)
) STRICT;

CREATE UNIQUE INDEX asset_groups_code ON asset_groups (company_id, code);
