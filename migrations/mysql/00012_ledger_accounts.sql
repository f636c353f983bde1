-- +goose Up
CREATE TABLE ledger_accounts (
    company_id BINARY(16) NOT NULL,
    id BINARY(16) NOT NULL,
    code VARCHAR(20) NOT NULL,
    name VARCHAR(255) NOT NULL,
    type VARCHAR(10) NOT NULL,
    parent_id BINARY(16) NULL,
    is_postable BOOLEAN NOT NULL,
    created_at DATETIME(6) NOT NULL,
    PRIMARY KEY (company_id, id),
    UNIQUE KEY ledger_accounts_code (company_id, code),
    KEY ledger_accounts_parent (company_id, parent_id),
    CONSTRAINT ledger_accounts_company FOREIGN KEY (company_id) REFERENCES companies (id),
    CONSTRAINT ledger_accounts_parent_exists FOREIGN KEY (company_id, parent_id) REFERENCES ledger_accounts (company_id, id),
    CONSTRAINT ledger_accounts_type CHECK (type IN ('asset', 'liability', 'equity', 'income', 'expense'))
) DEFAULT CHARACTER SET utf8mb4 COLLATE utf8mb4_bin;
