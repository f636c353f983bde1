-- +goose Up
CREATE TABLE bank_transactions (
    company_id BLOB NOT NULL,
    id BLOB NOT NULL,
    bank_account_id BLOB NOT NULL,
    transaction_date TEXT NOT NULL,
    currency TEXT NOT NULL,
    -- Positive for money that came in.
    amount_minor INTEGER NOT NULL,
    counterparty_name TEXT NULL,
    counterparty_iban TEXT NULL,
    description TEXT NULL,
    external_id TEXT NULL,
    -- SHA-256 of the external id: a lookup key of one width. A line without an external id is never a duplicate.
    external_id_hash BLOB NULL,
    created_at TEXT NOT NULL,
    PRIMARY KEY (company_id, id),
    CONSTRAINT bank_transactions_account_exists FOREIGN KEY (company_id, bank_account_id) REFERENCES bank_accounts (company_id, id),
    CONSTRAINT bank_transactions_amount CHECK (amount_minor <> 0),
    CONSTRAINT bank_transactions_external CHECK ((external_id IS NULL) = (external_id_hash IS NULL))
) STRICT;

CREATE UNIQUE INDEX bank_transactions_external_id ON bank_transactions (company_id, bank_account_id, external_id_hash);
CREATE INDEX bank_transactions_date ON bank_transactions (company_id, transaction_date);
CREATE INDEX bank_transactions_account ON bank_transactions (company_id, bank_account_id, transaction_date);
CREATE INDEX bank_transactions_counterparty ON bank_transactions (company_id, counterparty_iban);

-- +goose StatementBegin
CREATE TRIGGER bank_transactions_no_update BEFORE UPDATE ON bank_transactions
BEGIN
    SELECT RAISE(ABORT, 'bank_transactions is append-only: a row is never updated');
END;
-- +goose StatementEnd

-- +goose StatementBegin
CREATE TRIGGER bank_transactions_no_delete BEFORE DELETE ON bank_transactions
BEGIN
    SELECT RAISE(ABORT, 'bank_transactions is append-only: a row is never deleted');
END;
-- +goose StatementEnd
