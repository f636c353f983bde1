-- +goose Up
CREATE TABLE posting_rules (
    company_id BINARY(16) NOT NULL,
    id BINARY(16) NOT NULL,
    rule_key VARCHAR(64) NOT NULL,
    account_code VARCHAR(20) NOT NULL,
    updated_at DATETIME(6) NOT NULL,
    PRIMARY KEY (company_id, id),
    UNIQUE KEY posting_rules_key (company_id, rule_key),
    KEY posting_rules_account (company_id, account_code),
    CONSTRAINT posting_rules_company FOREIGN KEY (company_id) REFERENCES companies (id),
    CONSTRAINT posting_rules_account_exists FOREIGN KEY (company_id, account_code) REFERENCES ledger_accounts (company_id, code)
) DEFAULT CHARACTER SET utf8mb4 COLLATE utf8mb4_bin;
