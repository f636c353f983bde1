-- +goose Up
CREATE TABLE settlements (
    company_id BLOB NOT NULL,
    id BLOB NOT NULL,
    bank_account_id BLOB NOT NULL,
    provider TEXT NOT NULL,
    payout_id TEXT NOT NULL,
    -- Null where the report does not say when the money arrives.
    payout_date TEXT NULL,
    format TEXT NOT NULL,
    currency TEXT NOT NULL,
    gross_minor INTEGER NOT NULL,
    fee_minor INTEGER NOT NULL,
    net_minor INTEGER NOT NULL,
    created_at TEXT NOT NULL,
    updated_at TEXT NOT NULL,
    PRIMARY KEY (company_id, id),
    CONSTRAINT settlements_company FOREIGN KEY (company_id) REFERENCES companies (id),
    CONSTRAINT settlements_bank_account_exists FOREIGN KEY (company_id, bank_account_id) REFERENCES bank_accounts (company_id, id),
    CONSTRAINT settlements_net CHECK (net_minor = gross_minor - fee_minor)
) STRICT;

CREATE UNIQUE INDEX settlements_payout ON settlements (company_id, provider, payout_id);
CREATE INDEX settlements_bank_account ON settlements (company_id, bank_account_id);
