-- +goose Up
CREATE TABLE bank_payment_exports (
    company_id BLOB NOT NULL,
    id BLOB NOT NULL,
    bank_account_id BLOB NOT NULL,
    message_id TEXT NOT NULL,
    execution_date TEXT NOT NULL,
    transaction_count INTEGER NOT NULL,
    currency TEXT NOT NULL,
    total_minor INTEGER NOT NULL,
    created_at TEXT NOT NULL,
    PRIMARY KEY (company_id, id),
    CONSTRAINT bank_payment_exports_account_exists FOREIGN KEY (company_id, bank_account_id) REFERENCES bank_accounts (company_id, id),
    CONSTRAINT bank_payment_exports_total CHECK (transaction_count > 0 AND total_minor > 0)
) STRICT;

CREATE UNIQUE INDEX bank_payment_exports_message ON bank_payment_exports (company_id, message_id);
CREATE INDEX bank_payment_exports_account ON bank_payment_exports (company_id, bank_account_id);

-- +goose StatementBegin
CREATE TRIGGER bank_payment_exports_no_update BEFORE UPDATE ON bank_payment_exports
BEGIN
    SELECT RAISE(ABORT, 'bank_payment_exports is append-only: a row is never updated');
END;
-- +goose StatementEnd

-- +goose StatementBegin
CREATE TRIGGER bank_payment_exports_no_delete BEFORE DELETE ON bank_payment_exports
BEGIN
    SELECT RAISE(ABORT, 'bank_payment_exports is append-only: a row is never deleted');
END;
-- +goose StatementEnd
