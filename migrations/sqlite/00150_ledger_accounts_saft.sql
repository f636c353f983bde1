-- +goose Up
-- The account of VMI's classifier that the company chose for SAF-T; null leaves it to the defaults.
ALTER TABLE ledger_accounts ADD COLUMN saft_code TEXT NULL;
ALTER TABLE ledger_accounts ADD COLUMN saft_name TEXT NULL CHECK (saft_name IS NULL OR saft_code IS NOT NULL);
