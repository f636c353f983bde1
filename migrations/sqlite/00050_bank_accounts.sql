-- +goose Up
CREATE TABLE bank_accounts (
    company_id BLOB NOT NULL,
    id BLOB NOT NULL,
    name TEXT NOT NULL,
    -- One bank account number may hold several currencies, each an account of its own here.
    iban TEXT NULL,
    currency TEXT NOT NULL,
    account_code TEXT NOT NULL,
    is_active INTEGER NOT NULL,
    created_at TEXT NOT NULL,
    PRIMARY KEY (company_id, id),
    CONSTRAINT bank_accounts_company FOREIGN KEY (company_id) REFERENCES companies (id),
    CONSTRAINT bank_accounts_ledger_account FOREIGN KEY (company_id, account_code) REFERENCES ledger_accounts (company_id, code)
) STRICT;

CREATE UNIQUE INDEX bank_accounts_iban ON bank_accounts (company_id, iban, currency);
CREATE INDEX bank_accounts_ledger_code ON bank_accounts (company_id, account_code);
