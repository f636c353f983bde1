-- +goose Up
CREATE TABLE ledger_accounts (
    company_id BLOB NOT NULL,
    id BLOB NOT NULL,
    code TEXT NOT NULL,
    name TEXT NOT NULL,
    type TEXT NOT NULL,
    parent_id BLOB NULL,
    is_postable INTEGER NOT NULL,
    created_at TEXT NOT NULL,
    PRIMARY KEY (company_id, id),
    CONSTRAINT ledger_accounts_company FOREIGN KEY (company_id) REFERENCES companies (id),
    CONSTRAINT ledger_accounts_parent_exists FOREIGN KEY (company_id, parent_id) REFERENCES ledger_accounts (company_id, id),
    CONSTRAINT ledger_accounts_type CHECK (type IN ('asset', 'liability', 'equity', 'income', 'expense'))
) STRICT;

CREATE UNIQUE INDEX ledger_accounts_code ON ledger_accounts (company_id, code);
CREATE INDEX ledger_accounts_parent ON ledger_accounts (company_id, parent_id);
