-- +goose Up
CREATE TABLE bank_accounts (
    company_id BINARY(16) NOT NULL,
    id BINARY(16) NOT NULL,
    name VARCHAR(255) NOT NULL,
    -- One bank account number may hold several currencies, each an account of its own here.
    iban VARCHAR(34) NULL,
    currency CHAR(3) NOT NULL,
    account_code VARCHAR(20) NOT NULL,
    is_active BOOLEAN NOT NULL,
    created_at DATETIME(6) NOT NULL,
    PRIMARY KEY (company_id, id),
    UNIQUE KEY bank_accounts_iban (company_id, iban, currency),
    KEY bank_accounts_ledger_code (company_id, account_code),
    CONSTRAINT bank_accounts_company FOREIGN KEY (company_id) REFERENCES companies (id),
    CONSTRAINT bank_accounts_ledger_account FOREIGN KEY (company_id, account_code) REFERENCES ledger_accounts (company_id, code)
) DEFAULT CHARACTER SET utf8mb4 COLLATE utf8mb4_bin;
