-- +goose Up
-- The account of VMI's classifier that the company chose for SAF-T; null leaves it to the defaults.
ALTER TABLE ledger_accounts
    ADD COLUMN saft_code VARCHAR(20) NULL,
    ADD COLUMN saft_name VARCHAR(255) NULL,
    ADD CONSTRAINT ledger_accounts_saft CHECK (saft_name IS NULL OR saft_code IS NOT NULL);
