-- +goose Up
CREATE TABLE posting_rules (
    company_id BLOB NOT NULL,
    id BLOB NOT NULL,
    rule_key TEXT NOT NULL,
    account_code TEXT NOT NULL,
    updated_at TEXT NOT NULL,
    PRIMARY KEY (company_id, id),
    CONSTRAINT posting_rules_company FOREIGN KEY (company_id) REFERENCES companies (id),
    CONSTRAINT posting_rules_account_exists FOREIGN KEY (company_id, account_code) REFERENCES ledger_accounts (company_id, code)
) STRICT;

CREATE UNIQUE INDEX posting_rules_key ON posting_rules (company_id, rule_key);
CREATE INDEX posting_rules_account ON posting_rules (company_id, account_code);
